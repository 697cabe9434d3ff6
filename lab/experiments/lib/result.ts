import { countText } from "../../../host/count-text.ts";
import type { PapersData } from "./data.ts";
import type { Curve, Experiment, PublishedFigure, Row, Verdict } from "./experiment.ts";
import { missingFiles, type Outcome } from "./run.ts";
import { intervalText, type Statistic } from "./summary.ts";
import { judge } from "./verdict.ts";

/** One line of a table: the published figure, and ours unless it wasn't run. */
interface RowResult extends Row {
  readonly ours?: Statistic;
}

export interface ExperimentResult extends Pick<Experiment, "id" | "paper" | "title" | "setup" | "figures"> {
  /** True where it reruns nothing that was published in a paper. */
  readonly ours: boolean;
  /** 0: not run. */
  readonly runs: number;
  /** More than `runs` where it was interrupted; 0 where data are missing. */
  readonly planned: number;
  readonly rows: readonly RowResult[];
  readonly curves: { readonly [name: string]: Curve };
  /** All that was measured, rows included. */
  readonly numbers: { readonly [name: string]: Statistic };
  readonly verdict: {
    readonly outcome: Verdict["outcome"] | "unfinished" | "not-run";
    readonly text: string;
  };
}

/** Verdicts in words. */
export const OUTCOMES: { readonly [outcome in ExperimentResult["verdict"]["outcome"]]: string } = {
  holds: "holds",
  partly: "holds in part",
  behind: "behind",
  fails: "doesn't hold",
  measured: "measured",
  unfinished: "not finished",
  "not-run": "not run",
};

/** What `motelearn papers --json` prints. All but `timing` is the same for the same runs and data. */
export interface PapersResult {
  readonly schema: "motelearn.papers/1";
  readonly experiments: readonly ExperimentResult[];
  /** Wall-clock time: of the whole, and what experiments measured of it, `timings[id][name]`. */
  readonly timing: {
    readonly seconds: number;
    readonly threads: number;
    readonly experiments: { readonly [id: string]: { readonly [name: string]: Statistic } };
  };
}

/** The published figure as it is printed: "0.0227 ± 0.0059". */
export function publishedText(published: PublishedFigure | undefined, digits: number): string {
  if (published === undefined) return "";
  if (typeof published === "string") return published;
  if (typeof published === "number") return published.toFixed(digits);
  return `${published.mean.toFixed(digits)} ± ${published.deviation.toFixed(digits)}`;
}

/** "20", or "2 of 20" where it was interrupted. */
export function runsText({ runs, planned }: Pick<ExperimentResult, "runs" | "planned">): string {
  return runs < planned ? `${runs} of ${planned}` : String(runs);
}

/** Heads of an experiment's figures: of each the published one, and ours as it is printed beside it. */
export const FIGURE_HEADS = ["", "published", "ours", "95 % of the mean"];

/** A row a figure; one run has neither deviation nor interval. */
export function figureRows({ id, rows }: ExperimentResult, { timing }: PapersResult): string[][] {
  const timings = timing.experiments[id] ?? {};
  return rows.map(({ name, label, published, digits = 4, ours = timings[name] }) => [
    label,
    publishedText(published, digits),
    ours ? publishedText(ours.runs > 1 ? ours : ours.mean, digits) : "",
    ours ? intervalText(ours, digits) : "",
  ]);
}

/** Those without any run, by the reason. */
export function notRun({ experiments }: PapersResult) {
  const reasons = { unfinished: "Not finished", "not-run": "Not run" };
  return Object.entries(reasons).map(([outcome, heading]) => {
    const without = experiments.filter(({ runs, verdict }) => runs === 0 && verdict.outcome === outcome);
    return { heading, lines: without.map(({ id, verdict }) => `${id}: ${verdict.text}`) };
  });
}

/** "12.3 s on 2 threads" */
export function timeText({ timing: { seconds, threads } }: PapersResult): string {
  return `${seconds.toFixed(1)} s on ${countText(threads, "thread")}`;
}

export function assembleResult(
  outcomes: readonly Outcome[],
  data: PapersData,
  seconds: number,
  threads: number,
): PapersResult {
  const timed = outcomes.filter(({ summary }) => summary && Object.keys(summary.timings).length > 0);
  return {
    schema: "motelearn.papers/1",
    experiments: outcomes.map((outcome) => experimentResult(outcome, data)),
    timing: {
      seconds,
      threads,
      experiments: Object.fromEntries(
        timed.map(({ experiment, summary }) => [experiment.id, summary?.timings ?? {}]),
      ),
    },
  };
}

function whyNot({ experiment, planned }: Outcome, data: PapersData): string {
  if (planned > 0) return "interrupted before its first run was done";
  return data.lacking(missingFiles(experiment, data));
}

function experimentResult(outcome: Outcome, data: PapersData): ExperimentResult {
  const { experiment, summary } = outcome;
  const { id, paper, ours = false, title, setup, rows, figures } = experiment;
  if (!summary) {
    const kind = outcome.planned > 0 ? ("unfinished" as const) : ("not-run" as const);
    const verdict = { outcome: kind, text: whyNot(outcome, data) };
    const none = { runs: 0, planned: outcome.planned, figures: [], curves: {}, numbers: {} };
    return { id, paper, ours, title, setup, rows, ...none, verdict };
  }
  const { numbers, curves, runs } = summary;
  const { outcome: found, text } = judge(experiment, summary);
  const unfinished = runs < outcome.planned;
  return {
    id,
    paper,
    ours,
    title,
    setup,
    runs,
    planned: outcome.planned,
    rows: rows.map((row) => ({
      ...row,
      ...(summary.has(row.name) && { ours: summary.statistic(row.name) }),
    })),
    figures,
    curves: { ...curves, ...experiment.curves?.(summary) },
    numbers,
    verdict: {
      outcome: unfinished ? "unfinished" : found,
      text: unfinished ? `Interrupted after ${runs} of ${outcome.planned} runs. ${text}` : text,
    },
  };
}

/** How often each verdict, in words, is among these. */
export function countOutcomes(outcomes: readonly string[]): (readonly [word: string, count: number])[] {
  return Object.entries(OUTCOMES).flatMap(([outcome, word]) => {
    const { length } = outcomes.filter((each) => each === outcome);
    return length > 0 ? [[word, length] as const] : [];
  });
}

/** "holds 12, behind 3": how many experiments of these have each verdict. */
function verdictCounts(experiments: readonly ExperimentResult[]): string {
  const counts = countOutcomes(experiments.map(({ verdict }) => verdict.outcome));
  return counts.map((counted) => counted.join(" ")).join(", ") || "none";
}

/** The verdicts counted: of published experiments, and apart from them of this project's own. */
export function totalsText({ experiments }: Pick<PapersResult, "experiments">): string {
  const own = experiments.filter(({ ours }) => ours);
  const published = experiments.filter(({ ours }) => !ours);
  return [
    ...(published.length > 0 ? [`Published experiments: ${verdictCounts(published)}`] : []),
    ...(own.length > 0 ? [`This project's own: ${verdictCounts(own)}`] : []),
  ].join("\n");
}
