import { type MissingReport, missingText } from "../../host-sim/streams/missing.ts";

/** What a file's rows lack, and what was done about it, for people. */
export function missingLine({ how, ...tally }: MissingReport): string {
  return `missing, ${how}: ${missingText(tally)}`;
}
