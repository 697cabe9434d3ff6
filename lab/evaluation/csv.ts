import type { CsvCurve, CsvRow } from "../../host/files/csv-files.ts";
import type { MissingReport } from "../../host/streams/missing.ts";
import { CurveRecorder } from "../../host-sim/scoring/curve.ts";
import type { Evaluation } from "./evaluation.ts";
import type { PassWatch } from "./one-pass.ts";

/** Points of a curve, about. */
const POINTS = 100;

/** Each pass's prequential error over time: the mean since the last point. */
export class PassCurves {
  private readonly curves: CurveRecorder[] = [];
  private readonly stride: number;

  constructor(samples: number) {
    this.stride = Math.max(1, Math.floor(samples / POINTS));
  }

  /** Called with the losses of a pass. */
  watch(pass: number): PassWatch {
    const curve = new CurveRecorder(this.stride);
    this.curves[pass] = curve;
    return {
      scored(place, loss) {
        curve.add(loss);
        curve.close(place + 1);
      },
    };
  }

  all({ learner, task, repeats }: Evaluation): CsvCurve[] {
    const curve = task === "regression" ? "mse" : "error";
    return this.curves.map(({ at, value }, pass) => ({
      ...{ of: { learner, pass, seed: repeats[pass].seed, curve }, at, value },
    }));
  }
}

function missingColumns(of: string, report: MissingReport | undefined): CsvRow {
  const columns = Object.entries(report ?? {}).map(([name, value]) => [`${of}.missing.${name}`, value]);
  return Object.fromEntries(columns);
}

/** The share of each class's samples that was found, mean of the passes. */
function recallCells(result: Evaluation): CsvRow {
  if ("testMse" in result) return {};
  const cells = (of: string, recalls: typeof result.cumulativeRecalls) =>
    recalls.map(({ label, recall }) => [`${of}.${label}`, recall?.mean]);
  return Object.fromEntries([
    ...cells("recall", result.cumulativeRecalls),
    ...cells("testRecall", result.testRecalls ?? []),
  ]);
}

/** A row a pass. */
export function evaluatedRows(result: Evaluation): CsvRow[] {
  const { learner, task, options, train, test, bytes } = result;
  return result.repeats.map(({ widths, bounds, counters, stateHash, ...figures }, pass) => ({
    ...{ learner, task, options: JSON.stringify(options), train: train.file, samples: train.count },
    ...missingColumns("train", train.missing),
    ...(test && { test: test.file, testSamples: test.count, ...missingColumns("test", test.missing) }),
    ...{ pass, ...figures, bytes, widths: JSON.stringify(widths), bounds: JSON.stringify(bounds) },
    ...Object.fromEntries(Object.entries(counters).map(([name, count]) => [`counters.${name}`, count])),
    ...recallCells(result),
    stateHash,
  }));
}
