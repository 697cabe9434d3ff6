import { groupBy } from "../../host/group-by.ts";
import { UnskippableError } from "../../host/streams/stream-error.ts";
import { fileWord, shellWord } from "../../host/terminal/command-line.ts";
import { detectDialect, rowsIn } from "./dialect.ts";

/** Lines that show whether a file is a table, and how many of them have as many fields as others. */
const LINES_MIN = 10;
const TABLE_SHARE = 0.5;
/** The fewest lines of a kind, by all. */
const KIND_SHARE = 0.1;

/** A quote that begins or ends no field, as JSON within a line has. */
const QUOTE_WITHIN = /[^\s,;|"]"[^\s,;|"]/;

/**
 * Throws an UnskippableError for lines that are no table: most have another number of fields than the others. If each line begins with
 * the name of its kind, as NMEA's do, the remedy is a command that takes the lines of one kind.
 */
export function refuseNoTable(file: string, lines: readonly string[]): void {
  const rows = rowsIn(lines, detectDialect(lines));
  const widths = groupBy(rows, ({ length }) => length);
  const [[usual, of] = [0, []]] = [...widths].sort(([, a], [, b]) => b.length - a.length);
  const isTable = of.length >= TABLE_SHARE * rows.length && (usual > 1 || widths.size === 1);
  const areQuoted = 2 * lines.filter((line) => QUOTE_WITHIN.test(line)).length > lines.length;
  const kinds = rows.length < LINES_MIN ? [] : findKinds(rows);
  const haveWidths = new Set(kinds.map(({ width }) => width)).size > 1;
  if (rows.length < LINES_MIN || (isTable && !areQuoted && !haveWidths)) return;
  const listed =
    kinds.length > 1
      ? `those of one kind, of ${kinds.map(({ word }) => word).join(", ")}`
      : "those of that kind";
  const right =
    kinds.length === 0
      ? "--pattern finds the fields of such lines"
      : `grep ${shellWord(`^${kinds[0].word.replace(/[$^.*[\]\\]/g, "\\$&")}`)} ${fileWord(file)} > NEW takes ${listed}`;
  throw new UnskippableError(file, undefined, "lines of many kinds, which are no table", right);
}

/** The words with which many lines of one width begin each; none where the words don't say the width. */
function findKinds(
  rows: readonly (readonly string[])[],
): { readonly word: string; readonly width: number }[] {
  const kinds = groupBy(rows, ([word]) => word ?? "");
  const isKind = (of: readonly (readonly string[])[]) =>
    of.length >= KIND_SHARE * rows.length &&
    of[0].length > 2 &&
    of.every(({ length }) => length === of[0].length);
  return [...kinds].flatMap(([word, of]) => (word !== "" && isKind(of) ? { word, width: of[0].length } : []));
}
