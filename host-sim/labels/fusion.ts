import { Elementary } from "../../src/math/elementary.ts";
import { type OptionSpec, withDefaults } from "../disturbances/options.ts";

/** How a centre makes one decision of the votes of nodes that see the same scene. */
export interface FusionRule {
  /** @param votes one a node: +1, -1, or 0 for a node that is silent. @returns +1 or -1. */
  decide(votes: ArrayLike<number>): number;
  /**
   * Learns from a scene's votes, once, after `decide`.
   * @param truth +1 or -1, where the centre comes to know it. Default: unknown.
   */
  observe(votes: ArrayLike<number>, truth?: number): void;
}

/** The decision of most nodes that aren't silent; a tie is +1, since a missed event costs more than a false alarm. */
export class MajorityVote implements FusionRule {
  decide(votes: ArrayLike<number>): number {
    let sum = 0;
    for (let i = 0; i < votes.length; i++) sum += Math.sign(votes[i]);
    return sum >= 0 ? 1 : -1;
  }

  observe(): void {}
}

export interface ChairVarshneyOptions {
  prior: number | null;
  trust: number;
}

export const CHAIR_VARSHNEY_OPTIONS: readonly OptionSpec[] = [
  {
    name: "prior",
    type: "number",
    min: 1e-6,
    max: 0.999999,
    default: null,
    doc: "probability of +1 before any vote; default: the running share of +1",
  },
  {
    name: "trust",
    type: "number",
    min: 1,
    max: 1e6,
    default: 3,
    doc: "right votes of each class that a node is credited with at the start, against one wrong one",
  },
];

/**
 * The optimal rule for nodes that err independently, with running estimates of their error rates: Chair and Varshney,
 * "Optimal data fusion in multiple sensor detection systems", IEEE Trans. AES 22 (1986). Decides +1 if
 *
 *     log(P1 / P0) + sum over +1 votes of log((1 - pm) / pf) + sum over -1 votes of log(pm / (1 - pf)) >= 0,
 *
 * with pf = (1 + false alarms) / (1 + trust + votes on a -1), pm = (1 + misses) / (1 + trust + votes on a +1) and
 * P1 / P0 = (1 + scenes of +1) / (1 + scenes of -1). With Laplace's trust = 1 all weights start at 0; trust > 1 starts as
 * the majority vote.
 *
 * Where the centre never learns the truth, a scene counts as a +1 by its posterior probability under the sum above and
 * as a -1 by the rest (Dawid and Skene's expectation maximisation, 1979, a scene at a time). Counting the decision
 * itself as the truth fails: a node that once outweighs the others agrees with itself ever after.
 */
export class ChairVarshney implements FusionRule {
  private readonly elementary = new Elementary();
  private readonly prior: number | null;
  private readonly trust: number;
  private readonly scenes = { positive: 0, negative: 0 };
  private readonly negatives: Float64Array;
  private readonly falseAlarms: Float64Array;
  private readonly positives: Float64Array;
  private readonly misses: Float64Array;

  /** @param nodes how many vote. */
  constructor(nodes: number, options: Partial<ChairVarshneyOptions> = {}) {
    const { prior, trust } = withDefaults<ChairVarshneyOptions>(
      "chairVarshney",
      CHAIR_VARSHNEY_OPTIONS,
      options,
    );
    this.prior = prior;
    this.trust = trust;
    this.negatives = new Float64Array(nodes);
    this.falseAlarms = new Float64Array(nodes);
    this.positives = new Float64Array(nodes);
    this.misses = new Float64Array(nodes);
  }

  /** The estimated probability that the node votes +1 on a -1. */
  falseAlarmRate(node: number): number {
    return (1 + this.falseAlarms[node]) / (1 + this.trust + this.negatives[node]);
  }

  /** The estimated probability that the node votes -1 on a +1. */
  missRate(node: number): number {
    return (1 + this.misses[node]) / (1 + this.trust + this.positives[node]);
  }

  decide(votes: ArrayLike<number>): number {
    return this.evidence(votes) >= 0 ? 1 : -1;
  }

  observe(votes: ArrayLike<number>, truth?: number): void {
    const positive = truth === undefined ? this.posterior(votes) : truth > 0 ? 1 : 0;
    const negative = 1 - positive;
    this.scenes.positive += positive;
    this.scenes.negative += negative;
    for (let node = 0; node < votes.length; node++) {
      if (votes[node] === 0) continue;
      this.positives[node] += positive;
      this.negatives[node] += negative;
      if (votes[node] > 0) this.falseAlarms[node] += negative;
      else this.misses[node] += positive;
    }
  }

  /** The probability of +1, given the votes. */
  private posterior(votes: ArrayLike<number>): number {
    return 1 / (1 + this.elementary.exp(Math.fround(-this.evidence(votes))));
  }

  /** The logarithm of how much likelier +1 is than -1. */
  private evidence(votes: ArrayLike<number>): number {
    const { positive, negative } = this.scenes;
    let sum = this.logOf(
      this.prior === null ? (1 + positive) / (1 + negative) : this.prior / (1 - this.prior),
    );
    for (let node = 0; node < votes.length; node++) {
      const [pf, pm] = [this.falseAlarmRate(node), this.missRate(node)];
      if (votes[node] > 0) sum += this.logOf((1 - pm) / pf);
      else if (votes[node] < 0) sum -= this.logOf((1 - pf) / pm);
    }
    return sum;
  }

  private logOf(ratio: number): number {
    return this.elementary.log(Math.fround(ratio));
  }
}
