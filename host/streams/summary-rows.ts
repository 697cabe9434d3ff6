import { beginsNumber } from "./numbers.ts";

/** What begins a row below a table that sums it up, as loggers and spreadsheets write it. */
const SUMMARY =
  /^(min|max|avg|std|stdev|mean|median|average|minimum|maximum|sum|total|totals|summary|mittel|mittelwert|durchschnitt|summe|gesamt|moyenne|somme|media|promedio|suma)\.?:?$/i;

/** True for a row whose first filled field is such a word, where the row before it has a number, a date or a time. */
export function isSummary(fields: readonly string[], before: readonly string[]): boolean {
  const at = fields.findIndex((field) => field.trim() !== "");
  return at >= 0 && SUMMARY.test(fields[at].trim()) && beginsNumber(before[at] ?? "");
}
