import type { CsvRecord } from "../../host/streams/csv-records.ts";
import { Notations } from "../../host/streams/notation.ts";
import { parseNumber } from "../../host/streams/numbers.ts";
import { excerpt, StreamError } from "../../host/streams/stream-error.ts";
import type { TimePart } from "../../host/streams/time-columns.ts";
import { type DateOrder, hasShortYear } from "../../host/streams/time-text.ts";
import { CLOCK_NAME, UNNAMED_CLOCK } from "./clock-names.ts";
import { ClockSteps, type OwnClock, ownClock } from "./clock-steps.ts";
import { Column } from "./column.ts";
import { withMilliseconds } from "./date-parts.ts";
import { type Dialect, hasNames } from "./dialect.ts";
import { hexColumns } from "./hex-columns.ts";
import { type JoinedTime, joinedText, joinedTime, namedParts } from "./joined-time.ts";
import { type FarNumber, farNumbers, missingWordsIn } from "./missing-words.ts";
import { type PartColumns, Parts } from "./parts.ts";
import { Times, type TimesFound } from "./times.ts";
import { unnamedTime } from "./unnamed-time.ts";

/** What a CSV file's rows hold. */
export interface Survey {
  readonly rows: number;
  readonly columns: readonly Column[];
  /** Words and numbers for missing readings that readers don't take as such unless told. */
  readonly missingWords: readonly string[];
  /** Numbers that may mean one in their column, and are a reading in another. */
  readonly farNumbers: readonly FarNumber[];
  /** The places of the time's columns, and what they say. */
  readonly time: TimeColumn | undefined;
  /** All columns of times. */
  readonly times: readonly TimeColumn[];
  /** The clock of the recording's own. */
  readonly clock?: OwnClock;
  /** The places of columns of bytes in hexadecimal. */
  readonly bytes: readonly number[];
  /** Columns that number the parts of a recording, and their rows. */
  readonly parts: PartColumns | undefined;
  /** If there is no time: a column with a few cells that are no times. Their rows may not be left out, so it isn't taken. */
  readonly spoiltTime?: TimeColumn;
  /** Without a time: a column of dates that two orders fit, and one of them. */
  readonly doubt?: { readonly name: string; readonly date: string };
}

export interface TimeColumn {
  readonly places: readonly number[];
  /** The part that each column has, where a time has several. */
  readonly parts?: readonly TimePart[];
  readonly found: TimesFound;
}

/** Rows that show whether the parts of a time have columns of their own. */
const JOINED_ROWS = 20;
/** A name of a column whose numbers may be a time. */
const TIME_NAME =
  /time|date|zeit|datum|epoch|yy-?mm-?dd|stamp|^ts?$|^when$|_at$|[a-z]At$|created|changed|^(start|begin|end|stop)(ed)?$/i;
/** Numbers that end before are microseconds of a clock that began with the recording, rather than seconds since 1970. */
const EARLIEST = "2000";
/** Those that begin later are seconds since another year: LabVIEW's, since 1904, are in 2092. */
const LATEST = "2070";
/** A name of a column whose numbers may be days, as a spreadsheet shows times without their format; one with a unit is of a clock. */
const DATE_WORD = /(^|[^a-z])(date|time|date ?time|time ?stamp|datum|zeit|zeitstempel|zeitpunkt)([^a-z]|$)/i;

const isDateName = (name: string) => DATE_WORD.test(name.replace(/([a-z])([A-Z])/g, "$1 $2"));

/**
 * Counts a table's fields, column by column.
 *
 * @param records of the table, from its beginning at each call.
 * @param skipsBad whether to leave out rows with more or fewer fields than there are columns.
 * @param dateOrder of dates such as 3/1/2026, where it is known.
 */
export async function makeSurvey(
  records: () => AsyncIterable<CsvRecord>,
  dialect: Dialect,
  skipsBad: boolean,
  dateOrder?: DateOrder,
): Promise<Survey> {
  const survey = await surveyRows(records(), dialect, skipsBad, dateOrder);
  const mayBeUnnamed = !hasNames(dialect) && !survey.time;
  const joined = mayBeUnnamed ? await unnamedTime(records(), survey.columns) : withMilliseconds(survey);
  const whole = joined && (await surveyRows(records(), dialect, skipsBad, dateOrder, joined));
  if (!whole || mayBeUnnamed) return whole ?? survey;
  // Milliseconds that make steps back are a reading's.
  return whole.time && whole.time.found.disorder <= (survey.time?.found.disorder ?? 0) ? whole : survey;
}

/** @param known the columns of the rows' time, where they were found. */
async function surveyRows(
  records: AsyncIterable<CsvRecord>,
  dialect: Dialect,
  skipsBad: boolean,
  dateOrder: DateOrder | undefined,
  known?: JoinedTime,
): Promise<Survey> {
  const notation = new Notations(dialect);
  let columns: Column[] | undefined;
  let times: Times[] = [];
  let clocks: ClockSteps[] = [];
  let rows = 0;
  const parts = new Parts();
  let named: ReturnType<typeof namedParts> = new Map();
  let joined = known;
  const early: Pick<CsvRecord, "fields" | "line">[] = [];
  const takeJoined = ({ fields, line }: Pick<CsvRecord, "fields" | "line">) => {
    if (!joined) return;
    const text = joinedText(joined, fields);
    times[joined.places[0]].take(text, line, parseNumber(notation.usual(text)));
  };
  for await (const { fields, line } of records) {
    const isFirst = columns === undefined;
    columns ??= columnNames(fields, dialect).map((name) => new Column(name));
    if (isFirst) times = columns.map(({ name }) => new Times(dateOrder, [name]));
    if (isFirst) clocks = columns.map((column) => new ClockSteps(mayBeClock(column)));
    if (isFirst && hasNames(dialect)) named = namedParts(columns.map(({ name }) => name));
    if (isFirst && dialect.header && !dialect.names) continue;
    if (skipsBad && fields.length !== columns.length) continue;
    if (rows++ < JOINED_ROWS && !joined) {
      joined = joinedTime(fields, named, (at) => isDateName(columns?.[at]?.name ?? ""));
      if (joined)
        times[joined.places[0]] = new Times(
          dateOrder,
          joined.places.map((at) => columns?.[at]?.name ?? ""),
        );
      // A date that was mistyped in the first rows is a bad one, too.
      for (const each of joined ? early : []) takeJoined(each);
      early.push({ fields, line });
    }
    parts.take((at) => parseNumber(notation.usual(fields[at] ?? "")));
    for (const [at, column] of columns.entries()) {
      const field = fields[at] ?? "";
      column.take(field, notation);
      const number = parseNumber(notation.usual(field));
      clocks[at].take(field, number);
      if (joined?.places[0] !== at) times[at].take(field, line, number);
    }
    takeJoined({ fields, line });
  }
  const found = (columns ?? []).map((column) => column.withoutUnit());
  for (const column of found) column.takeGrades();
  const bytes = hexColumns(found);
  const readings = found.filter((_, at) => !bytes.includes(at));
  const missingWords = missingWordsIn(readings);
  const far = farNumbers(readings, missingWords);
  for (const column of found) column.settle(missingWords);
  const timeColumns = timesIn(found, times, joined, dialect);
  const time = usualTime(timeColumns);
  const clock = ownClock(found, clocks);
  const survey = {
    rows,
    ...(clock && { clock }),
    columns: found,
    missingWords,
    farNumbers: far,
    bytes,
    parts: parts.found,
    times: timeColumns,
  };
  if (time?.found.bad && !skipsBad) return { ...survey, time: undefined, spoiltTime: time };
  return { ...survey, time, ...(time === undefined && doubtIn(found, times)) };
}

/** True for a column whose numbers may be a clock, by its name. */
const mayBeClock = ({ name, clockUnit }: Column) =>
  clockUnit !== undefined || CLOCK_NAME.test(name) || UNNAMED_CLOCK.test(name);

/** The rows' time: of columns without a bad cell, one that changes, from most rows to the next if any does, with the fewest steps back. */
function usualTime(times: readonly TimeColumn[]): TimeColumn | undefined {
  const good = times.filter(({ found }) => !found.bad);
  const changing = good.filter(({ found }) => found.first !== found.last);
  const stepping = changing.filter(({ found }) => found.periodSeconds);
  const usual = stepping.length > 0 ? stepping : changing;
  const fewest = Math.min(...usual.map(({ found }) => found.disorder));
  const first = usual.find(({ found }) => found.disorder === fewest);
  return (first && usual.find((other) => isZoned(other, first))) ?? first ?? good[0] ?? times[0];
}

/** Milliseconds: zones differ by whole quarters of an hour, up to fifteen; two writings of a time by a second each, at most. */
const [QUARTER, SLACK, ZONE_MAX] = [900_000, 2000, 15 * 3_600_000];

/** True for the same times as these, which have no zone, written with it. */
function isZoned({ found, parts }: TimeColumn, { found: local }: TimeColumn): boolean {
  const apart = (key: "first" | "last") => Date.parse(found[key]) - Date.parse(local[key]);
  const isQuarter = Math.abs(apart("first") - QUARTER * Math.round(apart("first") / QUARTER)) <= SLACK;
  const isAlike = isQuarter && Math.abs(apart("last") - apart("first")) <= SLACK;
  return found.hasZone && !local.hasZone && !parts && isAlike && Math.abs(apart("first")) <= ZONE_MAX;
}

function columnNames(
  first: readonly string[],
  { header, rowNames, names: given }: Dialect,
): readonly string[] {
  if (given) return given;
  const names = rowNames ? ["", ...first] : first;
  return names.map((name, at) => (header && name.trim() !== "" ? name.trim() : `column ${at + 1}`));
}

/**
 * The columns of dates, and of numbers of seconds or milliseconds under a name that says so or ends in their unit, or that rise where no column has a
 * name; where there is none of these, numbers that rise steadily under any name.
 */
function timesIn(
  columns: readonly Column[],
  times: readonly Times[],
  joined: JoinedTime | undefined,
  dialect: Dialect,
): TimeColumn[] {
  const find = (mayBeAny: (column: Column, found: TimesFound) => boolean) =>
    columns.flatMap((column, at): TimeColumn[] => {
      const found = times[at].found(column.name);
      if (!found || (found.unit !== undefined && !isSince1970(column, found, mayBeAny(column, found))))
        return [];
      if (at !== joined?.places[0]) return joined?.places.includes(at) ? [] : [{ places: [at], found }];
      const parts = Object.fromEntries(joined.parts.map((part, i) => [part, columns[joined.places[i]].name]));
      return [{ ...joined, found: { ...found, parts } }];
    });
  const named = find(() => !hasNames(dialect));
  const found = named.length > 0 ? named : find(({ clockUnit }, { isSteady }) => isSteady && !clockUnit);
  // A whole date is simpler than its parts, which a table may have besides.
  const isWhole = ({ parts }: TimeColumn) => !parts?.includes("year");
  return [...found.filter(isWhole), ...found.filter((each) => !isWhole(each))];
}

/** True for numbers that are a time, by their column's name; under any name, if they rise. */
function isSince1970({ name, clockUnit }: Column, found: TimesFound, mayBeAny: boolean): boolean {
  const { unit, disorder, first, last } = found;
  if (last < EARLIEST || first > LATEST) return false;
  if (unit === "days") return isDateName(name) && !clockUnit;
  const isRising = disorder === 0 && first !== last;
  return (isRising && mayBeAny) || (clockUnit !== undefined && clockUnit === unit) || TIME_NAME.test(name);
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
