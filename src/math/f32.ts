import { ClassSteps } from "./class-steps.ts";
import { FeatureSteps } from "./f32-features.ts";
import { isFinite32 } from "./f32-vectors.ts";
import { centreWave, lineOfWave, taperWave, transformWave } from "./fourier.ts";
import {
  deletePackedFactorRow,
  deletePackedUnitFactorRow,
  packedCholesky,
  packedPivotProduct,
  solvePackedLower,
  solvePackedLowerTransposed,
  solvePackedUnitLower,
  solvePackedUnitLowerTransposed,
} from "./packed.ts";
import type { Primitives } from "./primitives.ts";

const round = Math.fround;

/**
 * The primitives in portable TypeScript, on any ES2022 engine; `Primitives` defines them. This class has those of matrices and waves. It
 * inherits the others from a chain of classes: vectors, rows, support sets, learners' steps, features.
 */
export class PortableF32 extends FeatureSteps implements Primitives {
  private readonly classes = new ClassSteps(this);

  classScores(to: number, set: number, m: number, d: number, k: number, scale: number): number {
    return this.classes.scores(to, set, m, d, k, scale);
  }

  classStep(
    to: number,
    set: number,
    m: number,
    d: number,
    k: number,
    y: number,
    gamma: number,
    self: number,
    keep: number,
    size: number,
    level: number,
    most: number,
    ties: number,
    leaving: number,
    threshold: number,
    counts: number,
  ): void {
    this.classes.step(
      to,
      set,
      m,
      d,
      k,
      y,
      gamma,
      self,
      keep,
      size,
      level,
      most,
      ties,
      leaving,
      threshold,
      counts,
    );
  }

  centre(to: number, x: number, n: number): boolean {
    return centreWave(this.words, to, x, n);
  }

  taper(x: number, n: number): void {
    taperWave(this.words, x, n);
  }

  fourierTransform(x: number, n: number): void {
    transformWave(this.words, x, n);
  }

  goertzel(x: number, n: number, c: number): number {
    return lineOfWave(this.words, x, n, c);
  }

  symmetricProduct(out: number, s: number, x: number, n: number): void {
    const m = this.words;
    for (let i = 0; i < n; i++) {
      let sum = 0;
      let p = s + ((i * (i + 1)) >> 1);
      for (let j = 0; j <= i; j++, p++) sum = round(sum + round(m[p] * m[x + j]));
      p += i;
      for (let j = i + 1; j < n; j++, p += j) sum = round(sum + round(m[p] * m[x + j]));
      m[out + i] = sum;
    }
  }

  symmetricRankOne(s: number, b: number, v: number, n: number): boolean {
    const m = this.words;
    const t = round(b);
    for (let i = 0, p = s; i < n; i++) {
      for (let j = 0; j <= i; j++, p++) {
        if (!isFinite32(round(m[p] + round(t * round(m[v + i] * m[v + j]))))) return false;
      }
    }
    for (let i = 0, p = s; i < n; i++) {
      for (let j = 0; j <= i; j++, p++) m[p] = m[p] + round(t * round(m[v + i] * m[v + j]));
    }
    return true;
  }

  diagonalProduct(out: number, s: number, x: number, n: number): void {
    const m = this.words;
    for (let i = 0; i < n; i++) m[out + i] = m[s + i] * m[x + i];
  }

  diagonalRankOne(s: number, b: number, v: number, n: number): boolean {
    const m = this.words;
    const t = round(b);
    for (let i = 0; i < n; i++) {
      if (!isFinite32(round(m[s + i] + round(t * round(m[v + i] * m[v + i]))))) return false;
    }
    for (let i = 0; i < n; i++) m[s + i] = m[s + i] + round(t * round(m[v + i] * m[v + i]));
    return true;
  }

  cholesky(a: number, n: number): boolean {
    return packedCholesky(this.words, a, n);
  }

  solveLower(l: number, x: number, n: number): void {
    solvePackedLower(this.words, l, x, n);
  }

  solveLowerTransposed(l: number, x: number, n: number): void {
    solvePackedLowerTransposed(this.words, l, x, n);
  }

  deleteFactorRow(l: number, n: number, i: number, b: number, r: number): void {
    deletePackedFactorRow(this.words, l, n, i, b, r);
  }

  solveUnitLower(to: number, l: number, x: number, n: number, from: number): void {
    solvePackedUnitLower(this.words, to, l, x, n, from);
  }

  solveUnitLowerTransposed(to: number, order: number, l: number, x: number, n: number): void {
    solvePackedUnitLowerTransposed(this.words, l, x, n);
    const { bits, words } = this;
    for (let i = 0; i < n; i++) if (bits[order + i] < n) words[to + bits[order + i]] = words[x + i];
  }

  pivotProduct(out: number, l: number, x: number, n: number): void {
    packedPivotProduct(this.words, out, l, x, n);
  }

  deleteUnitFactorRow(l: number, n: number, p: number, b: number, s: number): number {
    return deletePackedUnitFactorRow(this.words, l, n, p, b, s);
  }
}
