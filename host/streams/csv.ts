import { countText } from "../count-text.ts";
import { cellFault, cellText } from "./cells.ts";
import {
  type ChosenColumns,
  ColumnError,
  type ColumnOptions,
  chooseColumns,
  othersThan,
  quoteColumn,
} from "./columns.ts";
import { BLANKS, blankFields, type CsvRecord, CsvRecords, type Quote } from "./csv-records.ts";
import { DecimalScanner } from "./decimal.ts";
import { formRows, isGathered } from "./forms/form-rows.ts";
import type { FormOptions, TableFormat } from "./forms/options.ts";
import type { Lists } from "./list-cells.ts";
import { isMissing, missingTaken } from "./missing.ts";
import { type Notation, Notations } from "./notation.ts";
import { BEYOND, beginsNumber, isBeyond, isFloat32, parseNumber, WITHIN_NEEDED } from "./numbers.ts";
import { BYTE_NEEDED, isByte, type SampleProvenance } from "./provenance.ts";
import { isKnownUnit, parseQuantity } from "./quantity.ts";
import { excerpt, numeral, StreamError, UnskippableError } from "./stream-error.ts";
import type { TableBuilder } from "./table.ts";
import type { Piece, TextSource } from "./text.ts";
import { timeReferences, timeText } from "./time-columns.ts";
import { dateNeeded, isOfUnit, isSlashed, parseDate, TIME_UNIT_NAMES, toMilliseconds } from "./time-text.ts";
import { parseTruth } from "./truth.ts";

/** What may separate the fields; a blank stands for any number of blanks and tabs, also around a row. */
export const SEPARATORS = [",", ";", "\t", "|", BLANKS] as const;
export type Separator = (typeof SEPARATORS)[number];

/** How a CSV file is read. */
export interface CsvOptions extends ColumnOptions, Notation, FormOptions {
  /** What separates the fields. Default: a tab if the first line has one, else a semicolon; blanks if it is numbers between them; else a comma. */
  separator?: Separator;
  /** Lines before the table, such as a spreadsheet's "sep=;". Default 0. */
  skipLines?: number;
  /** What a line begins with that isn't a row. Default: every line is one. */
  comment?: string;
  /** What stands around a field that may have separators. Default: `"`. */
  quote?: Quote;
  /** The columns' names, where the file has no header, or becomes a table first. */
  names?: readonly string[];
  /** Columns whose cells hold lists of numbers: each number of a list becomes a column. */
  lists?: Lists;
  /** True if rows begin with a name for which the header has no column, as R writes them. Default false. */
  rowNames?: boolean;
}

const QUOTE = 0x22;
const RETURN = 0x0d;
const NEWLINE = 0x0a;
/** The first letter, behind all digits. */
const LETTERS = 0x41;

/** A field's role; 0: none. */
const FEATURE = 1;
const LABEL = 2;

/** Reads CSV with fields quoteColumn or not, header or not. Every row must have as many fields as the first. */
export async function readCsv(text: TextSource, table: TableBuilder, options: CsvOptions): Promise<void> {
  const separator = options.separator ?? guessSeparator(await text.firstLine());
  const records = new CsvRecords(text.file, { ...options, separator });
  const rows = new CsvRows(text.file, table, options, records);
  try {
    for await (const piece of text.pieces("row")) rows.take(piece);
    rows.end();
  } finally {
    rows.finish(); // also before an error: a first row held back was read
  }
}

/** Reads a file that becomes a table first, with the columns that the options name. */
export async function readForm(
  text: TextSource,
  table: TableBuilder,
  format: "csv" | TableFormat,
  options: CsvOptions,
): Promise<void> {
  const { file } = text;
  const { names } = options;
  if (!names)
    throw new StreamError(file, undefined, "no names of its columns", "motelearn import writes them");
  // The rows have the whole time in its first column, and those that are made of readings have milliseconds.
  const { time } = options;
  const made = {
    ...(time !== undefined && { time: timeReferences(time)[0] }),
    ...(isGathered(format, options) && { timeUnit: undefined }),
  };
  const records = new CsvRecords(file);
  const rows = new CsvRows(file, table, { ...options, ...made }, records);
  for await (const some of formRows(text, format, { ...options, names }, table.badRows)) rows.takeAll(some);
  rows.finish();
}

/** Holds the first record back until the second shows whether it is a header. */
class CsvRows {
  private first: CsvRecord | undefined;
  private chosen: ChosenColumns | undefined;
  private readonly values: number[] = [];
  private readonly scanner = new DecimalScanner();
  /** The role of each field of a plain row, and the numbers found there; without roles, no row is plain. */
  private roles: Uint8Array | undefined;
  private numbers = new Float64Array(0);
  /** True if rows begin with a number, so that one that begins with a letter isn't plain. */
  private beginsNumber = false;
  /** The beginning of a record of several lines. */
  private rest = "";
  private labelStart = 0;
  private labelEnd = 0;
  private readonly notation: Notations;

  constructor(
    private readonly file: string,
    private readonly table: TableBuilder,
    private readonly options: CsvOptions,
    private readonly records: CsvRecords,
  ) {
    this.notation = new Notations(options);
    if (options.names) this.first = { fields: [...options.names], line: 0, end: 0 };
  }

  /** Takes the records that end in the piece. */
  take(piece: Piece): void {
    const { records, rest } = this;
    const isOpen = rest !== "";
    const text = isOpen ? rest + piece.text.slice(piece.from, piece.to) : piece.text;
    const to = isOpen ? text.length : piece.to;
    const bytes = isOpen ? undefined : piece.bytes;
    let at = isOpen ? 0 : piece.from;
    while (at < to) {
      const end = bytes && this.roles ? this.plainEnd(bytes, at) : -1;
      if (end >= 0) {
        records.line++;
        this.addPlain(text);
        at = end;
      } else {
        const next = this.takeAny(text, at, false);
        if (next < 0) break;
        at = next;
      }
    }
    this.rest = text.slice(at, to);
    records.checkLength(this.rest);
  }

  /** Takes what is left at the end of the file. */
  end(): void {
    for (let at = 0; at < this.rest.length; ) at = this.takeAny(this.rest, at, true);
  }

  /** Takes the record at that place; returns where the next one begins, -1 if it doesn't end in the text. */
  private takeAny(text: string, at: number, isLast: boolean): number {
    const record = this.records.readGood(text, at, isLast, this.table.badRows);
    if (!record) return -1;
    if (record.fields.length > 0) this.takeRecord(record);
    return record.end;
  }

  /** Takes records that were made of the file's text. */
  takeAll(records: readonly CsvRecord[]): void {
    for (const record of records) this.takeRecord(record);
  }

  finish(): void {
    if (this.first && !this.chosen) this.choose();
  }

  private takeRecord(record: CsvRecord): void {
    if (!this.first) {
      this.first = this.options.rowNames ? { ...record, fields: ["", ...record.fields] } : record;
    } else {
      if (!this.chosen) this.choose(record);
      this.add(record);
    }
  }

  private choose(second?: CsvRecord): void {
    const first = this.first as CsvRecord;
    const { options } = this;
    const read = options.names ? { ...options, header: true } : options;
    try {
      this.chosen = chooseColumns(this.file, first.fields, second?.fields, read);
    } catch (error) {
      if (error instanceof ColumnError)
        throw new UnskippableError(this.file, first.line || undefined, error.what, error.right);
      throw error;
    }
    this.table.roles = this.chosen;
    if (!this.chosen.header) this.add(first);
    else if (!options.names) this.records.expectRestarts(first.fields, options.rowNames);
    this.setRoles(this.chosen);
    this.beginsNumber = beginsNumber(second?.fields[0] ?? "");
  }

  private setRoles({ names, features, label, cells, provenance }: ChosenColumns): void {
    const { comment, quote, lists } = this.options;
    const hasForms = cells.units.size + cells.booleans.size > 0;
    const isUsual = this.notation.isUsual && !this.records.hasBlanks;
    const isPlain = isUsual && !hasForms && [comment, quote, lists].every((each) => each === undefined);
    if (!isPlain || this.hasTimes || Object.values(provenance).some((at) => at >= 0)) return;
    const roles = new Uint8Array(names.length);
    for (const at of features) roles[at] = FEATURE;
    if (label >= 0) roles[label] = LABEL;
    this.numbers = new Float64Array(names.length);
    this.roles = roles;
  }

  /**
   * Reads a plain row at that place, as most are: no quotes, as many fields as the first, and numbers that
   * float32 holds. Returns where the next row begins; -1 for any other row, or one that doesn't end in the
   * text.
   */
  private plainEnd(text: Uint8Array, from: number): number {
    const roles = this.roles as Uint8Array;
    const { separator } = this.records;
    const last = roles.length - 1;
    if (this.beginsNumber && text[from] >= LETTERS) return -1;
    let at = from;
    for (let field = 0; ; field++) {
      at = this.fieldEnd(text, at, field, roles[field]);
      if (at < 0) return -1;
      if (field === last) break;
      if (text[at++] !== separator) return -1;
    }
    if (text[at] === RETURN) at++;
    return text[at] === NEWLINE ? at + 1 : -1;
  }

  /** Reads a field of a plain row; -1 if it is none of these. */
  private fieldEnd(text: Uint8Array, from: number, field: number, role: number): number {
    const { scanner, numbers } = this;
    let end = from;
    if (role === FEATURE) {
      if (!scanner.readFloat32(text, from) || !isFloat32(scanner.value)) return -1;
      numbers[field] = scanner.value;
      return scanner.end;
    }
    if (role === LABEL) {
      const isNumber = scanner.read(text, from);
      if (isNumber) end = scanner.end;
      numbers[field] = isNumber ? scanner.value : Number.NaN;
      this.labelStart = from;
    }
    const { separator } = this.records;
    const first = end;
    for (; text[end] !== separator && text[end] !== NEWLINE && text[end] !== RETURN; end++) {
      if (text[end] === QUOTE) return -1;
    }
    if (role === LABEL) {
      this.labelEnd = end;
      if (end > first) numbers[field] = Number.NaN;
    }
    return end;
  }

  private addPlain(text: string): void {
    const { values, numbers, table } = this;
    const { features, label } = this.chosen as ChosenColumns;
    for (let i = 0; i < features.length; i++) values[i] = numbers[features[i]];
    // A label that isn't plain is read from its text.
    const isNumber = label >= 0 && table.takesLabel(numbers[label]);
    const word = label < 0 || isNumber ? undefined : text.slice(this.labelStart, this.labelEnd);
    table.add(this.records.line, values, isNumber ? numbers[label] : word);
  }

  /** True if a row whose time can't be read is a bad row, in every command. */
  private get hasTimes(): boolean {
    return this.table.badRows.how === "skip" && (this.chosen?.time.length ?? 0) > 0;
  }

  private add(record: CsvRecord): void {
    try {
      this.addRow(record);
    } catch (error) {
      this.table.badRows.take(error);
    }
  }

  private addRow({ fields, line }: CsvRecord): void {
    const { features, label, names, time } = this.chosen as ChosenColumns;
    if (fields.length !== names.length) {
      const what = `${countText(fields.length, "field")} where ${this.options.names ? "its names are" : "the first row has"} ${names.length}`;
      throw new StreamError(this.file, line, what, "every row needs as many");
    }
    if (this.hasTimes && time.some((at) => !isBlank(fields[at]))) this.time(time[0], fields, line);
    for (let i = 0; i < features.length; i++) this.values[i] = this.reading(features[i], fields, line);
    const written = label < 0 ? undefined : this.cell(label, fields, line);
    this.table.add(line, this.values, written, this.provenance(fields, line));
  }

  /** A field in the usual notation. */
  private cell(at: number, fields: string[], line: number): string {
    const { cells } = this.chosen as ChosenColumns;
    const text = cellText(fields[at], at, cells, this.notation);
    if (text !== undefined) return text;
    const [what, right] = cellFault(at, cells);
    throw new StreamError(this.file, line, `${this.shown(at, fields)}, ${what}`, right);
  }

  /** A feature: NaN where it is missing, if the table takes that. */
  private reading(at: number, fields: string[], line: number): number {
    const field = this.cell(at, fields, line);
    const value = parseNumber(field);
    if (isFloat32(value)) return value;
    if (isMissing(field) && this.table.takesMissing) return Number.NaN;
    const { columns, missing } = this.table.optionNames;
    if (isBeyond(field)) {
      const what = `${this.quoted(at)}: ${numeral(field)} ${BEYOND}`;
      const others = columns ? `, or other columns with ${columns}` : "";
      throw new StreamError(this.file, line, what, `${WITHIN_NEEDED}${others}`);
    }
    const others = this.othersNeeded(at, field);
    if (!isMissing(field)) throw this.notNumber(at, fields, line, others);
    const right = missing ? `${missingTaken(missing)}, or ${others}` : others;
    throw new UnskippableError(this.file, line, `${this.shown(at, fields)}, not a number`, right);
  }

  /** The advice where a column isn't one of numbers: how to leave it out. */
  private othersNeeded(at: number, field: string): string {
    const { columns } = this.table.optionNames;
    if (columns === undefined) return "columns of numbers are needed";
    const others = othersThan(at, this.chosen as ChosenColumns);
    const right = `choose columns of numbers with ${columns}${others && `, such as ${others}`}`;
    return hasForm(field) ? `motelearn import finds out how it is written; or ${right}` : right;
  }

  /** A number of the sample's provenance. */
  private number(at: number, fields: string[], line: number): number {
    const value = parseNumber(fields[at]);
    if (Number.isFinite(value)) return value;
    throw this.notNumber(at, fields, line, "a number is needed");
  }

  /** Milliseconds since 1970, of a number in the file's unit or of a date. */
  private time(at: number, fields: string[], line: number): number {
    const { timeUnit, zone, time: columns } = this.options;
    const places = (this.chosen as ChosenColumns).time;
    const isJoined = typeof columns === "object" && at === places[0];
    const date = isJoined ? timeText(columns, (each) => fields[places[each]]) : fields[at];
    const value = isJoined ? Number.NaN : parseNumber(this.notation.usual(date));
    const time = Number.isNaN(value)
      ? parseDate(date, this.options)
      : toMilliseconds(value, timeUnit ?? "ms", zone);
    const isOther = this.hasTimes && timeUnit && !Number.isNaN(value) && !isOfUnit(value, timeUnit);
    if (Number.isFinite(time) && !isOther) return time;
    const right = `${TIME_UNIT_NAMES[timeUnit ?? "ms"]}, or ${dateNeeded(date)}, are needed`;
    throw new StreamError(this.file, line, `${this.quoted(at)} is ${excerpt(date)}, not a time`, right);
  }

  private notNumber(at: number, fields: string[], line: number, right: string): StreamError {
    return new StreamError(this.file, line, `${this.shown(at, fields)}, not a number`, right);
  }

  private quoted(at: number): string {
    const { names, header } = this.chosen as ChosenColumns;
    return quoteColumn(names[at], header);
  }

  private shown(at: number, fields: string[]): string {
    return `${this.quoted(at)} is ${excerpt(fields[at])}`;
  }

  private provenance(fields: string[], line: number): SampleProvenance | undefined {
    const { time, ticks, faults, node, source, confidence } = (this.chosen as ChosenColumns).provenance;
    if (Math.max(time, ticks, faults, node, source, confidence) < 0) return undefined;
    const present = (at: number) => at >= 0 && !isBlank(fields[at]);
    return {
      ...(present(time) && { time: this.time(time, fields, line) }),
      ...(present(ticks) && { ticks: this.number(ticks, fields, line) }),
      ...(present(faults) && { faults: fields[faults].trim() }),
      ...(present(node) && { node: fields[node].trim() }),
      ...(present(source) && { source: this.byte(source, fields, line) }),
      ...(present(confidence) && { confidence: this.byte(confidence, fields, line) }),
    };
  }

  private byte(at: number, fields: string[], line: number): number {
    const value = parseNumber(fields[at]);
    if (isByte(value)) return value;
    throw new StreamError(this.file, line, this.shown(at, fields), BYTE_NEEDED);
  }
}

const isBlank = (field: string) => field.trim() === "";

function guessSeparator(line: string): string {
  const bare = line.replace(/"[^"]*"/g, "");
  if (/[\t;]/.test(bare)) return bare.includes("\t") ? "\t" : ";";
  const fields = blankFields(line);
  return fields.length > 1 && fields.every((field) => !Number.isNaN(parseNumber(field))) ? BLANKS : ",";
}

/** True for a cell that `import` reads: a word of a switch, a number with its unit, a date. */
function hasForm(field: string): boolean {
  if (parseTruth(field) !== undefined || isKnownUnit(parseQuantity(field)?.unit ?? "")) return true;
  return isSlashed(field) || !Number.isNaN(parseDate(field));
}
