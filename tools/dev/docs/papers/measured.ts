import { readFileSync } from "node:fs";
import type { PapersResult } from "../../../../experiments/lib/result.ts";
import type { Statistic } from "../../../../experiments/lib/summary.ts";

/** Where the figures that the pages show are kept: what `papers --json` printed, without curves and words. */
export const MEASURED_FILE = "experiments/measured.json";

type Figure = Pick<Statistic, "mean" | "low" | "high">;

/** An experiment's verdict and its figures. */
export interface Measured {
  readonly runs: number;
  readonly outcome: PapersResult["experiments"][number]["verdict"]["outcome"];
  readonly figures: { readonly [name: string]: Figure };
}

export type MeasuredExperiments = { readonly [id: string]: Measured };

/** Six significant digits, which every table rounds further. */
const rounded = (value: number | null) => (value === null ? null : Number(value.toPrecision(6)));

/** What of a result is kept. */
export function keptOf({ experiments }: Pick<PapersResult, "experiments">): MeasuredExperiments {
  return Object.fromEntries(
    experiments.map(({ id, runs, verdict, rows }) => {
      const figures = rows.flatMap(({ name, ours }): [string, Figure][] =>
        ours
          ? [[name, { mean: rounded(ours.mean) as number, low: rounded(ours.low), high: rounded(ours.high) }]]
          : [],
      );
      return [id, { runs, outcome: verdict.outcome, figures: Object.fromEntries(figures) }];
    }),
  );
}

/** The figures that are kept. */
export function readMeasured(): MeasuredExperiments {
  return JSON.parse(readFileSync(MEASURED_FILE, "utf8"));
}
