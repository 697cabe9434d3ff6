import { byteWords } from "../dictionary/byte-rows.ts";
import { ceil4 } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { ANY, FINITE, Layout, type MemoryRange, POSITIVE } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";
import { AROW, Arow } from "./arow.ts";
import { BayesVote } from "./bayes-vote.ts";
import { BSGD, Bsgd } from "./bsgd.ts";
import { Committee, type CommitteeOptions, committeeLayout } from "./committee.ts";
import { DriftGate, type TrackingOptions } from "./drift-gate.ts";
import type { Family, UserOptions } from "./family.ts";
import { KNN, Knn } from "./knn.ts";
import { LabelFlips } from "./label-flips.ts";
import { LabelWindow } from "./label-window.ts";
import { COUNT, COUNTERS, commonRegions, Learner } from "./learner.ts";
import type { AutoOptions } from "./learner-options.ts";
import { dimension, flag, type ResolvedOptions, resolveOptions, whole } from "./options.ts";
import { MOST_LOGIT, Stack } from "./stack.ts";
import { type DecisionTerms, type Step, wordsOf } from "./terms.ts";

const LEAST_BYTES = 1024;
const MOST_BYTES = 65536;

/** 0, or within the bounds. */
const bytes = frozen({
  ...whole(
    { default: 0, min: 0, max: MOST_BYTES },
    "bytes that it may take at most, counters and scratch included. It has the parts above where they fit, and nearest neighbours in what they leave; else members that fit, see `Committee`, as always with several classes; 0: the parts above alone",
  ),
  takes: `0, or a whole number >= ${LEAST_BYTES} and <= ${MOST_BYTES}`,
  accepts: (value: unknown) =>
    Number.isInteger(value) &&
    (value === 0 || ((value as number) >= LEAST_BYTES && (value as number) <= MOST_BYTES)),
});

const AUTO_OPTIONS = frozen({
  dimension,
  budget: whole({ default: 32, min: 1, max: 4096 }, "vectors of the kernel expansion"),
  landmarks: whole(
    { default: 22, min: 1, max: 256 },
    "early samples, every third, whose kernel values are inputs of a linear member",
  ),
  lag: whole({ default: 12, min: 1, max: 64 }, "labels from which the class of each of them is estimated"),
  bytes,
  drift: flag(
    false,
    "three kernel functions that forget, on one more dictionary of `budget` vectors, which decide with the vote where they predict better",
  ),
});

/** The options, and the samples stored for nearest neighbours; 0: it has no such member. */
type ResolvedAutoOptions = ResolvedOptions<typeof AUTO_OPTIONS> & { readonly neighbours: number };

/** Members, by their bits among the votes. */
const STACK = 0;
const LANDMARKS = 1;
const KERNEL = 2;
const TRACKING = 3;
const CAUTIOUS = 4;
const MAJORITY = 5;
const LAST = 6;
const MEMBERS = 7;
/** Behind them, with option `bytes`. */
const NEIGHBOURS = MEMBERS;
const VOTES = (1 << MEMBERS) - 1;
/** Members that use labels alone, and those that use samples. */
const ON_LABELS = (1 << MAJORITY) | (1 << LAST);
const ON_SAMPLES = (VOTES - ON_LABELS) | (1 << NEIGHBOURS);
/**
 * Initial losses: a handicap for members that use labels alone or few labels, and for the stack, until they prove their worth.
 */
const HANDICAPS = frozen([2, 0, 1, 2, 0, 3, 3, 1]);
/** Initial weights of the cleaned members' margins in the stack. */
const MARGIN_WEIGHT = 0.7;

/** Inputs of the stack: 1, the margins of two members, the last label, two running means of its own decisions, one of labels. */
const MARGINS = 2;
const LAST_LABEL = 3;
const OWN = 4;
const LABELS = 6;
const INPUTS = 7;
const OWN_RATES = frozen([0.4, 0.05]);
const LABEL_RATE = 0.1;
const MOST_MARGIN = 3;
const MOST_SCORE = 1e6;
const RMS_FIRST = 500;
const RMS_RATE = 0.002;
const MAJORITY_LABELS = 1000;

/** Forgetting of `tracking`, whose memory is about 100 labels. */
const FORGETTING = 0.99;

/** Each third sample becomes a landmark, while there is room. */
const LANDMARK_EVERY = 3;

/** `landmarks` learns a smoothed label once its certainty exceeds SURE, with the noise NOISE / certainty^2. */
const SURE = 0.95;
const NOISE = 10;
const LEAST_SURE = 0.1;
/** Samples of the window that one label has learned at most, the oldest first. */
const MOST_LEARNED = 2;
/** While the belief that classes persist is below FEW, labels are learned as they came; above 1 - FEW, flip rates are known. */
const FEW = 0.1;
/** Least weight of the present votes where every member on samples cast a wrong vote. */
const RENEWED = 0.2;
/** Flips count as one-sided if the flip rates of the two classes differ by more. */
const ONE_SIDED = 0.1;

/** Regions of one number each, by their place in region `running`. */
const MEAN_SQUARES = 0;
const OWN_MEANS = 2;
const LABEL_MEAN = 4;
const MAJORITY_MEAN = 5;
const LAST_SEEN = 6;
const SEEN = 7;
const SAMPLES = 8;
const REFUTED = 9;
const LANDMARK_COUNT = 10;
const RUNNING = 11;
/** What the first seven hold. */
const MEANS_HOLD = frozen([POSITIVE, POSITIVE, FINITE, FINITE, FINITE, FINITE, FINITE]);

/**
 * A sample's note, 64 bits. The first word: seven votes; whether it is a note; the last label as 0, 1, 2; the sample's number mod
 * 4096; the eighth vote; one of the stack's inputs. The second: four more. An input is a byte, in 127ths of its largest value, plus 128.
 */
const NOTED = 128;
const LAST_SHIFT = 8;
const NUMBER_SHIFT = 10;
const NUMBERS = 4096;
/** The neighbours' vote. */
const EIGHTH_SHIFT = 22;
const STEPS = 127;

/** A score as a float32 that has a square. */
function bounded(score: number): number {
  return score > MOST_SCORE
    ? MOST_SCORE
    : score < -MOST_SCORE
      ? -MOST_SCORE
      : score - score === 0
        ? score
        : 0;
}

const [AROW_FAMILY] = AROW;
const [KNN_FAMILY] = KNN;
/** Fewer neighbours aren't worth a member. */
const LEAST_NEIGHBOURS = 32;

/**
 * gamma of a Gaussian as wide as half the median distance between inputs: 2 over the median squared distance.
 * For standard normal vectors that median is 2 (d - .6), within 2 % from d = 2 on.
 */
function gammaOf(dimension: number): number {
  return 1 / (dimension - 0.6);
}

/** The functions that forget: OLK-C's, each with C from its errors and a width from the inputs. */
function driftOptions({ dimension, budget }: ResolvedAutoOptions): TrackingOptions {
  return { dimension, budget, kernel: { type: "gaussian", width: "auto" }, C: 0, apart: false };
}

/**
 * Each member has its own state. They share scratch and counters, one after the other. XS's stack is deepest here while a node starts, so
 * no function lies between this one and the members' layouts.
 */
function autoLayout(options: ResolvedAutoOptions): Layout {
  const { budget, dimension, landmarks, lag, drift, neighbours } = options;
  const stored = neighbours > 0 ? KNN_FAMILY.layout({ dimension, budget: neighbours }) : undefined;
  const tracking = AROW_FAMILY.layout({ dimension, forgetting: FORGETTING });
  const cautious = AROW_FAMILY.layout({ dimension });
  const onLandmarks = AROW_FAMILY.layout({ dimension: dimension + landmarks });
  const kernel = BSGD[0].layout({ dimension, budget });
  return new Layout([
    ...tracking.parts("tracking", ["state"]),
    ...cautious.parts("cautious", ["state"]),
    { name: "landmarks.rows", kind: "state", words: ceil4(landmarks) * dimension },
    ...onLandmarks.parts("onLandmarks", ["state"]),
    ...kernel.parts("kernel", ["state"]),
    ...(stored?.parts("neighbours", ["state"]) ?? []),
    ...Stack.regions(INPUTS),
    ...BayesVote.regions(stored ? MEMBERS + 1 : MEMBERS),
    ...LabelFlips.regions(),
    ...LabelWindow.regions(lag, dimension),
    {
      name: "running",
      kind: "state",
      words: RUNNING,
      holds: [...MEANS_HOLD, MAJORITY_LABELS, ANY, 1, landmarks],
    },
    ...(drift ? DriftGate.regions(driftOptions(options)) : []),
    ...commonRegions(dimension),
    { name: "members", kind: "counters", words: COUNTERS.length },
    { name: "note", kind: "scratch", words: drift ? 3 : 2 },
    { name: "sample", kind: "scratch", words: dimension + ceil4(landmarks) },
    { name: "inputs", kind: "scratch", words: INPUTS },
    { name: "scores", kind: "scratch", words: stored ? MEMBERS + 1 : MEMBERS },
    { name: "smoothed", kind: "scratch", words: lag },
    {
      name: "shared",
      kind: "scratch",
      words: Math.max(onLandmarks.scratch, kernel.scratch, stored?.scratch ?? 0),
    },
  ]);
}

/** The options, checked, with as many neighbours as `bytes` leaves room for; undefined: the parts don't fit. Throws an OptionError. */
function resolveAuto(options: object): ResolvedAutoOptions | undefined {
  const resolved = resolveOptions("auto", AUTO_OPTIONS, options);
  const { bytes, dimension } = resolved;
  const without = { ...resolved, neighbours: 0 };
  if (bytes === 0) return without;
  if (autoLayout(without).bytes > bytes) return undefined;
  const least = { ...resolved, neighbours: LEAST_NEIGHBOURS };
  const free = (bytes - autoLayout(least).bytes) / 4;
  if (free < 0) return without;
  const more = 4 * Math.floor(free / (4 * byteWords(dimension) + 1));
  return { ...resolved, neighbours: LEAST_NEIGHBOURS + more };
}

/** Of two classes where the parts don't fit. Its option `drift` needs them. Throws an OptionError. */
function committeeOptions(options: UserOptions): CommitteeOptions {
  const { dimension, bytes, drift, classes = 2, memory } = options;
  if (drift === true) {
    const takes =
      classes > 2 ? "false for several classes with option bytes" : "false where bytes has no room for it";
    throw new OptionError("auto", "drift", drift, takes);
  }
  return { dimension, bytes, classes, memory };
}

/**
 * A committee for labels that are late, lost or wrong, and for classes that may persist or drift. It is
 * this project's own, built from known parts, and needs no option. Standardise the inputs, for example by
 * a node's `features.standardise`.
 *
 * Seven members each vote for a class. Five learn from labels as they came: `cautious`, AROW with r = 10;
 * `tracking`, the same with a forgetting of .99, which follows changes; `kernel`, BSGD with its defaults,
 * which finds its width; the majority of the last 1,000 labels; and the last label. `landmarks` learns
 * from cleaned labels: AROW on x and the kernel values of early samples, gamma = 1 / (d - .6). The seventh
 * is the stack, logistic regression by a Kalman filter (`Stack`) on
 *
 *     z = [1, the margins of `landmarks` and `kernel` over their root mean square, clipped at 3,
 *          the last label, running means (.4, .05) of its own tanh(w.z / 2), one (.1) of labels]
 *
 * So time is an input of the stack: where classes persist, its own recent outputs count, and a late label
 * counts for little.
 *
 * `BayesVote` weighs the members. Where classes persist, it judges the votes cast when the sample came
 * (see `Learner.note`): a vote computed when the label comes would make the last label look one sample
 * late, though it is a whole delay late. Where classes don't persist, a member's present knowledge counts,
 * which votes cast a delay ago don't show. So a share P(kappa = 0) of the loss judges the vote computed now, and the rest judges the vote cast.
 *
 * Where every member except the majority and the last label cast a wrong vote, as at the first labels of a
 * class, votes cast don't distinguish members: there the vote computed now counts for at least .2. For
 * this vote the stack takes its inputs of time from the note. Errors come in runs as long as a class
 * lasts, kappa / (1 - kappa), or until its first label comes: the vote counts a run as fewer errors. Until
 * the first label all members vote -1, since +1 is the class of rare events.
 *
 * `LabelFlips` learns from labels alone how long classes persist and how often labels of each class are
 * wrong. `LabelWindow` puts labels into the order of their samples. With these rates it estimates a
 * sample's class from the labels around it: with odds o for +1, relative to the prior's, the certainty is
 * m = (o - 1) / (o + 1). `landmarks` learns the sample as class sign(m) with r = 10 / m^2 once |m| > .95,
 * or when it leaves the window of `lag` labels. Where classes don't persist (P(kappa = 0) > .9), it learns
 * labels at once as they came. It also does so where the estimated rate of wrong labels exceeds the best
 * member's error on labels by two standard deviations,
 *
 *     refuted = pi p + (1 - pi) m > e + 2 sqrt(e (1 - e) / W)
 *
 * because no member can err less on labels than labels are wrong. Where persistence is sure (P(kappa = 0)
 * < .1), an error on label y costs 1 + y (p - m), so that one-sided flips cost as much as the truth would
 * (Natarajan et al. 2013).
 *
 * With option `bytes` an eighth member, `knn` over inputs of +-5, gets the bytes that the others leave. Where these don't fit, and for
 * several classes, `familyNamed("auto").create` makes a `Committee` of members that fit.
 *
 * With option `drift` a gate (`DriftGate`) stands behind the vote: three kernel functions that forget decide together with it once
 * their mixture predicts labels better. Until then decisions are the vote's, bit for bit.
 *
 * Limits. With `bytes`, inputs beyond +-5 count as +-5. A slowly drifting share of classes looks like persistence until it is refuted. Where the delay
 * is as long as the share takes to change, votes cast don't show which member is right now, and a single
 * learner is better. Labels don't show one-sided flips of classes that don't persist. Landmarks are early
 * samples, and are bad if one class lasts that long. A delay that hides a whole run of a class leaves the
 * stack nothing to learn from, and in the first few hundred samples a single learner is better. Several
 * classes run one-vs-all: with four classes it was as good as BSGD (error .19 to .20, AROW .52 to .54),
 * with 26 letters 4 to 6 points worse than AROW, in 26 times the memory. It takes no regression and no
 * novelty detection: its members and its vote know two classes, and a novelty has no label by which to judge
 * members.
 *
 * State of the vectors and matrices, with n = d + 1, l landmarks and the budget B:
 * n^2 + 3n + ((n + l)^2 + 3(n + l)) / 2 + (l + B + lag + 1) d; 300 words of `LabelFlips`; a note of 8 bytes
 * a pending sample. At most 8 KB in all at d = 8. Time (n + l)^2 and 150 hidden Markov models a label.
 *
 * @param options see `AutoOptions`. Throws an OptionError that names the invalid option.
 * @see This project's own: a Bayes vote over members, on labels cleaned by small hidden Markov models
 * @example
 * ```ts
 * import { Auto } from "motelearn";
 *
 * const learner = new Auto({ dimension: 2 });
 * for (let t = 0; t < 200; t++) {
 *   const side = t % 40 < 20 ? -1 : 1; // the class persists, each tenth label is wrong
 *   learner.learn([side, (t % 5) / 5], t % 10 === 7 ? -side : side);
 * }
 * console.log(learner.classify([-1, 0.5]), learner.classify([1, 0.5]));
 * // -1 1
 * ```
 */
export class Auto extends Learner {
  private readonly options: ResolvedAutoOptions;
  private readonly gamma: number;
  private readonly tracking: Arow;
  private readonly cautious: Arow;
  private readonly onLandmarks: Arow;
  private readonly kernel: Bsgd;
  private readonly neighbours: Knn | undefined;
  private readonly stack: Stack;
  private readonly vote: BayesVote;
  private readonly flips: LabelFlips;
  private readonly window: LabelWindow;
  private readonly gate: DriftGate | undefined;
  private readonly rows = this.layout.at("landmarks.rows", this.range);
  private readonly running = this.layout.at("running", this.range);
  private readonly noteAt = this.layout.at("note", this.range);
  /** Word of an input, and behind it its kernel values with the landmarks. */
  private readonly sample = this.layout.at("sample", this.range);
  private readonly inputs = this.layout.at("inputs", this.range);
  private readonly scores = this.layout.at("scores", this.range);
  private readonly smoothed = this.layout.at("smoothed", this.range);
  private readonly members = this.layout.at("members", this.range);
  private readonly x: Float32Array;
  private readonly features: Float32Array;

  constructor(options: AutoOptions) {
    const resolved = resolveAuto(options);
    if (!resolved)
      throw new OptionError("auto", "bytes", options.bytes, 'more bytes, or familyNamed("auto").create(...)');
    const layout = autoLayout(resolved);
    super("classification", resolved.dimension, layout, options.memory ?? layout.ownRange());
    this.options = resolved;
    this.gamma = gammaOf(resolved.dimension);
    this.tracking = this.arow("tracking", resolved.dimension, FORGETTING);
    this.cautious = this.arow("cautious", resolved.dimension);
    this.onLandmarks = this.arow("onLandmarks", resolved.dimension + resolved.landmarks);
    this.kernel = new Bsgd({
      dimension: resolved.dimension,
      budget: resolved.budget,
      memory: this.part("kernel"),
    });
    if (resolved.neighbours > 0) {
      const { dimension, neighbours: budget } = resolved;
      this.neighbours = new Knn({ dimension, budget, memory: this.part("neighbours") });
    }
    this.stack = new Stack(layout, this.range, INPUTS, 1, 1 + MARGINS, MARGIN_WEIGHT);
    const members = this.neighbours ? MEMBERS + 1 : MEMBERS;
    this.vote = new BayesVote(layout, this.range, HANDICAPS.slice(0, members));
    this.flips = new LabelFlips(layout, this.range);
    this.window = new LabelWindow(layout, this.range, resolved.lag, resolved.dimension, this.flips);
    if (resolved.drift) this.gate = new DriftGate(layout, this.range, driftOptions(resolved));
    const { words } = this.f32;
    this.x = words.subarray(this.sample, this.sample + resolved.dimension);
    this.features = words.subarray(this.sample, this.sample + resolved.dimension + resolved.landmarks);
    words.fill(0.1, this.running + MEAN_SQUARES, this.running + MEAN_SQUARES + MARGINS);
  }

  private arow(name: string, dimension: number, forgetting = 1): Arow {
    return new Arow({ dimension, noiseVariance: NOISE, forgetting, memory: this.part(name) });
  }

  /** A member's memory: its own state, and the counters and scratch that all share. */
  private part(name: string): MemoryRange {
    const { layout, range } = this;
    return {
      f32: range.f32,
      state: layout.within(name, range).state,
      counters: layout.at("members", range),
      scratch: layout.at("shared", range),
    };
  }

  override isSound(): boolean {
    if (this.neighbours && !this.neighbours.isSound()) return false;
    return this.kernel.isSound() && this.window.isSound && (this.gate === undefined || this.gate.isSound);
  }

  get size(): number {
    return this.kernel.size + (this.neighbours?.size ?? 0);
  }

  get capacity(): number {
    return this.options.budget + this.options.neighbours;
  }

  override counted(place: number): number {
    const own = super.counted(place);
    return place <= COUNT.refused ? own : (own + this.f32.bits[this.members + place]) >>> 0;
  }

  predict(x: ArrayLike<number>): number {
    const { f32, dimension, scores, vote } = this;
    if (!f32.load(this.input, x, dimension)) return Number.NaN;
    f32.copy(this.sample, this.input, dimension);
    this.land();
    f32.words[scores + LANDMARKS] = bounded(this.onLandmarks.predict(this.features));
    f32.words[scores + KERNEL] = bounded(this.kernel.predict(this.x));
    f32.words[scores + TRACKING] = bounded(this.tracking.predict(this.x));
    f32.words[scores + CAUTIOUS] = bounded(this.cautious.predict(this.x));
    if (this.neighbours) f32.words[scores + NEIGHBOURS] = this.neighbours.predict(this.x);
    this.scoreLabels();
    const decision = this.graded(vote.decide(this.votes()));
    return this.gate ? this.gate.decide(decision, this.x) : decision;
  }

  /** While the gate of option `drift` is open, the terms of the last decision. */
  terms(): ReturnType<DriftGate["terms"]> {
    return this.gate?.terms("vote");
  }

  /** The vote, drawn towards 0 where the stack disagrees: votes alone would rank all samples of a class alike. */
  private graded(vote: number): number {
    const own = 2 * this.stack.probability(this.f32.words[this.scores + STACK]) - 1;
    return (vote * (2 + (vote < 0 ? -own : own))) / 3;
  }

  /** The kernel values of the sample with the landmarks, behind it; 0 where there is none yet. */
  private land(): void {
    const { f32, rows, sample, dimension } = this;
    const count = f32.bits[this.running + LANDMARK_COUNT];
    f32.words.fill(0, sample + dimension, sample + dimension + ceil4(this.options.landmarks));
    f32.gaussianRow(sample + dimension, rows, sample, count, dimension, this.gamma);
    // It writes by fours.
    f32.words.fill(0, sample + dimension + count, sample + dimension + ceil4(count));
  }

  /** The scores that follow from labels and the other members. */
  private scoreLabels(): void {
    const { running, inputs, scores } = this;
    const { words } = this.f32;
    words[inputs] = 1;
    for (let i = 0; i < MARGINS; i++) {
      const margin = words[scores + LANDMARKS + i] / Math.sqrt(words[running + MEAN_SQUARES + i] + 1e-6);
      words[inputs + 1 + i] =
        margin > MOST_MARGIN ? MOST_MARGIN : margin < -MOST_MARGIN ? -MOST_MARGIN : margin;
    }
    words[inputs + LAST_LABEL] = words[running + LAST_SEEN];
    words[inputs + OWN] = words[running + OWN_MEANS];
    words[inputs + OWN + 1] = words[running + OWN_MEANS + 1];
    words[inputs + LABELS] = words[running + LABEL_MEAN];
    words[scores + STACK] = this.stack.score(inputs);
    words[scores + MAJORITY] = words[running + MAJORITY_MEAN];
    words[scores + LAST] = words[running + LAST_SEEN];
  }

  /** A bit for each member, set for a vote of +1. Before the first label all vote -1, since +1 is the class of rare events. */
  private votes(): number {
    let votes = 0;
    const members = this.neighbours ? MEMBERS + 1 : MEMBERS;
    for (let i = 0; i < members; i++) if (this.f32.words[this.scores + i] > 0) votes |= 1 << i;
    return votes;
  }

  override note(): void {
    this.writeNote();
    const { running, scores, gate } = this;
    if (gate) this.f32.bits[this.noteAt + 2] = gate.votes(this.x);
    const { words, bits } = this.f32;
    const number = ++bits[running + SAMPLES];
    const rate = number < RMS_FIRST ? 1 / (number + 1) : RMS_RATE;
    for (let i = 0; i < MARGINS; i++) {
      const squared = words[scores + LANDMARKS + i] * words[scores + LANDMARKS + i];
      const mean = words[running + MEAN_SQUARES + i];
      const most = MOST_MARGIN * MOST_MARGIN * mean + 1;
      words[running + MEAN_SQUARES + i] += rate * ((squared < most ? squared : most) - mean);
    }
    const own = 2 * this.stack.probability(words[scores + STACK]) - 1;
    for (let i = 0; i < OWN_RATES.length; i++) {
      words[running + OWN_MEANS + i] += OWN_RATES[i] * (own - words[running + OWN_MEANS + i]);
    }
    if (number % LANDMARK_EVERY === 0) this.addLandmark();
  }

  private addLandmark(): void {
    const { f32, running, rows, sample, dimension } = this;
    const count = f32.bits[running + LANDMARK_COUNT];
    if (count === this.options.landmarks) return;
    f32.storeRow(rows, count, sample, dimension);
    f32.bits[running + LANDMARK_COUNT]++;
  }

  private writeNote(): void {
    const { running, noteAt } = this;
    const { words, bits } = this.f32;
    const number = bits[running + SAMPLES] & (NUMBERS - 1);
    const last = words[running + LAST_SEEN] + 1;
    const votes = this.votes();
    const eighth = (votes >> NEIGHBOURS) << EIGHTH_SHIFT;
    const head = (votes & VOTES) | eighth | NOTED | (last << LAST_SHIFT) | (number << NUMBER_SHIFT);
    bits[noteAt] = head | (this.byteOf(1) << 24);
    bits[noteAt + 1] =
      this.byteOf(2) | (this.byteOf(OWN) << 8) | (this.byteOf(OWN + 1) << 16) | (this.byteOf(LABELS) << 24);
  }

  private byteOf(input: number): number {
    const most = input <= MARGINS ? MOST_MARGIN : 1;
    return Math.floor((this.f32.words[this.inputs + input] / most) * STEPS + 128.5);
  }

  private readByte(input: number, byte: number): void {
    const most = input <= MARGINS ? MOST_MARGIN : 1;
    this.f32.words[this.inputs + input] = (((byte & 255) - 128) / STEPS) * most;
  }

  /** Restores from the note the stack's inputs of time, as they were when the sample came. */
  private readTimes(): void {
    const { bits, words } = this.f32;
    const rest = bits[this.noteAt + 1];
    words[this.inputs + LAST_LABEL] = ((bits[this.noteAt] >> LAST_SHIFT) & 3) - 1;
    this.readByte(OWN, rest >> 8);
    this.readByte(OWN + 1, rest >> 16);
    this.readByte(LABELS, rest >> 24);
  }

  /** Restores the margins from the note. */
  private readMargins(): void {
    const { bits } = this.f32;
    this.readByte(1, bits[this.noteAt] >> 24);
    this.readByte(2, bits[this.noteAt + 1]);
  }

  override restartConfidence(): boolean {
    this.tracking.restartConfidence();
    this.cautious.restartConfidence();
    this.onLandmarks.restartConfidence();
    this.stack.restart();
    return true;
  }

  protected update(y: number): void {
    const { f32, noteAt } = this;
    if (!this.noted || (f32.bits[noteAt] & NOTED) === 0) this.note();
    const head = f32.bits[noteAt];
    this.gate?.learn(this.x, y, f32.bits[noteAt + 2]);
    this.readTimes();
    f32.words[this.scores + STACK] = this.stack.score(this.inputs);
    this.judge(head, y);
    this.readMargins();
    this.stack.learn(this.inputs, y);
    this.tracking.learn(this.x, y);
    this.cautious.learn(this.x, y);
    // When flips turn out to be one-sided, the window's few samples are learned again; the other way round they are left out.
    if (!this.isOneSided) this.kernel.learn(this.x, y);
    this.neighbours?.learn(this.x, y);
    this.receive(y);
    this.window.push(this.sample, y, (head >> NUMBER_SHIFT) & (NUMBERS - 1));
    this.learnCleaned();
  }

  /**
   * Judges the members' votes by the label as it came: a cleaned label would favour members that repeat
   * themselves. Where classes persist, by the votes cast when the sample came; where they don't, by the
   * present votes, which know the labels since. Where all members on samples cast a wrong vote, only present
   * votes distinguish them: these count for at least RENEWED.
   */
  private judge(head: number, y: number): void {
    const { flips, vote, running } = this;
    const { bits } = this.f32;
    const { plus, minus, prior, unrelated } = flips;
    const now = (this.votes() & ON_SAMPLES) | (head & ON_LABELS);
    const cast = (head & VOTES) | (((head >> EIGHTH_SHIFT) & 1) << NEIGHBOURS);
    const right = (y > 0 ? cast : ~cast) & (this.neighbours ? ON_SAMPLES : ON_SAMPLES & VOTES);
    const share = right === 0 && unrelated < RENEWED ? RENEWED : unrelated;
    const cost = this.isKnown ? 1 + y * (plus - minus) : 1;
    vote.learn(cast, now, share, y, cost, this.runOf(head));
    const e = vote.error;
    const judged = vote.judged > 1 ? vote.judged : 1;
    const believed = prior * plus + (1 - prior) * minus;
    bits[running + REFUTED] = believed > e + 2 * Math.sqrt((e * (1 - e)) / judged) ? 1 : 0;
  }

  /** Length of a run of errors in labels, less one: as long as a class lasts, or until its first label comes. kappa is at most .99. */
  private runOf(head: number): number {
    const { kappa } = this.flips;
    const run = kappa / (1 - kappa);
    const late = (this.f32.bits[this.running + SAMPLES] - 1 - (head >> NUMBER_SHIFT)) & (NUMBERS - 1);
    return late < run ? late : run;
  }

  /** Updates the statistics of labels. */
  private receive(y: number): void {
    const { running } = this;
    const { words, bits } = this.f32;
    if (bits[running + SEEN] < MAJORITY_LABELS) bits[running + SEEN]++;
    words[running + MAJORITY_MEAN] += (y - words[running + MAJORITY_MEAN]) / bits[running + SEEN];
    words[running + LABEL_MEAN] += LABEL_RATE * (y - words[running + LABEL_MEAN]);
    words[running + LAST_SEEN] = y;
  }

  /** True if the flip rate of each class is known. */
  private get isKnown(): boolean {
    return this.flips.unrelated < FEW && this.f32.bits[this.running + REFUTED] === 0;
  }

  /** True if labels of one class are wrong more often than of the other. */
  private get isOneSided(): boolean {
    const { plus, minus } = this.flips;
    return this.isKnown && (plus - minus > ONE_SIDED || minus - plus > ONE_SIDED);
  }

  /** True if labels are learned as they came: neighbouring labels are unrelated, or predict less than a member does. */
  private get raw(): boolean {
    return this.f32.bits[this.running + REFUTED] !== 0 || this.flips.unrelated > 1 - FEW;
  }

  private learnCleaned(): void {
    const { f32, window, smoothed, raw } = this;
    window.smooth(smoothed);
    const { prior } = this.flips;
    let room = MOST_LEARNED;
    for (let age = 0; room > 0 && age < window.count; age++) {
      if (window.isLearned(age)) continue;
      const s = f32.words[smoothed + age];
      const odds = (s * (1 - prior)) / ((1 - s) * prior + 1e-12);
      const m = (odds - 1) / (odds + 1);
      const sure = m < 0 ? -m : m;
      if (!raw && sure <= SURE && (age > 0 || !window.full)) continue;
      room--;
      if (raw) this.learnAs(age, window.label(age), 1);
      else this.learnAs(age, m < 0 ? -1 : 1, sure);
    }
  }

  /** Learns the window's sample of this age with this label; `sure` is the label's certainty. */
  private learnAs(age: number, y: number, sure: number): void {
    const { onLandmarks, kernel, window } = this;
    window.take(age, this.sample);
    this.land();
    const s = sure < LEAST_SURE ? LEAST_SURE : sure;
    onLandmarks.noiseVariance = NOISE / (s * s);
    onLandmarks.learn(this.features, y);
    if (this.isOneSided) kernel.learn(this.x, y);
  }
}

/** Names of the members, by their places. */
const NAMES = frozen([
  "stack",
  "landmarks",
  "kernel",
  "tracking",
  "cautious",
  "majority",
  "last label",
  "neighbours",
]);

/** See `graded`: the vote counts the less, the less the stack agrees. */
function agreement(learner: Learner, vote: number): Step | undefined {
  if ((learner as Auto | Committee).terms()) return undefined;
  const score = Math.max(-MOST_LOGIT, Math.min(MOST_LOGIT, wordsOf(learner, "scores")[STACK]));
  const own = 2 * (1 / (1 + learner.range.f32.exp(-score))) - 1;
  const agreed = vote < 0 ? -own : own;
  const text = `times (2 + ${agreed}) / 3, as the stack's own decision is ${own}`;
  return { text, apply: (sum) => (sum * (2 + agreed)) / 3 };
}

const VOTE_TERMS: DecisionTerms = frozen({
  weights: ["vote.weights"],
  terms(learner) {
    if (learner instanceof Committee) return [learner.terms()];
    const mixed = (learner as Auto).terms();
    if (mixed) return mixed;
    const scores = wordsOf(learner, "scores");
    return Array.from(wordsOf(learner, "vote.weights"), (weight, i) => [
      { of: `member ${NAMES[i]}`, weight, by: scores[i] > 0 ? 1 : -1, place: i },
    ]);
  },
  last: agreement,
});

/** Several classes with option `bytes`: members that all share. Throws an OptionError for two as classes 0 and 1. */
function committeeOfClasses(options: UserOptions): CommitteeOptions {
  if (options.classes > 2) return committeeOptions(options);
  throw new OptionError("ova:auto", "classes", options.classes, "3 or more with option bytes");
}

const SEVERALLY = frozen({
  layout: (options: UserOptions) => committeeLayout(committeeOfClasses(options)),
  create: (options: UserOptions) => new Committee(committeeOfClasses(options)),
});

export const AUTO: readonly Family[] = frozen([
  /**
   * Seven members vote. Hidden Markov models estimate from the labels alone how long classes persist and how often
   * labels are wrong; the vote follows the members that erred least.
   *
   *     decision = sum_i exp(-eta (L_i - min L)) vote_i / sum_i exp(-eta (L_i - min L))
   *     L_i: the discounted loss of member i on labels, late and wrong ones included
   *
   * When to use it: You know little of your classes and labels, and don't want to choose options. It takes more
   * instructions than any of its members.
   */
  {
    name: "auto",
    task: "classification",
    title: "Committee for late, lost and wrong labels",
    paper: "This project's own: a Bayes vote over members, on labels cleaned by small hidden Markov models",
    options: AUTO_OPTIONS,
    traits: {
      searched: [{ option: "drift", values: [false, true] }],
      members: NAMES.slice(0, MEMBERS),
      decision: VOTE_TERMS,
      costs: { finder: "bsgd", dearer: ["drift", "bytes"] },
      picture: { lasting: true },
    },
    layout(options) {
      const resolved = resolveAuto(options);
      return resolved ? autoLayout(resolved) : committeeLayout(committeeOptions(options));
    },
    create: (options) =>
      resolveAuto(options) ? new Auto(options as AutoOptions) : new Committee(committeeOptions(options)),
    severally: ({ bytes }) => (bytes > 0 ? SEVERALLY : undefined),
  },
]);
