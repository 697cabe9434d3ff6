import type { BadRows } from "../bad-rows.ts";
import type { CsvRecord } from "../csv-records.ts";
import { UnskippableError } from "../stream-error.ts";
import type { TextSource } from "../text.ts";
import { type TimeColumns, type TimeParts, timeReferences, timeText } from "../time-columns.ts";
import { timeForm } from "../time-text.ts";
import { classRows, FILE_CLASS } from "./class-files.ts";
import { csvRows, type TableLines } from "./csv-rows.ts";
import { acquisitionRows } from "./edge-impulse.ts";
import { fieldLineRows } from "./field-lines.ts";
import { gatherRows, inTimeOrder } from "./gather.ts";
import { influxRows } from "./influx-line.ts";
import { jsonColumnRows } from "./json-columns.ts";
import { jsonListRows, jsonRows } from "./json-rows.ts";
import { labelPath } from "./label-file.ts";
import { labelledByFile, labelledByWindows } from "./labelled-rows.ts";
import { LABEL, type NamedRow, type NamedRows, TIME } from "./named-row.ts";
import { type FormOptions, TABLE_FORMATS, type TableFormat } from "./options.ts";
import { patternRows } from "./pattern-rows.ts";
import { type Readings, readReadings } from "./readings.ts";

/** How a text becomes a table. */
export interface FormReading extends TableLines, FormOptions {
  readonly time?: TimeColumns;
  readonly columns?: readonly (string | number)[];
  /** The columns of the table. */
  readonly names: readonly string[];
}

/** The format of a text that becomes a table first; undefined for one that is read as it is. */
export function chooseForm(
  format: string,
  { long, rows, windows, labels }: FormOptions,
): "csv" | TableFormat | undefined {
  if (format === "csv") return long || rows || windows || labels ? "csv" : undefined;
  return TABLE_FORMATS.find((each) => each === format);
}

/** How a text's lines become rows. */
type WrittenRows = TableLines & Pick<FormOptions, "pattern" | "part">;

/** A file's rows, by the names that it has for their fields. */
export function namedRows(
  text: TextSource,
  format: "csv" | TableFormat,
  written: WrittenRows,
  badRows: BadRows,
): NamedRows {
  if (format === "csv") return csvRows(text, written, badRows);
  if (format === "line-pattern") return patternRows(text, written.pattern, badRows);
  if (format === "field-lines") return fieldLineRows(text, badRows);
  if (format === "ndjson-fields") return jsonRows(text, badRows);
  if (format === "json-fields") return jsonListRows(text, badRows);
  if (format === "json-columns") return jsonColumnRows(text);
  if (format === "influx-line") return influxRows(text, badRows);
  if (format === "class-files") return classRows(text.file, written, badRows, written.part);
  return acquisitionRows(text.file, badRows, written.part);
}

/** The same, with a time that has several columns in the first of them. */
async function* clockedRows(
  text: TextSource,
  format: "csv" | TableFormat,
  options: WrittenRows & Pick<FormReading, "time">,
  badRows: BadRows,
): NamedRows {
  const { time } = options;
  for await (const some of namedRows(text, format, options, badRows))
    yield typeof time === "object" ? some.map((row) => joinParts(row, time)) : some;
}

function joinParts({ line, fields }: NamedRow, parts: TimeParts): NamedRow {
  const names = timeReferences(parts).map(String);
  const text = timeText(parts, (at) => fields.get(names[at]) ?? "");
  const whole = new Map(fields);
  for (const name of names) whole.delete(name);
  return { line, fields: whole.set(names[0], text) };
}

/** A file's readings one by one, where rows are to be made of them; undefined where its rows are those of the table. */
export function readingsIn(
  text: TextSource,
  format: "csv" | TableFormat,
  options: FormOptions & TableLines & Pick<FormReading, "time">,
  badRows: BadRows,
): Readings | undefined {
  if (!isGathered(format, options)) return undefined;
  const named = clockedRows(text, format, options, badRows);
  return readReadings(text.file, named, options.long ?? nameTime(format, options), badRows, options);
}

/** True if rows are made of a file's readings. */
export function isGathered(format: string, { long, rows }: FormOptions): boolean {
  return long !== undefined || rows !== undefined || format === "influx-line";
}

/** The column of the time, in a table that is made of readings. */
export function nameTime(format: string, { long, time = TIME }: Pick<FormReading, "long" | "time">): string {
  return long || format === "influx-line" ? TIME : String(timeReferences(time)[0]);
}

/** The rows of a table that a text becomes, as records of the columns that the options name. */
export async function* formRows(
  text: TextSource,
  format: "csv" | TableFormat,
  options: FormReading,
  badRows: BadRows,
): AsyncGenerator<CsvRecord[]> {
  const { inOrder = false, names } = options;
  const { file } = text;
  const time = nameTime(format, options);
  // Columns that name what was read have their own names, or numbers.
  const written = { ...options, names: options.long ? undefined : sourceNames(options) };
  const readings = readingsIn(text, format, written, badRows);
  const rows = readings
    ? gatherRows(file, inTimeOrder(file, readings, inOrder), {
        rule: options.rows,
        needed: neededColumns(options, time),
        time,
      })
    : clockedRows(text, format, written, badRows);
  for await (const some of withLabels(rows, { file, format, badRows }, options))
    yield some.map(({ line, fields }) => ({
      line,
      end: 0,
      fields: names.map((name) => fields.get(name) ?? ""),
    }));
}

/** The names of the file's own columns. */
function sourceNames({ windows, labels, names }: FormReading): readonly string[] {
  const own = (windows || labels) && names.at(-1) === LABEL ? names.slice(0, -1) : names;
  return own.at(-1) === FILE_CLASS ? own.slice(0, -1) : own;
}

interface RowsOf {
  readonly file: string;
  readonly format: string;
  readonly badRows: BadRows;
}

/** Rows with labels that aren't the file's own. Throws an UnskippableError where rows may be skipped and labels stand for each row in turn. */
function withLabels(rows: NamedRows, { file, format, badRows }: RowsOf, options: FormReading): NamedRows {
  const { windows, labels } = options;
  const time = nameTime(format, options);
  const times = isGathered(format, options) ? { name: time } : { name: time, ...timeForm(options) };
  if (labels && labels.time === undefined && badRows.how === "skip") {
    const what = "bad rows are skipped, but its labels stand for each row in turn";
    throw new UnskippableError(labelPath(file, labels), undefined, what, "labels with times are needed");
  }
  const { since, rowTime, rowUnit } = labels ?? {};
  const own = rowTime === undefined ? {} : { name: String(rowTime), rowUnit };
  if (labels) return labelledByFile(rows, file, labels, { ...times, ...own, since });
  return windows ? labelledByWindows(rows, windows, times) : rows;
}

function neededColumns({ columns, names }: FormReading, time: string): readonly string[] {
  if (columns) return columns.map((each) => (typeof each === "number" ? names[each - 1] : each));
  return names.filter((name) => name !== time && name !== LABEL);
}
