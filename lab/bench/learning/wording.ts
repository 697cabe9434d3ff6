import { countText } from "../../../host/count-text.ts";
import type { MeanWithError } from "../../sweep/statistics/statistics.ts";
import { flipsText, ONE_CLASS_RATE } from "./conditions.ts";
import type { Goal } from "./goals.ts";
import type { Cell } from "./plan.ts";
import {
  type BenchResult,
  type BytesRange,
  type ErrorsBy,
  type Summary,
  WITHIN_MORE,
  WITHIN_TIMES,
} from "./result.ts";

/** Per cent of wrong classes. */
export function errorText(error: number): string {
  return (100 * error).toFixed(2);
}

export function estimateText({ mean, standardError }: MeanWithError): string {
  return standardError === null ? errorText(mean) : `${errorText(mean)} ± ${errorText(standardError)}`;
}

/** One column of the table of learners; `doc` explains the heading. */
export interface Column {
  readonly group: string;
  readonly head: string;
  readonly doc: string;
  readonly cell: (summary: Summary) => string;
}

/** The group of columns over all cells. */
export const OVER_ALL = "over all cells";

function conditionColumns<Key extends keyof Summary["by"]>(
  group: Key,
  values: readonly Cell[Key][],
  headText: (value: Cell[Key]) => string,
  doc: string,
): Column[] {
  const errorAt = ({ by }: Summary, value: Cell[Key]) => {
    const found = (by[group] as ErrorsBy<Key>).find((each: Pick<Cell, Key>) => each[group] === value);
    return found ? errorText(found.error) : "";
  };
  return values.map((value) => ({
    ...{ group, head: headText(value), doc, cell: (summary) => errorAt(summary, value) },
  }));
}

/** "312" or "312..980"; "" where there are none. */
export function bytesText(bytes: BytesRange | null): string {
  return bytes ? [...new Set([bytes.least, bytes.most])].join("..") : "";
}

const OVERALL: readonly Omit<Column, "group">[] = [
  {
    head: "bytes",
    doc: "of the learner, on the narrowest and on the widest set",
    cell: ({ bytes }) => bytesText(bytes),
  },
  {
    head: "error, %",
    doc: "mean over the cells, ± its standard error over seeds",
    cell: ({ error }) => estimateText(error),
  },
  {
    head: "bal. acc., %",
    doc: "balanced accuracy, the mean over the classes of the share found: mean over the cells",
    cell: ({ balancedAccuracy }) => (balancedAccuracy === null ? "" : errorText(balancedAccuracy)),
  },
  {
    head: "regret",
    doc: "points more than the best of each cell in hindsight, on average",
    cell: ({ regret }) => errorText(regret),
  },
  {
    head: "within",
    doc: `share of cells in which it errs at most ${WITHIN_TIMES} times as often as the best, + ${100 * WITHIN_MORE} point`,
    cell: ({ within }) => `${(100 * within).toFixed(0)} %`,
  },
  {
    head: "worst",
    doc: "points beyond that where it errs most",
    cell: ({ worst }) => errorText(worst),
  },
  {
    head: "> last",
    doc: `cells in which it errs more than the last label received, + ${100 * WITHIN_MORE} point`,
    cell: ({ beyondLast }) => `${beyondLast}`,
  },
];

/** The columns of the table of learners: over all cells, then over each condition's cells. */
export function makeColumns({ flips, delays, orders }: BenchResult): Column[] {
  return [
    ...OVERALL.map((column) => ({ ...column, group: OVER_ALL })),
    ...conditionColumns("flips", flips, flipsText, "mean error, %, where so many labels are wrong"),
    ...conditionColumns("delay", delays, String, "mean error, %, where labels come so many samples late"),
    ...conditionColumns("order", orders, String, "mean error, %, of the sets in that order"),
  ];
}

/** The summaries of a budget, least error first. */
export function rankLearners({ summary }: BenchResult, budget: number): Summary[] {
  return summary.filter((each) => each.budget === budget).sort((a, b) => a.error.mean - b.error.mean);
}

const SCALES = {
  node: "standardised as a node does",
  none: "as they are",
  standard: "standardised by the whole file",
  minmax: "scaled to -1..1 by the whole file",
};

/** Where labels stop. */
export const untilText = (until?: number) =>
  until === undefined
    ? ""
    : `; no labels after the first ${Number((100 * until).toFixed(2))} % of the samples, only the others scored`;

export function setupLines(result: BenchResult): string[] {
  const { sets, budgets, delays, flips, orders, seeds, rows } = result;
  const { loss, prefix, until, scale, runs, cells, leftOut } = result;
  const flipped = flips.map(flipsText).join(", ");
  const lines = [
    `${countText(sets.length, "set")} of at most ${rows} rows x budget ${budgets.join(", ")} x delay ${delays.join(", ")} x flips ${flipped} x ${orders.join(", ")}; ${countText(seeds, "seed")}; ${100 * loss} % of labels lost${untilText(until)}`,
    `readings ${SCALES[scale]}; each sample predicted before its label comes, scored against the truth; the first ${prefix} aren't scored: on their inputs the width of a Gaussian kernel is chosen whose learner has no default from the data, half the median distance`,
    `"one class": ${100 * ONE_CLASS_RATE} % of the labels of the last class are wrong, the others right; majority, last: of the labels received`,
  ];
  if (runs.done < runs.planned)
    lines.push(
      `${runs.done} of ${runs.planned} runs are done; ${cells.length} cells have every entrant with one seed at least`,
    );
  for (const { of, why } of leftOut) lines.push(`left out: ${of}: ${why}`);
  return lines;
}

const MARKS = { true: "met", false: "not met", null: "not run" } as const;

export function metText({ met }: Goal): string {
  return MARKS[`${met}`];
}

/** The goals' figures, or the runs that are missing. */
export function figureText({ figure, lacks }: Goal): string {
  return figure ?? `needs ${lacks}`;
}
