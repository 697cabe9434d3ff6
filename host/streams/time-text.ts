import { parseNumber } from "./numbers.ts";

/** The least number of each unit since 1970 that is taken for a time: a day in 1973. */
const LEAST = [
  ["s", 1e8],
  ["ms", 1e11],
  ["us", 1e14],
  ["ns", 1e17],
] as const;
const MOST = 1e20;
/** The units of a time that is a number of them since 1970. */
export const TIME_UNITS = ["s", "ms", "us", "ns"] as const;
export type TimeUnit = (typeof TIME_UNITS)[number];

/** The unit of a number that is a time from 1973 on, by its size; undefined for one that can't be. */
export function guessUnit(number: number): TimeUnit | undefined {
  if (!(number >= LEAST[0][1] && number < MOST)) return undefined;
  return LEAST.filter(([, least]) => number >= least).pop()?.[0];
}

/** Milliseconds since 1970 of a number in that unit, to the microsecond. */
export function toMilliseconds(number: number, unit: TimeUnit): number {
  if (unit === "s") return number * 1000;
  if (unit === "ms") return number;
  return Math.round(unit === "us" ? number : number / 1000) / 1000;
}

const ZONE = "(?:Z|UTC|[-+]\\d\\d:?\\d\\d)";
const CLOCK = "\\d{1,2}:\\d\\d(?::\\d\\d(?:[.,]\\d+)?)?";
/** 2026-03-01T08:00:00Z, 2026-03-01 08:00, 2026/03/01. */
const YEAR_FIRST = new RegExp(`^\\d{4}([-/])\\d\\d\\1\\d\\d(?:[T ]${CLOCK}\\s*${ZONE}?)?$`);
/** 1.3.2026, 01.03.2026 08:00:00. */
const DAY_FIRST = new RegExp(`^(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4})(?:[ T](${CLOCK}))?$`);
/** 3/1/2026 8:00 PM, 03-01-2026. */
const SLASHED = new RegExp(
  `^(\\d{1,2})([/-])(\\d{1,2})\\2(\\d{4})(?:,?[ T](${CLOCK})(?:\\s*([AP])M)?)?$`,
  "i",
);
const ENDS_IN_ZONE = new RegExp(`:\\d\\d.*${ZONE}$`);

/** Which comes first in a date such as 3/1/2026: the day, or the month. */
export const DATE_ORDERS = ["DMY", "MDY"] as const;
export type DateOrder = (typeof DATE_ORDERS)[number];

const DATES = "an ISO 8601 date, or one like 31.12.2026 23:59";

/** The dates that are taken instead of this text, for messages. */
export function dateNeeded(text: string): string {
  return isSlashed(text)
    ? `the file's dateOrder, DMY or MDY (motelearn import --date-order), ${DATES}`
    : DATES;
}

/** True for a date that is another day in another country. */
export function isSlashed(text: string): boolean {
  return SLASHED.test(text.trim());
}

/**
 * Milliseconds since 1970 of a date: ISO 8601, or with the day first and dots between. A date without a zone is in this machine's. NaN for anything
 * else, so for 3/1/2026, too, unless its order is known.
 */
export function parseDate(text: string, order?: DateOrder): number {
  const trimmed = text.trim();
  const [, day, month = "", year, clock = "0:00"] = DAY_FIRST.exec(trimmed) ?? slashedParts(trimmed, order);
  const iso = day ? `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")} ${clock}` : trimmed;
  if (!YEAR_FIRST.test(iso)) return Number.NaN;
  // JavaScript takes a date alone for one in UTC.
  return Date.parse(iso.includes(":") ? iso.replace(",", ".") : `${iso} 0:00`);
}

/** The same groups as those of `DAY_FIRST`. */
function slashedParts(text: string, order: DateOrder | undefined): readonly (string | undefined)[] {
  const [all, first, , second, year, clock, half] = (order && SLASHED.exec(text)) || [];
  if (all === undefined) return [];
  const [day, month] = order === "DMY" ? [first, second] : [second, first];
  return [all, day.padStart(2, "0"), month, year, half === undefined ? clock : ofHalf(clock, half)];
}

/** A clock of twelve hours as one of 24. */
function ofHalf(clock: string, half: string): string {
  const [hours, ...rest] = clock.split(":");
  return [(Number(hours) % 12) + (/p/i.test(half) ? 12 : 0), ...rest].join(":");
}

/** 18:00, 6:00 PM, 18.00.00. */
const CLOCK_ALONE = new RegExp(`^${CLOCK}(?:\\s*[AP]M)?$|^\\d{1,2}\\.\\d\\d\\.\\d\\d$`, "i");

/** True for a time of the day alone. */
export function isClock(text: string): boolean {
  return CLOCK_ALONE.test(text.trim());
}

/** A date and the time of its day, of a column each, as one text. */
export function joinClock(date: string, clock: string): string {
  const dotted = /^\s*(\d+)\.(\d+)\.(\d+)\s*$/.exec(clock);
  return `${date.trim()} ${dotted ? dotted.slice(1).join(":") : clock.trim()}`;
}

/** True if a date names its zone. */
export function namesZone(date: string): boolean {
  return ENDS_IN_ZONE.test(date.trim());
}

/** Milliseconds since 1970 of a date, see `parseDate`, or of a number whose size shows its unit; NaN for anything else. */
export function parseTime(text: string, order?: DateOrder): number {
  const number = parseNumber(text);
  if (Number.isNaN(number)) return parseDate(text, order);
  const unit = guessUnit(number);
  return unit ? toMilliseconds(number, unit) : Number.NaN;
}
