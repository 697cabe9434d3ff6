import type { Primitives } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { type Layout, type MemoryRange, type Region, TO_ONE } from "../memory/layout.ts";

/**
 * kappa: the class is redrawn with probability 1 - kappa from one sample to the next; 0: it doesn't persist.
 */
const PERSISTENCE = frozen([0, 0.6, 0.8, 0.92, 0.97, 0.99]);
/** Probabilities that a label of class +1 (p), or of class -1 (m), is wrong. */
const RATES = frozen([0.003, 0.08, 0.2, 0.3, 0.4]);
const PAIRS = RATES.length * RATES.length;
const CELLS = PERSISTENCE.length * PAIRS;
/** Added to both numbers of each cell at each label, so that no cell vanishes: 10^-4 of the total in all. */
const FLOOR = 5e-5 / CELLS;
/** Labels that the running mean counts, and the least distance of a prior from 0 and 1. */
const HORIZON = 2000;
const LEAST_PRIOR = 0.02;
/** Places of the estimates. */
const MEAN = 0;
const COUNT = 1;
const KAPPA = 2;
const PLUS = 3;
const MINUS = 4;
const PRIOR = 5;
const UNRELATED = 6;
const ESTIMATES = 7;
/** The mean, the bits of `HORIZON`, and probabilities. */
const ESTIMATES_HOLD = frozen([TO_ONE, 0x44fa0000, TO_ONE, TO_ONE, TO_ONE, TO_ONE, TO_ONE]);

/**
 * How classes persist and how often labels are wrong, from labels alone: Bayes over a grid of small hidden
 * Markov models. Cell (kappa, p, m) has a class that is redrawn with probability 1 - kappa a sample, +1 with
 * probability pi, and labels that are wrong with probability p of class +1 and m of class -1. Each cell stores
 * a+ and a-, the joint probabilities of the cell and either class. With mean the share of labels +1 over the
 * last 2000, a label y that comes g samples after the one before updates them:
 *
 *     pi = clip((mean - m) / (1 - p - m), .02, .98);   k = kappa^g;   w = a+ + a-
 *     a+ <- P(y|+1) (k a+ + (1 - k) pi w);   a- <- P(y|-1) (k a- + (1 - k) (1 - pi) w)
 *
 * Then 10^-4 of the total is spread evenly, and all is normalised. The estimates are means over the cells. A lost label is a gap of 2. A share of
 * classes that drifts slowly looks like a class that persists with many wrong labels: labels alone can't distinguish them.
 *
 * Cells of one kappa lie together, (p, m) at 5 i + j, so that primitives take them as vectors.
 */
export class LabelFlips {
  private readonly f32: Primitives;
  private readonly ofPlus: number;
  private readonly ofMinus: number;
  private readonly estimates: number;
  /** Words of vectors over (p, m): pi, P(y|+1), P(y|-1), ones, and a kappa's results. */
  private readonly priors: number;
  private readonly ifPlus: number;
  private readonly ifMinus: number;
  private readonly ones: number;
  private readonly whole: number;
  private readonly drawn: number;
  private readonly sums: number;

  static regions(): Region[] {
    return [
      { name: "flips.plus", kind: "state", words: CELLS, holds: [TO_ONE] },
      { name: "flips.minus", kind: "state", words: CELLS, holds: [TO_ONE] },
      { name: "flips.estimates", kind: "state", words: ESTIMATES, holds: ESTIMATES_HOLD },
      { name: "flips.vectors", kind: "scratch", words: 7 * PAIRS },
    ];
  }

  constructor(layout: Layout, range: MemoryRange) {
    this.f32 = range.f32;
    this.ofPlus = layout.at("flips.plus", range);
    this.ofMinus = layout.at("flips.minus", range);
    this.estimates = layout.at("flips.estimates", range);
    const vectors = layout.at("flips.vectors", range);
    this.priors = vectors;
    this.ifPlus = vectors + PAIRS;
    this.ifMinus = vectors + 2 * PAIRS;
    this.ones = vectors + 3 * PAIRS;
    this.whole = vectors + 4 * PAIRS;
    this.drawn = vectors + 5 * PAIRS;
    this.sums = vectors + 6 * PAIRS;
    this.begin();
  }

  /** Sets the state's first values; the rest of it is 0. */
  begin(): void {
    const { estimates } = this;
    const { words } = this.f32;
    words.fill(0.5 / CELLS, this.ofPlus, this.ofPlus + CELLS);
    words.fill(0.5 / CELLS, this.ofMinus, this.ofMinus + CELLS);
    words[estimates + MEAN] = 0.5;
    words[estimates + COUNT] = 2;
    words[estimates + PLUS] = 0.1;
    words[estimates + MINUS] = 0.1;
    words[estimates + PRIOR] = 0.5;
    words[estimates + UNRELATED] = 1 / PERSISTENCE.length;
  }

  /** kappa, the probability that a sample keeps the class before it without a redraw. */
  get kappa(): number {
    return this.f32.words[this.estimates + KAPPA];
  }

  /** p and m, the probabilities that a label of class +1, and of class -1, is wrong. */
  get plus(): number {
    return this.f32.words[this.estimates + PLUS];
  }

  get minus(): number {
    return this.f32.words[this.estimates + MINUS];
  }

  /** pi, the share of class +1. */
  get prior(): number {
    return this.f32.words[this.estimates + PRIOR];
  }

  /** The probability that classes don't persist at all: then labels carry no information about flips. */
  get unrelated(): number {
    return this.f32.words[this.estimates + UNRELATED];
  }

  /** Takes label y, -1 or +1. Its sample came `gap` >= 1 samples after the previous label's. */
  learn(y: number, gap: number): void {
    const { f32, ofPlus, ofMinus, estimates } = this;
    const { words } = f32;
    this.count(y);
    this.prepare(y > 0);
    let total = 0;
    let kappa = 0;
    let unrelated = 0;
    for (let k = 0; k < PERSISTENCE.length; k++) {
      let power = PERSISTENCE[k];
      for (let g = 1; g < gap; g++) power *= PERSISTENCE[k];
      const mass = this.filter(k * PAIRS, power);
      total += mass;
      kappa += mass * PERSISTENCE[k];
      if (k === 0) unrelated = mass;
    }
    f32.scale(ofPlus, 1 / total, CELLS);
    f32.scale(ofMinus, 1 / total, CELLS);
    const right = f32.dot(this.sums, this.ifPlus, PAIRS) / total;
    const wrong = f32.dot(this.sums, this.ifMinus, PAIRS) / total;
    words[estimates + KAPPA] = kappa / total;
    words[estimates + UNRELATED] = unrelated / total;
    words[estimates + PLUS] = y > 0 ? 1 - right : right;
    words[estimates + MINUS] = y > 0 ? wrong : 1 - wrong;
    words[estimates + PRIOR] = this.estimatePrior(words[estimates + PLUS], words[estimates + MINUS]);
  }

  private count(y: number): void {
    const { estimates } = this;
    const { words } = this.f32;
    if (words[estimates + COUNT] < HORIZON) words[estimates + COUNT]++;
    words[estimates + MEAN] += ((y > 0 ? 1 : 0) - words[estimates + MEAN]) / words[estimates + COUNT];
  }

  private estimatePrior(p: number, m: number): number {
    const prior = (this.f32.words[this.estimates + MEAN] - m) / (1 - p - m);
    return prior < LEAST_PRIOR ? LEAST_PRIOR : prior > 1 - LEAST_PRIOR ? 1 - LEAST_PRIOR : prior;
  }

  /** The vectors that all kappas share. */
  private prepare(positive: boolean): void {
    const { priors, ifPlus, ifMinus } = this;
    const { words } = this.f32;
    words.fill(1, this.ones, this.ones + PAIRS);
    words.fill(0, this.sums, this.sums + PAIRS);
    let at = 0;
    for (let i = 0; i < RATES.length; i++) {
      const p = RATES[i];
      for (let j = 0; j < RATES.length; j++, at++) {
        const m = RATES[j];
        words[priors + at] = this.estimatePrior(p, m);
        words[ifPlus + at] = positive ? 1 - p : p;
        words[ifMinus + at] = positive ? m : 1 - m;
      }
    }
  }

  /** The cells from `from` on, of one kappa^gap; adds their probabilities to `sums`, and returns the sum of these. */
  private filter(from: number, link: number): number {
    const { f32, ones, whole, drawn, sums } = this;
    const plus = this.ofPlus + from;
    const minus = this.ofMinus + from;
    f32.addScaled(plus, FLOOR, ones, PAIRS);
    f32.addScaled(minus, FLOOR, ones, PAIRS);
    f32.copy(whole, plus, PAIRS);
    f32.addScaled(whole, 1, minus, PAIRS);
    f32.diagonalProduct(drawn, this.priors, whole, PAIRS);
    f32.addScaled(whole, -1, drawn, PAIRS);
    f32.scale(plus, link, PAIRS);
    f32.addScaled(plus, 1 - link, drawn, PAIRS);
    f32.scale(minus, link, PAIRS);
    f32.addScaled(minus, 1 - link, whole, PAIRS);
    f32.diagonalProduct(plus, this.ifPlus, plus, PAIRS);
    f32.diagonalProduct(minus, this.ifMinus, minus, PAIRS);
    f32.copy(whole, plus, PAIRS);
    f32.addScaled(whole, 1, minus, PAIRS);
    f32.addScaled(sums, 1, whole, PAIRS);
    return f32.dot(whole, ones, PAIRS);
  }
}
