import { UnskippableError } from "../../host/streams/stream-error.ts";
import { fileWord, shellWord } from "../../host/terminal/command-line.ts";
import { detectDialect, rowsIn } from "./dialect.ts";

/** Lines that show whether a file is a table, and how many of them have as many fields as others. */
const LINES_MIN = 10;
const TABLE_SHARE = 0.5;
/** The fewest lines of a kind, by all. */
const KIND_SHARE = 0.1;

/**
 * Throws an UnskippableError for lines that are no table: most have another number of fields than the others. Where a word at their beginning says
 * of which kind each is, as NMEA's do, the remedy is a command that takes those of one kind.
 */
export function refuseNoTable(file: string, lines: readonly string[]): void {
  const rows = rowsIn(lines, detectDialect(lines));
  const [, count] = findMost(rows.map(({ length }) => length));
  if (rows.length < LINES_MIN || count >= TABLE_SHARE * rows.length) return;
  const kind = findKind(rows);
  const pattern = "--pattern finds the fields of such lines";
  const grep =
    kind && `grep ${shellWord(`^${kind.replace(/[$^.*[\]\\]/g, "\\$&")}`)} ${fileWord(file)} > NEW`;
  const right = grep ? `${grep} takes those that begin with ${kind}` : pattern;
  throw new UnskippableError(file, undefined, "lines of many kinds, which are no table", right);
}

/** The word with which most lines of one width begin; undefined where the words don't say the width. */
function findKind(rows: readonly (readonly string[])[]): string | undefined {
  const kinds = new Map<string, number[]>();
  for (const { 0: first = "", length } of rows) kinds.set(first, [...(kinds.get(first) ?? []), length]);
  const many = [...kinds].filter(([word, { length }]) => word !== "" && length >= KIND_SHARE * rows.length);
  const whole = many.filter(([, widths]) => widths[0] > 2 && widths.every((width) => width === widths[0]));
  return findMost(whole.flatMap(([word, widths]) => widths.map(() => word)))[0];
}

/** What comes most often, and how often. */
function findMost<T>(all: readonly T[]): readonly [T, number] {
  const counts = new Map<T, number>();
  for (const each of all) counts.set(each, (counts.get(each) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0] ?? [all[0], 0];
}
