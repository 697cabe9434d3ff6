import { Crc32 } from "../math/crc32.ts";
import { Layout } from "../memory/layout.ts";
import { InstalledModel, MODEL_FAULT, type ModelFault, modelBytes } from "./installed-model.ts";

/** A model for nodes, in numbers. Each is rounded to float32. */
export interface Model {
  /** w, `dimension` numbers; all 0 for an expansion alone. */
  readonly weights: ArrayLike<number>;
  /** b. */
  readonly bias: number;
  /** The factor in exp(-gamma |c - x|^2), above 0; 0 where there are no vectors. */
  readonly gamma: number;
  /** a_i, one for each vector. */
  readonly coefficients: ArrayLike<number>;
  /** c_i, each of `dimension` numbers. */
  readonly vectors: readonly ArrayLike<number>[];
}

/** Each fault of bytes, as a line says it. */
const FAULTS: { readonly [fault in ModelFault]: string } = Object.freeze({
  [MODEL_FAULT.none]: "",
  [MODEL_FAULT.length]: "it isn't gamma, w, b and whole vectors of the node's dimension",
  [MODEL_FAULT.vectors]: "it has more vectors than the node has room for",
  [MODEL_FAULT.finite]: "a number isn't finite",
  [MODEL_FAULT.gamma]: "gamma isn't above 0, or isn't 0 where there are no vectors",
});

/** The bytes of a model, see `InstalledModel`. */
export function encodeModel({ weights, bias, gamma, coefficients, vectors }: Model): Uint8Array {
  const rows = vectors.map((vector, i) => [coefficients[i], ...Array.from(vector)]);
  const words = [gamma, ...Array.from(weights), bias, ...rows.flat()];
  const view = new DataView(new ArrayBuffer(4 * words.length));
  for (let i = 0; i < words.length; i++) view.setFloat32(4 * i, words[i], true);
  return new Uint8Array(view.buffer);
}

/** CRC-32 of a model's bytes, which identifies it. */
export function modelCrc(bytes: Uint8Array): number {
  return new Crc32().crc32(bytes, 0, bytes.length, 0);
}

/**
 * The decision f(x) of the model of those bytes, to the bit as a node with room for so many vectors computes it; NaN for an x that isn't
 * `dimension` finite numbers. Throws a RangeError of one line for bytes that such a node refuses.
 */
export function decodeModel(
  bytes: Uint8Array,
  dimension: number,
  capacity: number,
): (x: ArrayLike<number>) => number {
  const input = { name: "input", kind: "scratch", words: dimension } as const;
  const layout = new Layout([...InstalledModel.regions(dimension, capacity), input]);
  const range = layout.ownRange();
  const model = new InstalledModel(layout, range, dimension, capacity);
  const most = modelBytes(dimension, capacity);
  model.stageView.set(bytes.subarray(0, most));
  const fault = bytes.length > most ? MODEL_FAULT.vectors : model.install(bytes.length, modelCrc(bytes));
  if (fault !== MODEL_FAULT.none) {
    const takes = `${modelBytes(dimension, 0)} to ${most} bytes of float32`;
    throw new RangeError(`model of ${bytes.length} bytes: ${FAULTS[fault]}; takes ${takes}`);
  }
  const at = layout.at(input.name, range);
  return (x) => (range.f32.load(at, x, dimension) ? model.score(at) : Number.NaN);
}
