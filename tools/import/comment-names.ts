import { isKnownUnit } from "../../host/streams/quantity.ts";
import { nameFields, withUnits } from "./column-names.ts";
import type { Dialect } from "./dialect.ts";

/** What begins a comment. */
export const COMMENT = "#";
/** What else may begin one, above a table. */
const OTHER_MARK = /^(%|!|\/\/|\*|(?:--|;)(?= ))/;

/** Lines whose comments begin as usual, and where the table begins in them. */
interface PlainComments {
  readonly lines: readonly string[];
  readonly start: number;
  /** What begins a comment below that, if there is one. */
  readonly comment?: string;
}

/** The lines of a file above whose table comments begin with another mark, such as %, with the usual one; undefined for another file. */
export function withPlainComments(lines: readonly string[]): PlainComments | undefined {
  const isOther = (line: string) => line.trim() !== "" && !line.startsWith(COMMENT);
  const mark = OTHER_MARK.exec(lines.find(isOther) ?? "")?.[0];
  if (mark === undefined) return undefined;
  const start = lines.findIndex((line) => isOther(line) && !line.startsWith(mark));
  const below = lines.slice(start);
  const isRow = (line: string) => isOther(line) && !line.startsWith(mark);
  if (start < 0 || 2 * below.filter(isRow).length < below.length) return undefined;
  const comment = [mark, COMMENT].find((each) => below.some((line) => line.startsWith(each)));
  return {
    lines: lines.map((line) => (line.startsWith(mark) ? COMMENT + line.slice(mark.length) : line)),
    start,
    ...(comment !== undefined && { comment }),
  };
}

/** How such a file is written, by how its lines with the usual mark are. */
export function withMark(
  { comment: _, skipLines = 0, ...found }: Dialect,
  { start, comment }: PlainComments,
): Dialect {
  return { ...found, skipLines: Math.max(skipLines, start), ...(comment && { comment }) };
}

/** Words that say that the names of columns follow. */
const INTRODUCTION = /^\s*(columns?|fields?|header|names|channels?|format|spalten)\s*[:=]\s*/i;

/** How a table's lines are read. */
interface Reading {
  readonly split: (line: string) => readonly string[];
  /** True if these fields are the names of the columns of the first row. */
  readonly areNames: (fields: readonly string[]) => boolean;
  /** Fields of the first row. */
  readonly first: readonly string[];
}

/** The fields of a comment that names as many columns as the first row has. */
function namesIn(comment: string | undefined, { split, areNames, first }: Reading): string[] | undefined {
  if (!comment?.startsWith(COMMENT)) return undefined;
  const names = split(comment.slice(COMMENT.length).replace(INTRODUCTION, ""));
  // A separator behind each row's last field makes no column.
  const isShort = names.length + 1 === first.length && first.at(-1)?.trim() === "";
  const isWhole = isShort || names.length === first.length;
  return isWhole && areNames(names) ? [...names, ...(isShort ? [""] : [])] : undefined;
}

/**
 * The names of the columns of a table without a header, where a comment above it has them: the line before it, with or without one of units; or a line
 * further above that says so.
 *
 * @param above the lines before the first row.
 */
export function namesInComment(above: readonly string[], reading: Reading): string[] | undefined {
  const [upper, lower] = [above.at(-2), above.at(-1)].map((line) => namesIn(line, reading));
  const introduced = above.find((line) => INTRODUCTION.test(line.slice(COMMENT.length)));
  const far = lower ? undefined : namesIn(introduced, reading);
  if (far) return nameFields(far);
  if (!lower) return undefined;
  // Units come again and again, or are known as such; names do not.
  const mayBeUnits = new Set(lower).size < lower.length || lower.some(isKnownUnit);
  const areUnits = upper && mayBeUnits && new Set(upper).size === upper.length;
  return areUnits ? withUnits(upper, lower) : nameFields(lower);
}
