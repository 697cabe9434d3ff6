import type { FirmwareConfig } from "./run-node.ts";

/**
 * Throws a RangeError if nothing checked the node's options, here or when the manifest was written. On a
 * board carried.js does this.
 */
export function checkGivenConfig(_node: FirmwareConfig["node"]): void {}
