import { errorsByFold } from "./folds.ts";
import type { Lesson, ModelForm } from "./model.ts";

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
const EFFORT = { passes: 5, steps: 1500 };
/** The least error that a group is supposed to have, and how far beyond it a node may err. */
const LEAST_ERROR = 0.02;
const MARGIN = 0.08;
const DEVIATIONS = 2;

const TRUSTED: Trust = { isTrusted: true };

/**
 * Which nodes' labels train the group's model. A model of other trusted nodes judges each node's labels; a node is left out that errs more than
 *
 *     m + .08 + 2 sqrt(m (1 - m) / n),   m = max(median error, .02), n its labels that were judged
 *
 * This is done twice, the second time without those left out. Where less than half of the nodes would be left, no majority agrees, and all are
 * trusted.
 *
 * @param learned the last lessons of each node that these models learn
 */
export function trustOf(
  form: ModelForm,
  nodes: readonly (readonly Lesson[])[],
  seed: string,
  learned: number,
): Trust[] {
  if (nodes.filter(isJudged).length < LEAST_NODES) return nodes.map(() => TRUSTED);
  const sizes = { ...EFFORT, learned, judged: JUDGED };
  const round = (before: readonly Trust[]) => {
    const errors = errorsByFold(form, nodes, (j) => before[j].isTrusted, seed, sizes);
    return judgedBy(nodes, errors);
  };
  return round(round(nodes.map(() => TRUSTED)));
}

function isJudged(lessons: readonly Lesson[]): boolean {
  return lessons.length >= LEAST_LABELS;
}

/** The middle of sorted numbers, the upper one of two. */
function median(numbers: readonly number[]): number {
  return numbers.slice().sort((a, b) => a - b)[numbers.length >> 1];
}

function judgedBy(nodes: readonly (readonly Lesson[])[], errors: readonly number[]): Trust[] {
  const counts = nodes.map(({ length }) => Math.min(JUDGED, length));
  const shares = errors.map((count, j) => count / counts[j]);
  const m = Math.max(median(shares.filter((_, j) => isJudged(nodes[j]))), LEAST_ERROR);
  const trust = nodes.map((lessons, j): Trust => {
    if (!isJudged(lessons)) return TRUSTED;
    const limit = m + MARGIN + DEVIATIONS * Math.sqrt((m * (1 - m)) / counts[j]);
    return { isTrusted: shares[j] <= limit, error: shares[j], limit };
  });
  const left = trust.filter(({ isTrusted }) => isTrusted).length;
  return 2 * left < nodes.length ? trust.map((each) => ({ ...each, isTrusted: true })) : trust;
}
