import { Elementary } from "../../src/math/elementary.ts";

/** How a fusion centre makes one decision from the votes of nodes that see the same scene. */
export interface FusionRule {
  /** @param votes one a node: +1, -1, or 0 for a node that is silent. @returns +1 or -1. */
  decide(votes: ArrayLike<number>): number;
  /**
   * Learns from a scene's votes, once, after `decide` took them.
   * @param truth +1 or -1, where the centre learns it. Default: unknown.
   */
  observe(votes: ArrayLike<number>, truth?: number): void;
}

/**
 * The decision of most nodes that aren't silent; a tie is +1, since a missed event costs more than a false
 * alarm.
 */
export class MajorityVote implements FusionRule {
  decide(votes: ArrayLike<number>): number {
    let sum = 0;
    for (let i = 0; i < votes.length; i++) sum += Math.sign(votes[i]);
    return sum >= 0 ? 1 : -1;
  }

  observe(): void {}
}

/** Before its first vote a node counts as wrong in 3 of 20 votes. */
const WRONG_AT_FIRST = 3;
const VOTES_AT_FIRST = 20;
/** Votes that a rate counts: half of the node's, within these bounds. */
const WINDOW_LEAST = 30;
const WINDOW_MOST = 1000;
/** Bounds of a rate that weighs a vote. */
const RATE_LEAST = 0.005;
const RATE_MOST = 0.45;
/** How fast the share of +1 is followed, and how far from 0 and 1 it stays. */
const PRIOR_STEP = 0.005;
const PRIOR_LEAST = 0.05;
/** Votes of a node before its jump is looked for. */
const WARM_UP = 100;
/**
 * The rise of the error rate to detect, the rates at which it may start, and the sum that raises the alarm.
 */
const JUMP = 0.2;
const JUMP_FROM_LEAST = 0.02;
const JUMP_FROM_MOST = 0.35;
const ALARM = 10;

const clip = (value: number, least: number, most: number) =>
  value < least ? least : value > most ? most : value;

/** A node began to err more often. */
export interface ReliabilityAlarm {
  /** Place of the node among those that vote, from 0. */
  readonly node: number;
  /** Number of the scene at which it was named, from 1. */
  readonly scene: number;
  /** The error rate that it was credited with until then. */
  readonly rate: number;
}

/**
 * The optimal rule for nodes that err independently, with rates estimated from their votes alone, and an
 * alarm for a node that begins to err more often. Node j is wrong with probability p_j on either class, l_j =
 * +1 or -1 is its vote, pi the share of +1. It decides +1 if the log odds
 *
 *     S = log(pi / (1 - pi)) + sum_j l_j log((1 - p_j) / p_j)
 *
 * aren't negative. With q = sigma(S), the probability of +1, and w_j = 1 - q where node j said +1, else q,
 * the probability that it is wrong, p_j = e_j / n_j counts at most half of its votes, 30 to 1000 of them:
 *
 *     pi <- pi + 0.005 (q - pi);   if n_j >= cap_j: e_j <- e_j - e_j / n_j, n_j <- n_j - 1;   then e_j <- e_j + w_j, n_j <- n_j + 1
 *
 * So the rates forget early guesses. A scene with one vote teaches nothing. Counting the decision itself as
 * the truth fails: a node that once outweighs the others agrees with itself ever after. Mistakes that nodes
 * share can't be seen in votes: they make the rates too small.
 *
 * The alarm is a cumulative sum for each node of the log-likelihood ratio of p_j + 0.2 to p_j, over the
 * probability that it is wrong by the others' votes alone. Beyond 10 it names the node, whose rate restarts.
 * A node with a rate above 0.35 isn't watched.
 *
 * (Chair, Varshney: Optimal data fusion in multiple sensor detection systems. IEEE Trans. AES 22, 1986;
 * Dawid, Skene: Maximum likelihood estimation of observer error-rates using the EM algorithm. Applied
 * Statistics 28(1), 1979, here a scene at a time; Page: Continuous inspection schemes. Biometrika 41, 1954.)
 */
export class ChairVarshney implements FusionRule {
  private readonly elementary = new Elementary();
  private readonly wrong: Float64Array;
  private readonly votes: Float64Array;
  /** Votes since the start, or since the node's last alarm. */
  private readonly seen: Float64Array;
  private readonly sums: Float64Array;
  /** How much a vote +1 of each node adds to the log odds, and how much each vote of the scene added. */
  private readonly weights: Float64Array;
  private readonly evidence: Float64Array;
  private prior = 0.5;
  /** The log odds of +1 before any vote. */
  private priorOdds = 0;
  private scenes = 0;
  private readonly named: ReliabilityAlarm[] = [];

  /** @param nodes how many vote. */
  constructor(nodes: number) {
    this.wrong = new Float64Array(nodes).fill(WRONG_AT_FIRST);
    this.votes = new Float64Array(nodes).fill(VOTES_AT_FIRST);
    this.seen = new Float64Array(nodes);
    this.sums = new Float64Array(nodes);
    this.weights = new Float64Array(nodes);
    this.evidence = new Float64Array(nodes);
    for (let j = 0; j < nodes; j++) this.trust(j);
  }

  /** The estimated probability that the node is wrong, 0 to 1. */
  rate(node: number): number {
    return this.wrong[node] / this.votes[node];
  }

  /** The alarms so far, oldest first. */
  get alarms(): readonly ReliabilityAlarm[] {
    return this.named;
  }

  decide(votes: ArrayLike<number>): number {
    return this.weigh(votes) >= 0 ? 1 : -1;
  }

  observe(votes: ArrayLike<number>, truth?: number): void {
    this.scenes++;
    const odds = this.weigh(votes);
    if (truth === undefined && !this.areTwo(votes)) return;
    const positive = truth === undefined ? this.sigmoid(odds) : truth > 0 ? 1 : 0;
    this.prior = clip(this.prior + PRIOR_STEP * (positive - this.prior), PRIOR_LEAST, 1 - PRIOR_LEAST);
    this.priorOdds = this.log(this.prior / (1 - this.prior));
    for (let j = 0; j < votes.length; j++) {
      if (votes[j] === 0) continue;
      const others = truth === undefined ? this.sigmoid(odds - this.evidence[j]) : positive;
      this.watch(j, votes[j] > 0 ? 1 - others : others);
      this.count(j, votes[j] > 0 ? 1 - positive : positive);
      this.trust(j);
    }
  }

  /** True if at least two nodes voted. */
  private areTwo(votes: ArrayLike<number>): boolean {
    let voted = 0;
    for (let j = 0; j < votes.length && voted < 2; j++) if (votes[j] !== 0) voted++;
    return voted === 2;
  }

  /** Weighs the node's votes by its rate from now on. */
  private trust(j: number): void {
    const rate = clip(this.rate(j), RATE_LEAST, RATE_MOST);
    this.weights[j] = this.log((1 - rate) / rate);
  }

  /** The log odds of +1; each vote's part of them stays in `evidence`. */
  private weigh(votes: ArrayLike<number>): number {
    const { evidence, weights } = this;
    let odds = this.priorOdds;
    for (let j = 0; j < votes.length; j++) {
      evidence[j] = votes[j] === 0 ? 0 : votes[j] * weights[j];
      odds += evidence[j];
    }
    return odds;
  }

  /** @param wrong the probability that the node's vote is wrong, by all votes. */
  private count(j: number, wrong: number): void {
    const most = clip(this.seen[j] / 2, WINDOW_LEAST, WINDOW_MOST);
    if (this.votes[j] >= most) {
      this.wrong[j] -= this.wrong[j] / this.votes[j];
      this.votes[j]--;
    }
    this.wrong[j] += wrong;
    this.votes[j]++;
    this.seen[j]++;
  }

  /** @param wrong the probability that the node's vote is wrong, by the others' votes. */
  private watch(j: number, wrong: number): void {
    const rate = this.rate(j);
    if (this.seen[j] < WARM_UP || rate > JUMP_FROM_MOST) {
      this.sums[j] = 0;
      return;
    }
    const before = rate < JUMP_FROM_LEAST ? JUMP_FROM_LEAST : rate;
    const after = before + JUMP;
    const ratio = (wrong * after + (1 - wrong) * (1 - after)) / (wrong * before + (1 - wrong) * (1 - before));
    if (this.sums[j] === 0 && ratio <= 1) return; // the sum stays 0
    const sum = this.sums[j] + this.log(ratio);
    this.sums[j] = sum > 0 ? sum : 0;
    if (sum <= ALARM) return;
    this.named.push({ node: j, scene: this.scenes, rate });
    this.sums[j] = 0;
    this.seen[j] = 0;
    this.wrong[j] = WRONG_AT_FIRST;
    this.votes[j] = VOTES_AT_FIRST;
  }

  private sigmoid(odds: number): number {
    return 1 / (1 + this.elementary.exp(Math.fround(-clip(odds, -30, 30))));
  }

  private log(ratio: number): number {
    return this.elementary.log(Math.fround(ratio));
  }
}
