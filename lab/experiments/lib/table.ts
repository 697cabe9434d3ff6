import type { Curve } from "./experiment.ts";
import type { PapersResult } from "./result.ts";

/** A row a figure that was measured, with the published one where there is one. No wall-clock time is among them. */
export function papersRows({ experiments }: PapersResult): Readonly<Record<string, unknown>>[] {
  return experiments.flatMap(({ id, paper, numbers, rows, verdict }) =>
    Object.entries(numbers).map(([name, { mean, deviation, runs, low, high }]) => {
      const row = rows.find((each) => each.name === name);
      const published = typeof row?.published === "object" ? row.published : { mean: row?.published };
      return {
        ...{ experiment: id, paper, name, label: row?.label },
        published: published.mean,
        "published.deviation": "deviation" in published ? published.deviation : undefined,
        ...{ mean, deviation: runs > 1 ? deviation : undefined, runs },
        standardError: runs > 1 ? deviation / Math.sqrt(runs) : undefined,
        ...{ low: low ?? undefined, high: high ?? undefined },
        verdict: verdict.outcome,
      };
    }),
  );
}

/** The experiments' curves, each the mean of its runs. */
export function papersCurves({
  experiments,
}: PapersResult): (Curve & { readonly of: Readonly<Record<string, unknown>> })[] {
  return experiments.flatMap(({ id, curves }) =>
    Object.entries(curves).map(([curve, { at, value }]) => ({ of: { experiment: id, curve }, at, value })),
  );
}
