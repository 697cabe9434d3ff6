import type { Dialect } from "./dialect.ts";

/** Begins the line of the names, among those that say how the log is written. */
const FIELDS = "#fields\t";

/**
 * The table of a log of Zeek's; undefined for another file.
 *
 * @see https://docs.zeek.org/en/master/log-formats.html
 */
export function zeekDialect(lines: readonly string[]): Dialect | undefined {
  const names = lines.find((line) => line.startsWith(FIELDS));
  if (names === undefined || !lines[0].startsWith("#separator")) return undefined;
  return { separator: "\t", comment: "#", header: false, names: names.slice(FIELDS.length).split("\t") };
}
