import type { Learner } from "../../src/learn/learner.ts";
import { OneVsAll } from "../../src/learn/one-vs-all.ts";
import { findProbe } from "../../src/learn/terms.ts";

/**
 * A kernel width that a learner found, and how many of its first inputs gave the first one. `sigma` is null before
 * that.
 */
export interface FoundWidth {
  readonly sigma: number | null;
  readonly inputs: number;
  /** sigma in median distances between inputs, less where labels narrowed it. */
  readonly medians: number;
}

/**
 * The widths that the learner finds from its first inputs: one, or one a class; none if the width is given,
 * or there is no kernel.
 */
export function foundWidths(learner: Learner): FoundWidth[] {
  if (learner instanceof OneVsAll) return learner.learners.flatMap(foundWidths);
  const probe = findProbe(learner);
  return probe ? [{ sigma: probe.width || null, inputs: probe.inputs, medians: probe.share }] : [];
}

const DIGITS = 3;

/** The least and the largest of some numbers. */
export function rangeText(values: readonly number[]): string {
  const rounded = values.map((value) => Number(value.toPrecision(DIGITS)));
  const [least, most] = [Math.min(...rounded), Math.max(...rounded)];
  return least === most ? `${least}` : `${least} to ${most}`;
}

/** So many times a thing, in words before its name. */
function share(times: number): string {
  if (times === 1) return "the";
  if (times === 0.5) return "half the";
  return times === 0.25 ? "a quarter of the" : `${Number(times.toPrecision(DIGITS))} times the`;
}

/** The same for one or several classes' widths: "half the", or "0.25 to 0.5 times the". */
function shares(widths: readonly FoundWidth[]): string {
  const medians = widths.filter(({ sigma }) => sigma).map(({ medians }) => medians);
  const [least, most] = [Math.min(...medians), Math.max(...medians)];
  return least === most ? share(least) : `${rangeText(medians)} times the`;
}

/** The widths in words; undefined for a learner that finds none. */
export function widthText(widths: readonly FoundWidth[]): string | undefined {
  if (widths.length === 0) return undefined;
  const found = widths.flatMap(({ sigma }) => sigma ?? []);
  if (found.length === 0) return "not found: too few different inputs, or all of one class";
  const classes = found.length < widths.length ? ` for ${found.length} of ${widths.length} classes` : "";
  return `${rangeText(found)}${classes}, ${shares(widths)} inputs' median distance`;
}
