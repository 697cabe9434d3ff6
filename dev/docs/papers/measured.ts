import { readFileSync } from "node:fs";
import type { PapersResult } from "../../../lab/experiments/lib/result.ts";
import type { Statistic } from "../../../lab/experiments/lib/summary.ts";

/** Where the figures that the pages show are kept: what `papers --json` printed, without curves. */
export const MEASURED_FILE = "lab/experiments/measured.json";

/** A figure over the runs, with its 95 % interval. */
export type Figure = Pick<Statistic, "mean" | "low" | "high">;

/** An experiment's verdict and its figures. */
interface ExperimentRecord {
  readonly runs: number;
  readonly outcome: PapersResult["experiments"][number]["verdict"]["outcome"];
  /** The verdict in words, unless it holds or wasn't run. */
  readonly text?: string;
  readonly figures: { readonly [name: string]: Figure };
}

export type MeasuredExperiments = { readonly [id: string]: ExperimentRecord };

/** Six significant digits, which every table rounds further. */
const round = (value: number | null) => (value === null ? null : Number(value.toPrecision(6)));

export function keepMeasured({ experiments }: Pick<PapersResult, "experiments">): MeasuredExperiments {
  return Object.fromEntries(
    experiments.map(({ id, runs, verdict, rows }) => {
      const figures = rows.flatMap(({ name, ours }): [string, Figure][] =>
        ours
          ? [[name, { mean: round(ours.mean) as number, low: round(ours.low), high: round(ours.high) }]]
          : [],
      );
      const text = runs > 0 && verdict.outcome !== "holds" ? { text: verdict.text } : {};
      return [id, { runs, outcome: verdict.outcome, ...text, figures: Object.fromEntries(figures) }];
    }),
  );
}

/** The file's text: a line a figure, as the formatter of this clone has it. */
export function measuredText(measured: MeasuredExperiments): string {
  const figure = /\{\s+"mean": ([^,]+),\s+"low": ([^,]+),\s+"high": (\S+)\s+\}/g;
  const text = JSON.stringify(measured, null, 2).replaceAll(figure, '{ "mean": $1, "low": $2, "high": $3 }');
  return `${text}\n`;
}

/** The figures that are kept. */
export function readMeasured(): MeasuredExperiments {
  return JSON.parse(readFileSync(MEASURED_FILE, "utf8"));
}
