import type { Primitives } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { FINITE, type Layout, type MemoryRange, POSITIVE, type Region } from "../memory/layout.ts";
import { BayesVote } from "./bayes-vote.ts";
import type { Term } from "./terms.ts";
import { Tracker, type TrackingOptions, trackerLayout } from "./tracker.ts";

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
  /** Word of f_0 of the input; behind it the trackers' decisions, and in the last word the mixture's. */
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
      { name: DECISIONS, kind: "scratch", words: VOTERS + 1 },
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
    return this.mix(x);
  }

  /** f of the last `decide`. */
  get decided(): number {
    return this.f32.words[this.decisions];
  }

  /** True if float32 holds the trackers' decisions. */
  private isTracked(): boolean {
    return this.f32.finite(this.decisions + 1, this.trackers.length);
  }

  /**
   * The mixture's decision for x, in the unit of f_0; f_0 if float32 can't hold g. Products are float32, so that `explain` can show them.
   */
  private mix(x: Float32Array): number {
    const { decisions, trackers, trackingWeight: weight } = this;
    const { words } = this.f32;
    for (let i = 0; i < trackers.length; i++) words[decisions + 1 + i] = trackers[i].predict(x);
    let sum = words[decisions];
    if (this.isTracked()) {
      sum = Math.fround(this.vote.weight(0) * sum);
      for (let i = 0; i < trackers.length; i++) sum += Math.fround(weight * words[decisions + 1 + i]);
    }
    words[decisions + VOTERS] = sum;
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
    if (!this.isOpen) this.mix(x);
    const isTracked = this.isTracked();
    let votes = NOTED | (words[this.decisions] >= 0 ? 1 : 0);
    for (let k = 0; k < TRACKING; k++)
      if (words[isTracked ? this.scores + k : this.decisions] >= 0) votes |= 2 << k;
    return words[this.decisions + VOTERS] >= 0 ? votes | (1 << MIXTURE) : votes;
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
