import type { MemoryRange } from "../../src/memory/layout.ts";
import { SensorNode } from "../../src/node/node.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { NO_STORAGE } from "../../src/node/ports.ts";

/** A node without a line and a clock: whoever holds it gives it samples and labels. Default memory: its own; default flash: none. */
export function loneNode(options: NodeOptions, memory?: MemoryRange, storage = NO_STORAGE): SensorNode {
  const link = { predicted() {}, acknowledge() {} };
  return new SensorNode(options, { now: () => 0 }, link, storage, memory);
}
