import { arithmetic } from "../../../../host/arithmetic.ts";
import { type Kernel, type KernelOption, kernelFault, makeKernel } from "../../../../src/kernel/kernel.ts";
import { ceil4 } from "../../../../src/math/primitives.ts";
import { Layout } from "../../../../src/memory/layout.ts";

/**
 * f(x) = sum_i a_i k(x_i, x) + b, which every batch learner ends as: kernel values in float32 as the learners
 * of the node have them, the sum in double, in the order of the vectors.
 */
export class BatchExpansion {
  private readonly f32;
  private readonly rows: number;
  private readonly x: number;
  private readonly out: number;
  private readonly kernel: Kernel;
  private readonly dimension: number;

  /**
   * @param vectors x_i, all of one length d; @param coefficients a_i. Throws a RangeError for what isn't a
   * kernel.
   */
  constructor(
    readonly vectors: readonly ArrayLike<number>[],
    readonly coefficients: Float64Array,
    readonly bias: number,
    kernel: KernelOption,
  ) {
    const fault = kernelFault(kernel);
    if (fault) throw new RangeError(`kernel: got ${JSON.stringify(kernel)}; takes ${fault}`);
    const n = vectors.length;
    const d = vectors[0]?.length ?? 0;
    const layout = new Layout([
      { name: "rows", kind: "state", words: d * ceil4(n) },
      { name: "x", kind: "scratch", words: d },
      { name: "out", kind: "scratch", words: ceil4(n) },
    ]);
    const range = arithmetic().allocate(layout);
    this.f32 = range.f32;
    [this.rows, this.x, this.out] = ["rows", "x", "out"].map((name) => layout.at(name, range));
    this.kernel = makeKernel(this.f32, d, kernel);
    this.dimension = d;
    vectors.forEach((vector, i) => {
      this.load(vector);
      this.f32.storeRow(this.rows, i, this.x, d);
    });
  }

  /** How many vectors it has. */
  get size(): number {
    return this.coefficients.length;
  }

  /**
   * k(x_i, x) of all i, until the next call. Throws a RangeError for an x of another length, or not finite.
   */
  kernelRow(x: ArrayLike<number>): Float32Array {
    this.load(x);
    this.kernel.row(this.out, this.rows, this.x, this.size);
    return this.f32.words.subarray(this.out, this.out + this.size);
  }

  /** f(x); of a classifier >= 0 means +1, of a novelty detector < 0 means novel. */
  predict(x: ArrayLike<number>): number {
    const k = this.kernelRow(x);
    return this.coefficients.reduce((sum, a, i) => sum + a * k[i], this.bias);
  }

  private load(x: ArrayLike<number>): void {
    if (this.f32.load(this.x, x, this.dimension)) return;
    throw new RangeError(`x: got ${x.length} numbers; takes ${this.dimension}, all finite`);
  }
}

/**
 * Throws a RangeError that says what is wrong with samples to train on: each takes a label, all have one
 * length and are finite.
 */
export function checkSamples(x: readonly ArrayLike<number>[], y: ArrayLike<number>): void {
  if (x.length === 0 || y.length !== x.length) {
    throw new RangeError(
      `samples: got ${x.length} with ${y.length} labels; takes one or more, each with its label`,
    );
  }
  const dimension = x[0].length;
  x.forEach((row, i) => {
    if (row.length !== dimension) {
      throw new RangeError(`sample ${i}: got ${row.length} numbers; takes ${dimension}, as the first has`);
    }
    const fault = [...Array.from(row), y[i]].find((value) => !Number.isFinite(Math.fround(value)));
    if (fault !== undefined) throw new RangeError(`sample ${i}: got ${fault}; takes finite numbers`);
  });
}
