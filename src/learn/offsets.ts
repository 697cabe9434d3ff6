import { withFalseAlarms } from "./false-alarms.ts";
import type { Family } from "./family.ts";
import { withResidual } from "./residual.ts";

/** The families with the options of both learners around another: regressions with `residual`, novelty detectors with `falseAlarms`. */
export function withOffsets(families: readonly Family[]): readonly Family[] {
  return withFalseAlarms(withResidual(families));
}
