import { ceil4, type Primitives } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { ANY, type Layout, type MemoryRange, POSITIVE, type Region } from "../memory/layout.ts";

/** Why bytes are no model for this place. */
export const MODEL_FAULT = frozen({
  /** they are one */
  none: 0,
  /** they aren't whole vectors */
  length: 1,
  /** more vectors than there is room for */
  vectors: 2,
  /** a word isn't a finite number */
  finite: 3,
  /** gamma is negative, 0 with vectors, or not 0 without */
  gamma: 4,
} as const);

/** One of the values of `MODEL_FAULT`. */
export type ModelFault = (typeof MODEL_FAULT)[keyof typeof MODEL_FAULT];

/** Bytes of a word. */
const WORD = 4;

/** Words before the first vector: gamma, w, b. */
function headWords(dimension: number): number {
  return dimension + 2;
}

/** Bytes of a model of so many vectors; 0 vectors: a plane. */
export function modelBytes(dimension: number, vectors: number): number {
  return WORD * (headWords(dimension) + vectors * (dimension + 1));
}

/**
 * A classifier of two classes that was trained elsewhere: this node only predicts with it. A plane, and a Gaussian expansion on top where it
 * has vectors:
 *
 *     f(x) = w.x + b + sum_i a_i exp(-gamma |c_i - x|^2)
 *
 * Its bytes are float32, little-endian: gamma, w_1 ... w_d, b, then for each vector a_i, c_i1 ... c_id. Their length gives the number of
 * vectors. gamma is 0 where there are none. `encodeModel` makes them.
 *
 * `f` is `dot(w, x) + b + dot(a, gaussianRow)`: two sums of float32, added in double precision.
 */
export class InstalledModel {
  private readonly f32: Primitives;
  /** Word of the number of vectors and 1, 0 without a model; its CRC-32 and gamma follow. */
  private readonly model: number;
  private readonly plane: number;
  private readonly coefficients: number;
  private readonly rows: number;
  private readonly row: number;
  /** Word of the room in which a model is written before `install`: scratch, `modelBytes` of it. */
  readonly stage: number;

  /** @param capacity vectors that there is room for. */
  static regions(dimension: number, capacity: number): Region[] {
    return [
      { name: "installed.model", kind: "state", words: 3, holds: [capacity + 1, ANY, POSITIVE] },
      { name: "installed.plane", kind: "state", words: dimension + 1 },
      { name: "installed.coefficients", kind: "state", words: capacity },
      { name: "installed.rows", kind: "state", words: ceil4(capacity) * dimension },
      { name: "installed.row", kind: "scratch", words: ceil4(capacity) },
      { name: "installed.stage", kind: "scratch", words: modelBytes(dimension, capacity) / WORD },
    ];
  }

  constructor(
    layout: Layout,
    range: MemoryRange,
    /** Components of an input. */
    readonly dimension: number,
    /** Vectors that there is room for. */
    readonly capacity: number,
  ) {
    this.f32 = range.f32;
    this.model = layout.at("installed.model", range);
    this.plane = layout.at("installed.plane", range);
    this.coefficients = layout.at("installed.coefficients", range);
    this.rows = layout.at("installed.rows", range);
    this.row = layout.at("installed.row", range);
    this.stage = layout.at("installed.stage", range);
  }

  /** Vectors of the model; -1: none is installed. */
  get size(): number {
    return this.f32.bits[this.model] - 1;
  }

  /** CRC-32 of the bytes of the model. */
  get crc(): number {
    return this.f32.bits[this.model + 1];
  }

  /** The bytes at `stage`, as many as there is room for. */
  get stageView(): Uint8Array {
    const { buffer, byteOffset } = this.f32.words;
    return new Uint8Array(buffer, byteOffset + WORD * this.stage, modelBytes(this.dimension, this.capacity));
  }

  /** Why the `bytes` bytes at `stage` are no model; 0: they are one. */
  findFault(bytes: number): ModelFault {
    const { capacity, dimension, f32, stage } = this;
    const vectors = (bytes / WORD - headWords(dimension)) / (dimension + 1);
    if (!(vectors >= 0) || vectors % 1 !== 0) return MODEL_FAULT.length;
    if (vectors > capacity) return MODEL_FAULT.vectors;
    if (!f32.finite(stage, bytes / WORD)) return MODEL_FAULT.finite;
    const gamma = f32.words[stage];
    return (vectors > 0 ? gamma > 0 : gamma === 0) ? MODEL_FAULT.none : MODEL_FAULT.gamma;
  }

  /** Installs the `bytes` bytes at `stage`, whose CRC-32 is `crc`, in place of the model. Returns the fault that prevents it; the old model then stays. */
  install(bytes: number, crc: number): ModelFault {
    const fault = this.findFault(bytes);
    if (fault !== MODEL_FAULT.none) return fault;
    const { capacity, coefficients, dimension, f32, model, plane, rows, stage } = this;
    const { bits, words } = f32;
    const size = (bytes / WORD - headWords(dimension)) / (dimension + 1);
    bits.fill(0, coefficients, coefficients + capacity);
    bits.fill(0, rows, rows + ceil4(capacity) * dimension);
    f32.copy(plane, stage + 1, dimension + 1);
    for (let i = 0, at = stage + headWords(dimension); i < size; i++, at += dimension + 1) {
      words[coefficients + i] = words[at];
      f32.storeRow(rows, i, at + 1, dimension);
    }
    bits[model] = size + 1;
    bits[model + 1] = crc;
    words[model + 2] = words[stage];
    return fault;
  }

  /** f of the finite vector at word x; NaN if it isn't finite. There must be a model. */
  score(x: number): number {
    const { coefficients, dimension, f32, model, plane, row, rows, size } = this;
    const { words } = f32;
    let f = f32.dot(plane, x, dimension) + words[plane + dimension];
    if (size > 0) {
      f32.gaussianRow(row, rows, x, size, dimension, words[model + 2]);
      f += f32.dot(coefficients, row, size);
    }
    return f - f === 0 ? f : Number.NaN;
  }
}
