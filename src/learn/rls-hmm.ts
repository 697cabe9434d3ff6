import { packedWords } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { ANY, Layout } from "../memory/layout.ts";
import type { Family } from "./family.ts";
import { LabelFlips } from "./label-flips.ts";
import { LabelWindow } from "./label-window.ts";
import { COUNT, commonRegions } from "./learner.ts";
import type { RlsHmmOptions } from "./learner-options.ts";
import { bias, ClippingClassifier, inputLimit, inputWidth } from "./linear.ts";
import { dimension, type ResolvedOptions, real, resolveOptions, whole } from "./options.ts";
import { OutlierLimit } from "./outlier-limit.ts";
import { SEARCHED } from "./traits.ts";

const RLS_HMM_OPTIONS = frozen({
  dimension,
  bias,
  outlierLimit: inputLimit,
  regularization: real({ default: 2, above: 0 }, "weight of |w|^2: P = I / regularization at the start"),
  lag: whole(
    { default: 8, min: 1, max: 64 },
    "L, samples whose labels are still revised, the newest included",
  ),
  initialNoiseVariance: real(
    { default: 1, min: 0.02, max: 1e6 },
    "R_0, first value of R, the variance of a label's residual from w.x",
  ),
  prior: whole({ default: 20, min: 1, max: 1e6 }, "samples that R_0 weighs as much as"),
  horizon: whole({ default: 400, min: 1, max: 1e6 }, "most samples over which R is averaged"),
});

type ResolvedRlsHmmOptions = ResolvedOptions<typeof RLS_HMM_OPTIONS>;

const R_LEAST = 0.02;
/**
 * Largest x'Px / R_t: a step that shrinks a variance further may turn it negative by rounding.
 */
const MOST_SHRUNK = 65536;
/** x'Px / R_t is at most this many times the mean leverage. */
const MOST_LEVERAGE = 8;
/** Labels are taken as they came where classes persist with less than a tenth of the belief. */
const FEW = 0.1;
/** R_t is at least this many times the variance 4 e (1 - e) of a label about its decision. */
const LEAST_NOISE = 1.5;
/** The share of an error, and of the count of labels, that remains one label later. */
const KEEP = 0.999;
/** The bits of 1024, which such a sum stays below. */
const MOST_JUDGED = 0x44800000;
/** Places of the words in region `judged`: errors on labels, labels, whether flips are refuted, the newest sample's number. */
const ERRORS = 0;
const JUDGED = 1;
const REFUTED = 2;
const SAMPLES = 3;
/** A note: whether it is one, then the number of the sample, which wraps. */
const NOTED = 1;
const NUMBERS = 4096;

function rlsHmmLayout(options: ResolvedRlsHmmOptions): Layout {
  const { dimension, lag } = options;
  const width = inputWidth(options);
  return new Layout([
    { name: "w", kind: "state", words: width },
    { name: "covariance", kind: "state", words: packedWords(width) },
    ...LabelFlips.regions(),
    ...LabelWindow.regions(lag, dimension),
    { name: "smoothed", kind: "state", words: lag },
    { name: "precisions", kind: "state", words: lag },
    { name: "noise", kind: "state", words: 1 },
    { name: "samples", kind: "state", words: 1, holds: [ANY] },
    { name: "judged", kind: "state", words: 4, holds: [MOST_JUDGED, MOST_JUDGED, 1, ANY] },
    OutlierLimit.region(),
    { name: "note", kind: "scratch", words: 1 },
    { name: "product", kind: "scratch", words: width },
    { name: "revision", kind: "scratch", words: width },
    { name: "next", kind: "scratch", words: width },
    { name: "posterior", kind: "scratch", words: lag },
    ...commonRegions(dimension),
    // Follows the input, which it completes.
    { name: "one", kind: "scratch", words: 1 },
  ]);
}

/**
 * A hidden Markov model smooths the labels of a window; recursive least squares learns the smoothed labels.
 *
 *     o_t = q_t (1 - pi) / ((1 - q_t) pi);   s_t = (o_t - 1) / (o_t + 1)
 *     w <- w + g (s - f - g.q) / (R_t + v) + P q;   P <- P - g g' / (R_t + v)
 *
 * When to use it: Classes persist for many samples, and many labels are wrong at unknown rates.
 *
 * This is the project's own, built from known parts: a linear classifier for wrong labels of classes that persist. `LabelFlips` learns from the
 * labels kappa, the probability that a sample keeps the class before it without a redraw; p and m, the probabilities that a label of class +1 or -1
 * is wrong; and pi, the share of class +1. With these, `LabelWindow` computes by forward-backward, from the labels in a window of L samples, the
 * probability q_t that sample t is +1. Its odds relative to the prior's are o_t, and s_t is the smoothed label. The label stays as it came, s_t =
 * y_t, where classes don't persist, P(kappa = 0) > .9. It also does where the estimated rate of wrong labels exceeds the error e on W labels by two
 * standard deviations, since no learner errs less on labels than labels are wrong:
 *
 *     pi p + (1 - pi) m > e + 2 sqrt(e (1 - e) / W)
 *
 * The weights solve a ridge regression on smoothed labels, each sample with the noise R_t that was estimated when it came,
 *
 *     w = P sum_t s_t x_t / R_t,   P = (regularization I + sum_t x_t x_t' / R_t)^-1
 *
 * updated recursively as above, both or neither. g is P x of the new sample (label y, s its smoothed label, f = w.x), v is x'g, and q is the sum of
 * x_t (s_t - old s_t) / R_t over the other samples of the window, whose labels are revised. Then
 *
 *     R <- R + ((s - f)^2 R / (R + v) - R) / n
 *
 * s_t stays as it is when its sample leaves the window. n counts samples, with `prior` of them at the start and never more than
 * `horizon`; R is kept at 0.02 or more. R_t is R, or 6 e (1 - e) if that is more: the noise that smoothing takes off a label its neighbours
 * share, so that none weighs more than a label as it came, whose variance about the decision is 4 e (1 - e). (Once to twice that were tried.) R_t is
 * v / 2^16 if that is more: float32 holds no larger step. After 8 d samples it is at least v t / (8 d), t counting them up to horizon + L: the
 * leverage v / R_t of one sample is then at most 8 times the mean, which over t samples is d / t.
 *
 * A sample that float32 can't hold leaves w as it is; its label still counts for its neighbours' smoothed labels.
 *
 * Limits. A share of classes that drifts slowly looks like classes that persist, with many wrong labels: it costs points, up to 6 where the share swings from 5 to 95 %.
 * Labels don't show flips of classes that don't persist. AROW, which assumes nothing about time, is as good up to 20 % of wrong labels
 * (`npx motelearn papers --only rls-hmm`); `auto` judges between such learners.
 *
 * At 40 % of wrong labels, 800 of them and 64 features, it is no better than AROW with r = 10 there: neighbouring labels correlate by
 * (1 - 2p)^2 = 0.04 at most, which 800 hardly distinguish from chance. (`npx motelearn papers --only rls-hmm`)
 *
 * x is clipped, see `OutlierLimit`: the learner never forgets, so one outlier would outweigh all other inputs for good.
 *
 * x includes the bias term's constant component 1, unless `bias` is off; d counts it.
 * State: (d^2 + 3d) / 2 + L (d + 2) + 318 words or so, and a note of one word a pending sample: its number, by which labels that come out
 * of turn, or never, are gaps. Time d^2, L divisions, and 150 hidden Markov models a label.
 * (Rabiner: A tutorial on hidden Markov models, Proceedings of the IEEE 77(2), 1989, (19)-(27); Haykin:
 * Adaptive Filter Theory, for recursive least squares.)
 *
 * It has no option `sources`: it learns from the labels how often they are wrong.
 *
 * @param options see `RlsHmmOptions`. Throws an OptionError that names the invalid option.
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
  private readonly options: ResolvedRlsHmmOptions;
  private readonly labelFlips: LabelFlips;
  private readonly window: LabelWindow;
  private readonly covariance = this.layout.at("covariance", this.range);
  /** Word of s_t and of 1 / R_t of each slot of the window; both 0 of a sample that wasn't learned. */
  private readonly smoothed = this.layout.at("smoothed", this.range);
  private readonly precisions = this.layout.at("precisions", this.range);
  private readonly noise = this.layout.at("noise", this.range);
  /** Word of the samples so far, which stops at horizon + lag. */
  private readonly samples = this.layout.at("samples", this.range);
  private readonly judged = this.layout.at("judged", this.range);
  private readonly noteAt = this.layout.at("note", this.range);
  private readonly product = this.layout.at("product", this.range);
  private readonly revision = this.layout.at("revision", this.range);
  private readonly next = this.layout.at("next", this.range);
  /** Word of s_t by age from the oldest in the window: scratch. */
  private readonly posterior = this.layout.at("posterior", this.range);

  constructor(options: RlsHmmOptions) {
    const resolved = resolveOptions("rls-hmm", RLS_HMM_OPTIONS, options);
    super(resolved.dimension, rlsHmmLayout(resolved), resolved.outlierLimit, options.memory);
    this.options = resolved;
    this.labelFlips = new LabelFlips(this.layout, this.range);
    this.window = new LabelWindow(this.layout, this.range, resolved.lag, resolved.dimension, this.labelFlips);
    this.begin();
  }

  override isSound(): boolean {
    return this.window.isSound;
  }

  protected begin(): void {
    this.restartConfidence();
    this.labelFlips.begin();
  }

  /** Resets P and R. */
  override restartConfidence(): boolean {
    const { covariance, width } = this;
    const { words, bits } = this.f32;
    const { regularization, initialNoiseVariance } = this.options;
    bits.fill(0, covariance, covariance + packedWords(width));
    for (let j = 0; j < width; j++) words[covariance + packedWords(j) + j] = 1 / regularization;
    words[this.noise] = initialNoiseVariance;
    bits[this.samples] = 0;
    return true;
  }

  override note(): void {
    const { bits } = this.f32;
    bits[this.noteAt] = (++bits[this.judged + SAMPLES] << 1) | NOTED;
  }

  protected take(y: number, decision: number): void {
    const { f32, product, posterior, width } = this;
    const { words, bits } = f32;
    const e = this.judge(decision < 0 !== y < 0);
    const slot = this.receive(y);
    f32.symmetricProduct(product, this.covariance, this.input, width);
    const variance = f32.dot(product, this.input, width);
    // Rounding may leave a little less than nothing of a variance.
    const v = variance > 0 ? variance : 0;
    const R = words[this.noise];
    let taken = LEAST_NOISE * 4 * e * (1 - e);
    if (taken < R) taken = R;
    const leastR = v / this.mostLeverage();
    if (taken < leastR) taken = leastR;
    const error = words[posterior + this.smooth(slot)] - decision;
    const noise = Math.fround(this.noiseAfter(R, (error * error * R) / (R + v)));
    if (noise - noise !== 0 || !this.move(error, taken + v)) {
      this.increment(COUNT.overflowed);
      return;
    }
    words[this.noise] = noise;
    this.keep(slot, 1 / taken);
    if (bits[this.samples] < this.options.horizon + this.options.lag) bits[this.samples]++;
  }

  /** Takes the input and its label into the window. Returns their slot, where nothing was learned yet. */
  private receive(y: number): number {
    const { words, bits } = this.f32;
    if (!this.noted || (bits[this.noteAt] & NOTED) === 0) this.note();
    const slot = this.window.push(this.input, y, (bits[this.noteAt] >> 1) & (NUMBERS - 1));
    words[this.smoothed + slot] = 0;
    words[this.precisions + slot] = 0;
    return slot;
  }

  /** Counts whether the decision erred on the label as it came, and whether the estimated rate of wrong labels exceeds e. Returns e. */
  private judge(wrong: boolean): number {
    const { judged } = this;
    const { words, bits } = this.f32;
    const { plus, minus, prior } = this.labelFlips;
    words[judged + ERRORS] = KEEP * words[judged + ERRORS] + (wrong ? 1 : 0);
    words[judged + JUDGED] = KEEP * words[judged + JUDGED] + 1;
    const W = words[judged + JUDGED];
    const e = (words[judged + ERRORS] + 1) / (W + 3);
    const believed = prior * plus + (1 - prior) * minus;
    bits[judged + REFUTED] = believed > e + 2 * Math.sqrt((e * (1 - e)) / W) ? 1 : 0;
    return e;
  }

  /** True if labels are taken as they came. */
  private get raw(): boolean {
    return this.f32.bits[this.judged + REFUTED] !== 0 || this.labelFlips.unrelated > 1 - FEW;
  }

  /** Leaves s_t by age in `posterior`. Returns the age of the sample in that slot. */
  private smooth(slot: number): number {
    const { window, posterior } = this;
    const { words } = this.f32;
    const { prior } = this.labelFlips;
    const isRaw = this.raw;
    let newest = 0;
    if (!isRaw) window.smooth(posterior);
    for (let age = 0; age < window.count; age++) {
      if (window.slot(age) === slot) newest = age;
      const q = words[posterior + age];
      const odds = (q * (1 - prior)) / ((1 - q) * prior + 1e-12);
      words[posterior + age] = isRaw ? window.label(age) : (odds - 1) / (odds + 1);
    }
    return newest;
  }

  /** Limit of x'Px / R_t: a few times the mean leverage, width / samples, once that is a few times below 1. */
  private mostLeverage(): number {
    const most = (MOST_LEVERAGE * this.width) / (this.f32.bits[this.samples] + 1);
    return most < 1 ? most : MOST_SHRUNK;
  }

  private noiseAfter(R: number, squared: number): number {
    const { prior, horizon } = this.options;
    const count = prior + this.f32.bits[this.samples] + 1;
    const after = R + (squared - R) / (count < horizon ? count : horizon);
    return after < R_LEAST ? R_LEAST : after;
  }

  /** w and P, both or none; S = R + v. False, with nothing changed, if float32 can't hold the result. */
  private move(error: number, S: number): boolean {
    const { f32, w, next, product, revision, width } = this;
    if (!this.revise()) return false;
    f32.symmetricProduct(next, this.covariance, revision, width);
    const along = (error - f32.dot(product, revision, width)) / S;
    if (!f32.addScaled(next, along, product, width)) return false;
    if (!f32.addScaled(next, 1, w, width)) return false;
    if (!f32.symmetricRankOne(this.covariance, -1 / S, product, width)) return false;
    f32.copy(w, next, width);
    return true;
  }

  /** q: how the revised s_t of the earlier samples change the sum of s_t x_t / R_t. The new sample's 1 / R_t is still 0. */
  private revise(): boolean {
    const { f32, revision, dimension, window } = this;
    const { words } = f32;
    words.fill(0, revision, revision + this.width);
    for (let age = 0; age < window.count; age++) {
      const slot = window.slot(age);
      const weight =
        (words[this.posterior + age] - words[this.smoothed + slot]) * words[this.precisions + slot];
      if (weight === 0) continue;
      if (!f32.addScaled(revision, weight, window.inputAt(slot), dimension)) return false;
      if (this.options.bias) words[revision + dimension] += weight;
    }
    return true;
  }

  /** Stores the revised labels, and the precision 1 / R_t of the sample in that slot. */
  private keep(slot: number, precision: number): void {
    const { window } = this;
    const { words } = this.f32;
    words[this.precisions + slot] = precision;
    for (let age = 0; age < window.count; age++)
      words[this.smoothed + window.slot(age)] = words[this.posterior + age];
  }
}

export const RLS_HMM: readonly Family[] = frozen([
  {
    name: "rls-hmm",
    task: "classification",
    title: "RLS on labels smoothed by a hidden Markov model",
    paper: "This project's own: fixed-lag smoothing (Rabiner 1989) before recursive least squares",
    options: RLS_HMM_OPTIONS,
    traits: {
      searched: [{ option: "regularization", values: [2, 10] }, SEARCHED.bias],
      picture: { lasting: true },
    },
    layout: (options) => rlsHmmLayout(resolveOptions("rls-hmm", RLS_HMM_OPTIONS, options)),
    create: (options) => new RlsHmm(options as RlsHmmOptions),
  },
]);
