import { type MissingReport, missingText } from "../../host-sim/streams/missing.ts";

/** The readings that a file's rows lack, and how they were handled, for people. */
export function missingLine({ how, ...tally }: MissingReport): string {
  return `missing, ${how}: ${missingText(tally)}`;
}
