import type { Dictionary } from "../dictionary/dictionary.ts";
import { LEAVING } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { FINITE, Layout, type MemoryRange, POSITIVE, type Region } from "../memory/layout.ts";
import { aggressiveness, ERRORS } from "./aggressiveness.ts";
import { BayesVote } from "./bayes-vote.ts";
import { type ExpansionOptions, expansionLayout, KernelExpansion } from "./expansion.ts";
import type { Family } from "./family.ts";
import { COUNT, Learner } from "./learner.ts";
import type { OlkDriftOptions } from "./learner-options.ts";
import { OLK, OlkC } from "./olk.ts";
import { budget, dimension, flag, kernel, type ResolvedOptions, real, resolveOptions } from "./options.ts";
import { stored } from "./storage.ts";
import { type DecisionTerms, wordsOf } from "./terms.ts";
import type { WidthProbe } from "./width-probe.ts";

const OLK_DRIFT_OPTIONS = frozen({
  dimension,
  budget: frozen({ ...budget, doc: "vectors there is room for in each dictionary" }),
  kernel,
  ...stored,
  C: aggressiveness("C, weight of the loss and bound of a coefficient"),
  regularization: real({ default: 3e-5, min: 0 }, "r of the steady function: it shrinks by 1/(1+r) a sample"),
  apart: flag(
    false,
    "a dictionary for each tracking function, in place of one for all three: more memory, fewer errors where the boundary moves fast",
  ),
});

type DriftOptions = ResolvedOptions<typeof OLK_DRIFT_OPTIONS>;

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
  name: "gate",
  kind: "state",
  words: 3,
  holds: [FINITE, POSITIVE, 1],
});

/** Prefix of the regions of a tracking dictionary, before its number. */
const TRACKER = "tracker";

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

/** The steady function, whose prediction the whole has made. */
class Steady extends OlkC {
  learnDecided(y: number, decision: number): void {
    if (this.gathers) this.gather(y, decision);
    else this.update(y, decision);
  }
}

/** Memory of so many functions on one dictionary. */
function trackerLayout(options: DriftOptions, functions: number): Layout {
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
    options: ExpansionOptions & { readonly C: number },
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

/** The regions of the steady function come first of each kind, so that its range is the whole's. */
function driftLayout(options: DriftOptions): Layout {
  const { apart, ...steady } = options;
  return new Layout([
    ...OLK[0].layout(steady).regions,
    ...(apart ? APART : TOGETHER).flatMap((rates, i) =>
      trackerLayout(options, rates.length).parts(`${TRACKER}${i}`),
    ),
    ...BayesVote.regions(VOTERS),
    { name: "squares", kind: "state", words: VOTERS, holds: [POSITIVE] },
    GATE,
    { name: "note", kind: "scratch", words: 1 },
    { name: "decisions", kind: "scratch", words: VOTERS },
    { name: "shares", kind: "scratch", words: TRACKING },
    { name: "tracking", kind: "scratch", words: TRACKING },
  ]);
}

/**
 * OLK-C for a boundary that may move, without a rate to choose. It keeps `olk-c` with its defaults, f_0, and beside it learns three functions
 * that forget, f_1 to f_3, with r = 0.0015, 0.005 and 0.015 on one further dictionary. It decides by f_0 until the mixture of all four has
 * predicted labels better, and then by the mixture,
 *
 *     f = w_0 f_0 + (1 - w_0) s_0 g;   g = sum_k u_k f_k;   u_k = (w_k / (w_1 + w_2 + w_3) + .02) / s_k,   k = 1, 2, 3
 *
 * w are the weights of `BayesVote` from the votes of all four; s_k^2 is a running mean of f_k^2. With the errors e_0 of f_0 and e of the
 * mixture, 0 or 1, at each label
 *
 *     D <- .999 D + e_0 - e;   V <- .999 V + |e_0 - e|
 *     shut: opens if D > 1.5 sqrt(V + 1);   open: shuts if D < -.5 sqrt(V + 1), and D = V = 0
 *
 * a discounted sign test of the labels on which the two differed. While the gate is shut, decisions are those of `olk-c`, bit for bit.
 * The votes are those cast when the sample came (see `Learner.note`): with late labels a vote at the label would know labels that the
 * prediction didn't.
 *
 * A vector has a coefficient for each tracking function. It is stored if one of them takes a step, and u_k weigh which one leaves or merges.
 * With option `apart` each tracking function has a dictionary of its own.
 *
 * Limits. With 40 % of the labels wrong no such test is in time. Where the boundary moves far within the delay, no rate helps. A vote of two
 * labels needs two classes: several run one-vs-all.
 *
 * @param options see `OlkDriftOptions`. Throws an OptionError that names the invalid option.
 * @see This project's own: OLK (Li, Wen, Li, Zhang, Yang, Mao, 2013) with rates of forgetting found by a sequential test
 * @example
 * ```ts
 * import { OlkDrift } from "motelearn";
 *
 * const learner = new OlkDrift({ dimension: 1 });
 * for (let t = 0; t < 2000; t++) learner.learn([(t % 10) - 4.5], (t % 10 < 5) === (t < 1000) ? -1 : 1);
 * console.log(learner.isMixing, learner.classify([-4]), learner.classify([4]));
 * // true 1 -1
 * ```
 */
export class OlkDrift extends Learner {
  private readonly steady: Steady;
  private readonly trackers: readonly Tracker[];
  private readonly vote: BayesVote;
  private readonly squares = this.layout.at("squares", this.range);
  private readonly gate = this.layout.at(GATE.name, this.range);
  private readonly noteAt = this.layout.at("note", this.range);
  /** Word of f_0 of the input, and of the trackers' decisions behind it. */
  private readonly decisions = this.layout.at("decisions", this.range);
  /** Words of f_k(x) and of u_k, k = 1, 2, 3. */
  private readonly scores = this.layout.at("tracking", this.range);
  private readonly shares = this.layout.at("shares", this.range);
  private readonly x: Float32Array;

  constructor(options: OlkDriftOptions) {
    const resolved = resolveOptions("olk-drift", OLK_DRIFT_OPTIONS, options);
    const layout = driftLayout(resolved);
    super("classification", resolved.dimension, layout, options.memory ?? layout.ownRange());
    const { range, f32, input } = this;
    const { apart, ...steady } = resolved;
    this.steady = new Steady({ ...steady, memory: range });
    this.trackers = (apart ? APART : TOGETHER).map((rates, i) => this.tracker(resolved, rates, i));
    this.vote = new BayesVote(layout, range, HANDICAPS);
    this.x = f32.words.subarray(input, input + resolved.dimension);
    f32.words.fill(FIRST_SQUARE, this.squares, this.squares + VOTERS);
  }

  private tracker(options: DriftOptions, rates: readonly number[], i: number): Tracker {
    const { layout, range, scores, shares } = this;
    const memory = layout.within(`${TRACKER}${i}`, range);
    return new Tracker(options, rates, trackerLayout(options, rates.length), memory, scores + i, shares + i);
  }

  /** True while the mixture decides: the gate is open, and the steady function has a width. */
  get isMixing(): boolean {
    return this.f32.bits[this.gate + OPEN] !== 0 && this.width !== 0;
  }

  /** The steady function's vectors, of which a decision is the sum while the gate is shut. */
  get dictionary(): Dictionary {
    return this.steady.dictionary;
  }

  /** Weight of g in the mixture, a float32. */
  get trackingWeight(): number {
    return Math.fround((1 - this.vote.weight(0)) * this.deviation(0));
  }

  override isSound(): boolean {
    for (let i = 0; i < this.trackers.length; i++) if (!this.trackers[i].isSound()) return false;
    return this.steady.isSound();
  }

  /** Vectors of the steady function; each tracking dictionary has as much room. */
  get size(): number {
    return this.steady.size;
  }

  get capacity(): number {
    return this.steady.capacity;
  }

  /** What finds the kernel's width for the steady function; each tracking dictionary finds its own. Undefined where the width is given. */
  get probe(): WidthProbe | undefined {
    return this.steady.probe;
  }

  /** sigma of the steady function's kernel, 0 until it is found; undefined where it is given. */
  get width(): number | undefined {
    return this.steady.width;
  }

  predict(x: ArrayLike<number>): number {
    const { words } = this.f32;
    const f = this.steady.predict(x);
    words[this.decisions] = f;
    if (f - f !== 0 || !this.isMixing) return f;
    this.track();
    return this.mixture();
  }

  /** The tracking functions' scores for the input. */
  private track(): void {
    const { trackers, decisions } = this;
    for (let i = 0; i < trackers.length; i++) this.f32.words[decisions + 1 + i] = trackers[i].predict(this.x);
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

  /** s_k, k = 0 for the steady function. */
  private deviation(k: number): number {
    return Math.sqrt(this.f32.words[this.squares + k] + LEAST_SQUARE);
  }

  override note(): void {
    if (!this.isMixing) this.track();
    this.f32.bits[this.noteAt] = this.votes() | NOTED;
  }

  /** A bit for each function and for the mixture, set for a vote of +1. */
  private votes(): number {
    const { words } = this.f32;
    let votes = words[this.decisions] >= 0 ? 1 : 0;
    for (let k = 0; k < TRACKING; k++) if (words[this.scores + k] >= 0) votes |= 2 << k;
    return this.mixture() >= 0 ? votes | (1 << MIXTURE) : votes;
  }

  protected update(y: number): void {
    const { f32, decisions, trackers } = this;
    if (!this.isMixing) this.track();
    const isNoted = this.noted && (f32.bits[this.noteAt] & NOTED) !== 0;
    this.judge(isNoted ? f32.bits[this.noteAt] : this.votes(), y);
    const isTracked = this.isTracked();
    if (isTracked) this.weigh();
    else f32.bits.fill(0, this.gate, this.gate + GATE.words);
    for (let i = 0; i < trackers.length; i++) {
      if (isTracked) trackers[i].learnDecided(y, f32.words[decisions + 1 + i]);
      else trackers[i].restart();
    }
    this.steady.learnDecided(y, f32.words[decisions]);
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
      bits.fill(0, gate, gate + GATE.words);
    }
  }

  /** Takes the scores into the means of their squares, and sets the shares u_k. */
  private weigh(): void {
    const { squares, scores, shares, vote, decisions } = this;
    const { words } = this.f32;
    let tracking = 0;
    for (let k = 0; k < VOTERS; k++) {
      const f = words[k > 0 ? scores + k - 1 : decisions];
      const squared = clip(f * f, 0, MOST_SQUARE);
      words[squares + k] += SQUARES_RATE * (squared - words[squares + k]);
      if (k > 0) tracking += vote.weight(k);
    }
    for (let k = 1; k < VOTERS; k++) {
      const share = tracking > 0 ? vote.weight(k) / tracking : 1 / TRACKING;
      words[shares + k - 1] = (share + LEAST_SHARE) / this.deviation(k);
    }
  }
}

/** While the gate is open a decision is of two terms, or four with dictionaries apart; else of the steady function's vectors. */
const MIXTURE_TERMS: DecisionTerms = frozen({
  weights: ["vote.weights"],
  terms(learner) {
    const { isMixing, trackingWeight } = learner as OlkDrift;
    if (!isMixing) return undefined;
    const [steady] = wordsOf(learner, "vote.weights");
    const trackers = learner.layout.wordsOf(`${TRACKER}1.count`) > 0 ? TRACKING : 1;
    return Array.from(wordsOf(learner, "decisions").subarray(0, 1 + trackers), (by, place) => {
      const of = place === 0 ? "steady" : trackers > 1 ? `tracking ${place}` : "tracking";
      return [{ of: `member ${of}`, weight: place > 0 ? trackingWeight : steady, by, place }];
    });
  },
});

export const OLK_DRIFT: readonly Family[] = frozen([
  /**
   * OLK-C beside three functions that forget at different rates. A sequential test on the labels finds whether their mixture predicts better;
   * until it does, decisions are those of `olk-c`.
   *
   *     D <- .999 D + e_0 - e;   V <- .999 V + |e_0 - e|
   *     the mixture decides from D > 1.5 sqrt(V + 1) until D < -.5 sqrt(V + 1)
   *
   * When to use it: The boundary between classes may move, and you don't know how fast, or whether at all. It has a second dictionary beside
   * that of `olk-c`; with `apart` three more, where the boundary moves fast.
   */
  {
    name: "olk-drift",
    task: "classification",
    title: "OLK, classification, with forgetting that is found",
    paper:
      "This project's own: OLK (Li, Wen, Li, Zhang, Yang, Mao, 2013) with rates of forgetting found by a sequential test",
    options: OLK_DRIFT_OPTIONS,
    traits: {
      searched: [
        { option: "C", values: [0, 0.1, 2, 10] },
        { option: "apart", values: [false, true] },
      ],
      decision: MIXTURE_TERMS,
    },
    layout: (options) => driftLayout(resolveOptions("olk-drift", OLK_DRIFT_OPTIONS, options)),
    create: (options) => new OlkDrift(options as OlkDriftOptions),
  },
]);
