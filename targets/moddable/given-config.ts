import { describeNode } from "../../src/node/description.ts";
import type { Sensor } from "../../src/start/sensors.ts";
import type { FirmwareConfig } from "./run-node.ts";

/**
 * Throws a RangeError if nothing checked the node's options, here or when the manifest was written, or if the sensors have another number
 * of readings than the manifest says. On a board carried.js does this.
 */
export function checkGivenConfig(_node: FirmwareConfig["node"], _sensors: readonly Sensor[]): void {}

/** The text of the node's message description. On a board it lies in flash; one whose program changes the manifest's node has none. */
export function nodeDescription(node: FirmwareConfig["node"]): string {
  return describeNode(node);
}
