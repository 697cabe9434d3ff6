import { type MissingReport, missingText } from "../../host-sim/streams/missing.ts";

/** The rows without a label, for people. */
export function unlabelledLine(rows: number): string {
  return `${rows} ${rows === 1 ? "row" : "rows"} without a label: predicted, and not scored`;
}

/** The readings that a file's rows lack, and how they were handled, for people. */
export function missingLine({ how, ...tally }: MissingReport): string {
  return `missing, ${how}: ${missingText(tally)}`;
}
