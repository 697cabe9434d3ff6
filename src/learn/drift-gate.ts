import { LEAVING, type Primitives } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { FINITE, type Layout, type MemoryRange, POSITIVE, type Region } from "../memory/layout.ts";
import { ERRORS } from "./aggressiveness.ts";
import { BayesVote } from "./bayes-vote.ts";
import { KernelExpansion } from "./expansion.ts";
import { type ExpansionOptions, expansionLayout } from "./expansion-layout.ts";
import { COUNT } from "./learner.ts";
import type { Term } from "./terms.ts";

/** r of the tracking functions, which remember about 670, 200 and 67 samples. */
const RATES = frozen([1.5e-3, 5e-3, 1.5e-2]);
const TRACKING = 3;
/** Rates of the functions on each dictionary. */
const TOGETHER = frozen([RATES]);
const APART = frozen([[1.5e-3], [5e-3], [1.5e-2]]);
/** The steady function and those, in the order of their votes; then the vote of their mixture, and a mark that there is a note. */
const VOTERS = 1 + TRACKING;
const VOTES = (1 << VOTERS) - 1;
const MIXTURE = VOTERS;
const NOTED = 1 << (VOTERS + 1);
/** Losses at the start: the tracking functions must prove their worth. */
const HANDICAPS = frozen([0, 1, 1, 1]);

/** Share of the evidence that remains one label later. */
const KEEP = 0.999;
/** Squares of the standard deviations by which the mixture must lead to open the gate, and lag to shut it. */
const OPENS = 2.25;
const SHUTS = 0.25;
/** Words of region `gate`: the mixture's lead in labels, the labels on which it and the steady function differed, whether the gate is open. */
const LEAD = 0;
const DIFFERED = 1;
const OPEN = 2;
const GATE: Region = frozen({
  name: "gate.state",
  kind: "state",
  words: 3,
  holds: [FINITE, POSITIVE, 1],
});

/** Prefix of the regions of a tracking dictionary, before its number; and of those of the vote. */
const TRACKER = "tracker";
const VOTE = "gate.vote";
const DECISIONS = "gate.decisions";

/** Rate of the running means of squared scores, and their start and upper bound. */
const SQUARES_RATE = 0.01;
const FIRST_SQUARE = 0.25;
const MOST_SQUARE = 1e12;
const LEAST_SQUARE = 1e-6;
/** Importance of a tracking function without weight, so that its vectors stay for a while. */
const LEAST_SHARE = 0.02;

function clip(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}

/** The options of the tracking functions. */
export interface TrackingOptions extends ExpansionOptions {
  /** The most that a label may move a function; 0: from its errors. */
  readonly C: number;
  /** True if each has a dictionary of its own. */
  readonly apart: boolean;
}

/** Memory of so many functions on one dictionary. */
function trackerLayout(options: TrackingOptions, functions: number): Layout {
  const { budget, dimension, C } = options;
  const errors = { ...ERRORS, words: functions * ERRORS.words };
  return expansionLayout(options, [
    { name: "functions", kind: "state", words: functions * budget },
    ...(C > 0 ? [] : [errors]),
    { name: "steps", kind: "scratch", words: functions },
    { name: "leaving", kind: "scratch", words: functions },
    { name: "merged", kind: "scratch", words: 2 * dimension },
  ]);
}

/**
 * Functions on one dictionary, f_k(x) = sum_i a_ki k(c_i, x), each of which learns as OLK-C with an r of its own. The dictionary's
 * coefficients are those of their mixture, sum_k u_k a_ki, with the shares u_k that the whole sets: so it decides by the mixture, and the
 * vector that gives least to the mixture leaves.
 */
class Tracker extends KernelExpansion {
  /** Word of x's new coefficients. */
  private readonly steps: number;
  /** Words of a_k, one function after the other. */
  private readonly functions: number;
  /** Word of the first function's errors; 0 where C is given. */
  private readonly errors: number;
  private readonly C: number;
  /** Words of the merging vector's coefficients, and of it and the merged one. */
  private readonly leaver: number;
  private readonly merged: number;

  constructor(
    options: TrackingOptions,
    private readonly rates: readonly number[],
    layout: Layout,
    memory: MemoryRange,
    /** Words of f_k(x), which a prediction writes, and of u_k. */
    private readonly scores: number,
    private readonly shares: number,
  ) {
    super("classification", { ...options, evict: "merge" }, layout, memory);
    this.steps = layout.at("steps", memory);
    this.functions = layout.at("functions", memory);
    this.C = options.C;
    this.errors = options.C > 0 ? 0 : layout.at(ERRORS.name, memory);
    this.leaver = layout.at("leaving", memory);
    this.merged = layout.at("merged", memory);
  }

  override predict(x: ArrayLike<number>): number {
    const decision = super.predict(x);
    const { f32, scores, row, size } = this;
    for (let k = 0; k < this.rates.length; k++)
      f32.words[scores + k] = this.width === 0 ? decision : f32.dot(this.coefficients(k), row, size);
    return decision;
  }

  /** Word of a_k. */
  private coefficients(k: number): number {
    return this.functions + k * this.capacity;
  }

  learnDecided(y: number, decision: number): void {
    if (this.gathers) this.gather(y, decision);
    else this.update(y, decision);
  }

  /** Forgets its functions. */
  restart(): void {
    this.reset(true);
  }

  protected update(y: number, _decision: number): void {
    const { f32, steps, shares, size } = this;
    const stores = this.chooseSteps(y);
    const a = f32.dot(shares, steps, this.rates.length);
    if (a - a !== 0 || !f32.finite(steps, this.rates.length)) {
      this.increment(COUNT.overflowed);
      return;
    }
    for (let k = 0; k < this.rates.length; k++)
      f32.scale(this.coefficients(k), 1 / (1 + this.rates[k]), size);
    this.mix();
    if (stores) this.admit(a);
  }

  /** Each function's coefficient of x, by OLK-C's (33). Returns whether one isn't 0. */
  private chooseSteps(y: number): boolean {
    const { f32, scores, steps, errors } = this;
    const self = this.kernel.self(this.input);
    let stores = false;
    for (let k = 0; k < this.rates.length; k++) {
      const level = 1 + this.rates[k];
      const f = f32.words[scores + k];
      const C = errors > 0 ? f32.aggressiveness(errors + ERRORS.words * k, y, f, 1) : this.C;
      const alpha = clip((level - y * f) / self, 0, C);
      f32.words[steps + k] = alpha > 0 ? (y * alpha) / level : 0;
      stores = stores || alpha > 0;
    }
    return stores;
  }

  /** The mixture's coefficients, with the present shares. Behind them inputs may wait for the width. */
  private mix(): void {
    const { f32, shares, size } = this;
    const { coefficients } = this.dictionary;
    f32.words.fill(0, coefficients, coefficients + size);
    for (let k = 0; k < this.rates.length; k++)
      f32.addScaled(coefficients, f32.words[shares + k], this.coefficients(k), size);
  }

  /** Stores the input, whose coefficient in the mixture is a. As in `stepExpansion`, a vector leaves the full dictionary. */
  private admit(a: number): void {
    const { dictionary, f32, spare, leaver } = this;
    const isFull = dictionary.full;
    const merges = this.leaving === LEAVING.merge;
    this.increment(COUNT.inserted);
    if (isFull) this.increment(COUNT.evicted);
    const i = merges ? dictionary.smallest() : dictionary.oldest();
    const least = dictionary.coefficient(i);
    if (isFull && merges && Math.abs(a) < Math.abs(least)) {
      f32.copy(spare, this.input, this.dimension);
      f32.copy(leaver, this.steps, this.rates.length);
      this.mergeNearest(a);
      return;
    }
    if (isFull) this.remove(i);
    for (let k = 0; k < this.rates.length; k++)
      f32.words[this.coefficients(k) + this.size] = f32.words[this.steps + k];
    dictionary.insert(this.input, a);
    if (isFull && merges) this.mergeNearest(least);
  }

  /** Removes vector i, and copies it to `spare`, and its coefficients to `leaver`. */
  private remove(i: number): void {
    const { dictionary, f32, leaver } = this;
    const { words } = f32;
    const last = this.size - 1;
    f32.fetchRow(this.spare, dictionary.rows, i, this.rowForm);
    for (let k = 0; k < this.rates.length; k++) {
      const at = this.coefficients(k);
      words[leaver + k] = words[at + i];
      words[at + i] = words[at + last];
      words[at + last] = 0;
    }
    dictionary.remove(i);
  }

  /** Each function's coefficient of the merged vector z is its own part's projection: a_ki k(c_i, z) + a_kj k(c_j, z). */
  protected override mergeNearest(odd: number): number {
    const { dictionary, f32, leaver, merged, spare, dimension } = this;
    const { words } = f32;
    f32.copy(merged, spare, dimension);
    const j = super.mergeNearest(odd);
    if (j < 0) return j;
    f32.fetchRow(merged + dimension, dictionary.rows, j, this.rowForm);
    const near = this.likeness(spare);
    const far = this.likeness(merged);
    for (let k = 0; k < this.rates.length; k++) {
      const at = this.coefficients(k) + j;
      words[at] = words[at] * near + words[leaver + k] * far;
    }
    return j;
  }

  /** k of the vector at x, which is lost, with the merged one. */
  private likeness(x: number): number {
    const { f32, merged, dimension } = this;
    f32.addScaled(x, -1, merged + dimension, dimension);
    return f32.exp(-this.gamma() * f32.dot(x, x, dimension));
  }
}

/**
 * A steady function f_0 of another learner, and a gate that lets functions decide which forget. Beside f_0 it learns three functions with
 * r = 0.0015, 0.005 and 0.015 on one dictionary. Decisions are f_0 until the mixture of all four has predicted labels better; then
 *
 *     f = w_0 f_0 + (1 - w_0) s_0 g;   g = sum_k u_k f_k;   u_k = (w_k / (w_1 + w_2 + w_3) + .02) / s_k,   k = 1, 2, 3
 *
 * w are the weights of `BayesVote` from the votes of all four; s_k^2 is a running mean of f_k^2. With the errors e_0 of f_0 and e of the
 * mixture, 0 or 1, at each label
 *
 *     D <- .999 D + e_0 - e;   V <- .999 V + |e_0 - e|
 *     shut: opens if D > 1.5 sqrt(V + 1);   open: shuts if D < -.5 sqrt(V + 1), and D = V = 0
 *
 * a discounted sign test of the labels on which the two differed. While the gate is shut, decisions are f_0's, bit for bit.
 *
 * A vector has a coefficient for each tracking function. It is stored if one of them takes a step, and u_k weigh which one leaves or merges.
 * With option `apart` each tracking function has a dictionary of its own.
 */
export class DriftGate {
  private readonly f32: Primitives;
  private readonly trackers: readonly Tracker[];
  private readonly vote: BayesVote;
  private readonly squares: number;
  private readonly gate: number;
  /** Word of f_0 of the input, and of the trackers' decisions behind it. */
  private readonly decisions: number;
  /** Words of f_k(x) and of u_k, k = 1, 2, 3. */
  private readonly scores: number;
  private readonly shares: number;

  static regions(options: TrackingOptions): Region[] {
    return [
      ...(options.apart ? APART : TOGETHER).flatMap((rates, i) =>
        trackerLayout(options, rates.length).parts(`${TRACKER}${i}`),
      ),
      ...BayesVote.regions(VOTERS, VOTE),
      { name: "gate.squares", kind: "state", words: VOTERS, holds: [POSITIVE] },
      GATE,
      { name: DECISIONS, kind: "scratch", words: VOTERS },
      { name: "gate.shares", kind: "scratch", words: TRACKING },
      { name: "gate.scores", kind: "scratch", words: TRACKING },
    ];
  }

  constructor(layout: Layout, range: MemoryRange, options: TrackingOptions) {
    this.f32 = range.f32;
    this.squares = layout.at("gate.squares", range);
    this.gate = layout.at(GATE.name, range);
    this.decisions = layout.at(DECISIONS, range);
    this.scores = layout.at("gate.scores", range);
    this.shares = layout.at("gate.shares", range);
    this.vote = new BayesVote(layout, range, HANDICAPS, VOTE);
    const trackers: Tracker[] = [];
    const rates = options.apart ? APART : TOGETHER;
    // A loop takes less of a device's stack than a function in a function.
    for (let i = 0; i < rates.length; i++) {
      const own = trackerLayout(options, rates[i].length);
      const memory = layout.within(`${TRACKER}${i}`, range);
      trackers.push(new Tracker(options, rates[i], own, memory, this.scores + i, this.shares + i));
    }
    this.trackers = trackers;
    this.f32.words.fill(FIRST_SQUARE, this.squares, this.squares + VOTERS);
  }

  /** True while the mixture decides. */
  get isOpen(): boolean {
    return this.f32.bits[this.gate + OPEN] !== 0;
  }

  /** True if the words of the tracking functions fit one another. */
  get isSound(): boolean {
    for (let i = 0; i < this.trackers.length; i++) if (!this.trackers[i].isSound()) return false;
    return true;
  }

  /** The decision for x, where the steady function's is f. */
  decide(f: number, x: Float32Array): number {
    this.f32.words[this.decisions] = f;
    if (!this.isOpen) return f;
    this.track(x);
    return this.mixture();
  }

  /** f of the last `decide`. */
  get decided(): number {
    return this.f32.words[this.decisions];
  }

  /** The tracking functions' scores for x. */
  private track(x: Float32Array): void {
    const { trackers, decisions } = this;
    for (let i = 0; i < trackers.length; i++) this.f32.words[decisions + 1 + i] = trackers[i].predict(x);
  }

  /** True if float32 holds the trackers' decisions. */
  private isTracked(): boolean {
    return this.f32.finite(this.decisions + 1, this.trackers.length);
  }

  /** The mixture's decision, in the unit of f_0; f_0 if float32 can't hold g. Products are float32, so that `explain` can show them. */
  private mixture(): number {
    const { decisions, trackers, trackingWeight: weight } = this;
    const { words } = this.f32;
    if (!this.isTracked()) return words[decisions];
    let sum = Math.fround(this.vote.weight(0) * words[decisions]);
    for (let i = 0; i < trackers.length; i++) sum += Math.fround(weight * words[decisions + 1 + i]);
    return sum;
  }

  /** Weight of g in the mixture, a float32. */
  private get trackingWeight(): number {
    return Math.fround((1 - this.vote.weight(0)) * this.deviation(0));
  }

  /** s_k, k = 0 for the steady function. */
  private deviation(k: number): number {
    return Math.sqrt(this.f32.words[this.squares + k] + LEAST_SQUARE);
  }

  /** While the gate is open, the terms of the decision of the last `decide`: of f_0, with its name, and of the tracking functions. */
  terms(steady: string): Term[][] | undefined {
    const { decisions, trackers, trackingWeight, isOpen } = this;
    if (!isOpen) return undefined;
    return Array.from(this.f32.words.subarray(decisions, decisions + 1 + trackers.length), (by, place) => {
      const of =
        place === 0 ? steady : trackers.length > 1 ? `tracking function ${place}` : "tracking functions";
      return [{ of: `member ${of}`, weight: place > 0 ? trackingWeight : this.vote.weight(0), by, place }];
    });
  }

  /**
   * A bit for each function and for the mixture, set for a vote of +1 on x, which the last `decide` decided; and one that isn't 0. All vote
   * as f_0 where float32 can't hold g.
   */
  votes(x: Float32Array): number {
    const { words } = this.f32;
    if (!this.isOpen) this.track(x);
    const isTracked = this.isTracked();
    let votes = NOTED | (words[this.decisions] >= 0 ? 1 : 0);
    for (let k = 0; k < TRACKING; k++)
      if (words[isTracked ? this.scores + k : this.decisions] >= 0) votes |= 2 << k;
    return this.mixture() >= 0 ? votes | (1 << MIXTURE) : votes;
  }

  /** Learns the label y of x, which the last `decide` decided. `cast`: the votes when the sample came, 0 where they aren't known. */
  learn(x: Float32Array, y: number, cast: number): void {
    const { f32, decisions, trackers } = this;
    const now = this.votes(x);
    this.judge((cast & NOTED) !== 0 ? cast : now, y);
    const isTracked = this.isTracked();
    if (isTracked) this.weigh();
    else this.shut();
    for (let i = 0; i < trackers.length; i++) {
      if (isTracked) trackers[i].learnDecided(y, f32.words[decisions + 1 + i]);
      else trackers[i].restart();
    }
  }

  /** Lets the steady function decide until there is new evidence. */
  shut(): void {
    this.f32.bits.fill(0, this.gate, this.gate + GATE.words);
  }

  /** Takes the votes on a label of y as evidence, and opens or shuts the gate. */
  private judge(votes: number, y: number): void {
    const { gate } = this;
    const { words, bits } = this.f32;
    this.vote.learn(votes & VOTES, votes, 0, y, 1, 0);
    const wrong = y > 0 ? ~votes : votes;
    const gain = (wrong & 1) - ((wrong >> MIXTURE) & 1);
    const lead = Math.fround(KEEP * words[gate + LEAD] + gain);
    const differed = Math.fround(KEEP * words[gate + DIFFERED] + gain * gain);
    words[gate + LEAD] = lead;
    words[gate + DIFFERED] = differed;
    const squared = lead * lead;
    if (bits[gate + OPEN] === 0) {
      if (lead > 0 && squared > OPENS * (differed + 1)) bits[gate + OPEN] = 1;
    } else if (lead < 0 && squared > SHUTS * (differed + 1)) {
      this.shut();
    }
  }

  /** Takes the scores into the means of their squares, and sets the shares u_k. */
  private weigh(): void {
    const { squares, scores, shares, vote, decisions } = this;
    const { words } = this.f32;
    let tracking = 0;
    for (let k = 0; k < VOTERS; k++) {
      const f = words[k > 0 ? scores + k - 1 : decisions];
      const squared = f * f < MOST_SQUARE ? f * f : MOST_SQUARE; // so for NaN
      words[squares + k] += SQUARES_RATE * (squared - words[squares + k]);
      if (k > 0) tracking += vote.weight(k);
    }
    for (let k = 1; k < VOTERS; k++) {
      const share = tracking > 0 ? vote.weight(k) / tracking : 1 / TRACKING;
      words[shares + k - 1] = (share + LEAST_SHARE) / this.deviation(k);
    }
  }
}
