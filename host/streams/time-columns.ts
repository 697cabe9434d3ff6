import { parseNumber } from "./numbers.ts";
import { joinClock, monthNumber, wholeYear } from "./time-text.ts";

/** A column's name, or its number from 1. */
export type ColumnReference = string | number;

/** Parts of a time that may have a column each. */
export const TIME_PARTS = [
  "date",
  "clock",
  "year",
  "month",
  "day",
  "dayOfYear",
  "hour",
  "hourMinute",
  "minute",
  "second",
  "millisecond",
] as const;
export type TimePart = (typeof TIME_PARTS)[number];

/**
 * The columns that say a time together: a `date`, or a `year` with `month` and `day`, or with `dayOfYear`; and with it the time of the day, as a
 * `clock` such as 16:24, as `hourMinute` such as 1624, or as `hour`, `minute` and `second`; and the `millisecond` in it.
 */
export type TimeParts = { readonly [Part in TimePart]?: ColumnReference };
/** The column of the time, or those of its parts. */
export type TimeColumns = ColumnReference | TimeParts;

export const TIME_COLUMNS_NEEDED =
  'a column\'s name, or its number from 1; or those of parts, as {"year": "YY", "month": "MM", "day": "DD", "hour": "hh"} or {"date": "Datum", "clock": "Zeit"}';

/** True for an object that may be `TimeParts`: each part that is named has the larger ones beside it. */
export function areTimeParts(parts: Readonly<Record<string, unknown>>): boolean {
  const has = (part: TimePart) => Object.hasOwn(parts, part);
  const isDay = has("date") || has("dayOfYear") || has("day");
  const isDate =
    has("date") !== has("year") && (!has("day") || has("month")) && !(has("day") && has("dayOfYear"));
  const clocks = ["clock", "hour", "hourMinute"] as const;
  const isClock = clocks.filter(has).length <= 1 && (isDay || !clocks.some(has));
  const isFine = (!has("minute") || has("hour")) && (!has("second") || has("minute") || has("hourMinute"));
  const hasSecond = !has("millisecond") || has("date") || has("clock") || has("second");
  const isKnown = Object.keys(parts).every((part) => (TIME_PARTS as readonly string[]).includes(part));
  return isKnown && isDate && isClock && isFine && hasSecond && Object.keys(parts).length > 0;
}

/** The references of a time's columns, the one that names it first. */
export function timeReferences(time: TimeColumns | undefined): readonly ColumnReference[] {
  if (time === undefined) return [];
  return typeof time === "object" ? (Object.values(time) as ColumnReference[]) : [time];
}

/** Whole seconds of a day. */
const DAY = 86_400;
/** The most of each part. An hour 24 is midnight, a second 60 a leap second. */
const MOST = { month: 12, day: 31, dayOfYear: 366, hour: 24, minute: 59, second: 60 } as const;

/**
 * The text of a time. Of several columns it is as `parseDate` reads it; where parts make no time, it is their texts, which `parseDate` doesn't
 * read. The last part may have a fraction.
 *
 * @param textAt the text of the column at that place among `timeReferences`.
 */
export function timeText(time: TimeColumns, textAt: (at: number) => string): string {
  if (typeof time !== "object") return textAt(0);
  const texts = new Map((Object.keys(time) as TimePart[]).map((part, at) => [part, textAt(at).trim()]));
  const milliseconds = texts.get("millisecond");
  if (milliseconds === undefined) return secondText(texts);
  texts.delete("millisecond");
  return withMilliseconds(secondText(texts), milliseconds);
}

/** Seconds without a fraction. */
const WHOLE_SECOND = /:\d\d:\d\d(?![\d.,:])/;

/** A time with its milliseconds; as it is where it has no whole seconds, or they are none. */
function withMilliseconds(text: string, milliseconds: string): string {
  const isRight = /^\d{1,3}(\.0+)?$/.test(milliseconds);
  const fraction = String(Number(milliseconds)).padStart(3, "0");
  return isRight ? text.replace(WHOLE_SECOND, `$&.${fraction}`) : `${text} ${milliseconds}`;
}

/** The text of a time to its second, or a fraction of it. */
function secondText(texts: Texts): string {
  const all = [...texts.values()].filter((text) => text !== "").join(" ");
  const clock = texts.get("clock");
  const date = texts.get("date");
  if (clock !== undefined && date !== undefined) return joinClock(date, clock);
  const seconds = countSeconds(texts);
  if (seconds === undefined) return all;
  if (date !== undefined) return joinClock(date, clock ?? clockText(seconds));
  const day = readDay(texts);
  if (!day) return all;
  const [iso, fraction] = day;
  return clock === undefined
    ? `${iso} ${clockText(seconds + roundedSeconds(fraction * DAY))}`
    : joinClock(iso, clock);
}

type Texts = ReadonlyMap<TimePart, string>;

/** The seconds since midnight; undefined where a part is wrong. */
function countSeconds(texts: Texts): number | undefined {
  const together = texts.get("hourMinute");
  const [, hours, minutes] = /^(\d{0,2}?)(\d{1,2})$/.exec(together ?? "") ?? [];
  if (together !== undefined && minutes === undefined) return undefined;
  const hour = together === undefined ? readPart(texts, "hour") : Number(hours);
  const minute = together === undefined ? readPart(texts, "minute") : Number(minutes);
  const isRight = hour <= MOST.hour && minute <= MOST.minute;
  const seconds = 3600 * hour + 60 * minute + readPart(texts, "second");
  return isRight && seconds <= DAY ? roundedSeconds(seconds) : undefined;
}

const roundedSeconds = (seconds: number) => Math.round(1000 * seconds) / 1000;

/** The number of a part, 0 of one that the time hasn't; NaN for a wrong one. */
function readPart(texts: Texts, part: keyof typeof MOST): number {
  const text = texts.get(part);
  if (text === undefined) return 0;
  const number = parseNumber(text.replace(",", "."));
  return number >= 0 && number < MOST[part] + 1 ? number : Number.NaN;
}

/** The day in ISO 8601, and the fraction of it that a day's number has; undefined where a part is wrong. */
function readDay(texts: Texts): readonly [iso: string, fraction: number] | undefined {
  const year = wholeYear(texts.get("year") ?? "");
  const month = readMonth(texts);
  const day = texts.has("dayOfYear")
    ? readPart(texts, "dayOfYear")
    : texts.has("day")
      ? readPart(texts, "day")
      : 1;
  const whole = Math.floor(day);
  const date = new Date(Date.UTC(year, month - 1, whole));
  const isRight =
    whole >= 1 &&
    (texts.has("dayOfYear") ? date.getUTCFullYear() === year : date.getUTCMonth() + 1 === month);
  return isRight ? [date.toISOString().slice(0, 10), day - whole] : undefined;
}

/** The month's number, by its number or its name; NaN for no month. */
function readMonth(texts: Texts): number {
  const text = texts.get("month");
  if (text === undefined) return 1;
  const number = parseNumber(text);
  const month = Number.isNaN(number) ? monthNumber(text.slice(0, 3).toLowerCase()) : number;
  return Number.isInteger(month) && month >= 1 && month <= MOST.month ? month : Number.NaN;
}

/** Seconds since midnight as a clock shows them. */
function clockText(seconds: number): string {
  const two = (number: number) => String(Math.floor(number)).padStart(2, "0");
  const [, fraction = ""] = seconds.toFixed(3).split(/(?=\.)/);
  const clock = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(two).join(":");
  return Number(fraction) > 0 ? `${clock}${fraction}` : clock;
}
