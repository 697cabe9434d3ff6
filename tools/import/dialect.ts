import { looksLikeHeader } from "../../host/streams/columns.ts";
import { SEPARATORS, type Separator } from "../../host/streams/csv.ts";
import { BLANKS, blankFields } from "../../host/streams/csv-records.ts";
import type { DescribedOptions } from "../../host/streams/description.ts";
import { isMissing } from "../../host/streams/missing.ts";
import { Notations } from "../../host/streams/notation.ts";
import { parseNumber } from "../../host/streams/numbers.ts";
import { isKnownUnit, parseQuantity } from "../../host/streams/quantity.ts";
import { isTimeText, parseDate } from "../../host/streams/time-text.ts";
import { nameFields, withUnits } from "./column-names.ts";
import { COMMENT, namesInComment, withMark, withPlainComments } from "./comment-names.ts";
import { namesOverDates } from "./dated-names.ts";
import { isRow, isRule, lastHeader, recordsIn } from "./first-records.ts";
import { findBody, namesAbove, namesFarAbove } from "./head-above.ts";
import { labviewDialect } from "./labview.ts";
import { isSampleList, withLists } from "./list-columns.ts";
import { TIME_NAME } from "./long-columns.ts";
import { detectMarks } from "./marks.ts";
import { isLoggers } from "./missing-words.ts";
import { saidRate } from "./said-rate.ts";
import { toa5Dialect } from "./toa5.ts";
import { usualWidth, WHOLE_SHARE } from "./usual-width.ts";
import { wristbandDialect } from "./wristband.ts";
import { zeekDialect } from "./zeek.ts";

/** Where a table begins, and what its columns are called. */
type Head = Pick<DescribedOptions, "skipLines" | "rowNames" | "names"> & {
  readonly header: boolean;
  /** Names behind those of the columns. */
  readonly spareNames?: readonly string[];
};

/** How a CSV file is written. */
export type Dialect = Head &
  Pick<DescribedOptions, "comment" | "quote" | "decimal" | "thousands" | "lists" | "rate"> & {
    readonly separator: Separator;
    /** The values that a column may have, by its name, where the file declares them. */
    readonly nominals?: ReadonlyMap<string, readonly string[]>;
  };

/** True if its columns have names of their own. */
export function hasNames({ header, names }: Dialect): boolean {
  return header || names !== undefined;
}

/** A line that may be a row, and its place from 0. */
interface Row {
  readonly at: number;
  readonly fields: readonly string[];
  /** True if a separator stood behind the last of these fields, as behind no other row's. */
  readonly isCut?: boolean;
}

/** True if these fields are the names of columns that the next row has. */
type HeaderTest = (fields: readonly string[], next: Row | undefined) => boolean;

/** Of more lines the last one, which may be cut off, shows nothing of how they are written. */
const MANY = 20;
/** A spreadsheet's line that names the separator. */
const SEP_LINE = /^"?sep=([,;|\t])"?$/i;

/** The dialect of a file that begins with these lines, the last of them whole. */
export function detectDialect(lines: readonly string[]): Dialect {
  const whole = toa5Dialect(lines) ?? labviewDialect(lines) ?? wristbandDialect(lines) ?? zeekDialect(lines);
  if (whole) return { ...headRate(lines), ...whole };
  const plain = withPlainComments(lines);
  if (plain) return withMark(detectDialect(plain.lines), plain);
  const named = SEP_LINE.exec(lines[0] ?? "")?.[1] as Separator | undefined;
  const from = lastHeader(lines, named ? 1 : 0);
  const rest = lines.slice(from);
  const records = recordsIn(lines.length > MANY ? lines.slice(0, -1) : lines, from);
  const texts = records.map(({ text }) => text);
  const quote = detectQuote(texts);
  const separator = named ?? detectSeparator(texts, quote);
  const rows = withoutEnds(
    records.map(({ at, text }): Row => ({ at, fields: splitFields(text, separator, quote) })),
  );
  const marks = detectMarks(
    rows.map(({ fields }) => fields),
    separator,
  );
  const notation = new Notations(marks);
  const usual = (fields: readonly string[]) => fields.map((field) => notation.usual(field));
  const isHeader: HeaderTest = (fields, next) =>
    !haveUnits(fields, next?.fields) &&
    !fields.some((field) => isSampleList(field, notation)) &&
    looksLikeHeader(usual(fields), next && usual(withoutGaps(next, rows).map(bareNumber)));
  const start = findStart(rows, isHeader);
  const before = start > 0 ? rows[start].at : from;
  const first = rows[start];
  const isUnnamed = first !== undefined && !isHeader(first.fields, undefined);
  const split = (line: string) => splitFields(line, separator, quote);
  const areNames = (named: readonly string[]) => isHeader(named, first);
  const names = isUnnamed
    ? namesInComment(lines.slice(0, first.at), { split, areNames, first: first.fields })
    : undefined;
  const above = names ? undefined : headAbove(rows, start, notation, separator, isHeader);
  const head = names
    ? { ...(before > 0 && { skipLines: before }), header: false, names }
    : (above ?? withoutRule(readHead(rows.slice(start), before, isHeader), lines, rows.slice(start)));
  const fields = rows.slice(start).map((row) => row.fields);
  return {
    ...withLists(head, fields, notation),
    ...headRate(
      lines,
      rows.map((row) => row.fields),
    ),
    ...{ separator, ...(quote && { quote }), ...marks },
    ...(rest.some((line) => line.startsWith(COMMENT)) && { comment: COMMENT }),
  };
}

/** The rows a second that a file's head says. */
function headRate(
  lines: readonly string[],
  rows: readonly (readonly string[])[] = [],
): Pick<Dialect, "rate"> {
  const rate = saidRate(lines, rows);
  return rate === undefined ? {} : { rate };
}

/** Rows without a separator at the end that makes one wider than the others by a blank field. */
function withoutEnds(rows: readonly Row[]): readonly Row[] {
  const { width } = usualWidth(rows.map(({ fields }) => fields.length));
  const isEnded = ({ fields }: Row) => fields.length === width + 1 && fields[width].trim() === "";
  return rows.map((row) =>
    isEnded(row) ? { ...row, fields: row.fields.slice(0, width), isCut: true } : row,
  );
}

/** The head of a table whose names stand in lines above its samples that have another number of fields, or are several. */
function headAbove(
  rows: readonly Row[],
  start: number,
  notation: Notations,
  separator: Separator,
  isHeader: HeaderTest,
): Head | undefined {
  const fields = rows.map((row) => row.fields);
  const dated = separator === BLANKS ? namesOverDates(fields, isUnread) : undefined;
  if (dated) return { skipLines: rows[dated.end].at, header: false, names: dated.names };
  const { width } = usualWidth(fields.map(({ length }) => length));
  const body = findBody(fields, width, (cell) => isNumber(notation.usual(cell)));
  const hasHead =
    body && body.start - start <= 2 && start < body.start && isHeader(fields[start], rows[start + 1]);
  if (!body || body.start === 0 || hasHead) return undefined;
  // A sentence between blanks names no columns.
  if (separator === BLANKS && fields[body.start - 1].length !== width) return undefined;
  const isWord = (cell: string) => cell !== "" && isUnread(cell);
  const near = namesAbove(fields, body, isWord);
  const found = near ? { names: near, end: body.start } : namesFarAbove(fields, body, isWord);
  const spareNames = near ? filledIn(fields[body.start - 1].slice(width)) : [];
  return (
    found && {
      ...{ skipLines: rows[found.end].at, header: false, names: found.names },
      ...(spareNames.length > 0 && { spareNames }),
    }
  );
}

/** Rows that may have what a row lacks. */
const GAP_ROWS = 20;

/** A row's fields; where one is blank, that of a row below. */
function withoutGaps({ at: line, fields }: Row, rows: readonly Row[]): readonly string[] {
  const isFull = fields.every((field) => field.trim() !== "");
  if (isFull) return fields;
  const from = rows.findIndex(({ at }) => at === line) + 1;
  const below = rows.slice(from, from + GAP_ROWS).filter((row) => row.fields.length === fields.length);
  const isFilled = (row: Row, at: number) => row.fields[at].trim() !== "";
  return fields.map((field, at) =>
    field.trim() !== "" ? field : (below.find((row) => isFilled(row, at))?.fields[at] ?? field),
  );
}

/** True if two rows have a number with the same unit in the same column, as samples have. */
function haveUnits(row: readonly string[], next: readonly string[] = []): boolean {
  const unitAt = (fields: readonly string[], at: number) => parseQuantity(fields[at] ?? "")?.unit;
  return row.some((_, at) => unitAt(row, at) !== undefined && unitAt(row, at) === unitAt(next, at));
}

/** A number without its unit; another field as it is. */
function bareNumber(field: string): string {
  const quantity = parseQuantity(field);
  return quantity && isKnownUnit(quantity.unit) ? quantity.number : field;
}

/** True if columns stand between blanks: nearly all rows but the first, which may lack the rows' names or begin a title of two lines, have as many, and nothing else separates them. */
function haveBlanks(rows: readonly string[]): boolean {
  const fields = rows.map(blankFields);
  const [first, ...widths] = fields.map(({ length }) => length);
  const { width, rows: whole } = widths.length > 0 ? usualWidth(widths) : { width: first, rows: 0 };
  const isTitled = widths.length > 1 && first !== width && widths[0] !== width;
  if (!(width >= 2) || whole < WHOLE_SHARE * widths.length) return false;
  if (first !== width && first !== width - 1 && !isTitled) return false;
  const hasComma = rows.some((row) => row.includes(","));
  return !rows.some((row) => /[;|\t]/.test(row)) && (!hasComma || rows.slice(1).every(hasDecimalCommas));
}

/** Lines in the lower half of a text that show what separates the fields of a table. */
const LOWER_MIN = 10;

/** True for rows of numbers and times alone. */
const isNumbers = (rows: readonly string[]) =>
  rows.every((row) => blankFields(row).every((field) => isNumber(field) || isTimeText(field)));

const isWithComma = (field: string) => /^[-+]?\d*,?\d+(e[-+]?\d+)?$/i.test(field);

/** True for a row of numbers with decimal commas between blanks; texts stand in quotes, as R writes them. */
function hasDecimalCommas(row: string): boolean {
  const isText = (field: string) => /^"[^",]*"$/.test(field);
  const fields = row.match(/"[^"]*"(?!\S)|\S+/g) ?? [];
  return fields.every((field) => isText(field) || isWithComma(field.replace(/^"(.*)"$/, "$1")));
}

/** The fields of all rows among a file's first lines, those of the header first. */
export function rowsIn(lines: readonly string[], { separator, skipLines, quote }: Dialect): string[][] {
  return lines
    .slice(skipLines)
    .filter(isRow)
    .map((line) => splitFields(line, separator, quote));
}

/** A line's fields, without quotes. */
function splitFields(line: string, separator: Separator, quote: Dialect["quote"] = '"'): string[] {
  if (separator === BLANKS) return blankFields(line);
  if (!line.includes(quote)) return line.split(separator);
  const fields: string[] = [];
  let isQuoted = false;
  let from = 0;
  for (let at = 0; at <= line.length; at++) {
    if (line[at] === quote) isQuoted = !isQuoted;
    if (at < line.length && (line[at] !== separator || isQuoted)) continue;
    fields.push(line.slice(from, at).replaceAll(quote, ""));
    from = at + 1;
  }
  return fields;
}

/** Single quotes, where most rows have a field in them and none has double ones. */
function detectQuote(rows: readonly string[]): "'" | undefined {
  const having = rows.filter((row) => /(^|[,;|\t]) *'[^']*'([,;|\t]|$)/.test(row));
  return 2 * having.length > rows.length && !rows.some((row) => row.includes('"')) ? "'" : undefined;
}

/** The separator that gives most rows as many fields, the first of equals. A comma is tried last: it may be a decimal one. */
function detectSeparator(rows: readonly string[], quote: Dialect["quote"]): Separator {
  // Below a title of many lines, those of the table are in the lower half.
  const lower = rows.slice(rows.length >> 1);
  if (haveBlanks(rows) || (lower.length >= LOWER_MIN && haveBlanks(lower) && isNumbers(lower))) return BLANKS;
  const tried: readonly Separator[] = ["\t", ";", "|", ","];
  const shares = tried.map(
    (separator) => usualWidth(rows.map((row) => splitFields(row, separator, quote).length)).rows,
  );
  const most = Math.max(...shares);
  return most > 0 ? tried[shares.indexOf(most)] : SEPARATORS[0];
}

/** The most lines of a title above rows without names. */
const TITLE_MAX = 8;

/** True for a title between signs, as PuTTY writes it. */
function isRuled(line: string): boolean {
  return line.length >= 6 && /^\W{3}/.test(line) && /\W{3}$/.test(line);
}

/** The place of names below lines that a spreadsheet has filled up with separators: twice as many cells aren't blank as in any line above, or all beside one; 0 for none. */
function filledNames(rows: readonly Row[], isNames: (at: number) => boolean): number {
  let most = 0;
  for (const [at, { fields }] of rows.entries()) {
    const filled = filledIn(fields).length;
    const isMore = filled > 2 * most || (most === 1 && filled === fields.length && filled > 1);
    if (at > 0 && isMore && isNames(at)) return at;
    most = Math.max(most, filled);
    if (2 * most > fields.length) return 0;
  }
  return 0;
}

/** The place of the first row of the table. Lines of other widths above a header are a title. Above numbers `isTitle` decides. */
function findStart(rows: readonly Row[], isHeader: HeaderTest): number {
  const { width } = usualWidth(rows.map(({ fields }) => fields.length));
  const isOfTable = (row?: Row) => row !== undefined && row.fields.length === width;
  const isNames = (at: number) => isOfTable(rows[at]) && isHeader(rows[at].fields, rows[at + 1]);
  const filled = filledNames(rows, isNames);
  if (filled > 0) return filled;
  const first = rows.findIndex(isOfTable);
  const above = rows[first - 1]?.fields ?? [];
  const hasShort = above.length === width - 1 && !isRuled(above.join()) && !isNames(first);
  const start = hasShort ? first - 1 : first;
  const title = rows.slice(0, Math.max(start, 0)).map(({ fields }) => fields);
  return start > 0 && (isTitle(title, width) || isHeader(rows[start].fields, rows[start + 1])) ? start : 0;
}

/**
 * True if lines above rows without names are a title: each has one field; or there are few, and the first has words alone, whose number isn't that of
 * the columns.
 */
function isTitle(lines: readonly (readonly string[])[], width: number): boolean {
  const areWords =
    lines[0]?.every((text) => Number.isNaN(parseNumber(text))) && filledIn(lines[0]).length !== width;
  return lines.every(({ length }) => length === 1) || (lines.length <= TITLE_MAX && areWords === true);
}

/** A row's fields that aren't blank. */
const filledIn = (fields: readonly string[]) => fields.filter((field) => field.trim() !== "");

/** The head of a table with these rows, whose first is the header or a sample. */
function readHead(rows: readonly Row[], before: number, isHeader: HeaderTest): Head {
  const [{ at, fields, isCut = false } = { at: before, fields: [] }, second] = rows as readonly Row[];
  const header = isHeader(fields, second);
  const lacksOne = fields.length + 1 === second?.fields.length;
  // A separator behind each row's last field makes no column, and a time under the name of one is no row's name.
  const whole = rows.slice(1).filter((row) => row.fields.length > fields.length);
  const isTimed = TIME_NAME.test(fields[0]?.trim() ?? "") && isTimeText(second?.fields[0] ?? "");
  const isTrailing = lacksOne && (isTimed || whole.every((row) => row.fields[fields.length].trim() === ""));
  const below = secondHead(fields, second, rows.slice(2, 2 + GAP_ROWS), isHeader);
  if (second && below) return { skipLines: second.at + 1, header: false, names: below };
  const words = fields.length === 1 ? blankFields(fields[0]) : [];
  const areApart = words.length > 1 && words.length === second?.fields.length && isHeader(words, second);
  if (areApart) return { skipLines: at + 1, header: false, names: nameFields(words) };
  const filled = filledIn(fields);
  const isGapped = filled.length < fields.length && filled.length === second?.fields.length;
  if (isGapped && isHeader(filled, second))
    return { skipLines: at + 1, header: false, names: nameFields(filled) };
  if (header && isTrailing) return { skipLines: at + 1, header: false, names: nameFields([...fields, ""]) };
  if (header && isCut) return { skipLines: at + 1, header: false, names: nameFields(fields) };
  return { ...(before > 0 && { skipLines: before }), header, ...(lacksOne && { rowNames: true }) };
}

/**
 * The names of a table whose second row stands above numbers as a header does: with its units if it has such, or if the first row, such as
 * "x-axis,1,2", is no header by itself; without, if none of its words comes again. Undefined if the second row is another.
 */
function secondHead(
  names: readonly string[],
  row: Row | undefined,
  below: readonly Row[],
  isHeader: HeaderTest,
): string[] | undefined {
  const [sample] = below;
  if (!row || !sample || names.length !== row.fields.length) return undefined;
  if (areCounts(row, below) && isHeader(names, sample)) return nameFields(names);
  if (areFacts(names)) return isHeader(row.fields, sample) ? nameFields(row.fields) : undefined;
  // A number in a column without samples is a fact, such as an oscilloscope's increment.
  const isFact = (at: number) => isNumber(row.fields[at]) && below.every(({ fields }) => !fields[at]?.trim());
  const words = row.fields.map((field, at) => (isFact(at) ? "" : field.trim()));
  const isHead = isHeader(
    words.some((word, at) => word !== row.fields[at].trim()) ? filledIn(words) : row.fields,
    sample,
  );
  if (!isHead) return undefined;
  const units = words.map((field) => field.replace(/^[[(](.*)[\])]$|^-$/, "$1"));
  const known = units.filter(isKnownUnit);
  const areUnits = known.length > 0 && 2 * known.length >= filledIn(units).length;
  if (areUnits && isHeader(filledIn(names), undefined)) return withUnits(names, units);
  const isAgain = (text: string, at: number) => below.some(({ fields }) => fields[at]?.trim() === text);
  const isForm = (text: string, at: number) => text === "" || (isUnread(text) && !isAgain(text, at));
  const hasNumber = units.some((unit, at) => unit !== "" && isNumber(sample.fields[at]));
  const isNamed = names.some((name) => name.trim() !== "" && !isNumber(name));
  if (!hasNumber || !isNamed || !units.every(isForm)) return undefined;
  return names.some(isNumber) ? withUnits(names, units) : nameFields(names);
}

/** True if most fields say a value behind a name, such as "Firmware: 2.2.1". */
const areFacts = (fields: readonly string[]) =>
  2 * fields.filter((field) => /^[^:]+: \s*\S/.test(field)).length > fields.length;

/** A head below which a line is drawn. */
function withoutRule(head: Head, lines: readonly string[], [names, first]: readonly Row[]): Head {
  const isDrawn = head.header && first !== undefined && lines.slice(names.at, first.at).some(isRule);
  return isDrawn ? { skipLines: first.at, header: false, names: nameFields(names.fields) } : head;
}

/** True for a row that lacks the first field, which all others have, and says how many samples there are, as many in each column. */
function areCounts({ fields: [first, ...fields] }: Row, below: readonly Row[]): boolean {
  const isOthers = first.trim() === "" && below.every((row) => row.fields[0].trim() !== "");
  const counts = filledIn(fields);
  return isOthers && counts.length > 0 && new Set(counts).size === 1 && /^\d+$/.test(counts[0].trim());
}

/** True for a text that is no number, no date and no word for a missing reading. */
const isUnread = (text: string) =>
  !isNumber(text) && !isLoggers(text) && !isMissing(text) && Number.isNaN(parseDate(text));

const isNumber = (text = "") => !Number.isNaN(parseNumber(text));
