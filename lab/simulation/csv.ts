import type { CsvCurve, CsvRow } from "../../host/files/csv-files.ts";
import { nodeRow } from "../../host-sim/runs/rows.ts";
import type { LearnerResult, SimulateResult } from "../../host-sim/scoring/result.ts";

function resultPlace({ scenario, seed }: SimulateResult, { task, kind, name }: LearnerResult): CsvRow {
  return { scenario, seed, task, kind, learner: name };
}

/** A row a learner and node, in the columns of a sweep's table. */
export function simulatedRows(result: SimulateResult): CsvRow[] {
  return result.nodes.flatMap(({ node, learners }) =>
    learners.map((each) => ({ ...resultPlace(result, each), ...nodeRow(node, each) })),
  );
}

/** Each learner's curves on each node. */
export function simulatedCurves(result: SimulateResult): CsvCurve[] {
  return result.nodes.flatMap(({ node, learners }) =>
    learners.flatMap((each) =>
      Object.entries(each.curves).map(([curve, { at, value }]) => ({
        ...{ of: { ...resultPlace(result, each), node, curve }, at, value },
      })),
    ),
  );
}
