import type { Range } from "../../sweep/statistics/statistics.ts";
import type { PapersData } from "./data.ts";
import type { Summary } from "./summary.ts";
import type { Claim } from "./verdict.ts";

/** Points of a line or a cloud: `value[i]` over `at[i]`. */
export interface Curve {
  readonly at: readonly number[];
  readonly value: readonly number[];
}

/** Curves of one run, which grow a point at a time. */
export class GrowingCurves {
  readonly all: { [name: string]: { at: number[]; value: number[] } } = {};

  mark(name: string, at: number, value: number): void {
    this.all[name] ??= { at: [], value: [] };
    this.all[name].at.push(at);
    this.all[name].value.push(value);
  }

  /** The last value of each. */
  last(): { [name: string]: number } {
    const ends = Object.entries<Curve>(this.all).map(([name, { value }]) => [name, value.at(-1)]);
    return Object.fromEntries(ends);
  }
}

/**
 * What one Monte Carlo run measured: plain JSON, the same on every machine for a seed. A number that a run can't have
 * (nothing was found whose mean could be taken) is left out, and so never NaN.
 */
export interface RunMeasures {
  readonly numbers: { readonly [name: string]: number };
  /**
   * Curves of one name are averaged point by point over the runs where all runs have the same `at`; otherwise (an ROC, a
   * path) the first run's stands for all.
   */
  readonly curves?: { readonly [name: string]: Curve };
  /** Seconds of wall-clock time by name: reported as `timings`, apart from what repeats. */
  readonly timings?: { readonly [name: string]: number };
}

/** A figure as the paper prints it: a mean with or without its standard deviation, or words. */
export type PublishedFigure = number | { readonly mean: number; readonly deviation: number } | string;

/** One line of the printed table: a published figure beside ours. */
export interface Row {
  /** Key of `numbers` (or of `timings`). */
  readonly name: string;
  /** The figure's name, such as "QKRLS, test MSE". */
  readonly label: string;
  /** Absent where the paper doesn't print it (it draws a curve, or leaves it out). */
  readonly published?: PublishedFigure;
  /** Decimals printed. Default 4. */
  readonly digits?: number;
  /** A figure of the method that the paper introduces. Default: of one that it compares with. */
  readonly own?: boolean;
  /** More is better. Default: less is, as of errors and sizes. */
  readonly more?: boolean;
}

export interface Line {
  /** Key of `curves`. */
  readonly curve: string;
  /** In the legend. */
  readonly label: string;
  /** Default "line". */
  readonly as?: "line" | "points";
}

/** One figure, drawn with the paper's axes. */
export interface Figure {
  readonly title: string;
  /** What the axes show, with the unit. */
  readonly x: string;
  readonly y: string;
  /** Default: linear. */
  readonly logX?: boolean;
  readonly logY?: boolean;
  readonly lines: readonly Line[];
}

/** A row of a figure that the paper draws, and doesn't print. */
export function drawnRow(name: string, label: string, more: Omit<Row, "name" | "label"> = {}): Row {
  return { name, label, published: "drawn only", ...more };
}

/** A line of each method, of its curve `key/what`. */
export function eachLine(
  methods: readonly { readonly key: string; readonly label: string }[],
  what: string,
): Line[] {
  return methods.map(({ key, label }) => ({ curve: `${key}/${what}`, label }));
}

/** What an experiment finds; `judge` makes the verdict of it. */
export interface Findings {
  /** The paper's claims, beside its published figures, which `judge` tests. None: there is nothing to hold ours against. */
  readonly claims: readonly Claim[];
  /** What else is to be known: why something doesn't come out, as far as it was measured. */
  readonly note?: string;
}

/**
 * What became of the paper's result: `holds`, `partly`, `behind`, `fails`; `measured` where there is nothing to hold ours
 * against, or one run alone. The runner adds `not-run` where data are missing, and `unfinished` where it was interrupted: some of the runs
 * give no verdict.
 */
export interface Verdict {
  readonly outcome: "holds" | "partly" | "behind" | "fails" | "measured";
  /** In words: what comes out and what doesn't. One paragraph. */
  readonly text: string;
}

/**
 * One figure or table of a paper (or several that one run gives), rerun; or an experiment of this project's own. An experiment is a plain object, listed in
 * registry.ts. Its `run` is called on any thread, once a seed, and may keep nothing between calls.
 */
export interface Experiment {
  /** Paper first, in lower case with hyphens: "qkrls-tables-4-5". `--only qkrls` runs all that begin with "qkrls-". */
  readonly id: string;
  /** The method's and the paper's name as the report groups by: "QKRLS". */
  readonly paper: string;
  /** Figure or table first: "Tables IV and V: Mackey-Glass, test MSE and network size". */
  readonly title: string;
  /** Data, parameters, and how what the paper leaves open is read. One paragraph. */
  readonly setup: string;
  /** Monte Carlo runs unless --runs says otherwise. */
  readonly runs: number;
  /** Runs behind the published figures. Default: as many as `runs`. */
  readonly publishedRuns?: number;
  /** True where no seed changes the result: one run, whatever --runs says. */
  readonly once?: boolean;
  /** True where it reruns nothing that was published in a paper: counted apart. */
  readonly ours?: boolean;
  /** Files that it needs under --data, such as "letter/train.libsvm". Without them it isn't run, and says so. */
  readonly files?: readonly string[];
  /** Files, or folders of them, that it reads where they are under --data, and does without elsewhere. */
  readonly optional?: readonly string[];
  /** One Monte Carlo run. `seed` is 1 for the first run, 2 for the second, ... */
  run(seed: number, data: PapersData): RunMeasures | Promise<RunMeasures>;
  readonly rows: readonly Row[];
  readonly figures: readonly Figure[];
  /** The values that a number can have, which its interval stays within. Default: 0 and above. */
  figureRange?(name: string): Range;
  /** Curves over all runs, where averaging each run's isn't it: one mean against another. Added to the runs' own. */
  curves?(summary: Summary): { readonly [name: string]: Curve };
  verdict(summary: Summary): Findings;
}
