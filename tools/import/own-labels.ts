import { dirname, relative, resolve } from "node:path";
import type { LabelFile } from "../../host/streams/forms/label-file.ts";
import type { FormOptions } from "../../host/streams/forms/options.ts";
import { excerpt, UnskippableError } from "../../host/streams/stream-error.ts";
import type { DateOrder } from "../../host/streams/time-text.ts";
import type { Column } from "./column.ts";
import { type Dialect, detectDialect, hasNames } from "./dialect.ts";
import { firstLines } from "./first-lines.ts";
import { timeReference } from "./joined-time.ts";
import { UNKNOWN_START } from "./label-hold.ts";
import { readWindows } from "./label-windows.ts";
import { findColumn, hasVerdict, isIdName, LABEL_NAMES } from "./roles.ts";
import { doubtfulDates, makeSurvey, type Survey, type TimeColumn } from "./survey.ts";
import { plainTable } from "./table.ts";

/** Names of the columns of a span's two times. */
const FIRST = /start|begin|from|first|anfang|von|onset|tmin/i;
const LAST = /end|stop|until|last|till|^to$|bis|finish|offset|tmax/i;
/** Names of how long a span lasts. */
const LASTS = /^(duration|dauer|dur[ée]e|duraci[oó]n|durata|length|lasts)(?![a-z])/i;
/** Names of a time that counts from the beginning of a recording; "time" or "t" with a unit, too. */
const ELAPSED = /^(time|t|zeit|onset|timestamp|elapsed|seconds|sec)\b/i;
/** The label of rows in no span, where all spans have one class: of a word, of 0, of another number. */
const OTHER = { word: "other", zero: "1", number: "0" };

type TimePlace = Pick<TimeColumn, "places"> & Partial<TimeColumn>;

interface LabelChoice {
  readonly label?: string;
  readonly dateOrder?: DateOrder;
  /** The time from which the labels' times count, or `start`: the first row's. */
  readonly since?: string;
}

/**
 * How a file of labels is read: NAB's windows, or a table.
 *
 * @param file with the rows.
 * @throws StreamError where nothing says which column is the label, or a time can't be read.
 */
export async function findOwnLabels(
  path: string,
  file: string,
  choice: LabelChoice,
): Promise<Pick<FormOptions, "windows" | "labels">> {
  const lines = await firstLines(path);
  if (/^\s*[[{]/.test(lines.join("\n"))) return { windows: readWindows(path, file) };
  const found = detectDialect(lines);
  const survey = await surveyLabels(path, found, choice);
  const dialect = isAlsoClass(survey, found) ? { ...found, header: false } : found;
  return { labels: describe(path, file, dialect, survey, choice) };
}

async function surveyLabels(path: string, dialect: Dialect, { dateOrder }: LabelChoice): Promise<Survey> {
  const records = plainTable(path, dialect, "refuse").records;
  const survey = await makeSurvey(records, dialect, false, dateOrder);
  const { rows, doubt, spoiltTime } = survey;
  if (rows === 0) throw new UnskippableError(path, undefined, "no labels", "one or more is needed");
  if (doubt) throw doubtfulDates(path, doubt);
  if (!spoiltTime?.found.bad) return survey;
  const { line, text } = spoiltTime.found.bad;
  throw new UnskippableError(path, line, `${excerpt(text)} is no time`, "every label needs one");
}

/** True if the header of a lone column is a class, too. */
function isAlsoClass({ columns }: Survey, { header }: Dialect): boolean {
  return header && columns.length === 1 && columns[0].values.has(columns[0].name);
}

function describe(
  path: string,
  file: string,
  dialect: Dialect,
  survey: Survey,
  choice: LabelChoice,
): LabelFile {
  const { columns } = survey;
  const elapsed = elapsedIn(survey, dialect);
  const [time, last] = elapsed.length > 0 ? elapsed : timesIn(survey);
  if (choice.since !== undefined && elapsed.length === 0) {
    const right = "--since is for times such as 12.5 or 0:12 from the beginning of the recording";
    throw new UnskippableError(path, undefined, "its times don't count from 0", right);
  }
  const lasts = time && !last ? lastsAt(survey, dialect, time) : undefined;
  const label = labelAt(path, survey, dialect, {
    ...choice,
    times: [...survey.times, ...elapsed, ...(lasts === undefined ? [] : [{ places: [lasts] }])],
    isSpan: (last ?? lasts) !== undefined,
  });
  const reference = (at: number) => (dialect.header && !dialect.names ? columns[at].name : at + 1);
  const { separator, header, skipLines, comment, quote } = dialect;
  return {
    file: relative(dirname(resolve(file)), resolve(path)),
    ...{ separator, header },
    ...(skipLines !== undefined && { skipLines }),
    ...(comment !== undefined && { comment }),
    ...(quote !== undefined && { quote }),
    ...(label !== undefined && { label: reference(label) }),
    ...(time && { time: timeReference(time, reference) }),
    ...(elapsed.length > 0
      ? { since: choice.since ?? UNKNOWN_START, timeUnit: columns[elapsed[0].places[0]].clockUnit ?? "s" }
      : writtenIn(time)),
    ...(last && { last: reference(last.places[0]) }),
    ...(lasts !== undefined && { lasts: reference(lasts), ...lengthUnit(columns[lasts]) }),
    ...((last ?? lasts) !== undefined && otherLabel(label === undefined ? undefined : columns[label])),
  };
}

/** The place of a column that says how long each span lasts. */
function lastsAt({ columns }: Survey, dialect: Dialect, { places }: TimePlace): number | undefined {
  const isLasting = ({ name, isTimeOfDay, numbers }: Column, at: number) =>
    LASTS.test(name) && !places.includes(at) && (isTimeOfDay || numbers > 0);
  const at = hasNames(dialect) ? columns.findIndex(isLasting) : -1;
  return at < 0 ? undefined : at;
}

/** The unit of how long a span lasts, where its name says it, or its cells do as minutes and seconds. */
function lengthUnit({ clockUnit, isTimeOfDay }: Column): Pick<LabelFile, "lastsUnit"> {
  const lastsUnit = clockUnit ?? (isTimeOfDay ? "s" : undefined);
  return lastsUnit ? { lastsUnit } : {};
}

function writtenIn(time: TimePlace | undefined): Pick<LabelFile, "timeUnit" | "dateOrder" | "zone"> {
  const { unit, dateOrder, zone } = time?.found ?? {};
  return { ...(unit && { timeUnit: unit }), ...(dateOrder && { dateOrder }), ...(zone && { zone }) };
}

/**
 * The time of a label from the beginning of a recording, and the last one of a span: columns of numbers from 0 on, or of minutes and seconds. Without
 * names, as Audacity writes them, the first two are that if the file has no other times. None where a column has other times.
 */
function elapsedIn({ columns, times }: Survey, dialect: Dialect): readonly TimePlace[] {
  if (times.length > 0) return [];
  const clocks = [...columns.keys()].filter((at) => {
    const { isTimeOfDay, numbers, words, min } = columns[at];
    return isTimeOfDay || (numbers > 0 && words === 0 && min >= 0);
  });
  const named = (form: RegExp) => clocks.find((at) => form.test(columns[at].name));
  if (!hasNames(dialect)) {
    const [first, last] = clocks;
    const isSpan = columns.length > 2 && last !== undefined && isBefore(columns[first], columns[last]);
    return isSpan ? [{ places: [first] }, { places: [last] }] : [];
  }
  const first = named(FIRST);
  const last = clocks.find((at) => at !== first && LAST.test(columns[at].name));
  if (first !== undefined && last !== undefined) return [{ places: [first] }, { places: [last] }];
  const one = named(ELAPSED);
  return one === undefined ? [] : [{ places: [one] }];
}

/** True if these may be the first and the last times of spans: both clocks, or numbers with fractions. */
function isBefore(first: Column, last: Column): boolean {
  if (first.isTimeOfDay || last.isTimeOfDay) return first.isTimeOfDay && last.isTimeOfDay;
  const haveFractions = first.hasFractions || last.hasFractions;
  return haveFractions && first.min <= last.min && first.max <= last.max;
}

/** The time of a label, and the last one of a span. */
function timesIn({ columns, time, times }: Survey): readonly TimePlace[] {
  const spans = times.filter(({ parts }) => parts === undefined);
  const named = (form: RegExp) => spans.filter(({ places }) => form.test(columns[places[0]].name));
  const [first] = named(FIRST);
  const last = named(LAST).find((each) => each !== first);
  if (first && last) return [first, last];
  return time ? [time] : [];
}

/** The label of rows in no span, where the spans have one class alone. */
function otherLabel(label: Survey["columns"][number] | undefined): Pick<LabelFile, "otherwise"> {
  if (!label) return { otherwise: OTHER.number };
  const [value, ...more] = label.classes;
  if (more.length > 0) return {};
  if (label.words > 0) return { otherwise: OTHER.word };
  return { otherwise: Number(value) === 0 ? OTHER.zero : OTHER.number };
}

/** The place of the label; undefined where spans have none. Throws a StreamError where several could be it, and no name says which. */
function labelAt(
  path: string,
  survey: Survey,
  dialect: Dialect,
  { label, times, isSpan }: LabelChoice & { readonly times: readonly TimePlace[]; readonly isSpan: boolean },
): number | undefined {
  const { columns } = survey;
  if (label !== undefined) return findColumn(path, survey, label);
  const isTime = (at: number) => times.some(({ places }) => places.includes(at));
  const usable = [...columns.keys()].filter((at) => {
    const { name, isEmpty, isNotes, isCounting } = columns[at];
    return !isTime(at) && !isIdName(name) && !isEmpty && !isNotes && !isCounting;
  });
  const last = (isIt: (at: number) => boolean) => usable.filter(isIt).at(-1);
  const named = usable.find(
    (at) => hasNames(dialect) && LABEL_NAMES.includes(columns[at].name.toLowerCase()),
  );
  const found = named ?? last((at) => hasVerdict(columns[at], dialect)) ?? last((at) => columns[at].isWordy);
  if (found !== undefined) return found;
  const worded = usable.filter((at) => columns[at].words > 0);
  const varying = worded.filter((at) => columns[at].values.size > 1);
  const [word, ...words] = varying.length > 0 ? varying : worded;
  if (word !== undefined && words.length === 0) return word;
  const [only, ...others] = usable;
  const isOnly = only !== undefined && others.length === 0;
  if (isOnly && (!isSpan || columns[only].words > 0 || columns[only].values.size === 1)) return only;
  if (isSpan && only === undefined) return undefined;
  const names = columns.map(({ name }) => name).join(", ");
  throw new UnskippableError(path, undefined, "no column is called label", `--label chooses one of ${names}`);
}
