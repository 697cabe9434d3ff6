import type { CsvRecord } from "../../host/streams/csv-records.ts";
import { Notations } from "../../host/streams/notation.ts";
import { parseNumber } from "../../host/streams/numbers.ts";
import { excerpt, StreamError } from "../../host/streams/stream-error.ts";
import {
  type DateOrder,
  hasShortYear,
  isClock,
  isSlashed,
  joinClock,
  parseDate,
} from "../../host/streams/time-text.ts";
import { Column } from "./column.ts";
import { type Dialect, hasNames } from "./dialect.ts";
import { type FarNumber, farNumbers, missingWordsIn } from "./missing-words.ts";
import { type PartColumns, Parts } from "./parts.ts";
import { Times, type TimesFound } from "./times.ts";

/** What a CSV file's rows hold. */
export interface Survey {
  readonly rows: number;
  readonly columns: readonly Column[];
  /** Words and numbers for missing readings that readers don't take as such unless told. */
  readonly missingWords: readonly string[];
  /** Numbers that may mean one in their column, and are a reading in another. */
  readonly farNumbers: readonly FarNumber[];
  /** The place of the time, and that of its time of the day, if that is in a column of its own; and what they say. */
  readonly time: TimeColumn | undefined;
  /** All columns of times. */
  readonly times: readonly TimeColumn[];
  /** Columns that number the parts of a recording, and their rows. */
  readonly parts: PartColumns | undefined;
  /** If there is no time: a column with a few cells that are no times. Their rows may not be left out, so it isn't taken. */
  readonly spoiltTime?: TimeColumn;
  /** Without a time: a column of dates that two orders fit, and one of them. */
  readonly doubt?: { readonly name: string; readonly date: string };
}

interface TimeColumn {
  readonly at: number;
  readonly clock?: number;
  readonly found: TimesFound;
}

/** Rows that show whether a date and the time of its day have columns of their own. */
const CLOCKED_ROWS = 20;
/** A name of a column whose numbers may be a time. */
const TIME_NAME =
  /time|date|zeit|datum|epoch|yy-?mm-?dd|stamp|^ts?$|^when$|_at$|[a-z]At$|created|changed|^(start|begin|end|stop)(ed)?$/i;
/** Numbers that end before are microseconds of a clock that began with the recording, rather than seconds since 1970. */
const EARLIEST = "2000";
/** A name of a column whose numbers may be days, as a spreadsheet shows times without their format; one with a unit is of a clock. */
const DATE_NAME = /(^|[^a-z])(date|time|date ?time|time ?stamp|datum|zeit|zeitstempel|zeitpunkt)([^a-z]|$)/i;

/**
 * Counts a table's fields, column by column.
 *
 * @param skipsBad whether to leave out rows with more or fewer fields than there are columns.
 * @param dateOrder of dates such as 3/1/2026, where it is known.
 */
export async function makeSurvey(
  records: AsyncIterable<CsvRecord>,
  dialect: Dialect,
  skipsBad: boolean,
  dateOrder?: DateOrder,
): Promise<Survey> {
  const notation = new Notations(dialect);
  let columns: Column[] | undefined;
  let times: Times[] = [];
  let rows = 0;
  const parts = new Parts();
  let clocked: ReturnType<typeof clockedIn>;
  for await (const { fields, line } of records) {
    const isFirst = columns === undefined;
    columns ??= columnNames(fields, dialect).map((name) => new Column(name));
    if (isFirst) times = columns.map(() => new Times(dateOrder));
    if (isFirst && dialect.header && !dialect.names) continue;
    if (skipsBad && fields.length !== columns.length) continue;
    if (rows++ < CLOCKED_ROWS) clocked ??= clockedIn(fields);
    parts.take((at) => parseNumber(notation.usual(fields[at] ?? "")));
    for (const [at, column] of columns.entries()) {
      const field = fields[at] ?? "";
      column.take(field, notation);
      if (at === clocked?.at) times[at].take(joinClock(field, fields[clocked.clock] ?? ""), line);
      else times[at].take(field, line, parseNumber(notation.usual(field)));
    }
  }
  const found = (columns ?? []).map((column) => column.withoutUnit());
  const missingWords = missingWordsIn(found);
  const far = farNumbers(found, missingWords);
  for (const column of found) column.settle(missingWords);
  const timeColumns = timesIn(found, times, clocked, dialect);
  const time = usualTime(timeColumns);
  const survey = {
    rows,
    columns: found,
    missingWords,
    farNumbers: far,
    parts: parts.found,
    times: timeColumns,
  };
  if (time?.found.bad && !skipsBad) return { ...survey, time: undefined, spoiltTime: time };
  return { ...survey, time, ...(time === undefined && doubtIn(found, times)) };
}

/** The rows' time: of columns without a bad cell, one that changes, from most rows to the next if any does, with the fewest steps back. */
function usualTime(times: readonly TimeColumn[]): TimeColumn | undefined {
  const good = times.filter(({ found }) => !found.bad);
  const changing = good.filter(({ found }) => found.first !== found.last);
  const stepping = changing.filter(({ found }) => found.periodSeconds);
  const usual = stepping.length > 0 ? stepping : changing;
  const fewest = Math.min(...usual.map(({ found }) => found.disorder));
  return usual.find(({ found }) => found.disorder === fewest) ?? good[0] ?? times[0];
}

/** Places of a date without a time of the day, and of that, in a row. */
function clockedIn(fields: readonly string[]): { readonly at: number; readonly clock: number } | undefined {
  const clock = fields.findIndex(isClock);
  const at = fields.findIndex((field) => !field.includes(":") && isDate(field));
  return clock >= 0 && at >= 0 && isDate(joinClock(fields[at], fields[clock])) ? { at, clock } : undefined;
}

const isDate = (text: string) => isSlashed(text) || !Number.isNaN(parseDate(text));

function columnNames(
  first: readonly string[],
  { header, rowNames, names: given }: Dialect,
): readonly string[] {
  if (given) return given;
  const names = rowNames ? ["", ...first] : first;
  return names.map((name, at) => (header && name.trim() !== "" ? name.trim() : `column ${at + 1}`));
}

/** The columns of dates, and of numbers of seconds or milliseconds under a name that says so, or that rise where no column has a name. */
function timesIn(
  columns: readonly Column[],
  times: readonly Times[],
  clocked: ReturnType<typeof clockedIn>,
  dialect: Dialect,
): TimeColumn[] {
  return columns.flatMap(({ name, clockUnit }, at): TimeColumn[] => {
    const found = times[at].found(name);
    const isRising = !hasNames(dialect) && found?.disorder === 0 && found.first !== found.last;
    const isNamed =
      found?.unit === "days" ? DATE_NAME.test(name) && !clockUnit : isRising || TIME_NAME.test(name);
    if (!found || (found.unit !== undefined && (!isNamed || found.last < EARLIEST))) return [];
    if (at !== clocked?.at) return [{ at, found }];
    return [{ at, clock: clocked.clock, found: { ...found, clock: columns[clocked.clock].name } }];
  });
}

function doubtIn(columns: readonly Column[], times: readonly Times[]): Pick<Survey, "doubt"> {
  const at = times.findIndex(({ doubt }) => doubt !== undefined);
  return at < 0 ? {} : { doubt: { name: columns[at].name, date: times[at].doubt as string } };
}

/** What is wrong where dates may be of two days each. */
export function doubtfulDates(file: string, { name, date }: NonNullable<Survey["doubt"]>): StreamError {
  const what = `column ${JSON.stringify(name)} has dates such as ${excerpt(date)}, which several orders fit`;
  const year = hasShortYear(date) ? ", --date-order YMD the year" : "";
  const right = `--date-order DMY reads the day first, --date-order MDY the month${year}`;
  return new StreamError(file, undefined, what, right);
}
