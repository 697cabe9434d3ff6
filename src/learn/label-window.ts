import type { Primitives } from "../math/primitives.ts";
import { type Layout, type MemoryRange, type Region, TO_ONE } from "../memory/layout.ts";
import type { LabelFlips } from "./label-flips.ts";

/** A sample's word: bit 0, its label is +1; bit 1, it was learned; six bits for the slot of its input; then its number. */
const POSITIVE = 1;
const LEARNED = 2;
const SLOT = 2;
const SLOTS = 63;
const NUMBER = 8;
/** Bits of a number; numbers wrap. */
const NUMBER_BITS = 12;
const MOST_NUMBER = (1 << NUMBER_BITS) - 1;
const MOST_SAMPLE = (1 << (NUMBER + NUMBER_BITS)) - 1;
/** A longer gap counts as this one. */
const MOST_GAP = 64;

/** By how much sample `to` came after sample `from`; negative: before. */
function ahead(from: number, to: number): number {
  return ((to - from) << (32 - NUMBER_BITS)) >> (32 - NUMBER_BITS);
}

/** Samples between two, at least 1. */
function seqDistance(from: number, to: number): number {
  const difference = ahead(from, to);
  const gap = difference < 0 ? -difference : difference;
  return gap === 0 ? 1 : gap > MOST_GAP ? MOST_GAP : gap;
}

/** kappa^gap. */
function link(kappa: number, gap: number): number {
  let power = kappa;
  for (let g = gap; g > 1; g--) power *= kappa;
  return power;
}

/**
 * The newest labelled samples in the order of their numbers, since labels come out of order, and each one's
 * class by the labels around it: fixed-lag smoothing, forward and backward over the window, with the rates of
 * `LabelFlips`, which takes each label when it leaves. Ages run from 0, the oldest, to `count` - 1.
 */
export class LabelWindow {
  private readonly f32: Primitives;
  private readonly inputs: number;
  private readonly samples: number;
  private readonly size: number;
  /** Word of P(class = +1) of the sample that left last, by labels up to its own, 0 before one left; then of its number. */
  private readonly left: number;
  private readonly forward: number;

  /** @param lag samples, 1..64. */
  static regions(lag: number, dimension: number): Region[] {
    return [
      { name: "labels.inputs", kind: "state", words: lag * dimension },
      { name: "labels.samples", kind: "state", words: lag, holds: [MOST_SAMPLE] },
      { name: "labels.size", kind: "state", words: 1, holds: [lag] },
      { name: "labels.left", kind: "state", words: 2, holds: [TO_ONE, MOST_NUMBER] },
      { name: "labels.forward", kind: "scratch", words: lag },
    ];
  }

  constructor(
    layout: Layout,
    range: MemoryRange,
    private readonly lag: number,
    private readonly dimension: number,
    private readonly flips: LabelFlips,
  ) {
    this.f32 = range.f32;
    this.inputs = layout.at("labels.inputs", range);
    this.samples = layout.at("labels.samples", range);
    this.size = layout.at("labels.size", range);
    this.left = layout.at("labels.left", range);
    this.forward = layout.at("labels.forward", range);
  }

  get count(): number {
    return this.f32.bits[this.size];
  }

  /** True if every sample's slot is one of the window. */
  get isSound(): boolean {
    for (let age = 0; age < this.count; age++) if (this.slot(age) >= this.lag) return false;
    return true;
  }

  get full(): boolean {
    return this.count === this.lag;
  }

  /** The label of the sample of that age, as it came. */
  label(age: number): number {
    return this.f32.bits[this.samples + age] & POSITIVE ? 1 : -1;
  }

  isLearned(age: number): boolean {
    return (this.f32.bits[this.samples + age] & LEARNED) !== 0;
  }

  /** The slot of the sample of that age: its place while it stays, 0..lag - 1. */
  slot(age: number): number {
    return (this.f32.bits[this.samples + age] >> SLOT) & SLOTS;
  }

  /** Word of the input in that slot. */
  inputAt(slot: number): number {
    return this.inputs + slot * this.dimension;
  }

  /** Marks the sample of that age as learned, and copies its input to word x. */
  take(age: number, x: number): void {
    this.f32.bits[this.samples + age] |= LEARNED;
    this.f32.copy(x, this.inputAt(this.slot(age)), this.dimension);
  }

  /** Takes the input at word x of sample `number`, 0..4095, with label y; the oldest leaves a full window. Returns its slot. */
  push(x: number, y: number, number: number): number {
    const { f32, samples, dimension } = this;
    const { bits } = f32;
    const slot = this.full ? this.leave() : this.count;
    f32.copy(this.inputAt(slot), x, dimension);
    let age = bits[this.size]++;
    for (; age > 0 && ahead(bits[samples + age - 1] >> NUMBER, number) < 0; age--) {
      bits[samples + age] = bits[samples + age - 1];
    }
    bits[samples + age] = (number << NUMBER) | (slot << SLOT) | (y > 0 ? POSITIVE : 0);
    return slot;
  }

  /** The oldest leaves; returns its slot. */
  private leave(): number {
    const { f32, left, samples, flips } = this;
    const { bits, words } = f32;
    const { kappa, prior, plus, minus } = flips;
    const sample = bits[samples];
    const slot = this.slot(0);
    const number = sample >> NUMBER;
    const before = words[left];
    const gap = before > 0 ? seqDistance(bits[left + 1], number) : 1;
    const q = before > 0 ? prior + link(kappa, gap) * (before - prior) : prior;
    words[left] = this.after(q, sample, plus, minus);
    bits[left + 1] = number;
    flips.learn(sample & POSITIVE ? 1 : -1, gap);
    bits[this.size]--;
    f32.copy(samples, samples + 1, bits[this.size]);
    return slot;
  }

  /** P(class = +1) after a sample's label; `q` is that probability before it, and stays where the rates exclude the label. */
  private after(q: number, sample: number, plus: number, minus: number): number {
    const right = q * (sample & POSITIVE ? 1 - plus : plus);
    const either = right + (1 - q) * (sample & POSITIVE ? minus : 1 - minus);
    return either > 0 ? right / either : q;
  }

  /** Writes P(class = +1) of each sample by all labels in the window and before it to the `count` words at `to`. */
  smooth(to: number): void {
    const { words, bits } = this.f32;
    const { forward, samples, left, count } = this;
    const { kappa, prior, plus, minus } = this.flips;
    let a = words[left];
    let number = bits[left + 1];
    for (let age = 0; age < count; age++) {
      const sample = bits[samples + age];
      const q = a > 0 ? prior + link(kappa, seqDistance(number, sample >> NUMBER)) * (a - prior) : prior;
      number = sample >> NUMBER;
      a = this.after(q, sample, plus, minus);
      words[forward + age] = a;
    }
    let ifPlus = 0.5;
    let ifMinus = 0.5;
    for (let age = count - 1; age >= 0; age--) {
      a = words[forward + age];
      const right = a * ifPlus;
      words[to + age] = right / (right + (1 - a) * ifMinus);
      if (age === 0) return;
      const sample = bits[samples + age];
      ifPlus *= sample & POSITIVE ? 1 - plus : plus;
      ifMinus *= sample & POSITIVE ? minus : 1 - minus;
      const k = link(kappa, seqDistance(bits[samples + age - 1] >> NUMBER, sample >> NUMBER));
      const anew = (1 - k) * (prior * ifPlus + (1 - prior) * ifMinus);
      const sum = k * (ifPlus + ifMinus) + 2 * anew;
      ifPlus = (k * ifPlus + anew) / sum;
      ifMinus = (k * ifMinus + anew) / sum;
    }
  }
}
