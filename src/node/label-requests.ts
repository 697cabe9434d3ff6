import type { Primitives } from "../math/primitives.ts";
import { ANY, type Layout, type MemoryRange, POSITIVE, type Region } from "../memory/layout.ts";

/** The share of the budget that the node asks for at random, so that every region of the inputs gets labels. */
const RANDOM_SHARE = 0.4;
/** Labels that may be asked for beyond the budget, and labels of the budget that may be saved up. */
const BURST = 20;
/** The controller's step, and the threshold's first value and range. */
const STEP = 0.02;
const THRESHOLD_FIRST = 0.5;
const THRESHOLD_MIN = 0.001;
const THRESHOLD_MAX = 50;
/** The credit counts 1/65536 of a label, exactly. */
const LABEL = 65536;
const TWO_32 = 4294967296;

/**
 * Chooses the samples whose labels the node asks for, within a budget B (a share of samples), by the margin |f|:
 *
 *     ask = (u < .4 B or |f| < t) and credit > -20,   u uniform in [0, 1)
 *     credit <- min(credit + B - ask, 20);   t <- clip(t (1 + .02 (B - ask)), .001, 50)
 *
 * B is rounded down to 1/65536, and credit is exact: of any first n samples at most B n + 21 are asked for. u is a hash of session
 * and number of the sample. Two words of state.
 */
export class LabelRequests {
  private readonly f32: Primitives;
  private readonly threshold: number;
  private readonly credit: number;
  /** B in 1/65536, and 0.4 B in 2^-32. */
  private readonly income: number;
  private readonly atRandom: number;
  /** Factors of the threshold after a sample that isn't asked for, and after one that is. */
  private readonly up: number;
  private readonly down: number;

  static regions(): Region[] {
    return [{ name: "requests", kind: "state", words: 2, holds: [POSITIVE, ANY] }];
  }

  /** @param budget B, above 0 and below 1. */
  constructor(layout: Layout, range: MemoryRange, budget: number) {
    this.f32 = range.f32;
    this.threshold = layout.at("requests", range);
    this.credit = this.threshold + 1;
    this.income = Math.floor(budget * LABEL);
    this.atRandom = RANDOM_SHARE * budget * TWO_32;
    this.up = 1 + STEP * budget;
    this.down = 1 + STEP * (budget - 1);
  }

  /** Gives the words their first values. */
  begin(): void {
    this.f32.words[this.threshold] = THRESHOLD_FIRST;
    this.f32.bits[this.credit] = 0;
  }

  /** True to ask for the label of sample seq of session sid. @param margin |f|; NaN is never below the threshold. */
  asks(sid: number, seq: number, margin: number): boolean {
    const { words, bits } = this.f32;
    const credit = bits[this.credit] | 0;
    const wanted = scatter(sid, seq) < this.atRandom || margin < words[this.threshold];
    const asks = wanted && credit > -BURST * LABEL;
    const next = credit + this.income - (asks ? LABEL : 0);
    bits[this.credit] = next < BURST * LABEL ? next : BURST * LABEL;
    const threshold = words[this.threshold] * (asks ? this.down : this.up);
    words[this.threshold] =
      threshold < THRESHOLD_MIN ? THRESHOLD_MIN : threshold > THRESHOLD_MAX ? THRESHOLD_MAX : threshold;
    return asks;
  }
}

/** Hashes two words to 32 bits: the finaliser of MurmurHash3 over their mix. */
function scatter(a: number, b: number): number {
  let h = Math.imul(a, 0x9e3779b1) ^ b;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
