import type { Dialect } from "./dialect.ts";
import { detectMarks } from "./marks.ts";

/** The line that ends a head. The file has one, and the rows have one. */
const HEAD_END = /^\*{3}End_of_Header\*{3}/;
/** Rows that show the marks in numbers, and how many fields there are: a comment may stand behind the first one alone. */
const SHOWN = 20;

/**
 * The table of a LabVIEW measurement file, with its units; undefined for another file. Its time has seconds.
 *
 * @see https://www.ni.com/en/support/documentation/supplemental/06/specification-for-the-labview-measurement-file---lvm-.html
 */
export function labviewDialect(lines: readonly string[]): Dialect | undefined {
  const end = lines.map((line) => HEAD_END.test(line)).lastIndexOf(true);
  if (!lines[0]?.startsWith("LabVIEW Measurement") || end < 0) return undefined;
  const separator = lines.slice(0, end).some((line) => /^Separator,Comma\b/.test(line)) ? "," : "\t";
  const [names = [], ...rows] = lines.slice(end + 1, end + 1 + SHOWN).map((line) => line.split(separator));
  const head = lines.slice(0, end).map((line) => line.split(separator));
  const findHead = (key: string) => head.find(([name]) => name === key) ?? [];
  const [units, dimensions] = ["Y_Unit_Label", "X_Dimension"].map(findHead);
  const findUnit = (name: string, at: number) =>
    name === "X_Value" ? (dimensions[at + 1] === "Time" ? "s" : "") : units[at]?.trim();
  const named = names.map((name, at) =>
    findUnit(name, at) ? `${name.trim()} [${findUnit(name, at)}]` : name.trim(),
  );
  const width = (rows[1] ?? rows[0] ?? names).length;
  const marks = detectMarks(rows, separator);
  return { skipLines: end + 2, separator, header: false, names: named.slice(0, width), ...marks };
}
