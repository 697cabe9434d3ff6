import type { BadRows } from "./bad-rows.ts";
import { ColumnError } from "./columns.ts";
import { ListCells, type Lists } from "./list-cells.ts";
import { isMissing } from "./missing.ts";
import { beginsNumber } from "./numbers.ts";
import { Restarts } from "./restarts.ts";
import { excerpt, StreamError, UnskippableError } from "./stream-error.ts";
import { isSummary } from "./summary-rows.ts";
import { LINE_LENGTH_MAX, type TextSource } from "./text.ts";

const BLANK = 0x20;
const BACKSLASH = "\\";
/** What may stand around a field. Within single quotes, as Weka writes them, a backslash stands before a quote. */
export const QUOTES = ['"', "'"] as const;
export type Quote = (typeof QUOTES)[number];

/** The separator of fields that stand between any number of blanks and tabs. */
export const BLANKS = " ";

/** Begins a record of InfluxDB's that says something about the columns below it. */
export const ANNOTATION = "#";
/** Words behind a number, as a database's shell ends a table: 180 rows in set. */
const SENTENCE = /^\s*\d+ \p{L}{2,} \p{L}{2,}/u;
/** Lines before a table that are kept. */
const HEAD_MAX = 64;
/** The most lines of words between the rows of a table, by all. */
const SAID_SHARE = 0.5;

const RETURN = 0x0d;
const NEWLINE = 0x0a;

/** A row's fields (none for a blank line), its last line in the file, and where the next row begins. */
export interface CsvRecord {
  readonly fields: string[];
  readonly line: number;
  readonly end: number;
}

/** Takes records out of a text one by one, with fields quoted or not, and counts lines. */
export class CsvRecords {
  /** Lines before the next record. */
  line = 0;
  readonly separator: number;
  /** True if the fields stand between blanks. */
  readonly hasBlanks: boolean;
  private readonly skipLines: number;
  private readonly comment: string;
  private readonly quote: Quote;
  private readonly quoteUnit: number;
  private readonly lists: ListCells | undefined;
  /** The text of the last field read, and where it ends. */
  private field = "";
  private end = 0;
  /** Where the record begins. */
  private start = 0;
  private restarts: Restarts | undefined;
  /** Fields of the first record. */
  private width = 0;
  /** The lines before the table, which may return as a header does. */
  private readonly head = new Set<string>();
  /** The fields of the last record that is a row, and whether a header came after it. */
  private row: readonly string[] = [];
  private isBehindHeader = false;
  /** Records of words between the rows. */
  private said = 0;
  /** True of InfluxDB's annotated tables, whose headers have widths of their own. */
  private isAnnotated = false;

  constructor(
    private readonly file: string,
    { separator = ",", skipLines = 0, comment = "", quote = '"', lists, header = false }: CsvLines = {},
  ) {
    this.separator = separator.charCodeAt(0);
    this.hasBlanks = separator === BLANKS;
    this.skipLines = skipLines;
    this.comment = comment;
    this.quote = quote;
    this.quoteUnit = quote.charCodeAt(0);
    this.lists = lists && new ListCells(lists, header);
  }

  /**
   * Has a header that returns left out from now on, with the lines of other widths before it.
   *
   * @param names its fields, behind an empty one if rows begin with a name.
   */
  expectRestarts(names: readonly string[], rowNames = false): void {
    const header = rowNames ? names.slice(1) : names;
    // The name of a lone column may be a class, too, and lists have no names in the file.
    if (header.length < 2 || this.lists) return;
    this.restarts = new Restarts(header, names.length, (line) => this.split(line));
  }

  /** The fields of a line; undefined if it has a wrong quote. */
  private split(line: string): readonly string[] | undefined {
    const { quote, separator, hasBlanks } = this;
    if (hasBlanks) return blankFields(line);
    const mark = String.fromCharCode(separator);
    if (!line.includes(quote)) return line.split(mark);
    try {
      return new CsvRecords(this.file, { separator: mark, quote }).read(line, 0, true)?.fields;
    } catch {
      return undefined;
    }
  }

  /** The record at that place; undefined if the text ends within it. */
  read(text: string, from: number, isLast: boolean): CsvRecord | undefined {
    if (this.isPassed(text, from)) {
      const passed = this.pass(text, from, isLast);
      if (passed && this.line <= this.skipLines && this.head.size < HEAD_MAX)
        this.head.add(text.slice(from, passed.end).trim());
      return passed;
    }
    if (this.hasBlanks) return this.readBlanks(text, from, isLast);
    const fields: string[] = [];
    this.start = from;
    let at = from;
    for (;;) {
      const start = this.behindBlanks(text, at);
      const isQuoted = text.charCodeAt(start) === this.quoteUnit;
      const found = isQuoted ? this.readQuoted(text, start, isLast) : this.bare(text, at);
      if (!found || (this.end === text.length && !isLast)) return undefined;
      fields.push(this.field);
      at = this.end;
      if (text.charCodeAt(at) !== this.separator) break;
      at++;
    }
    const isBlank =
      fields.length === 1 && fields[0].trim() === "" && text.charCodeAt(from) !== this.quoteUnit;
    while (text.charCodeAt(at) === RETURN) at++;
    this.line += linesIn(text, from, at) + 1;
    return { fields: isBlank ? [] : this.spread(fields), line: this.line, end: at + 1 };
  }

  /** The line at that place, whose fields stand between blanks. */
  private readBlanks(text: string, from: number, isLast: boolean): CsvRecord | undefined {
    const line = this.pass(text, from, isLast);
    return line && { ...line, fields: this.spread(blankFields(text.slice(from, line.end))) };
  }

  private spread(fields: string[]): string[] {
    if (!this.lists || fields.length === 0) return fields;
    try {
      return this.lists.spread(fields);
    } catch (error) {
      if (!(error instanceof ColumnError)) throw error;
      throw new UnskippableError(this.file, undefined, `lists: ${error.what}`, error.right);
    }
  }

  /**
   * The same; a line with a wrong quote is a bad row, and the next record begins behind it. A header that returns is as a blank line, and so are a last
   * line that is cut off, as where a logger lost its power, words of another width that a program printed between the rows, words below a header that returned, and a row that sums others up.
   */
  readGood(text: string, from: number, isLast: boolean, badRows: BadRows): CsvRecord | undefined {
    const isEndless = isLast && text.indexOf("\n", from) < 0;
    const before = this.line;
    try {
      const record = this.read(text, from, isLast);
      const { length = 0 } = record?.fields ?? [];
      const isOpen = this.hasBlanks && isEndless && text.slice(from).split(this.quote).length % 2 === 0;
      if (isOpen && this.width > 1) return this.leaveCut(text, before, badRows);
      if (isEndless && length > 0 && length < this.width) return this.leaveCut(text, before, badRows);
      this.width ||= length;
      if (record && length > 0 && this.restarts?.isOtherHeader(record.fields)) throw this.otherHeader(record);
      const lines = record && this.restartLines(record, text, from, isLast);
      if (lines?.length === 0) return record && this.leaveNoRow(record, text, from, badRows);
      this.line = before;
      return lines && this.passLines(lines, from, badRows);
    } catch (error) {
      if (isEndless && this.width > 1) return this.leaveCut(text, before, badRows);
      badRows.take(error);
      return this.pass(text, from, isLast);
    }
  }

  /** A record as it is; as a blank line one that sums the rows up, or of another width than the rows, whose fields are words, if there are few such. */
  private leaveNoRow(record: CsvRecord, text: string, from: number, badRows: BadRows): CsvRecord {
    const { fields, end, line } = record;
    if (fields.length === 0) return record;
    const isAgain = fields.length > 1 && this.row.length > 0 && this.head.has(text.slice(from, end).trim());
    const isSecondHead = (isAgain || this.isBehindHeader) && !fields.some(beginsNumber);
    this.isBehindHeader = false;
    if (!isSecondHead && !isSummary(fields, this.row) && !this.areSaid(record)) {
      this.row = fields;
      return record;
    }
    badRows.leaveOut(line, `no row: ${excerpt(text.slice(from, end).trim())}`);
    return { fields: [], line, end };
  }

  /** True for words of another width than the rows, if they are few. */
  private areSaid({ fields, line }: CsvRecord): boolean {
    if (fields[0].startsWith(ANNOTATION)) this.isAnnotated = true;
    if (fields.length === this.width || this.isAnnotated) return false;
    const isCell = (field: string) => beginsNumber(field) && !SENTENCE.test(field);
    const areWords = !fields.some((field) => isCell(field) || isMissing(field));
    return areWords && ++this.said <= SAID_SHARE * line;
  }

  private leaveCut(text: string, before: number, badRows: BadRows): CsvRecord {
    this.line = before + 1;
    badRows.leaveCut(this.line);
    return { fields: [], line: this.line, end: text.length };
  }

  /** The lines of a restart that begin with this record, as `Restarts.linesAt` has them. */
  private restartLines({ fields }: CsvRecord, text: string, from: number, isLast: boolean) {
    return fields.length > 0 && this.restarts?.isOther(fields)
      ? this.restarts.linesAt(text, from, isLast)
      : [];
  }

  private passLines(lines: readonly string[], from: number, badRows: BadRows): CsvRecord {
    for (const [i, line] of lines.entries()) {
      this.line++;
      const what = i === lines.length - 1 ? "the header again" : "no row, above the header again";
      if (line.trim() !== "") badRows.leaveOut(this.line, what);
    }
    this.isBehindHeader = true;
    return { fields: [], line: this.line, end: from + lines.join("").length };
  }

  private isPassed(text: string, from: number): boolean {
    return this.line < this.skipLines || (this.comment !== "" && text.startsWith(this.comment, from));
  }

  /** The line at that place, which is no record, as a blank one. */
  pass(text: string, from: number, isLast: boolean): CsvRecord | undefined {
    const end = text.indexOf("\n", from);
    if (end < 0 && !isLast) return undefined;
    this.line++;
    return { fields: [], line: this.line, end: end < 0 ? text.length : end + 1 };
  }

  /** Throws if a record that hasn't ended is longer than any may be. */
  checkLength(rest: string): void {
    if (rest.length <= LINE_LENGTH_MAX) return;
    const what = `a row of more than ${LINE_LENGTH_MAX} characters`;
    throw new UnskippableError(this.file, this.line + 1, what, "one row a line is needed");
  }

  /**
   * True if a field, or the text, ends at that place. Two returns may end a line, as where a program wrote CRLF in text mode; any other without
   * a newline belongs to its field.
   */
  private endsAt(text: string, at: number): boolean {
    const unit = text.charCodeAt(at);
    if (unit !== RETURN) return unit === this.separator || unit === NEWLINE || at === text.length;
    const next = text.charCodeAt(at + 1) === RETURN ? at + 2 : at + 1;
    return next >= text.length || text.charCodeAt(next) === NEWLINE;
  }

  /** The first place from there on that has no blank. */
  private behindBlanks(text: string, from: number): number {
    let at = from;
    while (text.charCodeAt(at) === BLANK) at++;
    return at;
  }

  /** The end of the unquoted field that begins at that place, or the place of a quote in it. */
  private bareEnd(text: string, from: number): number {
    let at = from;
    while (text.charCodeAt(at) !== this.quoteUnit && !this.endsAt(text, at)) at++;
    return at;
  }

  private bare(text: string, from: number): boolean {
    this.end = this.bareEnd(text, from);
    if (text.charCodeAt(this.end) === this.quoteUnit) throw this.strayQuote(text, this.end);
    this.field = text.slice(from, this.end);
    return true;
  }

  private readQuoted(text: string, from: number, isLast: boolean): boolean {
    const { quote } = this;
    const escapes = quote === "'" ? BACKSLASH : quote;
    const close = this.findClose(text, from + 1);
    if (close < 0) {
      if (isLast) throw this.openQuote(text);
      return false;
    }
    this.end = close + 1;
    if (!this.endsAt(text, this.end)) throw this.strayQuote(text, close);
    this.field = text.slice(from + 1, close).replaceAll(`${escapes}${quote}`, quote);
    return true;
  }

  /** The place of the quote that ends the field; -1 where the text has none. */
  private findClose(text: string, from: number): number {
    const { quote, quoteUnit } = this;
    let close = text.indexOf(quote, from);
    if (quote === "'")
      while (close > 0 && text[close - 1] === BACKSLASH) close = text.indexOf(quote, close + 1);
    else
      while (close >= 0 && text.charCodeAt(close + 1) === quoteUnit) close = text.indexOf(quote, close + 2);
    return close;
  }

  private otherHeader({ fields, line }: CsvRecord): UnskippableError {
    const right = `one table is needed: head -n ${line - 1} takes the lines before it, tail -n +${line} the others`;
    return new UnskippableError(this.file, line, `another header, ${excerpt(fields.join())}`, right);
  }

  private strayQuote(text: string, at: number): StreamError {
    const line = this.line + 1 + linesIn(text, this.start, at);
    const right = 'whole fields in quotes, inner ones as "", is right';
    return new StreamError(this.file, line, "a quote inside a field", right);
  }

  private openQuote(text: string): StreamError {
    const line = this.line + linesIn(text, this.start, text.length) + (text.endsWith("\n") ? 0 : 1);
    const right = 'a " at the end of its field is needed';
    return new StreamError(this.file, line, "a quote is never closed", right);
  }
}

/** How the records of a CSV file are written. */
export interface CsvLines {
  /** True if the first record has the columns' names: it may return. */
  readonly header?: boolean;
  /** Default: a comma. */
  readonly separator?: string;
  /** Lines before the first record. */
  readonly skipLines?: number;
  /** What a line begins with that is no record; "" for no such lines. */
  readonly comment?: string;
  /** What stands around a field that may have separators. */
  readonly quote?: Quote;
  /** Columns whose cells hold lists of numbers. */
  readonly lists?: Lists;
}

type NamedCsvLines = CsvLines & { readonly rowNames?: boolean };

/** All records of a CSV file, several at a time, with the header where it has one. */
export async function* csvRecords(
  text: TextSource,
  lines: NamedCsvLines,
  badRows: BadRows,
): AsyncGenerator<CsvRecord[]> {
  const { header = false, rowNames = false } = lines;
  let isFirst = true;
  const records = new CsvRecords(text.file, lines);
  let rest = "";
  for await (const piece of text.pieces("row")) {
    rest += piece.text.slice(piece.from, piece.to);
    yield whole(false);
    records.checkLength(rest);
  }
  yield whole(true);

  /** The records that end in the text, which is cut to what is left of it. */
  function whole(isLast: boolean): CsvRecord[] {
    const found: CsvRecord[] = [];
    let at = 0;
    while (at < rest.length) {
      const record = records.readGood(rest, at, isLast, badRows);
      if (!record) break;
      at = record.end;
      if (record.fields.length === 0) continue;
      found.push(record);
      // InfluxDB's annotations begin each table, and are no names.
      if (isFirst && header && !record.fields[0].startsWith(ANNOTATION))
        records.expectRestarts(rowNames ? ["", ...record.fields] : record.fields, rowNames);
      isFirst = false;
    }
    rest = rest.slice(at);
    return found;
  }
}

/** The fields of a line between blanks; one with blanks of its own stands in double quotes. */
export function blankFields(line: string): string[] {
  return (line.match(/"[^"]*"(?!\S)|\S+/g) ?? []).map((field) => field.replace(/^"([^"]*)"$/, "$1"));
}

function linesIn(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
