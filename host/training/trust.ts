import { Elementary } from "../../src/math/elementary.ts";
import { median } from "../statistics.ts";
import type { Basis } from "./basis.ts";
import { Folds } from "./folds.ts";
import { logLikelihood } from "./logistic.ts";
import type { Lesson, Nature } from "./model.ts";

/** Whether a node's labels train the group's model, and why. */
export interface Trust {
  readonly isTrusted: boolean;
  /** The share of its labels on which a model of other nodes errs; none below five labels. */
  readonly error?: number;
  /** The error above which it is left out. */
  readonly limit?: number;
}

/** Labels with which a node is judged, and nodes with so many, without which none is judged. */
const LEAST_LABELS = 5;
const LEAST_NODES = 3;
const JUDGED = 200;
/** The least error that a group is supposed to have, and how far beyond it a node may err. */
const LEAST_ERROR = 0.02;
const MARGIN = 0.08;
const DEVIATIONS = 2;

/**
 * How sure a model of other nodes may really be of a node's labels, by a factor of its scores; and the share of labels that may be wrong. A model of
 * few labels is mostly surer than it says, and one of nodes that differ less sure.
 */
const CALIBRATIONS = [4, 2, 1, 0.5, 0.25, 0.125].flatMap((slope) =>
  [0.02, 0.1, 0.25].map((flips) => ({ slope, flips })),
);
/** How probable it is that who labels a node errs more than the others do, and on what share of its labels. */
const CARELESS = 0.05;
const CARELESS_FLIPS = 0.4;
/** The least share of the labels of a node that is unlike its group which agree with a sure model, and the odds that a node is before it has labels. */
const UNLIKE_AGREES = 0.15;
const UNLIKE_ODDS = 0.1;

const TRUSTED: Trust = { isTrusted: true };

/** Which nodes' labels train the group's model, and which nodes its model fits. A model of other trusted nodes judges each node's labels. */
export class GroupTrust {
  private readonly elementary = new Elementary();
  readonly folds: Folds;
  /** By node and calibration, the logarithm of the probability of its labels. */
  private fits: readonly (readonly number[])[] = [];
  private trust: readonly Trust[];

  constructor(nodes: number) {
    this.folds = new Folds(nodes);
    this.trust = Array.from({ length: nodes }, () => TRUSTED);
  }

  of(node: number): Trust {
    return this.trust[node];
  }

  /**
   * Judges all nodes anew. With three judged nodes or more, a node is left out that errs more than
   *
   *     m + .08 + 2 sqrt(m (1 - m) / n),   m = max(median error, .02), n its labels that were judged
   *
   * This is done again without those left out. Where less than half of the nodes would be left, no majority agrees, and all are
   * trusted.
   *
   * @param each the last lessons of each node that these models learn
   * @param nature what these models suppose
   */
  judge(basis: Basis, nodes: readonly (readonly Lesson[])[], each: number, nature: Nature): readonly Trust[] {
    this.trust = nodes.map(() => TRUSTED);
    for (let round = 0, trusted = 0; round < 2 && trusted < nodes.length; round++) {
      this.folds.train(basis, nodes, (j) => this.trust[j].isTrusted, each, nature);
      const scores = nodes.map((lessons, j) => this.folds.scores(basis, j, lessons.slice(-JUDGED)));
      this.fits = scores.map((its) =>
        CALIBRATIONS.map(({ slope, flips }) => logProbability(its, slope, flips)),
      );
      this.trust = trustBy(scores);
      trusted = this.trust.filter(({ isTrusted }) => isTrusted).length;
    }
    return this.trust;
  }

  /**
   * The probability r / (1 + r) that a node is unlike its group. With u = y f(x) of the others' model f at its labels,
   *
   *     r = .1 sum w P(-s u; max(p, .15)) / sum w (.95 P(s u; p) + .05 P(s u; .4)),   P(u; p) = prod_i (p + (1 - 2 p) / (1 + exp(-u_i)))
   *
   * over slopes s = 4, 2, 1, 1/2, 1/4, 1/8 and shares of wrong labels p = .02, .1, .25, where w is P(s u; p) of the other nodes' labels: these show how
   * sure f is. A label counts for little where f isn't sure. Where f is sure, one label that contradicts it may be wrong; two decide. A node without
   * fellows is like its group.
   */
  unlikeness(basis: Basis, node: number, lessons: readonly Lesson[]): number {
    if (this.trust.length < 2) return 0;
    const own = this.folds.scores(basis, node, lessons.slice(-JUDGED));
    const fits = CALIBRATIONS.map(({ slope, flips }, c) => {
      const others = this.fits.reduce((sum, fit, j) => sum + (this.isBeside(node, j) ? fit[c] : 0), 0);
      return {
        like: others + logProbability(own, slope, flips),
        careless: others + logProbability(own, slope, CARELESS_FLIPS),
        unlike: others + logProbability(own, -slope, Math.max(flips, UNLIKE_AGREES)),
      };
    });
    const most = Math.max(...fits.flatMap((fit) => Object.values(fit)));
    const sum = (of: "like" | "careless" | "unlike") =>
      fits.reduce((all, fit) => all + this.elementary.exp(fit[of] - most), 0);
    const unlike = UNLIKE_ODDS * sum("unlike");
    return unlike / (unlike + (1 - CARELESS) * sum("like") + CARELESS * sum("careless"));
  }

  private isBeside(node: number, other: number): boolean {
    return other !== node && this.trust[other].isTrusted;
  }
}

/** The logarithm of the probability of labels with those scores, see `GroupTrust.unlikeness`. */
function logProbability(scores: readonly number[], slope: number, flips: number): number {
  return scores.reduce((sum, score) => sum + logLikelihood(slope * score, flips), 0);
}

/** @param scores of each node's judged labels, negative where they err */
function trustBy(scores: readonly (readonly number[])[]): Trust[] {
  const counts = scores.map(({ length }) => length);
  const shares = scores.map((its) => its.filter((score) => score < 0).length / its.length);
  const isJudged = (j: number) => counts[j] >= LEAST_LABELS;
  const judged = shares.filter((_, j) => isJudged(j));
  if (judged.length < LEAST_NODES) return counts.map(() => TRUSTED);
  const m = Math.max(median(judged), LEAST_ERROR);
  const trust = counts.map((count, j): Trust => {
    if (!isJudged(j)) return TRUSTED;
    const limit = m + MARGIN + DEVIATIONS * Math.sqrt((m * (1 - m)) / count);
    return { isTrusted: shares[j] <= limit, error: shares[j], limit };
  });
  const left = trust.filter(({ isTrusted }) => isTrusted).length;
  return 2 * left < counts.length ? trust.map((each) => ({ ...each, isTrusted: true })) : trust;
}
