import type { TimePart } from "../../host/streams/time-columns.ts";
import type { Column } from "./column.ts";
import { type Dialect, hasNames } from "./dialect.ts";
import { type JoinedTime, partsCalled } from "./joined-time.ts";
import type { Survey } from "./survey.ts";
import { unnamedParts } from "./unnamed-time.ts";

/** Parts of a date, where there are so many, or one beside the year. */
const DATE_PARTS_MIN = 3;
/** The most of a part of a date: more hours than a day has are a reading. */
const MOST_OF_PART: { readonly [Part in TimePart]?: number } = {
  ...{ year: 9999, month: 12, day: 366, dayOfYear: 366, hour: 24, hourMinute: 2400, minute: 60, second: 60 },
};

/** True for years of our calendar, which need no other part beside them. */
const areYears = ({ min, max, hasFractions }: Column) => min >= 1500 && max <= 2200 && !hasFractions;

/** True for each column of a part of the date, where several have them. */
export function datePartsIn(
  { columns, time }: Pick<Survey, "columns" | "time">,
  dialect: Dialect,
): boolean[] {
  const unnamed = hasNames(dialect) || time ? [] : unnamedParts(columns);
  const isWithin = (part: TimePart, max: number) => !(max > (MOST_OF_PART[part] ?? 0));
  const parts = columns.map(({ name, max }) =>
    hasNames(dialect) ? partsCalled(name).find((part) => isWithin(part, max)) : undefined,
  );
  const { length } = parts.filter((part) => part !== undefined);
  const isDate = length >= DATE_PARTS_MIN || (length > 1 && parts.includes("year"));
  return parts.map(
    (part, at) =>
      unnamed.includes(at) ||
      (part !== undefined && (isDate || (part === "year" && areYears(columns[at])))) ||
      (time !== undefined && arePartsOfSecond(columns[at])),
  );
}

/** The most of the milliseconds of a second. */
const MILLISECONDS = 999;
/** Whole names of the parts of a second that stand behind a time, and the most of each. */
const PARTS_OF_SECOND: readonly (readonly [name: RegExp, most: number])[] = [
  [/^\W*(ms|msec|milli(s|tm|time|sec(onds?)?)?)\W*$/i, MILLISECONDS],
  [/^\W*(usecs?|micro(sec(onds?)?)?)\W*$/i, 999_999],
  [/^\W*(nsecs?|nano(sec(onds?)?)?)\W*$/i, 999_999_999],
  [/^\W*(frac(tion(al)?)?|sub)[ _-]?sec(onds?)?\W*$/i, 1],
];

/** So much of their whole the parts of a clock reach over; a reading, or a delay in milliseconds, doesn't. */
const WHOLE_SHARE = 0.8;

/** True for numbers that reach over a whole, each with the gap to the next one, or for a lone number. */
export function reachesOver(
  { min, max, values }: Pick<Column, "min" | "max" | "values">,
  whole: number,
): boolean {
  const { size } = values;
  return size < 2 || ((max - min) * size) / (size - 1) >= WHOLE_SHARE * whole;
}

/** A time whose milliseconds have a column of their own, as its parts; undefined for another. */
export function withMilliseconds({
  columns,
  time,
}: Pick<Survey, "columns" | "time">): JoinedTime | undefined {
  const at = columns.findIndex((column) => mostOfSecond(column) === MILLISECONDS);
  if (!time || at < 0 || time.found.unit !== undefined) return undefined;
  const { parts = ["date" as const], places } = time;
  return { parts: [...parts, "millisecond"], places: [...places, at] };
}

/** True for the part of a second of a time: by its whole name, if its numbers reach over a second. */
export const arePartsOfSecond = (column: Column) => mostOfSecond(column) !== undefined;

/** The most of such a part; undefined for another column. */
function mostOfSecond(column: Column): number | undefined {
  const { name, min, max, hasFractions, words } = column;
  const plain = name.replace(/(?<=\w)\s*[[(].*[\])]$/, "");
  const isWithin = (most: number) => min >= 0 && max <= most && (most === 1 || !hasFractions);
  const found = PARTS_OF_SECOND.find(
    ([form, most]) => form.test(plain) && words === 0 && isWithin(most) && reachesOver(column, most),
  );
  return found?.[1];
}
