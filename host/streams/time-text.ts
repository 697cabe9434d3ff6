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
export function unitOf(number: number): TimeUnit | undefined {
  if (!(number >= LEAST[0][1] && number < MOST)) return undefined;
  return LEAST.filter(([, least]) => number >= least).pop()?.[0];
}

/** Milliseconds since 1970 of a number in that unit, to the microsecond. */
export function millisecondsOf(number: number, unit: TimeUnit): number {
  if (unit === "s") return number * 1000;
  if (unit === "ms") return number;
  return Math.round(unit === "us" ? number : number / 1000) / 1000;
}

/** Milliseconds since 1970 of a date in ISO 8601, or of a number whose size shows its unit; NaN for anything else. */
export function timeOf(text: string): number {
  const number = parseNumber(text);
  if (Number.isNaN(number)) return Date.parse(text.trim());
  const unit = unitOf(number);
  return unit ? millisecondsOf(number, unit) : Number.NaN;
}
