import { dirname, isAbsolute, join } from "node:path";
import { countText } from "../../count-text.ts";
import { BadRows } from "../bad-rows.ts";
import { type CsvLines, type CsvRecord, csvRecords } from "../csv-records.ts";
import { excerpt, UnskippableError } from "../stream-error.ts";
import { TextSource } from "../text.ts";
import { type ColumnReference, type TimeColumns, timeReferences, timeText } from "../time-columns.ts";
import {
  CLOCK_UNITS,
  type ClockUnit,
  type DateOrder,
  parseElapsed,
  parseTime,
  type TimeForm,
  type TimeUnit,
} from "../time-text.ts";

/** Labels in a table of their own: of rows at a time, of spans of time, or, without a time, one for each row of the data in turn. */
export interface LabelFile extends Omit<CsvLines, "lists"> {
  /** Its path, from the folder of the data file. */
  readonly file: string;
  /** Whether its first row has the names. Default false. */
  readonly header?: boolean;
  /** The column of the labels. Default: 1, of spans. */
  readonly label?: ColumnReference;
  readonly time?: TimeColumns;
  /** The column of the last time of a span, which belongs to it. Default: a label is of one time. */
  readonly last?: ColumnReference;
  /** The column that says how long a span lasts, in a unit, or as minutes and seconds. */
  readonly lasts?: ColumnReference;
  /** That unit. Default: of the labels' times; seconds beside dates. */
  readonly lastsUnit?: ClockUnit;
  /** True if a label holds until the next one's time. Default: it is of rows at its own time. */
  readonly holds?: boolean;
  /** The label of rows in none of the spans. Default: none. */
  readonly otherwise?: string;
  readonly timeUnit?: TimeUnit | ClockUnit;
  readonly dateOrder?: DateOrder;
  readonly zone?: string;
  /** The rows' time from which its times count, in seconds or `timeUnit`, or as minutes and seconds. Default: 1970. */
  readonly since?: string;
  /** The rows' own clock, on which `since` is a time. Default: the time of the data file. */
  readonly rowTime?: ColumnReference;
  /** The unit of that clock. */
  readonly rowUnit?: ClockUnit;
}

/** True for labels of spans of time. */
export const areSpans = ({ last, lasts }: Pick<LabelFile, "last" | "lasts">) => (last ?? lasts) !== undefined;

/** A label, and where its file has it. Times are milliseconds since 1970, or since where the file's times begin; NaN without one. */
export interface OwnLabel {
  readonly line: number;
  readonly first: number;
  readonly last: number;
  readonly label: string;
}

const clockUnit = (unit: LabelFile["timeUnit"]) => CLOCK_UNITS.find((each) => each === unit) ?? "s";

/** The path of a data file's labels. */
export function labelPath(dataFile: string, { file }: LabelFile): string {
  return isAbsolute(file) ? file : join(dirname(dataFile), file);
}

/** All labels of a file. Throws a StreamError for one that can't be read, and where a span ends before it begins. */
export async function readOwnLabels(path: string, how: LabelFile): Promise<OwnLabel[]> {
  const labels: OwnLabel[] = [];
  let columns: LabelColumns | undefined;
  const badRows = new BadRows(path);
  for await (const records of csvRecords(new TextSource(path), how, badRows)) {
    for (const record of records) {
      const isHeader = columns === undefined && how.header;
      columns ??= new LabelColumns(path, how, isHeader ? record.fields : []);
      if (!isHeader) labels.push(columns.read(record));
    }
  }
  const [left] = badRows.report()?.first ?? [];
  if (left !== undefined) throw new UnskippableError(path, undefined, left, "every label needs a whole row");
  return labels;
}

class LabelColumns {
  private readonly label: number;
  private readonly time: readonly number[];
  private readonly last: number;
  private readonly lasts: number;

  constructor(
    private readonly path: string,
    private readonly how: LabelFile,
    private readonly names: readonly string[],
  ) {
    const { label, time, last, lasts } = how;
    [this.label, this.last, this.lasts] = [label, last, lasts].map((each) => this.at(each));
    this.time = timeReferences(time).map((each) => this.at(each));
  }

  /** The place of a column, -1 of none. */
  private at(reference: ColumnReference | undefined): number {
    if (typeof reference !== "string") return (reference ?? 0) - 1;
    const names = this.names.map((name) => name.trim());
    if (names.includes(reference)) return names.indexOf(reference);
    const has =
      names.length > 0 ? `it has ${names.join(", ")}` : "a number from 1 is needed without a header";
    throw new UnskippableError(this.path, undefined, `no column ${reference}`, has);
  }

  read({ fields, line }: CsvRecord): OwnLabel {
    const label = this.label < 0 ? "1" : this.field(fields, this.label, line).trim();
    const first = this.time.length === 0 ? Number.NaN : this.readTime(this.firstText(fields, line), line);
    const last = this.lasts < 0 ? this.readLast(first, fields, line) : first + this.readSpan(fields, line);
    if (last < first)
      throw new UnskippableError(this.path, line, "its last time is before its first", "a span ends later");
    return { line, first, last, label };
  }

  private firstText(fields: readonly string[], line: number): string {
    return timeText(this.how.time as TimeColumns, (at) => this.field(fields, this.time[at], line));
  }

  private readLast(first: number, fields: readonly string[], line: number): number {
    return this.last < 0 ? first : this.readTime(this.field(fields, this.last, line), line);
  }

  /** Milliseconds that a span lasts. */
  private readSpan(fields: readonly string[], line: number): number {
    const text = this.field(fields, this.lasts, line);
    const { timeUnit, lastsUnit = clockUnit(timeUnit) } = this.how;
    const span = parseElapsed(text, lastsUnit);
    if (!Number.isNaN(span)) return span;
    throw new UnskippableError(
      this.path,
      line,
      `${excerpt(text)} is no time that a span lasts`,
      "seconds are needed",
    );
  }

  private readTime(text: string, line: number): number {
    const time =
      this.how.since !== undefined
        ? parseElapsed(text, clockUnit(this.how.timeUnit))
        : parseTime(text, this.how as TimeForm);
    if (!Number.isNaN(time)) return time;
    throw new UnskippableError(this.path, line, `${excerpt(text)} is no time`, "every label needs one");
  }

  private field(fields: readonly string[], at: number, line: number): string {
    const field = fields[at];
    if (field !== undefined) return field;
    const what = `${countText(fields.length, "field")}, where column ${at + 1} is needed`;
    throw new UnskippableError(this.path, line, what, "every row needs as many");
  }
}
