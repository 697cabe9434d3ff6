import { isClock } from "../../host/streams/time-text.ts";
import { isDate } from "./joined-time.ts";

type Fields = readonly string[];

/** The name of a time, or of a part of it. */
const TIMED = /time|date|zeit|datum|uhr|hora|fecha|heure/i;

/**
 * The names of columns between blanks, where one stands above a date and the time of its day, as pandas and a database's shell print them; the rows'
 * numbers, or an index of dates, may have none. Also the place of the first row. Undefined for other heads.
 */
export function namesOverDates(
  rows: readonly Fields[],
  isWord: (cell: string) => boolean,
): { readonly names: string[]; readonly end: number } | undefined {
  const clockAt = (fields: Fields) =>
    fields.findIndex((cell, at) => at > 0 && isClock(cell) && isDate(fields[at - 1]));
  const end = rows.findIndex((fields) => clockAt(fields) > 0);
  // A line drawn below the names is one word.
  const head =
    rows
      .slice(Math.max(end - 2, 0), Math.max(end, 0))
      .filter(({ length }) => length > 1)
      .at(-1) ?? [];
  const sample = rows[end] ?? [];
  const clock = clockAt(sample);
  const lacking = sample.length - head.length;
  const hasBoth = head.filter((name) => TIMED.test(name)).length > 1;
  if (!head.every(isWord) || hasBoth || lacking < 1 || lacking > 2) return undefined;
  const named = lacking === 2 ? ["", ...head] : head;
  const date = named[clock - 1] ?? "";
  const names = [...named.slice(0, clock), date && `${date} clock`, ...named.slice(clock)];
  return { names: names.map((name, at) => name || `column ${at + 1}`), end };
}
