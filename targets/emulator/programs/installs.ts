import { encodeModel, modelCrc } from "../../../src/learn/model-bytes.ts";

/** From one model to the next, in labels, and the place of the first. No label before it is held back then: see `ORDER` of a node's loop. */
const APART = 24;
const REMAINDER = 23;

/** Components of quarters, so that they are the same everywhere. */
const quarters = (count: number, seed: number) =>
  Array.from({ length: count }, (_, i) => (((i * 7 + seed * 5) % 9) - 4) / 4);

function drawModel(dimension: number, capacity: number, seed: number): Uint8Array {
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
  model: Uint8Array;
  crc: number;

  /** @param capacity vectors of each; 0: planes */
  constructor(dimension: number, capacity: number) {
    this.models = [1, 2].map((seed) => drawModel(dimension, capacity, seed));
    this.crcs = this.models.map(modelCrc);
    this.model = this.models[0];
    this.crc = this.crcs[0];
  }

  isDue(number: number): boolean {
    return number % APART === REMAINDER;
  }

  /** Goes on to the next one: `model`, with its `crc`. */
  next(): void {
    const place = this.count++ % this.models.length;
    this.model = this.models[place];
    this.crc = this.crcs[place];
  }
}
