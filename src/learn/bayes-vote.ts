import type { Primitives } from "../math/primitives.ts";
import { type Layout, type MemoryRange, POSITIVE, type Region, TO_ONE } from "../memory/layout.ts";

const VOTE = "vote";
/** A bit for each member. */
export const EVERY = -1;
/** The share of a loss that remains one label later. */
const KEEP = 0.999;
const LEAST_RATE = 0.05;
/** Learning rate, relative to Bayes' for members that err independently; these err together. */
const SHARE = 0.5;
/** Each further label of a run of errors lowers the learning rate, by this share of its divisor. */
const RUN = 0.1;

/**
 * A vote of members by their losses. The learning rate is half of Bayes' rate for members that err independently, as these err together.
 * L_i is member i's loss and W the weight of all labels, both discounted by .999 a label. e is the best member's error, K the number of
 * classes, and r the length of a run of errors in labels:
 *
 *     e = (min L + 1) / (W + 3);   eta = max(.05, log((K - 1) (1 - e) / e) / 2) / (1 + r / 10)
 *     decision = sum_i exp(-eta (L_i - min L)) vote_i
 *
 * The decision is divided by the sum of the weights, which are kept. Errors in runs carry little information: with the eta of single
 * errors, the vote would follow the member that was lucky in the last run.
 */
export class BayesVote {
  private readonly f32: Primitives;
  private readonly losses: number;
  private readonly weights: number;
  private readonly total: number;

  /** Names begin with `prefix`. */
  static regions(members: number, prefix = VOTE): Region[] {
    return [
      { name: `${prefix}.losses`, kind: "state", words: members, holds: [POSITIVE] },
      { name: `${prefix}.weights`, kind: "state", words: members, holds: [TO_ONE] },
      { name: `${prefix}.total`, kind: "state", words: 1, holds: [POSITIVE] },
    ];
  }

  private readonly members: number;

  /**
   * @param handicaps loss of each member at the start.
   * @param wrong classes that a wrong vote may be for: the fewer of them, the more of the wrong votes agree.
   */
  constructor(
    layout: Layout,
    range: MemoryRange,
    handicaps: readonly number[],
    prefix = VOTE,
    private readonly wrong = 1,
  ) {
    this.members = handicaps.length;
    this.f32 = range.f32;
    this.losses = layout.at(`${prefix}.losses`, range);
    this.weights = layout.at(`${prefix}.weights`, range);
    this.total = layout.at(`${prefix}.total`, range);
    this.f32.words.set(handicaps, this.losses);
    this.weigh(0, EVERY);
  }

  /** W: the labels so far, each discounted by its age. */
  get judged(): number {
    return this.f32.words[this.total];
  }

  /** e, the error of the best member. */
  get error(): number {
    return this.estimateError(this.leastLoss(EVERY));
  }

  private estimateError(loss: number): number {
    return (loss + 1) / (this.judged + 3);
  }

  /** Member i's weight; all add up to 1. */
  weight(i: number): number {
    return this.f32.words[this.weights + i];
  }

  private leastLoss(voters: number): number {
    const { words } = this.f32;
    let least = Infinity;
    for (let i = 0; i < this.members; i++)
      if ((voters >> i) & 1 && words[this.losses + i] < least) least = words[this.losses + i];
    return least;
  }

  /** Until the next label, the members without a bit in `voters` have no weight. */
  restrict(voters: number): void {
    this.weigh(0, voters);
  }

  /** The decision, -1 to +1. `votes` has a bit for each member, set for +1; the first member has the lowest bit. */
  decide(votes: number): number {
    const { words } = this.f32;
    let sum = 0;
    for (let i = 0; i < this.members; i++) {
      sum += (votes >> i) & 1 ? words[this.weights + i] : -words[this.weights + i];
    }
    return sum;
  }

  /**
   * Charges `cost` for wrong votes on label y: (1 - share) of it to members wrong in `cast`, the rest to members wrong in `now`. `run`:
   * length of a run of errors in labels, less one. Members without a bit in `voters` get no weight until the next label.
   */
  learn(
    cast: number,
    now: number,
    share: number,
    y: number,
    cost: number,
    run: number,
    voters = EVERY,
  ): void {
    const { f32, losses, members, total } = this;
    const { words } = f32;
    const wrong = y > 0 ? ~cast : cast;
    const wrongNow = y > 0 ? ~now : now;
    f32.scale(losses, KEEP, members);
    for (let i = 0; i < members; i++) {
      if ((wrong >> i) & 1) words[losses + i] += cost * (1 - share);
      if ((wrongNow >> i) & 1) words[losses + i] += cost * share;
    }
    words[total] = words[total] * KEEP + cost;
    this.weigh(run, voters);
  }

  private weigh(run: number, voters: number): void {
    const { f32, losses, weights, members } = this;
    const { words } = f32;
    const least = this.leastLoss(voters);
    const e = this.estimateError(least);
    const rate = SHARE * f32.log(((1 - e) * this.wrong) / e);
    const eta = (rate > LEAST_RATE ? rate : LEAST_RATE) / (1 + RUN * run);
    let sum = 0;
    for (let i = 0; i < members; i++) {
      words[weights + i] = (voters >> i) & 1 ? f32.exp(-eta * (words[losses + i] - least)) : 0;
      sum += words[weights + i];
    }
    f32.scale(weights, 1 / sum, members);
  }
}
