import { Elementary } from "../../src/math/elementary.ts";
import type { Lesson, ModelForm } from "./model.ts";
import { solveLower, solveUpper } from "./symmetric.ts";

const elementary = new Elementary();

/** The gamma of Gaussians over standardised features is WIDTH / dimension. */
const WIDTH = 0.4;
/** What a feature counts as at most, in what three of four lessons have at most: so no node outweighs the others. Beyond it a lesson is no vector. */
const MOST_TIMES = 20;
/** What the vectors leave of a lesson's kernel, 1, below which it adds nothing to them. */
const LEAST_LEFT = 0.001;

/** By the sizes that a feature has. */
function limitFeature(sizes: readonly number[]): number {
  const size = sizes.slice().sort((a, b) => a - b)[Math.floor(0.75 * sizes.length)];
  return size > 0 ? MOST_TIMES * size : MOST_TIMES;
}

/**
 * The functions phi in which a group's models are linear, f(x) = w.phi(x): of a plane x_1 ... x_d, 1. Of an expansion L^-1 k(x), 1, where k has the
 * Gaussians of x with the vectors c_i and K = L L' has those of the vectors with one another; so weights of equal variance make the Gaussian process
 * of that kernel.
 *
 * The vectors are those of lessons, chosen by Cholesky's method with pivots: each the one that those before it describe worst.
 *
 * @see Fine, Scheinberg: Efficient SVM training using low-rank kernel representations. JMLR 2, 2001
 */
export class Basis {
  /** c_i; none of a plane. */
  readonly vectors: Float32Array[] = [];
  /** 0 of a plane. */
  readonly gamma: number;
  /** L, `capacity` numbers a row. */
  private readonly root: Float64Array;
  /** What each feature counts as at most. */
  private readonly limits: readonly number[];
  private readonly rows = new Map<Lesson, Float64Array>();

  constructor(
    private readonly form: ModelForm,
    lessons: readonly Lesson[],
  ) {
    const { dimension, vectors } = form;
    this.gamma = vectors === 0 ? 0 : Math.fround(WIDTH / dimension);
    this.limits = Array.from({ length: dimension }, (_, j) =>
      limitFeature(lessons.map(({ x }) => Math.abs(x[j]))),
    );
    const isUsual = (x: Float32Array) => x.every((each, j) => Math.abs(each) <= this.limits[j]);
    this.root = this.choose(lessons.map(({ x }) => x).filter(isUsual));
  }

  /** Functions in all. */
  get size(): number {
    return (this.form.vectors === 0 ? this.form.dimension : this.vectors.length) + 1;
  }

  /** Chooses the vectors. Returns their L. */
  private choose(xs: readonly Float32Array[]): Float64Array {
    const { form, vectors } = this;
    const left = new Float64Array(xs.length).fill(1);
    const columns: Float64Array[] = [];
    const pivots: number[] = [];
    while (vectors.length < form.vectors) {
      const pivot = left.indexOf(left.reduce((most, each) => Math.max(most, each), 0));
      if (pivot < 0 || left[pivot] < LEAST_LEFT) break;
      const scale = Math.sqrt(left[pivot]);
      const column = Float64Array.from(xs, (x) => this.kernel(x, xs[pivot]));
      for (const before of columns)
        for (let i = 0; i < column.length; i++) column[i] -= before[i] * before[pivot];
      for (let i = 0; i < column.length; i++) {
        column[i] /= scale;
        left[i] -= column[i] * column[i];
      }
      left[pivot] = 0;
      columns.push(column);
      pivots.push(pivot);
      vectors.push(xs[pivot]);
    }
    const n = pivots.length;
    return Float64Array.from({ length: n * n }, (_, k) => columns[k % n][pivots[Math.floor(k / n)]]);
  }

  private kernel(a: Float32Array, b: Float32Array): number {
    let square = 0;
    for (let j = 0; j < a.length; j++) square += (a[j] - b[j]) * (a[j] - b[j]);
    return elementary.exp(-this.gamma * square);
  }

  /** phi of a lesson's features. */
  row(lesson: Lesson): Float64Array {
    const known = this.rows.get(lesson);
    if (known) return known;
    const row = this.at(lesson.x);
    this.rows.set(lesson, row);
    return row;
  }

  /** phi(x). */
  at(x: Float32Array): Float64Array {
    const { form, limits, root, size, vectors } = this;
    const row = new Float64Array(size);
    row[size - 1] = 1;
    if (form.vectors === 0) row.set(x.map((each, j) => Math.max(-limits[j], Math.min(limits[j], each))));
    else {
      for (let i = 0; i < vectors.length; i++) row[i] = this.kernel(x, vectors[i]);
      solveLower(root, vectors.length, row);
    }
    return row;
  }

  /** The coefficients a of f(x) = sum_i a_i exp(-gamma |c_i - x|^2) + b, where b is the last of the weights. */
  coefficients(weights: Float64Array): Float64Array {
    const coefficients = weights.slice(0, this.vectors.length);
    solveUpper(this.root, coefficients.length, coefficients);
    return coefficients;
  }
}
