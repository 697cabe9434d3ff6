import { distinctLabels } from "../../host/streams/class-names.ts";
import type { DataSet } from "../../host/streams/table.ts";
import type { ChoiceTask } from "./candidates.ts";

/** Numbers that are whole and not more than this many mean classes. */
const CLASSES_MOST = 32;

/** What the labels are for: words and a few whole numbers are classes, other numbers are to be estimated. */
export function guessTask({ labels, labelNames, classes }: DataSet): ChoiceTask {
  if (labelNames || classes) return "classification";
  const values = distinctLabels(labels);
  const few = values.length <= CLASSES_MOST && values.length < labels.length;
  return few && values.every((value) => Number.isInteger(value)) ? "classification" : "regression";
}
