import type { Dialect } from "./dialect.ts";

/** Lines above the rows: the station, the names, the units, and how each value was made. */
const HEAD_LINES = 4;
/** What stands for a unit below the time and the record's number. */
const NO_UNITS = ["TS", "RN", ""];

/** A line's fields; a spreadsheet has written them without quotes. */
function fieldsIn(line: string): string[] {
  const fields = line.includes('"')
    ? [...line.matchAll(/"([^"]*)"/g)].map(([, field]) => field)
    : line.split(",");
  return fields.map((field) => field.trim());
}

/**
 * The table of Campbell Scientific's TOA5; undefined for another file.
 *
 * @see https://help.campbellsci.com/loggernet-manual/ln_manual/campbell_scientific_file_formats/toa5.htm
 */
export function toa5Dialect(lines: readonly string[]): Dialect | undefined {
  const [station, names, units] = lines.slice(0, HEAD_LINES).map(fieldsIn);
  if (station?.[0] !== "TOA5" || names?.length !== units?.length) return undefined;
  const named = names.map((name, at) => (NO_UNITS.includes(units[at]) ? name : `${name} [${units[at]}]`));
  return { skipLines: HEAD_LINES, separator: ",", header: false, names: named };
}
