import { CLASSES_MAX } from "../../host/streams/class-names.ts";
import { beginsNumber, parseNumber } from "../../host/streams/numbers.ts";
import { PROVENANCE_NAMES } from "../../host/streams/provenance.ts";
import { StreamError } from "../../host/streams/stream-error.ts";
import { monthNumber } from "../../host/streams/time-text.ts";
import { CLOCK_NAME } from "./clock-names.ts";
import type { Column } from "./column.ts";
import { datePartsIn } from "./date-parts.ts";
import { type Dialect, hasNames } from "./dialect.ts";
import { EPOCH_MIN } from "./shape.ts";
import type { Survey } from "./survey.ts";

/** What a column is. All but features, the label and the time are left out: a counter, which rises from row to row as a clock does; a second label, which says the label in other words; and those that their role tells. A column that is no more than "left out" has texts, or nothing. */
export type Role =
  | "feature"
  | "label"
  | "time"
  | "counter"
  | "part"
  | "date part"
  | "other time"
  | "time of day"
  | "unread time"
  | "no reading"
  | "id"
  | "bytes"
  | "rare"
  | "second label"
  | "left out";

/** Names of a column of labels. */
export const LABEL_NAMES: readonly string[] = ["label", "class", "target"];
/** Names of a column that says what someone found out, which is the label where no other name says so; of words or of numbers. */
const VERDICT = (names: string) => new RegExp(`(^|[^a-z])(${names})s?([^a-z]|$)`, "i");
const FOUND_OUT = "label|class|target|activity|fault|failure|anomaly|attack|alarm|fehler|störung";
const NUMBERS_VERDICT = VERDICT(FOUND_OUT);
const WORDS_VERDICT = VERDICT(`${FOUND_OUT}|state|status|condition|zustand`);
/** Names of what a model estimates, in the last column. */
const OUTPUT_NAME = /^(y|rul|ttf|output|outcome|response)$/i;
/** Columns of a ThingSpeak export that are no readings. */
const THINGSPEAK_ASIDE = ["entry_id", "latitude", "longitude", "elevation", "status"];

/** A column of times that aren't since 1970, such as Edge Impulse's, or of dates as numbers. */
const CLOCK = /^(timestamp|date|datum)\b/i;
/** Columns of a pivoted export of InfluxDB's that are no readings. */
const INFLUX_ASIDE = ["result", "table", "_start", "_stop", "_measurement"];

/** A column that so few rows have, by those that have the fullest, is left out: each row without it would be no sample. */
const RARE_SHARE = 0.1;

/** What else is known of a table's columns. */
interface RoleRules {
  /** True if their order says nothing about them. */
  readonly isUnordered: boolean;
  /** True of a recording with a time or a rate: its last column of readings is a channel, no label. */
  readonly isTimed: boolean;
  /** True: a few words among numbers are bad rows. */
  readonly skipsBad: boolean;
  /** The place of the label, where it was given. */
  readonly label: number | undefined;
  /** That of a column which tells devices apart. */
  readonly source?: number;
}

/** The role of each column: readers' rules; texts, empty columns and, where other readings remain, counters left out. */
export function assignRoles(survey: Survey, dialect: Dialect, rules: RoleRules): Role[] {
  const aside = asideIn(survey, dialect);
  const { part, counter } = survey.parts ?? {};
  const counters = survey.columns.map(
    ({ isCounting }, at) => (isCounting || at === counter) && !aside[at] && at !== rules.label,
  );
  const isOut = aside.map((is, at) => is || counters[at] || (at === part && at !== rules.label));
  const roles = rolesBeside(isOut, survey, dialect, rules);
  // What is left beside a counter are readings, not classes alone.
  const features = survey.columns.filter((_, at) => roles[at] === "feature");
  const isMeasured = ({ isContinuous, hasClassNumbers, hasStates }: Column) =>
    isContinuous || roles.includes("label") || !(hasClassNumbers || hasStates);
  // A column with a few words may have the readings; the user says what becomes of its rows.
  const isSpoilt = survey.columns.some((column, at) => !isOut[at] && column.isSpoilt);
  const isNumber = aside.map((is, at) => is || (at !== rules.label && survey.columns[at].isNumbering));
  const beside =
    features.some(isMeasured) || isSpoilt ? roles : rolesBeside(isNumber, survey, dialect, rules);
  const most = beside === roles ? Math.max(0, ...features.map(({ readings }) => readings)) : 0;
  const dateParts = datePartsIn(survey, dialect);
  const behind = rules.isUnordered || beside !== roles ? [] : flagsBehind(survey, roles);
  return beside.map((role, at) => {
    if (behind.includes(at)) return "second label";
    if (role === "feature" && survey.columns[at].readings < RARE_SHARE * most) return "rare";
    if (role !== "left out") return role;
    if (survey.bytes.includes(at)) return "bytes";
    if (counters[at]) return "counter";
    if (dateParts[at]) return "date part";
    return at === part ? "part" : (asideRole(survey, at) ?? role);
  });
}

/** Why a column that has no texts is no reading by its name, or by its times; undefined for another. */
function asideRole({ columns, time, times, spoiltTime }: Survey, at: number): Role | undefined {
  const { isEmpty, isTimeOfDay, isCounting, numbers, words, name } = columns[at];
  if (isEmpty || spoiltTime?.places.includes(at)) return undefined;
  if (times.some(({ places }) => places.includes(at)) || isWithinTimes(columns[at], time))
    return "other time";
  if (isTimeOfDay) return "time of day";
  if (isCounting && CLOCK_NAME.test(name)) return "counter";
  // Row numbers without a name need no reason.
  if (numbers === 0 || words > 0 || UNNAMED.test(name)) return undefined;
  return CLOCK.test(name) || CLOCK_NAME.test(name) ? "unread time" : "no reading";
}

/** What the rows' numbers are called. */
const UNNAMED = /^(column 1|Unnamed: 0|row_?names?)$/;

/** Who or what a recording is of, where a number names it. */
const SOURCES =
  "participant|subject|patient|person|user|rider|driver|animal|station|site|node|device|machine|engine|well|sensor|unit|mote|mooring|buoy";
/** machine_id, machineId, OBJECTID, ID base 10; unlike humid. */
const ID_NAME = /(^|[ _.-]|object)u?id$|^id([ _.-]|$)/i;
/** sensor_index, Well No, unit number. */
const NUMBER_OF_SOURCE = new RegExp(
  `(^|[ _.-])(${SOURCES})s?[ _.-]?(num|no|nr|number|index|idx|code)\\.?$`,
  "i",
);
/** Participant, station; a sensor or a unit without more may be a reading. */
const SOURCE_NAME = new RegExp(`^(${SOURCES.replace("|sensor|unit", "")})$`, "i");
/** What else may tell devices apart. */
const DEVICE_NAME =
  /(^|[ _.-])(sensor|device|rack|mac|imei|serial|meter|host)([ _.-]?(name|id|no|nr|number))?$/i;
/** Whole numbers of so many digits are more than a reading has. */
const NAMING_MIN = 1e11;

/** machine_id, sensor_index, participant. */
export const isIdName = (name: string) =>
  [ID_NAME, NUMBER_OF_SOURCE, SOURCE_NAME].some((form) => form.test(name)) || /[a-z]Id$/.test(name);

/** True for the name of a column that tells devices apart, such as rack, sensor, mac. */
export const isSourceName = (name: string) => isIdName(name) || DEVICE_NAME.test(name);

/** True for whole numbers that name something: under the name of an id, unless it is the label's, or of very many digits. */
function isId({ name, numbers, min, values }: Column, hasName: boolean, label: string | undefined): boolean {
  const isOfLabel = name.replace(/[ _.-]?u?id$/i, "").toLowerCase() === label?.toLowerCase();
  const isNaming = (hasName && isIdName(name) && !isOfLabel) || min >= NAMING_MIN;
  return isNaming && numbers > 0 && min >= 0 && [...values.keys()].every(isWhole);
}

/** Places of features behind the label, if it stands behind readings and none of these is a reading: what else was found out about a row. */
function flagsBehind({ columns }: Survey, roles: readonly Role[]): number[] {
  const label = roles.indexOf("label");
  const features = [...roles.keys()].filter((at) => roles[at] === "feature");
  const behind = features.filter((at) => at > label);
  const isFound = label >= 0 && behind.length < features.length;
  return isFound && behind.every((at) => columns[at].isFlag) ? behind : [];
}

/** True for each column that is no reading, by its name, or as it is empty or the time. */
function asideIn({ columns, time, times, spoiltTime = time, bytes }: Survey, dialect: Dialect): boolean[] {
  const isInflux = columns.some(({ name }) => name === "_time");
  const isThingSpeak = columns[0]?.name === "created_at" && columns[1]?.name === "entry_id";
  const dateParts = datePartsIn({ columns, time }, dialect);
  return columns.map(
    (column, at) =>
      isAside(column, at, dialect) ||
      spoiltTime?.places.includes(at) ||
      times.some(({ places: [first], found }) => first === at && !found.bad) ||
      column.isEmpty ||
      bytes.includes(at) ||
      column.isTimeOfDay ||
      isWithinTimes(column, time) ||
      dateParts[at] ||
      (hasNames(dialect) && CLOCK.test(column.name)) ||
      (isInflux && INFLUX_ASIDE.includes(column.name)) ||
      (isThingSpeak && THINGSPEAK_ASIDE.includes(column.name)),
  );
}

/** Milliseconds that a time beside the rows' may be before the first of these, or after the last. */
const DAY = 86_400_000;

/** True for numbers that, as seconds or milliseconds since 1970, are of the rows' times. */
function isWithinTimes({ words, numbers, min, max }: Column, time: Survey["time"]): boolean {
  if (!time || words > 0 || numbers === 0) return false;
  // A clock that was never set begins in 1970, where readings would be times, too.
  const first = Math.max(Date.parse(time.found.first) - DAY, 1000 * EPOCH_MIN);
  const last = Date.parse(time.found.last) + DAY;
  return [1, 1000].some((scale) => min * scale >= first && max * scale <= last);
}

/** The points of a compass, numbers with flags, and signs: they come again and again, and belong to readings, as units do. */
const DIRECTION = /^([NS]?[NS]?[EW]?|[EW][NS][EW]|(north|south)?(east|west)?|calm|var|vrb)$/i;
const [FLAGGED, SIGN, OBJECT] = [/^[-+]?\d{2,}(,\w+)+$/, /^[-+]$/, /^\{.*\}$/];
/** More texts that begin with a number are readings in a form of their own, as 21.5 ± 0.2. */
const FORMS_MAX = 10;
/** Points of a compass that no set of classes has by chance. */
const DIRECTIONS_MIN = 5;

/** 05. Okt, Mai 60: what a spreadsheet makes of 5.10 and 5.60 in German. */
const AS_DATE = /^(?:\d{1,2}[. -]+(\p{L}{3})\p{L}*|(\p{L}{3})\p{L}*[. -]+\d{1,2})\.?$/u;

/** True if a spreadsheet made dates of some of its numbers. */
const areMadeDates = (texts: readonly string[]) =>
  texts.some(isAsDate) &&
  texts.some(isPlainNumber) &&
  texts.every((text) => isAsDate(text) || isPlainNumber(text));
const isPlainNumber = (text: string) => !Number.isNaN(parseNumber(text));

/** True for a month and a number. */
export function isAsDate(text: string): boolean {
  const [, behind, before] = AS_DATE.exec(text) ?? [];
  return monthNumber((behind ?? before ?? "").toLowerCase()) > 0;
}

/** True for texts that are readings, or their signs or units. */
function areReadings({ values, hasUnits, words }: Column): boolean {
  const texts = [...values.keys()];
  const areAll = (form: RegExp) => texts.every((text) => form.test(text));
  return (
    (texts.length >= DIRECTIONS_MIN && areAll(DIRECTION)) ||
    areAll(FLAGGED) ||
    areAll(SIGN) ||
    areAll(OBJECT) ||
    (words > 0 && texts.length > FORMS_MAX && texts.every(beginsNumber)) ||
    hasUnits ||
    areMadeDates(texts)
  );
}

/** Places of columns that could be the label as well as the one that was taken, where no name says which. */
export function otherLabels({ columns, times }: Survey, roles: readonly Role[], dialect: Dialect): number[] {
  const isNamed =
    hasNames(dialect) && LABEL_NAMES.includes(columns[roles.indexOf("label")]?.name.toLowerCase());
  const isTime = (at: number) => times.some(({ places }) => places.includes(at));
  const isOther = (at: number) => roles[at] === "feature" || (roles[at] === "left out" && !isTime(at));
  // A switch in the last column may be what was found out.
  const isLastSwitch = (at: number) => at === columns.length - 1 && columns[at].isBoolean;
  const isState = (at: number) => (columns[at].hasStates && !areReadings(columns[at])) || isLastSwitch(at);
  const others = [...roles.keys()].filter((at) => isOther(at) && isState(at));
  return isNamed ? [] : [...others.filter(isLastSwitch), ...others.filter((at) => !isLastSwitch(at))];
}

function rolesBeside(
  aside: readonly boolean[],
  { columns, time }: Survey,
  dialect: Dialect,
  rules: RoleRules,
): Role[] {
  const label = rules.label ?? labelAt(columns, aside, dialect, rules);
  const most = columns.reduce((sofar, { readings }) => Math.max(sofar, readings), 0);
  const roles = columns.map((column, at): Role => {
    if (at === label) return "label";
    if (time?.places.includes(at)) return "time";
    const isReading = column.isNumeric(rules.skipsBad) || column.isBoolean;
    const isOut = aside[at] || !isReading || column.name === columns[label]?.name;
    if (at === rules.source) return "id";
    if (!isOut && isId(column, hasNames(dialect), columns[label]?.name)) return "id";
    return isOut ? "left out" : "feature";
  });
  // A lone column of numbers is a feature without a label.
  const isBeside = ({ readings }: Column, at: number) =>
    roles[at] === "feature" && readings >= RARE_SHARE * most;
  const isLone =
    rules.label === undefined && !columns.some(isBeside) && columns[label]?.isNumeric(rules.skipsBad);
  return isLone ? roles.map((role) => (role === "label" ? "feature" : role)) : roles;
}

/** The place of a column, by its name or its number from 1. Throws a StreamError for none. */
export function findColumn(file: string, { columns }: Pick<Survey, "columns">, label: string): number {
  const names = columns.map(({ name }) => name);
  const at = names.includes(label) ? names.indexOf(label) : Number(label) - 1;
  if (names[at] !== undefined) return at;
  throw new StreamError(file, undefined, `no column ${label} for the label`, `it has ${names.join(", ")}`);
}

function isAside({ name, numbers, min, values }: Column, at: number, dialect: Dialect): boolean {
  const header = hasNames(dialect);
  if (at === 0 && dialect.rowNames) return true;
  const isUnnamed = header && UNNAMED.test(name);
  const isIndex = at === 0 && isUnnamed && numbers > 0 && min >= 0 && [...values.keys()].every(isWhole);
  return isIndex || (header && (PROVENANCE_NAMES as readonly string[]).includes(name));
}

const isWhole = (text: string) => /^\d+$/.test(text);

/** True for a name that is the word for a verdict, and no more. */
export const isVerdict = (name: string) => WORDS_VERDICT.exec(name)?.[0] === name;

/** True if a column's name says that it may be the label, though it isn't called so, and its values may be classes. */
export function hasVerdict({ name, words, values, mayBeClasses }: Column, dialect: Dialect): boolean {
  if (!hasNames(dialect)) return false;
  return words > 0
    ? values.size <= CLASSES_MAX && WORDS_VERDICT.test(name)
    : mayBeClasses && NUMBERS_VERDICT.test(name);
}

/** Columns that show that the last one is as they are, and the widest range by the narrowest. */
const [ALIKE_MIN, ALIKE_RANGES] = [2, 4];

/** True for a column of fractions like all others, as of several accelerometers: all have ranges that overlap, and that are about as wide. */
function isAlike(column: Column, others: readonly Column[]): boolean {
  const all = [column, ...others];
  const widths = all.map(({ min, max }) => max - min);
  const overlap = Math.max(...all.map(({ min }) => min)) < Math.min(...all.map(({ max }) => max));
  const areFractions = all.every(
    ({ words, hasFractions, isContinuous }) => words === 0 && hasFractions && isContinuous,
  );
  return (
    others.length >= ALIKE_MIN &&
    areFractions &&
    overlap &&
    Math.max(...widths) <= ALIKE_RANGES * Math.min(...widths)
  );
}

function labelAt(
  columns: readonly Column[],
  aside: readonly boolean[],
  dialect: Dialect,
  { isUnordered, isTimed, source }: RoleRules,
): number {
  const isNamed = (wanted: string) =>
    columns.findIndex(({ name }) => hasNames(dialect) && name.toLowerCase() === wanted);
  const named = LABEL_NAMES.map(isNamed).find((at) => at >= 0);
  if (named !== undefined) return named;
  const verdicts = [...columns.keys()].filter(
    (at) => !aside[at] && hasVerdict(columns[at], dialect) && !areReadings(columns[at]),
  );
  const varyingVerdicts = verdicts.filter((at) => columns[at].varies);
  // A code beside words says the same, without the classes' names.
  const worded = varyingVerdicts.filter((at) => columns[at].words > 0);
  const verdict = worded.at(-1) ?? varyingVerdicts.at(-1) ?? verdicts.at(-1);
  if (verdict !== undefined) return verdict;
  const isCalledId = ({ name }: Column, at: number) => at === source || (hasNames(dialect) && isIdName(name));
  const isOut = columns.map((column, at) => aside[at] || areReadings(column) || isCalledId(column, at));
  const wordy = columns.map(({ isWordy }, at) => !isOut[at] && isWordy);
  const states = wordy.map((is, at) => is && !columns[at].isBoolean);
  // A switch is a reading where another column has states.
  const words = (states.includes(true) ? states : wordy).lastIndexOf(true);
  const usable = columns.map(({ isNotes }, at) => !isOut[at] && !isNotes);
  const varying = columns.map(({ varies }, at) => usable[at] && varies);
  const last = (varying.includes(true) ? varying : usable).lastIndexOf(true);
  const isReading =
    columns[last]?.isContinuous ||
    columns[last]?.hasManyNumbers ||
    (columns[last]?.isBoolean && words !== last);
  // Where columns have names, one of readings that isn't called as a model's output is a channel.
  const isOutput = OUTPUT_NAME.test(columns[last]?.name) && !columns.some(({ name }) => name === "x");
  const isChannel = words >= 0 || (!isOutput && (isTimed || hasNames(dialect)));
  const others = columns.filter((_, at) => !isOut[at] && at !== last);
  const isOneOfMany = !hasNames(dialect) && columns[last] && isAlike(columns[last], others);
  const isConstant = hasNames(dialect) && !columns[last]?.varies;
  const isLast = !isUnordered && !(isChannel && isReading) && !isOneOfMany && !isConstant;
  // Archives of time series begin each row with its class, and end it with a reading.
  const isFirst = isLast && !hasNames(dialect) && !aside[0] && columns[0]?.hasClassNumbers;
  if (isFirst && !columns[last]?.mayBeClasses) return 0;
  return isLast ? last : words;
}
