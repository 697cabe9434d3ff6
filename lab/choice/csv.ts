import type { CsvCurve, CsvRow } from "../../host/files/csv-files.ts";
import { average } from "../../host/statistics.ts";
import { bestOfKinds, type Choice, type ChoiceResult } from "./result.ts";
import type { SearchResult } from "./search.ts";

function choicePlace({ learner, budget, options }: Choice, place: number): CsvRow {
  return { place: place + 1, learner, budget, options: JSON.stringify(options) };
}

/** A row a choice, best first. */
export function choiceRows({ choices, measure }: ChoiceResult): CsvRow[] {
  return choices.map((choice, place) => ({
    ...choicePlace(choice, place),
    [measure]: choice.loss?.mean,
    deviation: choice.passes > 1 ? choice.loss?.sd : undefined,
    standardError: choice.standardError,
    behindBest: choice.behindBest?.mean,
    "behindBest.standardError": choice.behindBest?.standardError,
    balancedAccuracy: choice.balancedAccuracy?.mean,
    "heldBack.frozen": choice.heldBack?.frozen.mean,
    "heldBack.learning": choice.heldBack?.learning.mean,
    features: JSON.stringify(choice.features),
    pending: choice.pending,
    ...{ rows: choice.rows, passes: choice.passes, bytes: choice.bytes, instructions: choice.instructions },
    supportVectors: choice.supportVectors?.mean,
    ...{ "front.bytes": choice.pareto.bytes, "front.instructions": choice.pareto.instructions },
    stateHash: choice.stateHash,
  }));
}

/** Each choice's loss over its samples, mean of its passes. */
export function choiceCurves({ choices, measure }: ChoiceResult, { entries }: SearchResult): CsvCurve[] {
  return bestOfKinds(entries).map(({ tried: { losses } }, place) => {
    const [{ counts }] = losses;
    let samples = 0;
    const at = Array.from(counts, (count) => {
      samples += count;
      return samples;
    });
    const value = at.map((_, i) => average(losses.map((each) => each.sums[i] / each.counts[i])));
    return { of: { ...choicePlace(choices[place], place), curve: measure }, at, value };
  });
}
