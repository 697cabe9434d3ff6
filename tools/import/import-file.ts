import { type Description, descriptionPath } from "../../host/streams/description.ts";
import { formatByExtension, formatByLine } from "../../host/streams/formats.ts";
import type { JsonColumns } from "../../host/streams/forms/json-columns.ts";
import { areSpans, type LabelFile } from "../../host/streams/forms/label-file.ts";
import { TABLE_FORMATS } from "../../host/streams/forms/options.ts";
import { NoWholeRowError, StreamError, UnskippableError } from "../../host/streams/stream-error.ts";
import { isWindowsText } from "../../host/streams/text.ts";
import { arffDialect, isArff } from "./arff.ts";
import { CLOCK_NAME } from "./clock-names.ts";
import type { Column } from "./column.ts";
import { type ColumnFound, columnsFound } from "./column-found.ts";
import { type Dialect, detectDialect, hasNames } from "./dialect.ts";
import { firstLines } from "./first-lines.ts";
import { timeReference } from "./joined-time.ts";
import { patternShape } from "./line-patterns.ts";
import { bare, featuresIn, makeDescription } from "./make-description.ts";
import { noReadings } from "./no-readings.ts";
import { refuseNoTable } from "./no-table.ts";
import { unreadNumbers } from "./printed-lines.ts";
import { type ReadBack, readBack, type TiedFeatures } from "./read-back.ts";
import { assignRoles, findColumn, otherLabels } from "./roles.ts";
import { factsIn } from "./said-facts.ts";
import { isOtherRate, sampledIn } from "./sampled.ts";
import { detectShape, isFolder, type Shape } from "./shape.ts";
import { findSources, type SourcesFound } from "./sources.ts";
import { doubtfulDates, makeSurvey, type Survey, type TimeColumn } from "./survey.ts";
import { type FoundTable, madeTable, plainTable, type TableChoice } from "./table.ts";
import type { TimesFound } from "./times.ts";
import { unnamedParts } from "./unnamed-time.ts";

/** What a data file holds, and how it is read. */
export interface FileFound extends ReadBack {
  readonly file: string;
  /** Where its description lies. */
  readonly path: string;
  readonly description: Description;
  readonly columns?: readonly ColumnFound[];
  readonly time?: TimesFound;
  /** True of a text that isn't UTF-8, and is read as Windows-1252. */
  readonly isWindows?: true;
  /** Rows a second by the file's head, where its times say others. */
  readonly saidRate?: number;
  /** Where JSON's columns stand, and the paths of others that are left out. */
  readonly lists?: Pick<JsonColumns, "path" | "others">;
  /** The devices, where the file has rows of several. */
  readonly sources?: SourcesFound;
  /** Of lines in which import found the pattern: numbers of the first one that it doesn't read. */
  readonly unread?: readonly string[];
  /** Names of the head behind those of the columns. */
  readonly spareNames?: readonly string[];
  /** Columns that differ in rows of one time, which may be of several series. */
  readonly mixed?: readonly string[];
}

/** What the user says about a file. */
interface ImportChoice extends TableChoice {
  readonly format?: Description["format"];
  /** The column of the labels. */
  readonly label?: string;
}

/** Looks at a file, and reads it as its description says. Throws a StreamError for one that can't be read. */
export async function lookAt(file: string, choice: ImportChoice): Promise<FileFound> {
  const lines = isFolder(file) ? [] : await firstLines(file);
  const table = await foundTable(file, lines, choice);
  try {
    const found = await lookAtTable(file, table, choice);
    const { pattern } = found.description;
    const unread = pattern === undefined || choice.pattern ? [] : unreadNumbers(pattern, lines);
    return { ...found, ...(unread.length > 0 && { unread }) };
  } catch (error) {
    // What is wrong with the first row of no table says little.
    const isOfRows = error instanceof StreamError && !(error instanceof UnskippableError);
    const isCsv = typeof table === "object" && table.format === "csv";
    if (isOfRows && isCsv && choice.badRows === "refuse") refuseNoTable(file, lines);
    throw error;
  }
}

async function lookAtTable(
  file: string,
  table: Awaited<ReturnType<typeof foundTable>>,
  choice: ImportChoice,
): Promise<FileFound> {
  const described =
    table === "libsvm" || table === "ndjson"
      ? { description: bare(table, choice) }
      : await describedTable(file, table, choice);
  const { description, read, tied } = await readWhole(file, described.description);
  const told = withTied({ ...described, description }, tied);
  const last = tied.second.length > 0 ? (await readBack(file, told.description)).read : read;
  const windows = !isFolder(file) && (await isWindowsText(file)) ? { isWindows: true as const } : {};
  return { file, path: descriptionPath(file), ...windows, ...last, ...told };
}

/** Reads a file back. If each row lacks a reading, as in a log of changes, its description says that each channel repeats its last one. */
async function readWhole(
  file: string,
  description: Description,
): Promise<Awaited<ReturnType<typeof readBack>> & { readonly description: Description }> {
  try {
    return { description, ...(await readBack(file, description)) };
  } catch (error) {
    if (!(error instanceof NoWholeRowError) || description.missing) throw error;
    const held = { ...description, missing: "hold" as const };
    return { description: held, ...(await readBack(file, held)) };
  }
}

type Described = Pick<
  FileFound,
  "description" | "columns" | "time" | "saidRate" | "lists" | "sources" | "mixed" | "spareNames"
>;

/** Marks the features that go with the label; those that are second labels are no features any more. */
function withTied(described: Described, { second, alike }: TiedFeatures): Described {
  const { description, columns = [] } = described;
  const features = columns.filter(({ role }) => role === "feature");
  const is = (places: readonly number[], column: ColumnFound) => places.some((at) => features[at] === column);
  if (second.length + alike.length === 0) return described;
  return {
    ...described,
    description: {
      ...description,
      features: description.features?.filter((_, at) => !second.includes(at)),
    },
    columns: columns.map(({ couldBeLabel, ...column }, at) => ({
      ...column,
      ...(couldBeLabel && !is(second, columns[at]) && { couldBeLabel }),
      ...(is(second, columns[at]) && { role: "second label" as const }),
      ...(is(alike, columns[at]) && { isAlike: true as const }),
    })),
  };
}

/** The file as a table, or the format of one that describes itself. */
async function foundTable(
  file: string,
  lines: readonly string[],
  choice: ImportChoice,
): Promise<FoundTable | "libsvm" | "ndjson"> {
  const { format: given, pattern, badRows, rows, windows, labels, dateOrder } = choice;
  const shape =
    pattern !== undefined
      ? patternShape(pattern, lines)
      : given === undefined
        ? await detectShape(file, lines)
        : shapeGiven(given);
  const hasTimes = shape?.long !== undefined || shape?.format === "influx-line";
  const needsTimes = rows !== undefined || windows !== undefined || labels?.time !== undefined;
  if (shape && (hasTimes || !needsTimes)) return madeTable(file, shape, choice);
  const format =
    shape?.format ??
    given ??
    formatByExtension(file) ??
    formatByLine(lines.find((line) => line.trim()) ?? "");
  if (format === "libsvm" || format === "ndjson") return format;
  const dialect = isArff(lines) ? arffDialect(file, lines) : detectDialect(lines);
  const plain = shape
    ? await madeTable(file, shape, { badRows, dateOrder })
    : plainTable(file, dialect, badRows);
  if (!needsTimes) return labels ? madeTable(file, shape ?? { format: "csv", dialect }, choice) : plain;
  const survey = await makeSurvey(plain.records, plain.dialect, true, dateOrder);
  const table = shape ?? { format: "csv" as const, dialect };
  const clock = survey.time || rows !== undefined || !labels?.since ? undefined : ownClock(survey, plain);
  if (labels && clock) return madeTable(file, table, { ...choice, labels: { ...labels, ...clock } });
  const isInTurn = !survey.time && rows === undefined && labels?.since && !areSpans(labels);
  if (isInTurn) return madeTable(file, table, { ...choice, labels: withoutTime(labels) });
  const time = timeColumn(file, plain, survey);
  return madeTable(file, table, { ...choice, dateOrder: time.dateOrder }, time);
}

function shapeGiven(given: NonNullable<Description["format"]>): Shape | undefined {
  const format = TABLE_FORMATS.find((each) => each === given);
  return format && { format };
}

/** Labels that stand for each row in turn: their times count, but the rows have no clock. */
function withoutTime({ time: _, since, timeUnit, ...labels }: LabelFile): LabelFile {
  return labels;
}

/** The clock of a table's rows that begins with the recording: a column of numbers that rise by its name, or of times of the day. Seconds, if their unit isn't named, have fractions. */
function ownClock(
  { columns }: Survey,
  { dialect }: FoundTable,
): Pick<LabelFile, "rowTime" | "rowUnit"> | undefined {
  const isClock = ({ name, isCounting, clockUnit }: Column) =>
    isCounting && (clockUnit !== undefined || CLOCK_NAME.test(name));
  const counting = columns.findIndex(isClock);
  const at = counting >= 0 ? counting : columns.findIndex(({ isTimeOfDay }) => isTimeOfDay);
  if (at < 0) return undefined;
  const { name, clockUnit, isTimeOfDay, hasFractions } = columns[at];
  const rowTime = hasNames(dialect) ? name : String(at + 1);
  return { rowTime, rowUnit: clockUnit ?? (isTimeOfDay || hasFractions ? "s" : "ms") };
}

/** The time of a table's rows. Throws a StreamError without one. */
function timeColumn(file: string, { dialect, format }: FoundTable, { time, doubt }: Survey): TimesFound {
  if (doubt) throw doubtfulDates(file, doubt);
  if (time && (hasNames(dialect) || format !== "csv")) return time.found;
  if (time) return { ...time.found, ...timeNumbers(time) };
  const right =
    "a column of dates, or of seconds since 1970 under a header, is needed; for --labels, a clock such as t_ms will do";
  throw new StreamError(file, undefined, "no time of its rows, which --every and --labels need", right);
}

/** The columns of a time without names, by their numbers. */
function timeNumbers(time: TimeColumn): Pick<TimesFound, "column" | "parts"> {
  const parts = timeReference(time, (at) => String(at + 1));
  return { column: String(time.places[0] + 1), ...(typeof parts === "object" && { parts }) };
}

async function describedTable(file: string, table: FoundTable, choice: ImportChoice): Promise<Described> {
  const { dialect, records, keys } = table;
  const skipsBad = choice.badRows === "skip";
  const first = await makeSurvey(records, dialect, skipsBad, choice.dateOrder);
  if (first.doubt) throw doubtfulDates(file, first.doubt);
  const label = choice.label === undefined ? undefined : findColumn(file, first, choice.label);
  // No number of a list is the label by its place.
  const isUnordered = table.isUnordered || dialect.lists !== undefined;
  const isTimed = isTimedIn(first, dialect);
  const { sources, mixed } = isRowwise(table) ? await findSources(records(), first, dialect, label) : {};
  const roles = assignRoles(first, dialect, {
    isUnordered,
    isTimed,
    skipsBad,
    label,
    source: sources?.place,
  });
  const survey = keys.rows
    ? await makeSurvey(() => records(featuresIn(first, dialect, roles)), dialect, skipsBad, choice.dateOrder)
    : first;
  const { rate, units, lists } = await factsIn(file, table);
  const others = choice.label === undefined ? otherLabels(survey, roles, dialect) : [];
  const columns = columnsFound(survey, table, {
    roles,
    units,
    others,
    isLabelGiven: choice.label !== undefined,
  });
  if (survey.rows > 0 && !roles.includes("feature")) throw noReadings(file, columns, choice.badRows);
  const time = survey.time && { time: withWritten({ ...survey.time.found, ...sources?.stepping }, table) };
  // Where the last known state says that there is none, a row is no sample.
  const isHistory =
    keys.long && keys.rows && columns.some(({ role, missing }) => role === "feature" && missing > 0);
  const description = {
    ...makeDescription(table, survey, roles, choice),
    ...sampledIn(survey, rate, sources?.stepping),
    ...(isHistory && { missing: "skip" as const }),
  };
  const otherRate = rate !== undefined && isOtherRate(survey, rate) ? { saidRate: rate } : {};
  return {
    description,
    columns,
    ...time,
    ...otherRate,
    ...(lists && { lists }),
    ...(sources && { sources }),
    ...(mixed && { mixed }),
    ...(dialect.spareNames && { spareNames: dialect.spareNames }),
  };
}

/** True if the rows are the file's own: those that are made of readings have each series in a column. */
const isRowwise = ({ keys }: FoundTable) => keys.long === undefined && keys.rows === undefined;

/** True if rows have a time, or come at a known rate, or a column rises like a clock where none has a name. */
function isTimedIn({ time, spoiltTime, columns }: Survey, dialect: Dialect): boolean {
  const isUnnamed = !hasNames(dialect);
  const hasClock = columns.some(
    ({ isClock, isTimeOfDay, isCounting, isRowNumber }) =>
      isClock || isTimeOfDay || (isUnnamed && isCounting && !isRowNumber),
  );
  const hasTime =
    time !== undefined || spoiltTime !== undefined || (isUnnamed && unnamedParts(columns).length > 0);
  return hasTime || hasClock || dialect.rate !== undefined;
}

/** The rows' times. A row that is made of readings has its time in milliseconds; the file may write it otherwise. */
function withWritten(times: TimesFound, { readingTimes }: FoundTable): TimesFound {
  if (!readingTimes) return times;
  const { column, parts, unit, dateOrder, zone, hasZone } = readingTimes;
  return { ...times, column, parts, unit, dateOrder, zone, hasZone };
}
