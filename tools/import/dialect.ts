import { looksLikeHeader } from "../../host/streams/columns.ts";
import { SEPARATORS, type Separator } from "../../host/streams/csv.ts";
import type { DescribedOptions } from "../../host/streams/description.ts";
import { Notations } from "../../host/streams/notation.ts";

/** How a CSV file is written. */
export type Dialect = Pick<DescribedOptions, "skipLines" | "comment" | "decimal" | "rowNames" | "names"> & {
  readonly separator: Separator;
  readonly header: boolean;
};

/** True if its columns have names of their own. */
export function hasNames({ header, names }: Dialect): boolean {
  return header || names !== undefined;
}

const COMMENT = "#";
/** A spreadsheet's line that names the separator. */
const SEP_LINE = /^"?sep=([,;|\t])"?$/i;

/** The dialect of a file that begins with these lines, the last of them whole. */
export function dialectOf(lines: readonly string[]): Dialect {
  const named = SEP_LINE.exec(lines[0] ?? "")?.[1] as Separator | undefined;
  const rest = lines.slice(named ? 1 : 0);
  const hasComments = rest.some((line) => line.startsWith(COMMENT));
  const rows = rest.filter(isRow);
  const separator = named ?? separatorOf(rows);
  const split = rows.map((row) => fieldsOf(row, separator));
  const decimal = decimalOf(split);
  const notation = new Notations({ decimal });
  const [first = [], second = []] = split;
  return {
    ...(named && { skipLines: 1 }),
    separator,
    ...(decimal && { decimal }),
    ...(hasComments && { comment: COMMENT }),
    header: looksLikeHeader(first.map(usual), split.length > 1 ? second.map(usual) : undefined),
    ...(first.length + 1 === second.length && { rowNames: true }),
  };

  function usual(field: string): string {
    return notation.usual(field);
  }
}

const isRow = (line: string) => line.trim() !== "" && !line.startsWith(COMMENT);

/** The fields of all rows among a file's first lines, those of the header first. */
export function rowsIn(lines: readonly string[], { separator, skipLines }: Dialect): string[][] {
  return lines
    .slice(skipLines)
    .filter(isRow)
    .map((line) => fieldsOf(line, separator));
}

/** A line's fields, without quotes. */
function fieldsOf(line: string, separator: Separator): string[] {
  const fields = [""];
  let isQuoted = false;
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted;
    else if (character === separator && !isQuoted) fields.push("");
    else fields[fields.length - 1] += character;
  }
  return fields;
}

/** The separator that gives all rows as many fields, else the first that occurs. A comma is tried last: it may be a decimal one. */
function separatorOf(rows: readonly string[]): Separator {
  const tried: readonly Separator[] = ["\t", ";", "|", ","];
  const widths = (separator: Separator) => rows.slice(1).map((row) => fieldsOf(row, separator).length);
  const isRegular = (separator: Separator) => {
    const [width = 1, ...others] = widths(separator);
    return width > 1 && others.every((each) => each === width);
  };
  return tried.find(isRegular) ?? tried.find((separator) => rows[0]?.includes(separator)) ?? SEPARATORS[0];
}

/** A comma where numbers have one and none has a point. */
function decimalOf(rows: readonly (readonly string[])[]): "," | undefined {
  const fields = rows.flat();
  const have = (pattern: RegExp) => fields.some((field) => pattern.test(field.trim()));
  return have(/^[-+]?\d*,\d+$/) && !have(/^[-+]?\d*\.\d+$/) ? "," : undefined;
}
