import { packedWords } from "../math/primitives.ts";
import { Layout, type MemoryRange } from "../memory/layout.ts";
import { MOST_SHRUNK } from "./belief.ts";
import { isLabel, largestScore } from "./classes.ts";
import { COUNT, commonRegions, Learner } from "./learner.ts";
import { OutlierLimit } from "./outlier-limit.ts";

/** The limit of inputs' lengths, as AROW has it by default. */
const OUTLIER_LIMIT = 4;

export interface SharedPlanesOptions {
  /** Components of an input. */
  readonly dimension: number;
  /** K, three or more, with labels 0 to K - 1. */
  readonly classes: number;
  /** Sigma: full, or its diagonal. */
  readonly covariance: "full" | "diagonal";
  /** r, above 0. */
  readonly noiseVariance: number;
  /** lambda, above 0, at most 1: each label divides Sigma by it, as long as its trace is less than at the start. */
  readonly forgetting: number;
  readonly memory?: MemoryRange;
}

export function sharedPlanesLayout(options: SharedPlanesOptions): Layout {
  const width = options.dimension + 1;
  const words = options.covariance === "full" ? packedWords(width) : width;
  return new Layout([
    { name: "w", kind: "state", words: options.classes * width },
    { name: "sigma", kind: "state", words },
    OutlierLimit.region(),
    ...commonRegions(width),
    { name: "product", kind: "scratch", words: width },
    { name: "scores", kind: "scratch", words: options.classes },
  ]);
}

/**
 * AROW of several classes, one-vs-all, with one covariance for all: a plane w_c for each class, with t_c = +1 for the label's class and -1
 * for the others. Where any margin t_c w_c.x is less than 1,
 *
 *     w_c <- w_c + t_c max(0, 1 - t_c w_c.x) beta Sigma x;   Sigma <- Sigma - beta (Sigma x)(Sigma x)';   beta = 1 / (x' Sigma x + r)
 *
 * A class apart would keep its Sigma where its own margin is met. A constant 1 is appended to x, and x is clipped, see `OutlierLimit`.
 *
 * @see Crammer, Kulesza, Dredze: Adaptive regularization of weight vectors. Machine Learning 91, 2013, section 7
 */
export class SharedPlanes extends Learner {
  private readonly limit: OutlierLimit;
  private readonly w: number;
  private readonly sigma: number;
  private readonly product: number;
  private readonly scores: number;
  private readonly width: number;
  private readonly full: boolean;
  private readonly sigmaWords: number;

  constructor(private readonly options: SharedPlanesOptions) {
    const { dimension, covariance, memory } = options;
    const layout = sharedPlanesLayout(options);
    super("multiclass", dimension, layout, memory ?? layout.ownRange());
    const { range } = this;
    this.width = dimension + 1;
    this.full = covariance === "full";
    this.sigmaWords = layout.regionWords("sigma");
    this.w = layout.at("w", range);
    this.sigma = layout.at("sigma", range);
    this.product = layout.at("product", range);
    this.scores = layout.at("scores", range);
    this.limit = new OutlierLimit(this.f32, OUTLIER_LIMIT, layout, range);
    this.restartConfidence();
  }

  get size(): number {
    return 0;
  }

  get capacity(): number {
    return 0;
  }

  protected override takesLabel(y: number): boolean {
    return isLabel(y, this.options.classes);
  }

  /** Sigma <- I. */
  override restartConfidence(): boolean {
    const { f32, sigma, width } = this;
    f32.words.fill(0, sigma, sigma + this.sigmaWords);
    for (let j = 0; j < width; j++) f32.words[this.varianceAt(j)] = 1;
    return true;
  }

  private varianceAt(j: number): number {
    return this.sigma + (this.full ? packedWords(j) + j : j);
  }

  predict(x: ArrayLike<number>): number {
    const { f32, input, dimension } = this;
    if (!f32.load(input, x, dimension)) return Number.NaN;
    f32.words[input + dimension] = 1;
    return this.decide();
  }

  private decide(): number {
    const { f32, input, w, scores, width, options } = this;
    const { classes } = options;
    for (let c = 0; c < classes; c++) f32.words[scores + c] = f32.dot(w + c * width, input, width);
    return f32.finite(scores, classes) ? largestScore(f32.words, scores, classes) : Number.NaN;
  }

  protected update(y: number): void {
    const { f32, input, product, options, dimension } = this;
    if (!this.limit.clipVector(input, dimension)) this.decide();
    const v = this.variance();
    if (v < 0) this.restartConfidence();
    if (!(v > 0)) return;
    if (!f32.finite(product, this.width) || v === Infinity) this.increment(COUNT.overflowed);
    else if (this.move(y, v)) this.forget(options.forgetting);
  }

  /** x' Sigma x, leaving Sigma x in `product`. */
  private variance(): number {
    const { f32, product, sigma, input, width } = this;
    if (this.full) f32.symmetricProduct(product, sigma, input, width);
    else f32.diagonalProduct(product, sigma, input, width);
    return f32.dot(product, input, width);
  }

  /** Moves the planes whose margin is less than 1, each alone, and Sigma. False where none is, or float32 can't hold a result. */
  private move(y: number, v: number): boolean {
    const { f32, w, product, scores, sigma, width, options } = this;
    const { classes, noiseVariance } = options;
    let steps = 0;
    for (let c = 0; c < classes; c++) {
      const t = c === y ? 1 : -1;
      const loss = 1 - t * f32.words[scores + c];
      if (!(loss > 0)) continue;
      if (f32.addScaled(w + c * width, (t * loss) / (v + noiseVariance), product, width)) steps++;
      else this.increment(COUNT.overflowed);
    }
    if (steps === 0) return false;
    const most = MOST_SHRUNK * noiseVariance;
    const beta = v > most ? 1 / (v + v / MOST_SHRUNK) : 1 / (v + noiseVariance);
    if (this.full) return f32.symmetricRankOne(sigma, -beta, product, width);
    return f32.diagonalRankOne(sigma, -beta, product, width);
  }

  private forget(lambda: number): void {
    if (lambda === 1) return;
    const { f32, sigma, width } = this;
    let trace = 0;
    for (let j = 0; j < width; j++) trace += f32.words[this.varianceAt(j)];
    if (trace < width) f32.scale(sigma, 1 / lambda, this.sigmaWords);
  }
}
