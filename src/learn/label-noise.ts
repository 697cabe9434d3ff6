import type { Primitives } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { OptionError } from "../memory/option-error.ts";
import type { Defaulted } from "./options.ts";

/** How often a source says -1 of a +1, and +1 of a -1. */
export type FlipRates = readonly [missed: number, falseAlarm: number];

const SOURCES_MOST = 256;
const RATE_MOST = 0.49;
/** Rates are kept as bytes, in steps of 1/512. */
const STEPS = 512;
/** The highest confidence c: the label's source has its configured error rates. */
const CERTAIN = 255;
/** A label with a smaller D teaches nothing. */
const INFORMATION_LEAST = 0.1;
/** Step of the kernel learners, and how far coefficients shrink a step. */
const STEP = 0.2;
const SHRINK = 0.003;
/** While little is learned, a step is the mean step over this much information beyond the first label's. A right label has information 1. */
const EARLY = 20;
const FIRST = 32;
const EARLY_MOST = 0.1;
/** Where a kernel learner clips f: beyond it a label moves f as it would there, so that f returns. And the weight of the slope. */
const ODDS_MOST = 2.5;
const SLOPES = 4;
/** The most by which one label reduces the excess of f beyond the clip: at an outlier a linear part can make it as large as the outlier. */
const BACK_MOST = 8;
/** exp(-|f|) is this at least: beyond it a class is certain, and quotients of both odds would be 0 / 0. */
const ODDS_LEAST = 1e-18;

function isRates(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    value.every((rate) => typeof rate === "number" && rate >= 0 && rate <= RATE_MOST)
  );
}

/**
 * Option of a classifier that corrects for labels that are wrong at known rates. A regression and a novelty detector can't have it: a wrong
 * value isn't another class. Each classifier without it says why.
 */
export const sources: Defaulted<readonly FlipRates[]> = frozen({
  kind: "rates",
  default: frozen([]),
  takes: `at most ${SOURCES_MOST} of [missed, false alarms], each 0 to ${RATE_MOST}`,
  doc: "error rates of the labels of source 0 (unknown), 1, ...: the share of +1 that it calls -1, and of -1 that it calls +1; none: labels are trusted",
  accepts: (value) => Array.isArray(value) && value.length <= SOURCES_MOST && value.every(isRates),
});

/**
 * Correction for labels that are wrong at known rates: the likelihood of the label as it was received. With rp =
 * P(-1 said | +1), rm = P(+1 said | -1), D = 1 - rp - rm, f the log-odds of class +1, and p = 1 / (1 + exp(-f)):
 *
 *     Q(+1) = rm + D p;   Q(-1) = rp + D (1 - p)
 *     slope = y D p (1 - p) / Q(y);   curvature = (D p (1 - p))^2 / (Q(+1) Q(-1)), its Fisher information
 *
 * AROW takes a step of Newton's method. A kernel learner moves f by s (4 slope(c) / D^2 + c - f), with c = f clipped to +-2.5.
 * Where f is far from 0, either label carries little information, since it may well be wrong: it then moves f less than with a squared
 * loss. Without the clip, f would go so far that a change of the classes takes long to undo it. s is 0.2 D^2, as a label has D^2 of the
 * information of a right one. Where D < 0.1 a label teaches nothing.
 *
 * The corrected target judges predictions: its mean over the flips is the true class.
 *
 *     z = (1 + rp - rm) / D if +1 was said, -(1 - rp + rm) / D if -1 was said
 *
 * The rates come from the label's source, or from source 0 if its own isn't listed. A label with a confidence c below 255 has rates of its
 * own: D = c / 255, rp = rm = (1 - D) / 2.
 *
 * (The likelihood: Patrini, Rozza, Menon, Nock, Qu: Making deep neural networks robust to label noise. CVPR 2017, the forward correction. The
 * target: Natarajan, Dhillon, Ravikumar, Tewari: Learning with noisy labels. NIPS 26, 2013.)
 */
export class CorrectedTarget {
  /** z, D^2 and a kernel learner's step for the label that `take` took. */
  target = 0;
  weight = 0;
  private step = 0;
  /** Derivatives of ln Q(y) at `likelihood`'s f, and a label's information about f there. */
  slope = 0;
  curvature = 0;
  private missed = 0;
  private falseAlarm = 0;
  private isPositive = false;
  /** rp and rm of each source, in steps of 1/512. */
  private readonly rates: Uint8Array;

  constructor(options: readonly FlipRates[]) {
    this.rates = new Uint8Array(2 * options.length);
    for (let i = 0; i < options.length; i++) {
      for (let side = 0; side < 2; side++) this.rates[2 * i + side] = Math.round(options[i][side] * STEPS);
    }
  }

  /** Sets target and weight for the label y, -1 or +1. False, with nothing set, for one that teaches nothing. */
  take(y: number, source: number, confidence: number): boolean {
    const { rates } = this;
    const entry = 2 * source < rates.length ? 2 * source : 0;
    const guessed = (1 - confidence / CERTAIN) / 2;
    const missed = confidence < CERTAIN ? guessed : rates[entry] / STEPS;
    const falseAlarm = confidence < CERTAIN ? guessed : rates[entry + 1] / STEPS;
    const D = 1 - missed - falseAlarm;
    if (D < INFORMATION_LEAST) return false;
    this.target = (y > 0 ? 1 + missed - falseAlarm : missed - falseAlarm - 1) / D;
    this.weight = D * D;
    this.missed = missed;
    this.falseAlarm = falseAlarm;
    this.isPositive = y > 0;
    this.step = STEP * D * D;
    return true;
  }

  /**
   * Makes the step longer where labels of that information, the sum of D^2, have been learned: D^2 20 / (32 + information), which is
   * nearer to a mean of the received labels, but at most 0.1. Steps of 0.2 D^2 alone would take 1 / D^2 times as many labels to leave f = 0.
   */
  hasten(information: number): void {
    const mean = (EARLY * this.weight) / (FIRST + information);
    const early = mean < EARLY_MOST ? mean : EARLY_MOST;
    if (early > this.step) this.step = early;
  }

  /** Sets slope and curvature of ln Q for the label that `take` took, at the prediction f; `odds` = exp(-|f|). */
  likelihood(f: number, odds: number): void {
    const { missed, falseAlarm, isPositive } = this;
    const e = odds > ODDS_LEAST ? odds : ODDS_LEAST;
    const D = 1 - missed - falseAlarm;
    const likely = 1 / (1 + e);
    const other = e * likely;
    const moves = D * likely * other;
    const positive = falseAlarm + D * (f >= 0 ? likely : other);
    const negative = missed + D * (f >= 0 ? other : likely);
    this.slope = isPositive ? moves / positive : -moves / negative;
    this.curvature = (moves * moves) / (positive * negative);
  }

  /** Coefficient of k(x, .) that a kernel learner adds for that label, f = f(x). Sets slope and curvature. */
  coefficient(f: number, f32: Primitives): number {
    const c = f > ODDS_MOST ? ODDS_MOST : f < -ODDS_MOST ? -ODDS_MOST : f;
    this.likelihood(c, f32.exp(c > 0 ? -c : c));
    const back = c - f > BACK_MOST ? BACK_MOST : c - f < -BACK_MOST ? -BACK_MOST : c - f;
    return this.step * ((SLOPES * this.slope) / this.weight + back);
  }

  /** Factor by which a kernel learner's coefficients shrink for that label. */
  get keep(): number {
    return 1 - this.step * SHRINK;
  }
}

/** Throws an OptionError for rates with more than two classes. */
export function refuseRates(learner: string, sources: unknown): void {
  if ((sources as readonly unknown[] | undefined)?.length)
    throw new OptionError(learner, "sources", sources, "[]: such rates are for two classes");
}

/** The correction that the option asks for. */
export function makeCorrection(sources: readonly FlipRates[]): CorrectedTarget | undefined {
  return sources.length > 0 ? new CorrectedTarget(sources) : undefined;
}
