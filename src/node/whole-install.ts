import { modelCrc } from "../learn/model-bytes.ts";
import type { SensorNode } from "./node.ts";
import type { LabelStatus } from "./ports.ts";

/**
 * Has a node install a model in the place of label `number`, whose bytes are at hand and needn't come in blocks. Returns the node's answer. Undefined: the
 * model didn't arrive whole, by `crc`.
 */
export function installWhole(
  node: SensorNode,
  number: number,
  model: Uint8Array,
  crc = modelCrc(model),
): LabelStatus | undefined {
  const first = node.install(number, model.length, crc);
  if (first !== undefined) return first;
  node.fleet?.stage.write(0, model, model.length);
  return node.install(number, model.length, crc);
}
