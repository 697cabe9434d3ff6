import { packedWords } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import type { Layout, MemoryRange } from "../memory/layout.ts";
import { COUNT } from "./learner.ts";
import { bias, ClippingClassifier, inputLimit, inputWidth, linearLayout } from "./linear.ts";
import { choice, dimension, type ResolvedOptions, real } from "./options.ts";
import { OutlierLimit } from "./outlier-limit.ts";

export const beliefOptions = frozen({
  dimension,
  bias,
  outlierLimit: inputLimit,
  initialVariance: real({ default: 1, above: 0 }, "a, variance of each weight at the start, Sigma = a I"),
  covariance: choice(
    ["full", "diagonal"],
    "full",
    "Sigma: full, d(d+1)/2 numbers; or its diagonal, d numbers, and each step drops the rest",
  ),
});

type BeliefOptions = ResolvedOptions<typeof beliefOptions>;

export function beliefLayout(resolved: BeliefOptions): Layout {
  const width = inputWidth(resolved);
  const words = resolved.covariance === "full" ? packedWords(width) : width;
  return linearLayout(width, [
    { name: "sigma", kind: "state", words },
    OutlierLimit.region(),
    { name: "product", kind: "scratch", words: width },
    { name: "next", kind: "scratch", words: width },
  ]);
}

/** The largest q v: rounding could turn a variance negative that a step makes smaller still. */
export const MOST_SHRUNK = 65536;

/**
 * The base of confidence-weighted learners: a belief N(w, Sigma) about the weights. With m = y w.x the margin and
 * v = x' Sigma x its variance, a sample moves w by alpha and adds q to the precision along x,
 *
 *     w <- w + alpha y Sigma x;   Sigma^-1 <- Sigma^-1 + q x x'
 *     that is, Sigma <- Sigma - beta (Sigma x)(Sigma x)',   beta = q / (1 + q v)
 *
 * both or none. A family implements alpha (`step`) and q (`precision`). The papers have no offset; `bias` appends a constant 1
 * to x, and the belief covers its weight too.
 *
 * A full Sigma is stored packed, so it stays symmetric. Two rules keep it positive in float32: (Sigma x)(Sigma x)' is formed before beta is
 * applied, and q v is held to 2^16, as a larger fall of v would be lost in rounding. A larger q takes several samples. A diagonal Sigma is
 * the diagonal of that step's result, Sigma_jj <- Sigma_jj - beta (Sigma_jj x_j)^2.
 *
 * x is clipped, see `OutlierLimit`: what one x takes off Sigma never comes back, so a glitch would outweigh all other samples.
 *
 * Where v isn't positive (x = 0, underflow, rounding) the sample has no information, and the learner ignores it.
 */
export abstract class BeliefLearner extends ClippingClassifier {
  protected readonly sigma = this.layout.at("sigma", this.range);
  protected readonly next = this.layout.at("next", this.range);
  protected readonly full: boolean;
  private readonly product = this.layout.at("product", this.range);
  private readonly initialVariance: number;

  constructor(resolved: BeliefOptions, memory?: MemoryRange) {
    super(resolved.dimension, beliefLayout(resolved), resolved.outlierLimit, memory);
    this.full = resolved.covariance === "full";
    this.initialVariance = resolved.initialVariance;
    this.begin();
  }

  protected begin(): void {
    for (let j = 0; j < this.width; j++) this.f32.words[this.varianceAt(j)] = this.initialVariance;
  }

  /** Resets Sigma to its initial value. */
  override restartConfidence(): boolean {
    const { f32, sigma, width } = this;
    f32.bits.fill(0, sigma, sigma + (this.full ? packedWords(width) : width));
    this.begin();
    return true;
  }

  /** alpha, the step for margin m of variance v > 0. If it isn't positive, the learner ignores the sample. */
  protected abstract step(m: number, v: number): number;

  /** q, the precision that the sample adds along x. */
  protected abstract precision(alpha: number, v: number): number;

  protected take(y: number, decision: number): void {
    const v = this.variance();
    if (v < 0) this.renew();
    if (v <= 0) return;
    // NaN passes, and is refused later.
    const alpha = v < Infinity ? this.step(y * decision, v) : Number.NaN;
    if (alpha <= 0) return;
    this.revise(y * alpha, this.precision(alpha, v), v);
  }

  /** w <- w + step Sigma x, and adds q to the precision along x. */
  protected revise(step: number, q: number, v: number): void {
    const beta = q * v > MOST_SHRUNK ? MOST_SHRUNK / (v * (1 + MOST_SHRUNK)) : q / (1 + q * v);
    if (!this.move(step, beta)) this.increment(COUNT.overflowed);
  }

  /** A negative variance shows that rounding has ruined Sigma. */
  protected renew(): void {}

  /** Sigma <- factor Sigma; its initial value, if float32 can't hold that. */
  protected grow(factor: number): void {
    const { f32, sigma, full, width } = this;
    const words = full ? packedWords(width) : width;
    f32.scale(sigma, factor, words);
    if (!f32.finite(sigma, words)) this.restartConfidence();
  }

  /** Word of Sigma_jj. */
  protected varianceAt(j: number): number {
    return this.sigma + (this.full ? packedWords(j) + j : j);
  }

  /** x' Sigma x, leaving Sigma x in `product`. */
  protected variance(): number {
    const { f32, product, sigma, input, width } = this;
    if (this.full) f32.symmetricProduct(product, sigma, input, width);
    else f32.diagonalProduct(product, sigma, input, width);
    return f32.dot(product, input, width);
  }

  /** w and Sigma, both or none. False, with nothing changed, if float32 can't hold the result. */
  private move(step: number, beta: number): boolean {
    const { f32, w, next, product, sigma, width } = this;
    f32.copy(next, w, width);
    if (!f32.addScaled(next, step, product, width)) return false;
    const taken = this.full
      ? f32.symmetricRankOne(sigma, -beta, product, width)
      : f32.diagonalRankOne(sigma, -beta, product, width);
    if (taken) f32.copy(w, next, width);
    return taken;
  }
}
