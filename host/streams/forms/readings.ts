import type { BadRows } from "../bad-rows.ts";
import { excerpt, StreamError } from "../stream-error.ts";
import { dateNeeded, parseTime } from "../time-text.ts";
import { type NamedRow, type NamedRows, withBits } from "./named-row.ts";
import type { FormOptions, LongColumns } from "./options.ts";

export interface Reading {
  readonly line: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly name: string;
  readonly text: string;
}

type TimesWritten = Pick<FormOptions, "dateOrder" | "timeUnit">;

/** Readings as a file has them, several at a time. */
export type Readings = AsyncGenerator<readonly Reading[]>;

/**
 * The readings in rows: of a long table one a row, else one a field beside the time.
 *
 * @param by the columns of a long table, or the name of the time.
 * @param written how times are written.
 */
export async function* readReadings(
  file: string,
  rows: NamedRows,
  by: LongColumns | string,
  badRows: BadRows,
  written: TimesWritten,
): Readings {
  for await (const some of rows)
    yield some.flatMap((row) => {
      try {
        return typeof by === "string"
          ? readingsIn(file, row, by, written)
          : [readingIn(file, row, by, written)];
      } catch (error) {
        badRows.take(error);
        return [];
      }
    });
}

function readingIn(
  file: string,
  row: NamedRow,
  { time, series, value }: LongColumns,
  written: TimesWritten,
): Reading {
  const { line, fields } = row;
  const text = fields.get(value);
  const name = series.flatMap((column) => fields.get(column)?.trim() || []).join(" ");
  if (text === undefined || name === "") {
    const right = `${[time, ...series, value].join(", ")} are needed`;
    throw new StreamError(file, line, text === undefined ? `no ${value}` : "no name of a series", right);
  }
  return { line, time: timeIn(file, row, time, written), name, text: withBits(text.trim()) };
}

function readingsIn(file: string, row: NamedRow, timeName: string, written: TimesWritten): Reading[] {
  const time = timeIn(file, row, timeName, written);
  const others = [...row.fields].filter(([name]) => name !== timeName);
  return others.map(([name, text]) => ({ line: row.line, time, name, text }));
}

function timeIn(file: string, { line, fields }: NamedRow, name: string, written: TimesWritten): number {
  const text = fields.get(name) ?? "";
  const time = parseTime(text, written.dateOrder, written.timeUnit);
  if (!Number.isNaN(time)) return time;
  throw new StreamError(
    file,
    line,
    `${name} is ${excerpt(text)}`,
    `${dateNeeded(text)}, or an epoch is needed`,
  );
}
