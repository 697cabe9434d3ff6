import type { BadRows } from "../bad-rows.ts";
import { excerpt, StreamError } from "../stream-error.ts";
import type { TextSource } from "../text.ts";
import { lineRows, type NamedRows } from "./named-row.ts";

/** What a pattern is, for messages. */
export const PATTERN_NEEDED = "a regular expression with named groups, such as ^(?<time>\\S+) (?<temp>\\S+)$";

/** True for a regular expression that names what it finds. */
export function isPattern(text: string): boolean {
  try {
    return text.includes("(?<") && Object.keys(new RegExp(`${text}|`).exec("")?.groups ?? {}).length > 0;
  } catch {
    return false;
  }
}

/** What a pattern finds in a line, by the names of its groups; undefined for another line. */
export function matchLine(pattern: RegExp, line: string): ReadonlyMap<string, string> | undefined {
  const groups = pattern.exec(line)?.groups;
  return groups && new Map(Object.entries(groups).map(([name, text = ""]) => [name, text]));
}

/** Rows of lines in which a pattern finds the fields. A line that it doesn't match is none, and is counted. Throws a StreamError if it matches none. */
export async function* patternRows(
  text: TextSource,
  pattern: string | undefined,
  badRows: BadRows,
): NamedRows {
  if (pattern === undefined) throw new StreamError(text.file, undefined, "no pattern", PATTERN_NEEDED);
  const form = new RegExp(pattern);
  let isNone = true;
  yield* lineRows(text, badRows, (each, line) => {
    const row = each.replace(/\r$/, "");
    if (row.trim() === "") return undefined;
    const fields = matchLine(form, row);
    if (fields) {
      isNone = false;
      return { line, fields };
    }
    badRows.leaveOut(line, `${excerpt(row)} doesn't match the pattern`);
    return undefined;
  });
  if (isNone) throw new StreamError(text.file, undefined, `no line matches ${pattern}`, "one or more must");
}
