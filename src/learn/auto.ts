import { AutoMembers, FILTERED_VOTES } from "./auto-members.ts";
import { isNote, noteNumber, noteVotes, readMargins, readTimes, samplesSince } from "./auto-note.ts";
import {
  LABEL_MEAN,
  LAST,
  LAST_SEEN,
  MAJORITY,
  MAJORITY_LABELS,
  MAJORITY_MEAN,
  MEMBERS,
  NOISE,
  REFUTED,
  SAMPLES,
  SEEN,
  STACK,
} from "./auto-plan.ts";
import { EVERY } from "./bayes-vote.ts";
import { LabelFlips } from "./label-flips.ts";
import { LabelWindow } from "./label-window.ts";
import type { AutoOptions } from "./learner-options.ts";

/** Members that use labels alone, and members that use samples. */
const ON_LABELS = (1 << MAJORITY) | (1 << LAST);
const ON_SAMPLES = (1 << MEMBERS) - 1 - ON_LABELS - FILTERED_VOTES;

const LABEL_RATE = 0.1;

/** `landmarks` learns a smoothed label once its certainty exceeds SURE, with the noise NOISE / certainty^2. */
const SURE = 0.95;
const LEAST_SURE = 0.1;
/** Samples of the window that one label has learned at most, the oldest first. */
const MOST_LEARNED = 2;
/** While the belief that classes persist is below FEW, labels are learned as they came; above 1 - FEW, flip rates are known. */
const FEW = 0.1;
/** Least weight of the present votes where every member on samples cast a wrong vote. */
const RENEWED = 0.2;
/** Flips count as one-sided if the flip rates of the two classes differ by more. */
const ONE_SIDED = 0.1;

/**
 * A committee for labels that are late, lost or wrong, and for classes that may persist or drift. It is
 * this project's own, built from known parts, and needs no option. Standardise the inputs, for example by
 * a node's `features.standardise`.
 *
 * Eight members each vote for a class, three of them twice. Six learn from labels as they came: `cautious`, AROW with r = 10;
 * `tracking`, the same with a forgetting of .99, which follows a plane that moves; `kernel`, BSGD with its defaults,
 * which finds its width; `neighbours`, the nearest of the last 128 labelled samples (`RecentNeighbours`), which vote
 * alike, and a second time by their age, so that they follow any boundary that moves; the majority of the last 1,000
 * labels; and the last label. `landmarks` learns from cleaned labels: AROW on x and the kernel values of early samples,
 * gamma = 1 / (d - .6). The eighth is the stack, logistic regression by a Kalman filter (`Stack`) on
 *
 *     z = [1, the margins of `landmarks` and `kernel` over their root mean square, clipped at 3,
 *          the last label, running means (.4, .05) of its own tanh(w.z / 2), one (.1) of labels]
 *
 * So time is an input of the stack: where classes persist, its own recent outputs count, and a late label
 * counts for little.
 *
 * Where classes may last, P(kappa = 0) <= .9, `landmarks` and `cautious` vote a second time, each through a model of classes that last
 * (`filterSign`): one that holds for a class until several votes are for the other. Where classes don't last, these votes have no weight.
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
 * Where labels stop (`LabelSilence`), the members on labels and the stack have no weight until one comes: the last label's class may
 * have ended long ago.
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
 * With option `bytes` the other members have fewer vectors and landmarks where they must, and the neighbours get what
 * these leave. Where the least don't fit, and for several classes, `familyNamed("auto").create` makes a `Committee` of
 * members that fit: of 8,192 bytes or more for several classes by default.
 *
 * Limits. The neighbours clip inputs to +-5. A slowly drifting share of classes looks like persistence until it is refuted. Where the delay
 * is as long as the share takes to change, votes cast don't show which member is right now, and a single
 * learner is better. Labels don't show one-sided flips of classes that don't persist. Landmarks are early
 * samples, and are bad if one class lasts that long. A delay that hides a whole run of a class leaves the
 * stack nothing to learn from, and in the first few hundred samples a single learner is better. It takes no regression and no
 * novelty detection: its members vote for classes, and a novelty has no label by which to judge members.
 *
 * State of the vectors and matrices, with n = d + 1, l landmarks and the budget B:
 * n^2 + 3n + ((n + l)^2 + 3(n + l)) / 2 + (l + B + lag + 1) d + B (d + 1); 300 words of `LabelFlips`; a note of 8 bytes
 * a pending sample. At most 9,500 bytes in all at d = 8. Time (n + l)^2 and 150 hidden Markov models a label.
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
export class Auto extends AutoMembers {
  private readonly flips: LabelFlips;
  private readonly window: LabelWindow;
  private readonly smoothed = this.layout.at("smoothed", this.range);

  constructor(options: AutoOptions) {
    super(options);
    const { layout, range, dimension } = this;
    this.flips = new LabelFlips(layout, range);
    this.window = new LabelWindow(layout, range, this.options.lag, dimension, this.flips);
  }

  /** True if a restored state's numbers of vectors, neighbours and samples in the window are ones that can be. */
  override isSound(): boolean {
    return super.isSound() && this.window.isSound;
  }

  protected update(y: number): void {
    const { f32, noteAt, inputs } = this;
    if (!this.noted || !isNote(f32, noteAt)) this.note();
    const head = f32.bits[noteAt];
    readTimes(f32, noteAt, inputs);
    f32.words[this.scores + STACK] = this.stack.score(inputs);
    this.judge(head, y);
    readMargins(f32, noteAt, inputs);
    this.stack.learn(inputs, y);
    this.tracking.learn(this.x, y);
    this.cautious.learn(this.x, y);
    // When flips turn out to be one-sided, the window's few samples are learned again; the other way round they are left out.
    if (!this.isOneSided) this.kernel.learn(this.x, y);
    this.neighbours.store(this.sample, y > 0 ? 1 : 0);
    this.receive(y);
    this.silence.end();
    this.window.push(this.sample, y, noteNumber(head));
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
    const now = (this.votes() & ON_SAMPLES) | (head & (ON_LABELS | FILTERED_VOTES));
    const cast = noteVotes(head);
    const right = (y > 0 ? cast : ~cast) & ON_SAMPLES;
    const share = right === 0 && unrelated < RENEWED ? RENEWED : unrelated;
    const cost = this.isKnown ? 1 + y * (plus - minus) : 1;
    vote.learn(
      cast,
      now,
      share,
      y,
      cost,
      this.expectedRun(head),
      this.lasts ? EVERY : EVERY - FILTERED_VOTES,
    );
    const e = vote.error;
    const judged = vote.judged > 1 ? vote.judged : 1;
    const believed = prior * plus + (1 - prior) * minus;
    bits[running + REFUTED] = believed > e + 2 * Math.sqrt((e * (1 - e)) / judged) ? 1 : 0;
  }

  /** Length of a run of errors in labels, less one: as long as a class lasts, or until its first label comes. kappa is at most .99. */
  private expectedRun(head: number): number {
    const { kappa } = this.flips;
    const run = kappa / (1 - kappa);
    const late = samplesSince(head, this.f32.bits[this.running + SAMPLES]);
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

  protected get lasts(): boolean {
    return this.flips.unrelated <= 1 - FEW;
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
