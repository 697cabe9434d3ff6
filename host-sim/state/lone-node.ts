import type { MemoryRange } from "../../src/memory/layout.ts";
import { SensorNode } from "../../src/node/node.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { NO_STORAGE } from "../../src/node/ports.ts";

/** A node without a line, a clock and a flash: whoever holds it gives it samples and labels. Default memory: its own. */
export function loneNode(options: NodeOptions, memory?: MemoryRange): SensorNode {
  const link = { predicted() {}, acknowledge() {} };
  return new SensorNode(options, { now: () => 0 }, link, NO_STORAGE, memory);
}
