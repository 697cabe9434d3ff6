import { gammaOfNormal } from "../kernel/kernel.ts";
import { ceil4 } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import type { MemoryRange } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";
import { Arow } from "./arow.ts";
import { writeNote } from "./auto-note.ts";
import {
  autoLayout,
  CAUTIOUS,
  FILTERED,
  FILTERED_FROM,
  FORGETTING,
  INPUTS,
  KERNEL,
  LABEL_MEAN,
  LABELS,
  LANDMARK_COUNT,
  LANDMARKS,
  LAST,
  LAST_LABEL,
  LAST_SEEN,
  MAJORITY,
  MAJORITY_MEAN,
  MARGINS,
  MEAN_SQUARES,
  MEMBERS,
  MOST_MARGIN,
  NEIGHBOURS,
  NOISE,
  OWN,
  OWN_MEANS,
  type ResolvedAutoOptions,
  resolveAuto,
  SAMPLES,
  STACK,
  TRACKING,
} from "./auto-plan.ts";
import { BayesVote, EVERY } from "./bayes-vote.ts";
import { Bsgd } from "./bsgd.ts";
import { filterSign } from "./class-filter.ts";
import { LabelSilence } from "./label-silence.ts";
import { COUNT, Learner } from "./learner.ts";
import type { AutoOptions } from "./learner-options.ts";
import { RecentNeighbours } from "./recent-neighbours.ts";
import { Stack } from "./stack.ts";

/**
 * Initial losses: a handicap for members that use labels alone or few labels, and for the stack, until they prove their worth.
 */
const HANDICAPS = frozen([2, 0, 1, 2, 0, 3, 3, 3, 3, 1, 1]);
/** Votes through a model of classes that last. */
export const FILTERED_VOTES = ((1 << FILTERED_FROM.length) - 1) << FILTERED;
/** The votes that don't follow from the last labels. */
const WITHOUT_LABELS = EVERY - (1 << STACK) - (1 << MAJORITY) - (1 << LAST);
/** Initial weights of the cleaned members' margins in the stack. */
const MARGIN_WEIGHT = 0.7;

const OWN_RATES = frozen([0.4, 0.05]);
const MOST_SCORE = 1e6;
const RMS_FIRST = 500;
const RMS_RATE = 0.002;

/** How many times as likely the model of classes that last takes a vote where it is for the true class. */
const VOTE_RATIO = 4;

/** Each third sample becomes a landmark, while there is room. */
const LANDMARK_EVERY = 3;

/** A score as a float32 that has a square. */
function boundScore(score: number): number {
  return score > MOST_SCORE
    ? MOST_SCORE
    : score < -MOST_SCORE
      ? -MOST_SCORE
      : score - score === 0
        ? score
        : 0;
}

/**
 * The members of `Auto` and their vote: how it decides, and what it notes of a sample. See `Auto` for how it learns.
 */
export abstract class AutoMembers extends Learner {
  protected readonly options: ResolvedAutoOptions;
  private readonly gamma: number;
  protected readonly tracking: Arow;
  protected readonly cautious: Arow;
  protected readonly onLandmarks: Arow;
  protected readonly kernel: Bsgd;
  readonly neighbours: RecentNeighbours;
  protected readonly stack: Stack;
  protected readonly vote: BayesVote;
  protected readonly silence: LabelSilence;
  private readonly rows = this.layout.at("landmarks.rows", this.range);
  protected readonly running = this.layout.at("running", this.range);
  protected readonly noteAt = this.layout.at("note", this.range);
  /** Word of an input, and behind it its kernel values with the landmarks. */
  protected readonly sample = this.layout.at("sample", this.range);
  protected readonly inputs = this.layout.at("inputs", this.range);
  protected readonly scores = this.layout.at("scores", this.range);
  private readonly members = this.layout.at("members", this.range);
  /** Words of the belief in class +1 for each member that is filtered; and with its vote on the present sample. */
  private readonly stay = this.layout.at("stay", this.range);
  private readonly present = this.layout.at("present", this.range);
  protected readonly x: Float32Array;
  protected readonly features: Float32Array;

  constructor(options: AutoOptions) {
    const resolved = resolveAuto(options);
    if (!resolved)
      throw new OptionError("auto", "bytes", options.bytes, 'more bytes, or familyNamed("auto").create(...)');
    const layout = autoLayout(resolved);
    super("classification", resolved.dimension, layout, options.memory ?? layout.ownRange());
    this.options = resolved;
    this.gamma = gammaOfNormal(resolved.dimension);
    this.tracking = this.arow("tracking", resolved.dimension, FORGETTING);
    this.cautious = this.arow("cautious", resolved.dimension);
    this.onLandmarks = this.arow("onLandmarks", resolved.dimension + resolved.landmarks);
    this.kernel = new Bsgd({
      dimension: resolved.dimension,
      budget: resolved.budget,
      memory: this.part("kernel"),
    });
    this.neighbours = new RecentNeighbours(resolved.dimension, resolved.neighbours, this.part("neighbours"));
    this.stack = new Stack(layout, this.range, INPUTS, 1, 1 + MARGINS, MARGIN_WEIGHT);
    this.silence = new LabelSilence(layout, this.range);
    this.vote = new BayesVote(layout, this.range, HANDICAPS);
    const { words } = this.f32;
    this.x = words.subarray(this.sample, this.sample + resolved.dimension);
    this.features = words.subarray(this.sample, this.sample + resolved.dimension + resolved.landmarks);
    words.fill(0.1, this.running + MEAN_SQUARES, this.running + MEAN_SQUARES + MARGINS);
    words.fill(0.5, this.stay, this.stay + FILTERED_FROM.length);
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
    return this.kernel.isSound() && this.neighbours.isSound(2);
  }

  /** Vectors of the kernel expansion, which the budget limits; the neighbours' samples aren't counted. */
  get size(): number {
    return this.kernel.size;
  }

  get capacity(): number {
    return this.options.budget;
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
    f32.words[scores + LANDMARKS] = boundScore(this.onLandmarks.predict(this.features));
    f32.words[scores + KERNEL] = boundScore(this.kernel.predict(this.x));
    f32.words[scores + TRACKING] = boundScore(this.tracking.predict(this.x));
    f32.words[scores + CAUTIOUS] = boundScore(this.cautious.predict(this.x));
    this.neighbours.vote(this.sample, scores + NEIGHBOURS);
    this.scoreLabels();
    this.filter();
    return this.graded(vote.decide(this.votes()));
  }

  /** The vote, drawn towards 0 where the stack disagrees: votes alone would rank all samples of a class alike. */
  private graded(vote: number): number {
    const own = 2 * this.stack.probability(this.f32.words[this.scores + STACK]) - 1;
    return (vote * (2 + (vote < 0 ? -own : own))) / 3;
  }

  /** The kernel values of the sample with the landmarks, behind it; 0 where there is none yet. */
  protected land(): void {
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

  /** True where classes may last. */
  protected abstract get lasts(): boolean;

  /** The scores of the members that are filtered: what a belief exceeds 1/2 by. Where classes don't last, it follows from one vote. */
  private filter(): void {
    const { stay, present, scores, lasts } = this;
    const { words } = this.f32;
    for (let i = 0; i < FILTERED_FROM.length; i++) {
      const isPlus = words[scores + FILTERED_FROM[i]] > 0;
      words[present + i] = filterSign(lasts ? words[stay + i] : 0.5, isPlus, VOTE_RATIO);
      words[scores + FILTERED + i] = words[present + i] - 0.5;
    }
  }

  /** A bit for each member, set for a vote of +1. Before the first label all vote -1, since +1 is the class of rare events. */
  protected votes(): number {
    let votes = 0;
    for (let i = 0; i < MEMBERS; i++) if (this.f32.words[this.scores + i] > 0) votes |= 1 << i;
    return votes;
  }

  override note(): void {
    const { f32, running, scores } = this;
    const { words, bits } = f32;
    writeNote(
      f32,
      this.noteAt,
      this.inputs,
      this.votes(),
      words[running + LAST_SEEN],
      bits[running + SAMPLES],
    );
    f32.copy(this.stay, this.present, FILTERED_FROM.length);
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
    if (this.silence.countSample())
      this.vote.restrict(this.lasts ? WITHOUT_LABELS : WITHOUT_LABELS - FILTERED_VOTES);
    if (number % LANDMARK_EVERY === 0) this.addLandmark();
  }

  private addLandmark(): void {
    const { f32, running, rows, sample, dimension } = this;
    const count = f32.bits[running + LANDMARK_COUNT];
    if (count === this.options.landmarks) return;
    f32.storeRow(rows, count, sample, dimension);
    f32.bits[running + LANDMARK_COUNT]++;
  }

  override restartConfidence(): boolean {
    this.tracking.restartConfidence();
    this.cautious.restartConfidence();
    this.onLandmarks.restartConfidence();
    this.stack.restart();
    return true;
  }
}
