import { Elementary } from "../../src/math/elementary.ts";
import type { Basis } from "./basis.ts";
import { Folds } from "./folds.ts";
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

/** The error of a node that is unlike its group, and the odds that a node is before it has labels. */
const UNLIKE_ERROR = 0.85;
const UNLIKE_ODDS = 0.1;
/** The most that the others are supposed to err. */
const MOST_ERROR = 0.45;

const TRUSTED: Trust = { isTrusted: true };

/** Which nodes' labels train the group's model, and which nodes its model fits. A model of other trusted nodes judges each node's labels. */
export class GroupTrust {
  private readonly elementary = new Elementary();
  readonly folds: Folds;
  private errors: readonly number[] = [];
  private counts: readonly number[] = [];
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
    this.counts = nodes.map(({ length }) => Math.min(JUDGED, length));
    this.trust = nodes.map(() => TRUSTED);
    for (let round = 0, trusted = 0; round < 2 && trusted < nodes.length; round++) {
      this.folds.train(basis, nodes, (j) => this.trust[j].isTrusted, each, nature);
      this.errors = nodes.map((lessons, j) => this.folds.countErrors(basis, j, lessons.slice(-JUDGED)));
      this.trust = trustBy(this.errors, this.counts);
      trusted = this.trust.filter(({ isTrusted }) => isTrusted).length;
    }
    return this.trust;
  }

  /**
   * The probability r / (1 + r) that a node is unlike its group, by the others' model's e errors on its n labels:
   *
   *     r = .1 (.85 / m)^e (.15 / (1 - m))^(n - e),   m = (1 + the others' errors) / (2 + their labels), .02 to .45
   *
   * A node without fellows is like its group.
   */
  unlikeness(basis: Basis, node: number, lessons: readonly Lesson[]): number {
    if (this.trust.length < 2) return 0;
    const own = lessons.slice(-JUDGED);
    const errors = this.folds.countErrors(basis, node, own);
    const m = this.errorBeside(node);
    const log = (ratio: number) => this.elementary.log(Math.fround(ratio));
    const ratio = errors * log(UNLIKE_ERROR / m) + (own.length - errors) * log((1 - UNLIKE_ERROR) / (1 - m));
    return 1 / (1 + this.elementary.exp(-ratio) / UNLIKE_ODDS);
  }

  /** The share of their labels on which the other trusted nodes err. */
  private errorBeside(node: number): number {
    const { counts, errors, trust } = this;
    const sum = (each: readonly number[]) =>
      each.reduce((all, one, j) => all + (j !== node && trust[j].isTrusted ? one : 0), 0);
    const share = (1 + sum(errors)) / (2 + sum(counts));
    return Math.min(MOST_ERROR, Math.max(LEAST_ERROR, share));
  }
}

/** The middle of sorted numbers, the upper one of two. */
function median(numbers: readonly number[]): number {
  return numbers.slice().sort((a, b) => a - b)[numbers.length >> 1];
}

function trustBy(errors: readonly number[], counts: readonly number[]): Trust[] {
  const shares = errors.map((count, j) => count / counts[j]);
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
