import { encodeModel, modelCrc } from "../../../src/learn/model-bytes.ts";
import type { SensorNode } from "../../../src/node/node.ts";
import { LABEL_STATUS } from "../../../src/node/ports.ts";

/** A model comes in the place of each so manieth label. None before it is held back then: see `ORDER` of a node's loop. */
const APART = 24;
const REMAINDER = 23;

/** Components of quarters, so that they are the same everywhere. */
const quarters = (count: number, seed: number) =>
  Array.from({ length: count }, (_, i) => (((i * 7 + seed * 5) % 9) - 4) / 4);

function modelOf(dimension: number, capacity: number, seed: number): Uint8Array {
  return encodeModel({
    weights: quarters(dimension, seed),
    bias: 0.25,
    gamma: capacity > 0 ? 0.125 : 0,
    coefficients: quarters(capacity, seed + 1),
    vectors: Array.from({ length: capacity }, (_, i) => quarters(dimension, seed + i)),
  });
}

/** Models that a node's fleet sends, two by turns. */
export class Installs {
  private readonly models: readonly Uint8Array[];
  private readonly crcs: readonly number[];
  private count = 0;

  /** @param capacity vectors of each; 0: planes */
  constructor(dimension: number, capacity: number) {
    this.models = [1, 2].map((seed) => modelOf(dimension, capacity, seed));
    this.crcs = this.models.map(modelCrc);
  }

  isDue(number: number): boolean {
    return number % APART === REMAINDER;
  }

  /** The node installs the next one in the place of that label. Throws an Error if it doesn't. */
  install(node: SensorNode, number: number): void {
    const place = this.count++ % this.models.length;
    const model = this.models[place];
    const crc = this.crcs[place];
    node.install(number, model.length, crc);
    node.fleet?.stage.write(0, model, model.length);
    const status = node.install(number, model.length, crc);
    if (status !== LABEL_STATUS.applied)
      throw new Error(`model in place of label ${number}: status ${status}`);
  }
}
