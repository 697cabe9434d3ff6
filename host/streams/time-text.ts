import { parseNumber } from "./numbers.ts";
import { zoneCalled } from "./zones.ts";

/** The least number of each unit since 1970 that is taken for a time: a day in 1973. */
const LEAST = [
  ["s", 1e8],
  ["ms", 1e11],
  ["us", 1e14],
  ["ns", 1e17],
] as const;
/** So many times the least is the year 2286. */
const MOST = 100;
/** The units of a time that is a number: of them since 1970; days since 1899-12-30, as spreadsheets count them; the digits of a date; or seconds of a clock of its own. */
export const TIME_UNITS = ["s", "ms", "us", "ns", "days", "digits", "clock"] as const;
export type TimeUnit = (typeof TIME_UNITS)[number];
/** What they count, for messages. */
export const TIME_UNIT_NAMES: Readonly<Record<TimeUnit, string>> = {
  s: "seconds since 1970",
  ms: "milliseconds since 1970",
  us: "microseconds since 1970",
  ns: "nanoseconds since 1970",
  days: "days since 1899-12-30",
  digits: "dates in digits such as 20261231235959",
  clock: "seconds of a clock of its own",
};
/** Days since 1899-12-30 that are taken for a time: from 1954 to 2064. */
const DAYS = [20_000, 60_000] as const;

/** The unit of a number that is a time from 1973 on, by its size; undefined for one that can't be. */
export function guessUnit(number: number): TimeUnit | undefined {
  return LEAST.find(([, least]) => number >= least && number < MOST * least)?.[0];
}

/** True if a number can be a time in that unit, by its size. */
export function isOfUnit(number: number, unit: TimeUnit): boolean {
  if (unit === "digits") return !Number.isNaN(digitsToMilliseconds(number));
  if (unit === "clock") return number >= 0;
  return unit === "days" ? number >= DAYS[0] && number <= DAYS[1] : guessUnit(number) === unit;
}

/** Decimals of a day by which a spreadsheet writes whole seconds. */
const SECONDS_DECIMALS = 7;

/** Milliseconds since 1970 of a date in a zone, Z or an offset; in this machine's without one. */
function dateIn(zone: string | undefined, year: number, month: number, ...rest: number[]): number {
  if (zone === undefined) return new Date(year, month, ...rest).getTime();
  return Date.UTC(year, month, ...rest) + Date.parse(`1970-01-01T00:00${zone}`);
}

/** Milliseconds since 1970 of a number of days: to the second if it has few decimals, else to the millisecond. */
function daysToMilliseconds(number: number, zone?: string): number {
  const day = Math.floor(number);
  const [, decimals = ""] = String(number).split(".");
  const step = decimals.length > SECONDS_DECIMALS ? 1 : 1000;
  const time = step * Math.round((86_400_000 / step) * (number - day));
  return dateIn(zone, 1899, 11, 30 + day, 0, 0, 0, time);
}

/** Year, month and day, with or without hour, minutes and seconds. */
const DIGITS = /^((?:19|20)\d\d)(\d\d)(\d\d)(?:(\d\d)(\d\d)?(\d\d)?)?$/;

/** Milliseconds since 1970 of a date in digits; NaN for another number. */
function digitsToMilliseconds(number: number, zone?: string): number {
  const [, year, month, day, hour = "0", minute = "0", second = "0"] = DIGITS.exec(String(number)) ?? [];
  const parts = [year, month, day, hour, minute, second].map(Number);
  const [y, m, d, h, min, sec] = parts;
  const date = new Date(Date.UTC(y, m - 1, d));
  const isDate = date.getUTCMonth() + 1 === m && date.getUTCDate() === d;
  return isDate && h < 24 && min < 60 && sec < 60 ? dateIn(zone, y, m - 1, d, h, min, sec) : Number.NaN;
}

/**
 * Milliseconds since 1970 of a number in that unit, to the microsecond; of days see `daysToMilliseconds`.
 *
 * @param zone of days and digits. Default: this machine's.
 */
export function toMilliseconds(number: number, unit: TimeUnit, zone?: string): number {
  if (unit === "digits") return digitsToMilliseconds(number, zone);
  if (unit === "days") return daysToMilliseconds(number, zone);
  if (unit === "s" || unit === "clock") return number * 1000;
  if (unit === "ms") return number;
  return Math.round(unit === "us" ? number : number / 1000) / 1000;
}

const ZONE = "(?:Z|UTC|[-+]\\d\\d(?::?\\d\\d)?)";
/** 16:24, 16:24:02.5; also 16:4:2, as a logger without leading zeros writes it. */
const CLOCK = "\\d{1,2}:(?:\\d{1,2}:\\d{1,2}(?:[.,]\\d+)?|\\d\\d)";
/** 2026-03-01T08:00:00Z, 2026-03-01 08:00, 2026/03/01. */
const YEAR_FIRST = new RegExp(`^\\d{4}([-/])\\d\\d\\1\\d\\d(?:[T ]${CLOCK}\\s*${ZONE}?)?$`);
const YEAR = "\\d{4}|\\d\\d";
const MONTH = "(?<name>\\p{L}{3})\\p{L}*\\.?";
/** PM, pm, p.m., p, and "p. m." in Spanish. */
const HALF = "\\s*(?<half>[AP])(?:\\.?\\s?M\\.?)?";
const TIME = `(?:,?[ T:_-](?<clock>${CLOCK})(?:${HALF})?\\s*(?<zone>${ZONE})?)?`;
/** 1.3.2026; 01.03.26 08:00, as 10.12.59 alone may be a clock; 01-Mar-2026, 01.Mar.2026, 1 March 2026 8:00 PM; 01MAR26:08:00; Mar 1, 2026. */
const DAY_FIRST = [
  "(?<day>\\d{1,2})\\.(?<month>\\d{1,2})\\.(?<year>\\d{4})",
  "(?<day>\\d\\d)\\.(?<month>\\d\\d)\\.(?<year>\\d\\d)(?=,?[ T])",
  `(?<day>\\d{1,2})[-./ ]*${MONTH}[-./ ]*(?<year>${YEAR})`,
  `${MONTH} (?<day>\\d{1,2}),? (?<year>\\d{4})`,
].map((date) => new RegExp(`^${date}${TIME}$`, "iu"));
/** 3/1/2026 8:00 PM, 3/1/2026-08:00, 3/1/26, 03-01-2026, 03 01 2026. */
const SLASHED = new RegExp(
  `^(?<first>\\d{1,2})(?:/(?<second>\\d{1,2})/(?<year>${YEAR})|(?<mark>[- ])(?<second2>\\d{1,2})\\k<mark>(?<year2>\\d{4}))${TIME}$`,
  "i",
);
/** 2026/3/1, 2026-3-1, 2026.03.01, 2026年3月1日. */
const YEAR_BEGINS = /^(\d{4})([-/.]|年)(\d{1,2})(?:\2|月)(\d{1,2})日?(?=$|[T\s])/;
/** 2026-03-01 08:00:00 PM, also with its zone. */
const HALF_DAY = new RegExp(`^(\\d{4}[-/]\\d\\d[-/]\\d\\d)[ T](${CLOCK})${HALF}\\s*(${ZONE})?$`, "i");
/** 10時5分3秒. */
const EASTERN_CLOCK = /(\d{1,2})[時时点](\d{1,2})分(?:(\d{1,2})秒)?/;
/** Mar  1 08:00:00 2026, with or without a half and a zone before the year, as C, Java and the shell's date write it. */
const CLOCK_BEFORE_YEAR =
  /^(\p{L}{3}) +(\d{1,2}) (\d{1,2}:\d\d:\d\d(?: [AP]M)?)((?: [-+:A-Z\d]{3,9})?) (\d{4})$/u;
/** Sunday, in English or German: before a date it says nothing more. */
const WEEKDAY =
  /^(mon|tues?|wed(nes)?|thu(rs)?|fri|satur|sat|sun|mo|di|mi|do|fr|sa|so|(mon|diens|donners|frei|sams|sonn)tag|mittwoch|samstag|sonnabend)(day)?[.,]*\s+(?=\S)/i;
/** A zone's name behind a time in JavaScript, in words; and GMT before an offset. */
const [ZONE_WORDS, BEFORE_OFFSET] = [/ \([^()]*\)$/, /(?:GMT|UTC)(?=[-+]\d)/];
/** 2026-03-01_08:00:00, 2026-03-01-08-00-00, 2026-03-01 08.00.00, 2026-03-01 - 08:00, Mar 1, 2026 @ 08:00. */
const JOINED =
  /^(\d{4}[-/.]\d\d[-/.]\d\d|\p{L}+ \d{1,2}, \d{4})(?:[_ -]| [@-] )(\d\d)([-.:])(\d\d)(?:\3(\d\d(?:[.,]\d+)?))?$/u;
/** 08:00:00 3/1/2026, the clock first. */
const CLOCK_FIRST = new RegExp(`^(${CLOCK}),? +(\\d\\S*[-/.]\\d+[-/.]\\d+)$`);
/** 20260301T080000Z, 20260301:0800, 20260301_080000, 20260301 08:00. */
const COMPACT = /^(\d{4})(\d\d)(\d\d)[T :_-](\d\d):?(\d\d)(?::?(\d\d))?(Z?)$/;
/** A month, or a quarter, which is its first day: 2026-03, 03/2026, 2026M03; Mar-2026, 2026 Mar; 2026Q1, Q1 2026. */
const MONTH_ALONE = [
  "(?<year>(?:19|20)\\d\\d)(?:[-/]|M)(?<month>0?[1-9]|1[0-2])",
  "(?<month>0?[1-9]|1[0-2])[-/](?<year>(?:19|20)\\d\\d)",
  `${MONTH}[-/. ]*(?<year>(?:19|20)\\d\\d)`,
  `(?<year>(?:19|20)\\d\\d)[-/. ]*${MONTH}`,
  "(?<year>(?:19|20)\\d\\d)[-/: ]?Q(?<quarter>[1-4])",
  "Q(?<quarter>[1-4])[-/: ]?(?<year>(?:19|20)\\d\\d)",
].map((month) => new RegExp(`^${month}$`, "iu"));
/** The digits behind the milliseconds. */
const BEHIND_MILLISECONDS = /[.,]\d{3}(\d+)/;
/** 2026-03-01T08:00:00/2026-03-01T08:01:00, whose beginning counts. */
const INTERVAL = /^(\d{4}-\d\d-\d\dT[^/]+)\/\d{4}-[^/]+$/;
/** Milliseconds or microseconds behind a colon: 08:00:00:123. */
const COLON_FRACTION = /(?<=\d:\d\d:\d\d):(\d{3}|\d{6})(?!\d)/;
/** A zone in whole hours, as PostgreSQL writes it. */
const HOURS_ZONE = /(:\d\d(?:[.,]\d+)?\s*[-+]\d\d)$/;
const ENDS_IN_ZONE = new RegExp(`:\\d\\d.*${ZONE}$`);

/** Which comes first in a date such as 3/1/2026: the day, or the month; or, as in 26/03/01, the year. */
export const DATE_ORDERS = ["DMY", "MDY", "YMD"] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

/** How times are written, as far as their texts don't say it. */
export interface TimeForm {
  /** Which comes first in dates such as 3/1/2026. Default: such dates are no times. */
  readonly dateOrder?: DateOrder;
  /** The unit of a time that is a number. Default: the size of a number says it, but for days and digits. */
  readonly timeUnit?: TimeUnit;
  /** The zone of dates without one, Z or an offset such as +02:00. Default: this machine's. */
  readonly zone?: string;
}
/** These options alone. */
export const timeForm = ({ dateOrder, timeUnit, zone }: TimeForm): TimeForm => ({
  dateOrder,
  timeUnit,
  zone,
});
const DATES = "an ISO 8601 date, or one like 31.12.2026 23:59";

/** The dates that are taken instead of this text, for messages. */
export function dateNeeded(text: string): string {
  return isSlashed(text)
    ? `the file's dateOrder, ${DATE_ORDERS.join(", ")} (motelearn import --date-order), ${DATES}`
    : DATES;
}

/** True for a date or a time of the day. */
export const isTimeText = (text: string): boolean =>
  isClock(text) || isSlashed(text) || !Number.isNaN(parseDate(text));

/** True for a date that is another day in another country. */
export function isSlashed(text: string): boolean {
  return SLASHED.test(clockLast(text));
}

const ZONE_NAME = /(:\d\d(?:[.,]\d+)?(?: [AP]M)?) ([A-Z]{3,4})$/;

/** A date without its weekday, with the time of its day behind it, and its zone in numbers; of two, the first. */
function clockLast(text: string): string {
  const plain = text.trim();
  if (YEAR_FIRST.test(plain)) return plain;
  const zoned = plain
    .replace(WEEKDAY, "")
    .replace(ZONE_WORDS, "")
    .replace(BEFORE_OFFSET, "")
    .replace(CLOCK_BEFORE_YEAR, "$2 $1 $5 $3$4")
    .replace(JOINED, (all, day, hour, mark, minute, second = mark === ":" ? "00" : undefined) =>
      second === undefined ? all : `${day} ${hour}:${minute}:${second}`,
    )
    .replace(ZONE_NAME, (all, clock, name) => (zoneCalled(name) ? `${clock}${zoneCalled(name)}` : all));
  return zoned.replace(CLOCK_FIRST, "$2 $1").replace(INTERVAL, "$1").replace(COLON_FRACTION, ".$1");
}

/**
 * Milliseconds since 1970 of a date: ISO 8601, or with the day first and dots between, or with the month's English or German name. A year of two digits
 * up to 68 is after 2000. NaN for anything else, so for 3/1/2026, too, unless its order is known.
 */
export function parseDate(text: string, { dateOrder, zone = "" }: TimeForm = {}): number {
  const trimmed = clockLast(text);
  const iso = YEAR_FIRST.test(trimmed) ? trimmed : isoDate(plainDate(trimmed), dateOrder);
  if (!YEAR_FIRST.test(iso) || !isDayOfMonth(iso)) return Number.NaN;
  // JavaScript takes a date alone for one in UTC, and drops what is behind the milliseconds.
  if (!iso.includes(":")) return Date.parse(`${iso} 0:00${zone}`);
  const [, behind = "0"] = BEHIND_MILLISECONDS.exec(iso) ?? [];
  const zoned = ENDS_IN_ZONE.test(iso) ? iso.replace(HOURS_ZONE, "$1:00") : `${iso}${zone}`;
  return Date.parse(zoned.replace(",", ".")) + Number(`0.${behind}`);
}

/** True if the month of a date in ISO 8601 has its day: JavaScript takes 30 February for 2 March. */
function isDayOfMonth(iso: string): boolean {
  const [year, month, day] = iso.slice(0, 10).split(/[-/]/).map(Number);
  return day <= 28 || new Date(Date.UTC(year, month, 0)).getUTCDate() >= day;
}

/** A date whose year comes first, with leading zeros and without letters; any other text as it is. */
function plainDate(text: string): string {
  const date = text.replace(YEAR_BEGINS, (_, year, mark, month, day) =>
    [year, month.padStart(2, "0"), day.padStart(2, "0")].join(mark === "-" ? "-" : "/"),
  );
  const clocked = date.replace(
    EASTERN_CLOCK,
    (_, hour, minute, second = "00") => `${hour}:${minute.padStart(2, "0")}:${second}`,
  );
  return clocked.replace(
    HALF_DAY,
    (_, day, clock, half, zone = "") => `${day} ${clockOfDay(clock, half)}${zone}`,
  );
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** Those that German begins otherwise: März, also as Mrz, Mai, Oktober, Dezember. */
const GERMAN_MONTHS: Readonly<Record<string, string>> = {
  mär: "mar",
  mrz: "mar",
  mai: "may",
  okt: "oct",
  dez: "dec",
};
/** The last year of two digits that is after 2000, as POSIX has it. */
const LATEST_SHORT_YEAR = 68;

/** A date with its year first; any other text as it is. */
function isoDate(text: string, order: DateOrder | undefined): string {
  const {
    day,
    month,
    name,
    year,
    clock,
    half,
    zone = "",
  } = dateParts(text, DAY_FIRST) ?? slashedParts(text, order) ?? monthParts(text) ?? {};
  if (day === undefined || year === undefined)
    return text.replace(
      COMPACT,
      (_, y, m, d, hour, min, s = "00", z) => `${y}-${m}-${d}T${hour}:${min}:${s}${z}`,
    );
  const number = name === undefined ? Number(month) : monthNumber(name.toLowerCase());
  const date = [String(wholeYear(year)), String(number).padStart(2, "0"), day.padStart(2, "0")].join("-");
  return `${date} ${clock === undefined ? "0:00" : half === undefined ? clock : clockOfDay(clock, half)}${zone}`;
}

/** A month's number by the first three letters of its name, in lower case; 0 for none. */
export const monthNumber = (name: string) => MONTHS.indexOf(GERMAN_MONTHS[name] ?? name) + 1;

/** A year of four digits or two; NaN for another text. */
export function wholeYear(text: string): number {
  const [, long, short] = /^(?:(\d{4})(?:\.0+)?|(\d\d))$/.exec(text) ?? [];
  if (short === undefined) return Number(long);
  return Number(short) + (Number(short) <= LATEST_SHORT_YEAR ? 2000 : 1900);
}

type DateParts = Readonly<Record<string, string | undefined>>;

function dateParts(text: string, forms: readonly RegExp[]): DateParts | undefined {
  for (const form of forms) {
    const parts = form.exec(text)?.groups;
    if (parts) return parts;
  }
  return undefined;
}

/** The first day of a month, or of a quarter. */
function monthParts(text: string): DateParts | undefined {
  const { quarter, ...parts } = dateParts(text, MONTH_ALONE) ?? {};
  if (parts.year === undefined) return undefined;
  return { ...parts, day: "1", ...(quarter && { month: String(3 * Number(quarter) - 2) }) };
}

function slashedParts(text: string, order: DateOrder | undefined): DateParts | undefined {
  const parts: DateParts | undefined = order && SLASHED.exec(text)?.groups;
  if (!parts) return undefined;
  const { first, second = parts.second2, year = parts.year2, ...rest } = parts;
  if (order === "YMD")
    return `${first}${year}`.length === 4 ? { ...rest, year: first, month: second, day: year } : undefined;
  const [day, month] = order === "DMY" ? [first, second] : [second, first];
  return { ...rest, year, day, month };
}

/** True for a date whose year has two digits, so that it may be the day as well. */
export function hasShortYear(text: string): boolean {
  return SLASHED.exec(clockLast(text))?.groups?.year?.length === 2;
}

/** A clock of twelve hours as one of 24. */
function clockOfDay(clock: string, half: string): string {
  const [hours, ...rest] = clock.split(":");
  return [(Number(hours) % 12) + (/p/i.test(half) ? 12 : 0), ...rest].join(":");
}

/** 18.00.00; French 18h00, 18h00m00s. */
const OTHER_CLOCK = /^(\d{1,2})(?:\.(\d\d)\.(\d\d)|h(\d\d)(?:m?(\d\d)s?)?)$/i;
/** 18:00, 6:00 PM. */
const CLOCK_ALONE = new RegExp(`^${CLOCK}(?::(?:\\d{3}|\\d{6}))?(?:${HALF})?$`, "i");

/** True for a time of the day alone. */
export function isClock(text: string): boolean {
  return CLOCK_ALONE.test(text.trim()) || OTHER_CLOCK.test(text.trim());
}

/** The midnight that a spreadsheet writes behind a date. */
export const MIDNIGHT = /[T ]0?0:00(:00(\.0+)?)?$/;

/** A date and the time of its day, of a column each, as one text; a date that has a time of its own is it. */
export function joinClock(date: string, clock: string): string {
  const day = date.trim().replace(MIDNIGHT, "");
  if (day.includes(":")) return day;
  const other = OTHER_CLOCK.exec(clock.trim());
  const parts = other ? other.slice(1).filter((part) => part !== undefined) : [clock.trim()];
  return `${day} ${parts.join(":")}`;
}

export function namesZone(date: string): boolean {
  return ENDS_IN_ZONE.test(clockLast(date));
}

/** Units of a clock that begins with a recording. */
export const CLOCK_UNITS = ["ns", "us", "ms", "s", "min", "h", "d"] as const;
export type ClockUnit = (typeof CLOCK_UNITS)[number];
export const UNIT_SECONDS: Readonly<Record<ClockUnit, number>> = {
  ns: 1e-9,
  us: 1e-6,
  ms: 1e-3,
  s: 1,
  min: 60,
  h: 3600,
  d: 86_400,
};
/** 1:05, 00:01:05.250, 0 days 00:01:05.25, 0d 00:01:05: minutes and seconds, with days and hours or without. */
const ELAPSED = /^(?:(?:(\d+) ?d(?:ays?)? +)?(\d+):)?(\d+):(\d\d(?:[.,]\d+)?)$/;

/** Milliseconds by a clock that begins with a recording, to the microsecond: of a number in that unit, or of minutes and seconds. NaN for anything else. */
export function parseElapsed(text: string, unit: ClockUnit): number {
  const [, days = "0", hours = "0", minutes, seconds] = ELAPSED.exec(text.trim()) ?? [];
  const number = parseNumber((seconds ?? text).replace(",", "."));
  const whole =
    minutes === undefined ? 0 : 3_600_000 * (24 * Number(days) + Number(hours)) + 60_000 * Number(minutes);
  return toMicrosecond(whole + 1000 * UNIT_SECONDS[minutes === undefined ? unit : "s"] * number);
}

/** True for minutes and seconds, with hours or without. */
export function isElapsed(text: string): boolean {
  return ELAPSED.test(text.trim());
}

/** Milliseconds, rounded to the microsecond. */
export const toMicrosecond = (milliseconds: number) => Math.round(1000 * milliseconds) / 1000;

/**
 * Milliseconds since 1970 of a date, see `parseDate`, or of a number whose size shows its unit; NaN for anything else. Numbers of days and dates in
 * digits are taken if the unit says so.
 */
export function parseTime(text: string, form: TimeForm = {}): number {
  const { timeUnit, zone } = form;
  const number = parseNumber(text);
  const days = timeUnit === "days" ? parseNumber(text.replace(",", ".")) : Number.NaN;
  if (isOfUnit(days, "days")) return toMilliseconds(days, "days", zone);
  if (timeUnit === "digits") return digitsToMilliseconds(number, zone);
  if (timeUnit === "clock") return parseElapsed(text, "s");
  if (Number.isNaN(number)) return parseDate(text, form);
  const unit = guessUnit(number);
  return unit ? toMilliseconds(number, unit) : Number.NaN;
}
