import { type Primitives, packedWords } from "./primitives.ts";

/** Bisections of an eigenvalue, rounds of inverse iteration. */
const BISECTIONS = 24;
const ROUNDS = 3;
/** Steps to an eigenpair of the tridiagonal matrix. */
const EACH = 1 + ROUNDS;
/** In place of a pivot of 0. */
const TINY = 1e-7;

/** Words of the tridiagonal matrix of n rows; and of scratch, for its factor. */
export function tridiagonalWords(n: number): number {
  return 2 * n;
}
export function eigenScratch(n: number): number {
  return 3 * n;
}

/**
 * What a step takes on XS and a core without an FPU, in multiplications: of a call, and for each row of bisection, of a round of
 * inverse iteration, and of a quotient.
 */
const CALL = 8;
const BISECTED = 300;
const SOLVED = 45;
const MULTIPLIED = 20;
/** Counted on XS, with an FPU and without. */
const ROUNDS_A_BISECTION = 3.5;

/** How many steps the k largest eigenpairs of n rows take. */
export function eigenSteps(n: number, k: number): number {
  return n + (EACH + 1) * k;
}

/** Multiplications of step i, about. */
export function eigenWork(n: number, k: number, i: number): number {
  const pair = i - n;
  const row = n - 1 - i;
  if (pair < 0) return 2 * row * (row + CALL);
  if (pair >= EACH * k) return n * (3 * CALL + MULTIPLIED + 2 * n);
  if (pair % EACH === 0) return n * BISECTED;
  return n * SOLVED + eigenBesides(n, k, i);
}

/** The time of step i's loops in JavaScript, in rounds of inverse iteration; 0 for a step without such loops. */
export function eigenRounds(n: number, k: number, i: number): number {
  const pair = i - n;
  if (pair < 0 || pair >= EACH * k) return 0;
  return pair % EACH === 0 ? ROUNDS_A_BISECTION : 1;
}

/** The time of step i without those loops, in multiplications. */
export function eigenBesides(n: number, k: number, i: number): number {
  if (eigenRounds(n, k, i) === 0) return eigenWork(n, k, i);
  return 2 * Math.floor((i - n) / EACH) * (n + CALL);
}

/** Scales a vector to length 1. One that float32 doesn't resolve, as of a matrix with few different rows, becomes 0. */
function normalise(f32: Primitives, x: number, n: number): void {
  const { words } = f32;
  const norm = Math.sqrt(f32.dot(x, x, n));
  const isResolved = norm > 0 && norm - norm === 0;
  for (let i = 0; i < n; i++) words[x + i] = isResolved ? words[x + i] / norm : 0;
}

/** Turns an eigenvector of the tridiagonal matrix into one of the matrix, whose rows hold Householder's vectors. */
function transformBack(f32: Primitives, a: number, n: number, x: number): void {
  for (let i = 2; i < n; i++) {
    const v = a + packedWords(i);
    const square = f32.dot(v, v, i);
    if (square > 0) f32.addScaled(x, (-2 * f32.dot(v, x, i)) / square, v, i);
  }
}

/**
 * The k largest eigenvalues and their eigenvectors of a packed symmetric n x n matrix whose entries are at most about 1. Householder's reduction to tridiagonal form (from the last row upwards),
 * bisection by Sturm's count, inverse iteration with each vector kept orthogonal to those before it. About
 * 4/3 n^3 + 2 k n^2 multiplications and 24 k n divisions, the same for every matrix. Nothing is allocated after
 * construction.
 *
 * The work is divided into steps, taken in turn whenever there is time: n of the reduction, then for each eigenpair a bisection and three
 * rounds of inverse iteration, then for each the transformation back. Between two steps it keeps the matrix, the tridiagonal one, values and
 * vectors, but no scratch.
 */
export class SymmetricEigen {
  /** Words of the tridiagonal matrix: its diagonal, its subdiagonal (from index 1). */
  private readonly diagonal: number;
  private readonly off: number;
  /** How many steps there are. */
  readonly steps: number;

  /**
   * The matrix lies at `a`, and is overwritten. The k <= n eigenvalues go to `values`, largest first; their
   * vectors, of length 1, to the k rows of n words at `vectors`. Eigenvalues below 0 count as 0.
   * `tridiagonal` takes `tridiagonalWords(n)` words, `pivots`, which is scratch, `eigenScratch(n)`.
   */
  constructor(
    private readonly f32: Primitives,
    private readonly n: number,
    private readonly a: number,
    tridiagonal: number,
    private readonly k: number,
    private readonly values: number,
    private readonly vectors: number,
    private readonly pivots: number,
  ) {
    this.diagonal = tridiagonal;
    this.off = tridiagonal + n;
    this.steps = eigenSteps(n, k);
  }

  /** Takes step i = 0, 1, ..., steps - 1. */
  take(i: number): void {
    const { n, k } = this;
    const pair = i - n;
    if (pair < 0) this.reduceRow(n - 1 - i);
    else if (pair >= EACH * k) this.comeBack(pair - EACH * k);
    else if (pair % EACH === 0) this.findValue(pair / EACH);
    else this.findVector(Math.floor(pair / EACH), pair % EACH === 1);
  }

  /** Eigenvalue r, below the one before it. */
  private findValue(r: number): void {
    const { n, values } = this;
    const { words } = this.f32;
    words[values + r] = this.eigenvalue(n - 1 - r, r === 0 ? this.bound() : words[values + r - 1]);
  }

  /** A round of inverse iteration for eigenvector r of the tridiagonal matrix. */
  private findVector(r: number, isFirst: boolean): void {
    const { f32, n, vectors } = this;
    const { words } = f32;
    const x = vectors + r * n;
    if (isFirst)
      for (let i = 0; i < n; i++) words[x + i] = ((((i + 1) * (r + 1) * 40503) & 1023) - 511.5) / 512;
    this.solve(words[this.values + r], x);
    for (let before = vectors; before < x; before += n) {
      f32.addScaled(x, -f32.dot(before, x, n), before, n);
    }
    normalise(f32, x, n);
  }

  /** The eigenvalue of eigenvector r, then that eigenvector of the original matrix. */
  private comeBack(r: number): void {
    const { f32, n, a, vectors, values } = this;
    const x = vectors + r * n;
    const value = this.quotient(x);
    f32.words[values + r] = value > 0 ? value : 0;
    transformBack(f32, a, n, x);
  }

  /**
   * Row i of the packed matrix, by A <- P A P, P = I - 2 v v' / v'v; its v is left in its place. Rows i = n-1..0 in turn.
   */
  private reduceRow(i: number): void {
    const { f32, a, diagonal, off } = this;
    const { words } = f32;
    const v = a + packedWords(i);
    words[diagonal + i] = words[v + i];
    words[off + i] = 0;
    if (i === 0) return;
    const x = words[v + i - 1];
    if (!(f32.dot(v, v, i - 1) > 0)) {
      words[off + i] = x;
      for (let j = 0; j < i; j++) words[v + j] = 0;
      return;
    }
    const norm = Math.sqrt(f32.dot(v, v, i));
    const left = x >= 0 ? -norm : norm;
    words[off + i] = left;
    words[v + i - 1] = x - left;
    this.reflect(v, i);
  }

  /** The i x i matrix above row i, from both sides, by the vector at word v. */
  private reflect(v: number, i: number): void {
    const { f32, a, pivots: p } = this;
    const { words } = f32;
    const half = f32.dot(v, v, i) / 2;
    f32.symmetricProduct(p, a, v, i);
    const along = f32.dot(p, v, i) / (2 * half * half);
    f32.scale(p, 1 / half, i);
    f32.addScaled(p, -along, v, i);
    for (let j = 0, row = a; j < i; j++, row += j) {
      f32.addScaled(row, -words[v + j], p, j + 1);
      f32.addScaled(row, -words[p + j], v, j + 1);
    }
  }

  /** An upper bound of the eigenvalues (Gershgorin). */
  private bound(): number {
    const { n, diagonal, off } = this;
    const { words } = this.f32;
    let bound = 0;
    for (let i = 0; i < n; i++) {
      const radius = Math.abs(words[off + i]) + (i + 1 < n ? Math.abs(words[off + i + 1]) : 0);
      if (words[diagonal + i] + radius > bound) bound = words[diagonal + i] + radius;
    }
    return bound;
  }

  /** The eigenvalue below which `rank` others lie, from 0 to `high`. */
  private eigenvalue(rank: number, high: number): number {
    let low = 0;
    let top = high;
    for (let step = 0; step < BISECTIONS; step++) {
      const middle = (low + top) / 2;
      if (this.below(middle) > rank) top = middle;
      else low = middle;
    }
    return top;
  }

  /** Eigenvalues below lambda. */
  private below(lambda: number): number {
    const { n, diagonal, off } = this;
    const { words } = this.f32;
    let count = 0;
    let q = 1;
    for (let i = 0; i < n; i++) {
      const e = words[off + i];
      q = words[diagonal + i] - lambda - (e * e) / q;
      if (q === 0) q = TINY * TINY;
      if (q < 0) count++;
    }
    return count;
  }

  /** x <- (T - lambda I)^-1 x, by elimination with the larger of two pivots. */
  private solve(lambda: number, x: number): void {
    const { n, diagonal, off, pivots } = this;
    const { words } = this.f32;
    const second = pivots + n;
    const third = second + n;
    let pivot = words[diagonal] - lambda;
    let right = n > 1 ? words[off + 1] : 0;
    let value = words[x];
    for (let i = 0; i < n; i++) {
      const last = i === n - 1;
      const below = last ? 0 : words[off + i + 1];
      const swapped = Math.abs(below) > Math.abs(pivot);
      if (pivot === 0 && !swapped) pivot = TINY;
      const next = last ? 0 : words[diagonal + i + 1] - lambda;
      const nextRight = i + 2 < n ? words[off + i + 2] : 0;
      const nextValue = last ? 0 : words[x + i + 1];
      words[pivots + i] = swapped ? below : pivot;
      words[second + i] = swapped ? next : right;
      words[third + i] = swapped ? nextRight : 0;
      words[x + i] = swapped ? nextValue : value;
      const factor = swapped ? pivot / below : below / pivot;
      pivot = swapped ? right - factor * next : next - factor * right;
      right = swapped ? -factor * nextRight : nextRight;
      value = swapped ? value - factor * nextValue : nextValue - factor * value;
    }
    for (let i = n - 1; i >= 0; i--) {
      let rest = words[x + i];
      if (i + 1 < n) rest -= words[second + i] * words[x + i + 1];
      if (i + 2 < n) rest -= words[third + i] * words[x + i + 2];
      words[x + i] = rest / words[pivots + i];
    }
  }

  /** x' T x of a vector of length 1. */
  private quotient(x: number): number {
    const { n, diagonal, off } = this;
    const { words } = this.f32;
    let sum = 0;
    for (let i = 0; i < n; i++) {
      const u = words[x + i];
      sum += words[diagonal + i] * u * u;
      if (i > 0) sum += 2 * words[off + i] * u * words[x + i - 1];
    }
    return sum;
  }
}
