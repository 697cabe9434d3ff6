import type { DataSet } from "../../host/streams/table.ts";
import { isContinuous } from "../../host/streams/targets.ts";
import type { ChoiceTask } from "./candidates.ts";

/** What the labels are for: words and a few whole numbers are classes, other numbers are to be estimated. */
export function guessTask(data: DataSet): ChoiceTask {
  return data.classes || !isContinuous(data) ? "classification" : "regression";
}
