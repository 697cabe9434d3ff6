import { packedWords } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { Layout } from "../memory/layout.ts";
import type { Family } from "./family.ts";
import { COUNT, commonRegions } from "./learner.ts";
import type { RlsHmmOptions } from "./learner-options.ts";
import { bias, ClippingClassifier, inputLimit, widthOf } from "./linear.ts";
import { dimension, formerly, real, type Settled, settle, whole } from "./options.ts";
import { OutlierLimit } from "./outlier-limit.ts";

const RLS_HMM_OPTIONS = frozen({
  dimension,
  bias,
  outlierLimit: inputLimit,
  regularization: formerly(
    "reg",
    real({ default: 2, above: 0 }, "weight of |w|^2: P = I / regularization at the start"),
  ),
  hazard: real(
    { default: 0.05, above: 0, max: 0.5 },
    "h, probability that the class changes from one sample to the next; 0.5: labels don't persist",
  ),
  lag: whole(
    { default: 8, min: 1, max: 1024 },
    "L, samples whose labels are still revised, the newest included",
  ),
  initialErrorRate: formerly(
    "p0",
    real({ default: 0.2, min: 0.002, max: 0.49 }, "p_0, p at the start, probability that a label is wrong"),
  ),
  initialNoiseVariance: formerly(
    "R0",
    real({ default: 1, min: 0.02, max: 1e6 }, "R_0, R at the start, variance of what w.x leaves of a label"),
  ),
  prior: whole({ default: 20, min: 1, max: 1e6 }, "samples that p_0 and R_0 count as"),
  horizon: whole({ default: 400, min: 1, max: 1e6 }, "samples over which p and R are averaged at most"),
});

type RlsHmmSettled = Settled<typeof RLS_HMM_OPTIONS>;

/**
 * p stays this far from 0, where a label would be taken for certain, and from 1/2, where it would say
 * nothing.
 */
const P_LEAST = 0.002;
const P_MOST = 0.49;
const R_LEAST = 0.02;
/**
 * x'Px / R_t is this at most: what makes a variance smaller yet, beside its rounding error, may turn it
 * negative.
 */
const MOST_SHRUNK = 65536;
/** x'Px / R_t is at most so many times the mean leverage. */
const MOST_LEVERAGE = 8;

function rlsHmmLayout(options: RlsHmmSettled): Layout {
  const { dimension, lag } = options;
  const width = widthOf(options);
  return new Layout([
    { name: "w", kind: "state", words: width },
    { name: "covariance", kind: "state", words: packedWords(width) },
    { name: "window", kind: "state", words: lag * dimension },
    { name: "labels", kind: "state", words: lag },
    { name: "smoothed", kind: "state", words: lag },
    { name: "precisions", kind: "state", words: lag },
    { name: "filtered", kind: "state", words: 1 },
    { name: "flips", kind: "state", words: 1 },
    { name: "noise", kind: "state", words: 1 },
    { name: "samples", kind: "state", words: 1 },
    { name: "ring", kind: "state", words: 2 },
    OutlierLimit.region(),
    { name: "product", kind: "scratch", words: width },
    { name: "revision", kind: "scratch", words: width },
    { name: "next", kind: "scratch", words: width },
    { name: "odds", kind: "scratch", words: lag },
    { name: "posterior", kind: "scratch", words: lag },
    ...commonRegions(dimension),
    // Follows the input, which it completes.
    { name: "one", kind: "scratch", words: 1 },
  ]);
}

/**
 * Recursive least squares on labels smoothed by a hidden Markov model: a linear classifier for wrong labels
 * of classes that persist. This project's own, of known parts. The true class c_t changes from one sample to
 * the next with probability h, a label y_t is wrong with probability p, both whatever x is. Over the window
 * of the newest L samples, a_t the log odds of c_t = +1 given the labels up to y_t, b_t those that the labels
 * after it give (forward-backward, in log odds),
 *
 *     a_t = T(a_(t-1)) + e y_t;   b_t = T(b_(t+1) + e y_(t+1)), 0 of the newest;   e = log((1 - p) / p)
 *     T(a) = log((1 - h + h E) / (h + (1 - h) E)) if a >= 0, with E = exp(-|a|); -T(-a) otherwise
 *
 * and the smoothed label, the mean of c_t, s_t = tanh((a_t + b_t) / 2). Weights are those of ridge regression
 * on smoothed labels, each sample with the noise R_t that was estimated when it came,
 *
 *     w = P sum_t s_t x_t / R_t,   P = (regularization I + sum_t x_t x_t' / R_t)^-1
 *
 * worked out recursively, both or none: with g = P x of the new sample (label y, s its smoothed label,
 * f = w.x), v = x'g, and q = sum x_t (s_t - old s_t) / R_t over the older samples of the window, whose labels
 * are revised,
 *
 *     w <- w + g (s - f - g.q) / (R_t + v) + P q;   P <- P - g g' / (R_t + v)
 *
 * s_t stays as it is when its sample leaves the window, and says how far its label y_t was wrong:
 *
 *     p <- p + ((1 - y_t s_t) / 2 - p) / m;   R <- R + ((s - f)^2 R / (R + v) - R) / m
 *
 * m counts samples, with `prior` of them at the start and never more than `horizon`; p is kept in
 * 0.002..0.49, R at 0.02 or more. R_t is R, or v / 2^16 if that is more: float32 holds no larger step. After 8 n samples it
 * is R or v t / (8 n), t counting them up to horizon + L: the leverage v / R_t of one sample is then at most 8 times the
 * mean, which over t samples is n / t.
 *
 * Classes that don't persist call for hazard 0.5, which is ridge regression on labels times 1 - 2p. A smaller
 * one takes what neighbouring labels say for the sample's own, and learns the slower for it: where classes change at every
 * sample, the default comes to say the majority class. Where they last, AROW, which takes nothing for granted, is as good up to
 * 20 % of wrong labels (`npx motelearn papers --only rls-hmm`).
 *
 * x is clipped, see `OutlierLimit`: nothing is forgotten here, and one x thrown far would outweigh all others for good.
 *
 * x is meant with the component that is always 1, unless `bias` is off; n of them.
 * State: (n^2 + 3n) / 2 + L (d + 3) + 10 words. Time n^2, and 5 L exponentials and logarithms.
 * (Rabiner: A tutorial on hidden Markov models, Proceedings of the IEEE 77(2), 1989, (19)-(27); Haykin:
 * Adaptive Filter Theory, for recursive least squares.)
 *
 * @param options see `RlsHmmOptions`. Throws an OptionError that names what can't be used.
 * @see This project's own: fixed-lag smoothing (Rabiner 1989) before recursive least squares
 * @example
 * ```ts
 * import { RlsHmm } from "motelearn";
 *
 * const learner = new RlsHmm({ dimension: 2 });
 * for (let t = 0; t < 200; t++) {
 *   const side = t % 40 < 20 ? -1 : 1; // the class persists, each tenth label is wrong
 *   learner.learn([side, (t % 5) / 5], t % 10 === 7 ? -side : side);
 * }
 * console.log(learner.classify([-1, 0.5]), learner.classify([1, 0.5]));
 * // -1 1
 * ```
 */
export class RlsHmm extends ClippingClassifier {
  private readonly options: RlsHmmSettled;
  private readonly covariance = this.layout.at("covariance", this.range);
  /** Word of x_t of each slot, plain vectors without the 1; with y_t, s_t and 1 / R_t. */
  private readonly window = this.layout.at("window", this.range);
  private readonly labels = this.layout.at("labels", this.range);
  private readonly smoothed = this.layout.at("smoothed", this.range);
  private readonly precisions = this.layout.at("precisions", this.range);
  /** Word of a_t of the sample that left the window last. */
  private readonly filtered = this.layout.at("filtered", this.range);
  private readonly flips = this.layout.at("flips", this.range);
  private readonly noise = this.layout.at("noise", this.range);
  /** Word of the samples so far, which stops at horizon + lag. */
  private readonly samples = this.layout.at("samples", this.range);
  /** Word of the number of samples in the window, then of the slot that the next one takes. */
  private readonly ring = this.layout.at("ring", this.range);
  private readonly product = this.layout.at("product", this.range);
  private readonly revision = this.layout.at("revision", this.range);
  private readonly next = this.layout.at("next", this.range);
  /** Word of a_t, then of s_t, by age from the oldest that stays to the newest: scratch. */
  private readonly odds = this.layout.at("odds", this.range);
  private readonly posterior = this.layout.at("posterior", this.range);

  constructor(options: RlsHmmOptions) {
    const settled = settle("rls-hmm", RLS_HMM_OPTIONS, options);
    super(settled.dimension, rlsHmmLayout(settled), settled.outlierLimit, options.memory);
    this.options = settled;
    this.begin();
  }

  protected begin(): void {
    const { words } = this.f32;
    const { regularization, initialErrorRate, initialNoiseVariance } = this.options;
    for (let j = 0; j < this.width; j++) words[this.covariance + packedWords(j) + j] = 1 / regularization;
    words[this.flips] = initialErrorRate;
    words[this.noise] = initialNoiseVariance;
  }

  protected take(y: number, decision: number): void {
    const { f32, product, width } = this;
    const { words } = f32;
    f32.symmetricProduct(product, this.covariance, this.input, width);
    const variance = f32.dot(product, this.input, width);
    // Rounding may leave a little less than nothing of a variance.
    const v = variance > 0 ? variance : 0;
    const R = words[this.noise];
    const leastR = v / this.mostLeverage();
    const taken = R > leastR ? R : leastR;
    const filtered = this.filteredAfterLeaving();
    const p = this.flipsAfterLeaving();
    const kept = this.smooth(y, filtered, p);
    const error = words[this.posterior + kept] - decision;
    const noise = Math.fround(this.noiseAfter(R, (error * error * R) / (R + v)));
    if (noise - noise !== 0 || !this.move(error, taken + v, kept)) {
      this.tally(COUNT.overflowed);
      return;
    }
    words[this.filtered] = filtered;
    words[this.flips] = p;
    words[this.noise] = noise;
    this.push(y, 1 / taken, kept);
  }

  /** What x'Px / R_t may be: a few times the mean leverage, width / samples, once that is a few times below 1. */
  private mostLeverage(): number {
    const most = (MOST_LEVERAGE * this.width) / (this.f32.bits[this.samples] + 1);
    return most < 1 ? most : MOST_SHRUNK;
  }

  /** T, the log odds a step later or earlier. */
  private transition(a: number): number {
    const { hazard } = this.options;
    const E = this.f32.exp(a < 0 ? a : -a);
    const later = this.f32.log((1 - hazard + hazard * E) / (hazard + (1 - hazard) * E));
    return a < 0 ? -later : later;
  }

  /** What a label +1 adds to the log odds. */
  private evidence(p: number): number {
    return this.f32.log((1 - p) / p);
  }

  private isFull(): boolean {
    return this.f32.bits[this.ring] === this.options.lag;
  }

  /** Slot of the sample of that age, 0 being the oldest of `count` in the window. */
  private slot(age: number, count: number): number {
    const slot = this.f32.bits[this.ring + 1] - count + age;
    return slot < 0 ? slot + this.options.lag : slot;
  }

  /** a_t of the sample that leaves; as it was if none does. */
  private filteredAfterLeaving(): number {
    const { words } = this.f32;
    if (!this.isFull()) return words[this.filtered];
    const y = words[this.labels + this.slot(0, this.options.lag)];
    return Math.fround(this.transition(words[this.filtered]) + this.evidence(words[this.flips]) * y);
  }

  /** p with the label of the sample that leaves; as it was if none does. */
  private flipsAfterLeaving(): number {
    const { words, bits } = this.f32;
    const { lag, prior, horizon } = this.options;
    const p = words[this.flips];
    if (!this.isFull()) return p;
    const oldest = this.slot(0, lag);
    const wrong = (1 - words[this.labels + oldest] * words[this.smoothed + oldest]) / 2;
    const count = prior + bits[this.samples] - lag + 1;
    const after = p + (wrong - p) / (count < horizon ? count : horizon);
    return Math.fround(after < P_LEAST ? P_LEAST : after > P_MOST ? P_MOST : after);
  }

  private noiseAfter(R: number, squared: number): number {
    const { prior, horizon } = this.options;
    const count = prior + this.f32.bits[this.samples] + 1;
    const after = R + (squared - R) / (count < horizon ? count : horizon);
    return after < R_LEAST ? R_LEAST : after;
  }

  /**
   * Leaves s_t of the samples that stay, oldest first, and then of the new one with label y, in `posterior`.
   * Returns how many stay.
   */
  private smooth(y: number, filtered: number, p: number): number {
    const { words, bits } = this.f32;
    const { odds, posterior } = this;
    const count = bits[this.ring];
    const left = this.isFull() ? 1 : 0;
    const kept = count - left;
    const e = this.evidence(p);
    let a = filtered;
    for (let i = 0; i <= kept; i++) {
      const label = i < kept ? words[this.labels + this.slot(i + left, count)] : y;
      a = this.transition(a) + e * label;
      words[odds + i] = a;
    }
    let b = 0;
    for (let i = kept; i >= 0; i--) {
      const label = i < kept ? words[this.labels + this.slot(i + left, count)] : y;
      words[posterior + i] = this.meanOf(words[odds + i] + b);
      b = this.transition(b + e * label);
    }
    return kept;
  }

  /** The mean of a class -1 or +1 of these log odds. */
  private meanOf(odds: number): number {
    const E = this.f32.exp(odds < 0 ? odds : -odds);
    const mean = (1 - E) / (1 + E);
    return odds < 0 ? -mean : mean;
  }

  /** w and P, both or none; S = R + v. False, with nothing changed, if float32 can't hold the result. */
  private move(error: number, S: number, kept: number): boolean {
    const { f32, w, next, product, revision, width } = this;
    if (!this.revise(kept)) return false;
    f32.symmetricProduct(next, this.covariance, revision, width);
    const along = (error - f32.dot(product, revision, width)) / S;
    if (!f32.addScaled(next, along, product, width)) return false;
    if (!f32.addScaled(next, 1, w, width)) return false;
    if (!f32.symmetricRankOne(this.covariance, -1 / S, product, width)) return false;
    f32.copy(w, next, width);
    return true;
  }

  /** q, what the new s_t of the samples that stay make of the sum of s_t x_t / R_t. */
  private revise(kept: number): boolean {
    const { f32, revision, dimension } = this;
    const { words, bits } = f32;
    words.fill(0, revision, revision + this.width);
    const count = bits[this.ring];
    for (let i = 0; i < kept; i++) {
      const slot = this.slot(i + count - kept, count);
      const change = words[this.posterior + i] - words[this.smoothed + slot];
      const weight = change * words[this.precisions + slot];
      if (!f32.addScaled(revision, weight, this.window + slot * dimension, dimension)) return false;
      if (this.options.bias) words[revision + dimension] += weight;
    }
    return true;
  }

  /** The input takes the oldest's place, and the labels of the samples that stay are revised. */
  private push(y: number, precision: number, kept: number): void {
    const { f32, dimension } = this;
    const { words, bits } = f32;
    const { lag, horizon } = this.options;
    const count = bits[this.ring];
    for (let i = 0; i < kept; i++) {
      words[this.smoothed + this.slot(i + count - kept, count)] = words[this.posterior + i];
    }
    const newest = bits[this.ring + 1];
    f32.copy(this.window + newest * dimension, this.input, dimension);
    words[this.labels + newest] = y;
    words[this.smoothed + newest] = words[this.posterior + kept];
    words[this.precisions + newest] = precision;
    bits[this.ring] = kept + 1;
    bits[this.ring + 1] = newest + 1 === lag ? 0 : newest + 1;
    if (bits[this.samples] < horizon + lag) bits[this.samples]++;
  }
}

export const RLS_HMM: readonly Family[] = frozen([
  {
    name: "rls-hmm",
    task: "classification",
    title: "RLS on labels smoothed by a hidden Markov model",
    paper: "This project's own: fixed-lag smoothing (Rabiner 1989) before recursive least squares",
    options: RLS_HMM_OPTIONS,
    layout: (given) => rlsHmmLayout(settle("rls-hmm", RLS_HMM_OPTIONS, given)),
    create: (given) => new RlsHmm(given as RlsHmmOptions),
  },
]);
