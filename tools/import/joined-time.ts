import { parseNumber } from "../../host/streams/numbers.ts";
import {
  areTimeParts,
  type ColumnReference,
  TIME_PARTS,
  type TimeColumns,
  type TimePart,
  timeText,
} from "../../host/streams/time-columns.ts";
import {
  isClock,
  isOfUnit,
  isSlashed,
  joinClock,
  MIDNIGHT,
  parseDate,
} from "../../host/streams/time-text.ts";

/** Columns that say a time together, a part each. */
export interface JoinedTime {
  readonly parts: readonly TimePart[];
  /** The place of each part's column. */
  readonly places: readonly number[];
}

/** Names of the parts, in English, German, Spanish, Portuguese, French and Italian. Those that two parts may have, such as MM, come in the order of the parts. */
const NAMES: { readonly [Part in Exclude<TimePart, "date" | "clock" | "millisecond">]: RegExp } = {
  year: /^(yy|yyyy|yr|years?|jahr|a[ñn]o|ann[ée]e|anno)$/,
  month: /^(mm|mo|mon|mnth|months?|month of year|monat|m[eê]s|mois|mese)$/,
  day: /^(dd|dy|days?|day of month|mday|tag|d[ií]a|jour|giorno)$/,
  dayOfYear: /^(doy|ddd|day of year|dayofyear|yday|jday|julian|julian day|julday)$/,
  hour: /^(hh|hr|hours?|hour of day|hour ending|he|stunde|hora|heure|ora)$/,
  hourMinute: /^(hhmm|hrmn|hrmin|hour minute)$/,
  minute: /^(mm|mi|mn|min|minutes?|minuto)$/,
  second: /^(ss|sec|seconds?|sekunde|segundo|seconde|secondo)$/,
};
/** A day of two digits each, with dots. */
const SHORT_DAY = /^\s*\d\d\.\d\d\.\d\d\s*$/;
/** What stands behind a name: a unit, and a zone. */
const BEHIND = /(?<!\s)\s*[[(].*[\])]$|[ _](utc|gmt|lst|lt|local)$/;

/** The parts that a column's name may mean. */
export function partsCalled(name: string): TimePart[] {
  const plain = name.toLowerCase().replace(/^#/, "").replace(BEHIND, "").replace(/[_.-]/g, " ").trim();
  return (Object.keys(NAMES) as (keyof typeof NAMES)[]).filter((part) => NAMES[part].test(plain));
}

/** The places of parts by their names: MM is the month before the hour, and the minute behind it. */
export function namedParts(names: readonly string[]): ReadonlyMap<TimePart, number> {
  const found = new Map<TimePart, number>();
  for (const [at, name] of names.entries()) {
    const free = partsCalled(name).filter((part) => !found.has(part));
    const part = free.length > 1 && found.has("hour") ? free.at(-1) : free[0];
    if (part) found.set(part, at);
  }
  return found;
}

/**
 * Columns that say a time together: a date and the time of its day, by their cells in a row; or parts that have such names.
 *
 * @param named places of parts, see `namedParts`.
 * @param isDateName whether a column's name says that numbers such as 20261231 are dates.
 */
export function joinedTime(
  fields: readonly string[],
  named: ReadonlyMap<TimePart, number>,
  isDateName: (at: number) => boolean,
): JoinedTime | undefined {
  const isDay = (field: string, at: number) =>
    (!field.replace(MIDNIGHT, "").includes(":") && isDate(field)) || (isDateName(at) && isDigits(field));
  const colon = fields.findIndex((field) => field.includes(":") && isClock(field));
  const clock = colon < 0 ? fields.findIndex(isClock) : colon;
  // 01.03.26 alone may be a clock, but not beside another one.
  const date = fields.findIndex((field, at) => isDay(field, at) || (colon >= 0 && SHORT_DAY.test(field)));
  const found = new Map(named);
  if (date >= 0) {
    for (const part of ["year", "month", "day", "dayOfYear"] as const) found.delete(part);
    found.set("date", date);
  }
  const hasClock = clock >= 0 && (date < 0 || isDate(joinClock(fields[date], fields[clock])));
  if (hasClock) found.set("clock", clock);
  return wholeParts(found);
}

export const isDate = (text: string) => isSlashed(text) || !Number.isNaN(parseDate(text));
/** True for a day in digits, such as 20261231. */
export const isDigits = (text: string) => text.trim().length === 8 && isOfUnit(parseNumber(text), "digits");

/** Parts that make a time of two columns or more; one of two that say the same is left out. */
function wholeParts(found: Map<TimePart, number>): JoinedTime | undefined {
  const day = found.get("day");
  if (day !== undefined && !found.has("month")) {
    found.delete("day");
    if (!found.has("dayOfYear")) found.set("dayOfYear", day);
  }
  if (found.has("day")) found.delete("dayOfYear");
  if (found.has("dayOfYear")) found.delete("month");
  if (found.has("minute")) found.delete("hourMinute");
  if (found.has("clock")) found.delete("hourMinute");
  if (found.has("clock") || found.has("hourMinute")) found.delete("hour");
  if (!found.has("hour")) found.delete("minute");
  if (!found.has("minute") && !found.has("hourMinute")) found.delete("second");
  const parts = TIME_PARTS.filter((part) => found.has(part));
  const isTime = parts.length > 1 && areTimeParts(Object.fromEntries(found));
  return isTime ? { parts, places: parts.map((part) => found.get(part) as number) } : undefined;
}

/** The text of a time in several columns. */
export function joinedText({ parts, places }: JoinedTime, fields: readonly string[]): string {
  const time = timeReference({ parts, places }, (at) => at + 1);
  return timeText(time, (at) => fields[places[at]] ?? "");
}

/** How a description names a time's columns. */
export function timeReference(
  { places, parts }: Pick<JoinedTime, "places"> & Partial<JoinedTime>,
  reference: (at: number) => ColumnReference,
): TimeColumns {
  if (!parts) return reference(places[0]);
  return Object.fromEntries(parts.map((part, i) => [part, reference(places[i])]));
}
