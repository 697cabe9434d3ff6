import type { Sensor } from "../../src/start/sensors.ts";
import type { FirmwareConfig } from "./run-node.ts";

/**
 * Throws a RangeError if nothing checked the node's options, here or when the manifest was written, or if the sensors have another number
 * of readings than the manifest says. On a board carried.js does this.
 */
export function checkGivenConfig(_node: FirmwareConfig["node"], _sensors: readonly Sensor[]): void {}
