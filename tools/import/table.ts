import { BadRows, type BadRowsHow } from "../../host/streams/bad-rows.ts";
import { type CsvRecord, csvRecords } from "../../host/streams/csv-records.ts";
import {
  type FormReading,
  formRows,
  isGathered,
  namedRows,
  nameTime,
  readingsIn,
} from "../../host/streams/forms/form-rows.ts";
import { checkHeld } from "../../host/streams/forms/held-readings.ts";
import type { LabelFile } from "../../host/streams/forms/label-file.ts";
import { LABEL } from "../../host/streams/forms/named-row.ts";
import type { RowRule } from "../../host/streams/forms/options.ts";
import type { Reading, Readings } from "../../host/streams/forms/readings.ts";
import { parseNumber } from "../../host/streams/numbers.ts";
import { StreamError } from "../../host/streams/stream-error.ts";
import { TextSource } from "../../host/streams/text.ts";
import { type DateOrder, type TimeForm, timeForm } from "../../host/streams/time-text.ts";
import type { Dialect } from "./dialect.ts";
import { withHold } from "./label-hold.ts";
import type { Shape } from "./shape.ts";
import { doubtfulDates } from "./survey.ts";
import { Times, type TimesFound } from "./times.ts";

/** How times are written. */
type Written = Pick<TimesFound, "column" | "parts" | "unit" | "dateOrder" | "zone" | "hasZone">;

/** A file as a table: what its description says of that, and its records. */
export interface FoundTable {
  readonly format: Shape["format"];
  /** How its text is written; without a header, if the names aren't its first record. */
  readonly dialect: Dialect;
  readonly keys: Pick<
    FormReading,
    "long" | "pattern" | "rows" | "inOrder" | "windows" | "labels" | "time" | keyof TimeForm
  >;
  /** Series that begin late, so that by a rule of last known readings the rows do. */
  readonly late: readonly LateSeries[];
  /** How its readings' times are written, of a table that is made of readings. */
  readonly readingTimes?: Written;
  /** True if the order of its columns says nothing about them. */
  readonly isUnordered: boolean;
  /** @param features where they are known: by a rule of last known readings, rows begin when each has had one. */
  readonly records: (features?: readonly (string | number)[]) => FoundRecords;
}

/** What the user wants of it. */
export interface TableChoice {
  readonly rows?: RowRule;
  readonly windows?: FormReading["windows"];
  readonly labels?: FormReading["labels"];
  readonly badRows: BadRowsHow;
  /** Of dates such as 3/1/2026. */
  readonly dateOrder?: DateOrder;
  /** Of lines in which a regular expression finds the fields. */
  readonly pattern?: string;
}

/** Formats whose columns have an order of their own. */
const ORDERED: readonly string[] = ["csv", "line-pattern", "field-lines", "class-files"];
/** What the first field of printed lines is called, where nothing names it. */
const UNNAMED = "(?<column1>";
const NO_DIALECT: Dialect = { separator: ",", header: false };

/** A CSV file whose rows are samples. */
export function plainTable(file: string, dialect: Dialect, badRows: BadRowsHow): FoundTable {
  return {
    format: "csv",
    dialect,
    keys: {},
    late: [],
    isUnordered: false,
    records: () => plainRecords(file, dialect, badRows),
  };
}

async function* plainRecords(file: string, dialect: Dialect, how: BadRowsHow): FoundRecords {
  for await (const some of csvRecords(new TextSource(file), dialect, new BadRows(file, how))) yield* some;
}

/**
 * A file that becomes a table.
 *
 * @param rowTimes of CSV whose rows are samples.
 */
export async function madeTable(
  file: string,
  shape: Shape,
  choice: TableChoice,
  rowTimes?: Written,
): Promise<FoundTable> {
  const { format, long, pattern, dialect = NO_DIALECT } = shape;
  const { windows, badRows, rows } = choice;
  const readingTimes = long ? await timesOfReadings(file, shape, long.time, choice) : rowTimes;
  const dateOrder = choice.dateOrder ?? (long && readingTimes?.dateOrder);
  const { column, parts, unit } = rowTimes ?? {};
  const { unit: timeUnit, zone } = readingTimes ?? {};
  const timed = {
    ...{
      ...(long && { long }),
      ...(pattern !== undefined && { pattern }),
      ...(column !== undefined && { time: parts ?? column }),
    },
    ...(dateOrder && { dateOrder }),
    ...(zone && { zone }),
    ...(unit === "days" && { timeUnit: unit }),
    ...((timeUnit === "clock" || timeUnit === "digits") && { timeUnit }),
  };
  const made = isGathered(format, { long, rows })
    ? await gatheredTable(file, { ...shape, ...timed }, choice)
    : { names: await columnsIn(file, shape, badRows), late: [] };
  const { names: found, late, ...how } = made;
  const bare = { ...dialect, ...timed, ...how, names: found };
  const labels =
    choice.labels && (await withHold(choice.labels, timedRows(file, format, bare, choice.labels, badRows)));
  const names = (windows || labels) && !found.includes(LABEL) ? [...found, LABEL] : found;
  const keys = { ...timed, ...how, ...(windows && { windows }), ...(labels && { labels }) };
  const records: FoundTable["records"] = (columns) =>
    madeRecords(file, format, { ...dialect, ...keys, names, columns }, badRows);
  return {
    format,
    dialect: { ...dialect, names },
    keys,
    late,
    ...(isGathered(format, keys) && readingTimes && { readingTimes }),
    isUnordered: !ORDERED.includes(format) || long !== undefined || pattern?.includes(UNNAMED) === false,
    records,
  };
}

/** The rows without labels of their own, and their times. */
function timedRows(
  file: string,
  format: Shape["format"],
  reading: FormReading,
  { rowTime }: LabelFile,
  badRows: BadRowsHow,
): Parameters<typeof withHold>[1] {
  const { names } = reading;
  const records = () => madeRecords(file, format, reading, badRows);
  const written = isGathered(format, reading) ? {} : timeForm(reading);
  const time = rowTime === undefined ? nameTime(format, reading) : String(rowTime);
  return { file, records, time: names.indexOf(time), ...written };
}

async function* madeRecords(
  file: string,
  format: Shape["format"],
  reading: FormReading,
  how: BadRowsHow,
): FoundRecords {
  for await (const some of formRows(new TextSource(file), format, reading, new BadRows(file, how)))
    yield* some;
}

/** How the times in a long table are written; all are read where they have an order. Throws a StreamError where two orders fit. */
async function timesOfReadings(
  file: string,
  { format, pattern, dialect = NO_DIALECT }: Shape,
  time: string,
  { badRows, dateOrder }: TableChoice,
): Promise<Written | undefined> {
  const times = new Times(dateOrder, [time]);
  const written = { ...dialect, pattern };
  const rows = namedRows(new TextSource(file), format, written, new BadRows(file, badRows));
  for await (const some of rows) {
    for (const { fields, line } of some) times.take(fields.get(time) ?? "", line);
    if (some.length > 0 && !times.isSlashed) break;
  }
  if (times.doubt !== undefined) throw doubtfulDates(file, { name: time, date: times.doubt });
  const column = format === "csv" && !dialect.header ? `column ${time}` : time;
  const found = times.found(column);
  const isClock = times.isClock && (found === undefined || SECONDS.test(time));
  return isClock ? { column, unit: "clock", hasZone: true } : found;
}

/** A name of a time that isn't in days. */
const SECONDS = /^sec(ond)?s?$/i;

type FoundRecords = AsyncGenerator<CsvRecord>;

/** So many of the columns have a reading at each time, if the readings of one time are a row. */
const FULL_SHARE = 0.9;

/** The columns of a file whose rows are those of the table, in the order in which they come. */
async function columnsIn(file: string, shape: Shape, how: BadRowsHow): Promise<string[]> {
  const names = new Set<string>();
  const { format, dialect, pattern } = shape;
  const rows = namedRows(new TextSource(file), format, { ...dialect, pattern }, new BadRows(file, how));
  for await (const some of rows)
    for (const { fields } of some) for (const name of fields.keys()) names.add(name);
  return [...names];
}

interface Series {
  readings: number;
  numbers: number;
  /** Readings of all series before its first. */
  readonly before: number;
}

/** A series that begins after so many of all readings, by their number. */
interface LateSeries {
  readonly name: string;
  readonly share: number;
}

/** So many readings before a series' first are worth a word. */
const LATE_SHARE = 0.1;

/** How a file of readings becomes a table: at each time where nearly all columns have a reading, else at each of the one with most. */
async function gatheredTable(
  file: string,
  { format, dialect, ...timed }: Shape & TimeForm & Pick<FormReading, "time">,
  { rows: given, badRows }: TableChoice,
): Promise<Pick<FormReading, "rows" | "inOrder" | "names"> & Pick<FoundTable, "late">> {
  const options = { ...dialect, ...timed, ...(given && { rows: given }) };
  const readings = () =>
    readingsIn(new TextSource(file), format, options, new BadRows(file, badRows)) as Readings;
  const count = new ReadingCount();
  for await (const some of readings()) for (const reading of some) count.take(reading);
  if (count.series.size === 0) throw new StreamError(file, undefined, "no readings", "one or more is needed");
  if (!count.isInOrder) checkHeld(file, count.readings, count.textBytes);
  const times = count.isInOrder ? count.changes : await distinctTimes(readings(), count.readings);
  const rows = given ?? count.rule(times, timed.long?.value === "state");
  const names = [nameTime(format, timed), ...count.series.keys()];
  const late = rows && count.isInOrder ? count.late : [];
  return { ...(rows && { rows }), ...(count.isInOrder && { inOrder: true }), names, late };
}

async function distinctTimes(readings: Readings, count: number): Promise<number> {
  const times = new Float64Array(count);
  let at = 0;
  for await (const some of readings) for (const { time } of some) times[at++] = time;
  return times.sort().reduce((distinct, time, i) => distinct + (i > 0 && time === times[i - 1] ? 0 : 1), 0);
}

class ReadingCount {
  readonly series = new Map<string, Series>();
  isInOrder = true;
  /** Readings at another time than the one before: distinct times, where all are in order. */
  changes = 0;
  private last = Number.NEGATIVE_INFINITY;
  readings = 0;
  textBytes = 0;

  take({ time, name, text }: Reading): void {
    const of = this.series.get(name) ?? { readings: 0, numbers: 0, before: this.readings };
    of.readings++;
    if (!Number.isNaN(parseNumber(text))) of.numbers++;
    this.series.set(name, of);
    this.readings++;
    this.textBytes += Buffer.byteLength(text);
    if (time !== this.last) this.changes++;
    if (time < this.last) this.isInOrder = false;
    this.last = time;
  }

  get late(): LateSeries[] {
    const { series, readings } = this;
    return [...series].flatMap(([name, { before }]) =>
      before > LATE_SHARE * readings ? { name, share: before / readings } : [],
    );
  }

  /**
   * @param times distinct ones.
   * @param areStates whether a reading holds until the next one, so that each time lacks most of them.
   */
  rule(times: number, areStates: boolean): RowRule | undefined {
    const { series, readings } = this;
    // A lone reading is an event, such as a start.
    const returning = [...series.values()].filter((each) => each.readings > 1).length;
    if (!areStates && readings >= FULL_SHARE * times * returning) return undefined;
    const byNumbers = [...series].sort(([, a], [, b]) => b.numbers - a.numbers || b.readings - a.readings);
    return { at: byNumbers[0][0] };
  }
}
