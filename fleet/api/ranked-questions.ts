import { FIRST_ASKED, SURE } from "../../host/training/first-asked.ts";
import { REMARK } from "../../src/node/ports.ts";
import type { LiveRow, Question } from "./api.ts";
import { deviation } from "./nearest-samples.ts";

/** Questions of a node that are offered at once. */
const QUESTIONS_MAX = 20;
/** An asked sample comes before all others: the rest of a score is at most 1.5. */
const ASKED = 2;
/** A sample is called unlike the labelled ones if its readings differ from each of theirs by so many standard deviations, in the mean square. */
const UNLIKE_FROM = 1;

/** True if the size of a decision says how sure it is: a class's number and an estimate don't. */
export function isScored(task: string | undefined): boolean {
  return task === "classification" || task === "novelty";
}

/** A sample that may be asked, with what makes its label worth having. */
interface Candidate {
  readonly row: LiveRow;
  readonly asked: boolean;
  /** True if its group's model decided, and was sure. */
  readonly sure: boolean;
  /** The sureness of the decision, in any unit; the same for all where nothing says it. */
  readonly sureness: number;
  /** Distance to the nearest sample that has a label, or that comes before it here. */
  distance: number;
}

/**
 * The samples to ask for, the most useful first: those that the node asks for, then unsure decisions and samples that are unlike all labelled
 * ones. Of samples that are much alike one comes early: to the others it counts as labelled. If its group's model judges a node that has few labels,
 * the samples come first where the model is surest, see `FIRST_ASKED`.
 *
 * @param labelled readings of labelled samples.
 * @param scored see `isScored`.
 */
export function rankedQuestions(
  samples: readonly { readonly row: LiveRow; readonly asked: boolean }[],
  labelled: readonly ArrayLike<number>[],
  scored: boolean,
): Question[] {
  const scales = measureScales(samples.map(({ row }) => rowReadings(row)));
  const far = (x: ArrayLike<number>) => (most: number, other: ArrayLike<number>) =>
    Math.min(most, distance(x, other, scales));
  let left: Candidate[] = samples.map(({ row, asked }) => ({
    ...{ row, asked, sure: isSure(row), sureness: scored ? Math.abs(row[3] ?? 0) : 0 },
    distance: labelled.reduce<number>(far(rowReadings(row)), Number.POSITIVE_INFINITY),
  }));
  const unsure = ranks(left, ({ sureness }) => -sureness);
  const found: Question[] = [];
  while (left.length > 0 && found.length < QUESTIONS_MAX) {
    const unlike = ranks(left, (each) => each.distance);
    const score = (each: Candidate) =>
      ASKED * Number(each.asked) + either(rank(unsure, each), rank(unlike, each));
    const surest = labelled.length + found.length < FIRST_ASKED ? left.filter(({ sure }) => sure) : [];
    const best = surest.length > 0 ? largest(surest, (each) => each.sureness) : largest(left, score);
    const { row, asked, distance } = best;
    found.push({
      ...{ row, asked, sure: surest.length > 0 },
      unlike: distance >= UNLIKE_FROM && Number.isFinite(distance),
    });
    left = left.filter((each) => each !== best);
    const taken = far(rowReadings(row));
    for (const each of left) each.distance = taken(each.distance, rowReadings(each.row));
  }
  return found;
}

function isSure([, , , decision, remarks]: LiveRow): boolean {
  return (remarks & REMARK.fleet) !== 0 && Math.abs(decision ?? 0) >= SURE;
}

function largest(all: readonly Candidate[], value: (each: Candidate) => number): Candidate {
  return all.reduce((a, b) => (value(b) > value(a) ? b : a));
}

/** One reason suffices; both are better. */
function either(a: number, b: number): number {
  return Math.max(a, b) + Math.min(a, b) / 2;
}

function rowReadings([, , , , , x]: LiveRow): readonly number[] {
  return x ?? [];
}

function rank(ranks: ReadonlyMap<Candidate, number>, each: Candidate): number {
  return ranks.get(each) ?? 0;
}

/** The share of the others that are below each, from 0 to 1; equal ones have the same. */
function ranks(
  all: readonly Candidate[],
  value: (each: Candidate) => number,
): ReadonlyMap<Candidate, number> {
  const sorted = [...all].sort((a, b) => (value(a) === value(b) ? 0 : value(a) - value(b)));
  const found = new Map<Candidate, number>();
  let first = 0;
  sorted.forEach((each, i) => {
    if (value(sorted[first]) !== value(each)) first = i;
    found.set(each, first / Math.max(1, all.length - 1));
  });
  return found;
}

/** The standard deviation of each reading; 1 where it never changes. */
function measureScales(xs: readonly (readonly number[])[]): readonly number[] {
  return (xs[0] ?? []).map((_, k) => deviation(xs.map((x) => x[k]).filter(Number.isFinite)) || 1);
}

/** The root mean square of the readings' differences in their scales. Of samples with other numbers of readings it is infinite. */
function distance(a: ArrayLike<number>, b: ArrayLike<number>, scales: readonly number[]): number {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY;
  let sum = 0;
  for (let k = 0; k < a.length; k++) {
    const difference = (a[k] - b[k]) / scales[k];
    if (!Number.isNaN(difference)) sum += difference ** 2; // a missing reading says nothing
  }
  return Math.sqrt(sum / (a.length || 1));
}
