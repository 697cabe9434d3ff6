import type { BadRows } from "../bad-rows.ts";
import { parseObject } from "../ndjson.ts";
import { excerpt, StreamError } from "../stream-error.ts";
import { dateNeeded, parseTime, type TimeForm } from "../time-text.ts";
import { namedValues } from "./json-rows.ts";
import type { NamedRow, NamedRows } from "./named-row.ts";
import type { LongColumns } from "./options.ts";

export interface Reading {
  readonly line: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly name: string;
  readonly text: string;
}

/** Readings as a file has them, several at a time. */
export type Readings = AsyncGenerator<readonly Reading[]>;

/**
 * The readings in rows: of a long table one a row, or one a name of its object, else one a field beside the time.
 *
 * @param by the columns of a long table, or the name of the time.
 * @param written how times are written.
 */
export async function* readReadings(
  file: string,
  rows: NamedRows,
  by: LongColumns | string,
  badRows: BadRows,
  written: TimeForm,
): Readings {
  for await (const some of rows)
    yield some.flatMap((row) => {
      try {
        return typeof by === "string"
          ? readingsIn(file, row, by, written)
          : longReadingsIn(file, row, by, written);
      } catch (error) {
        badRows.take(error);
        return [];
      }
    });
}

function longReadingsIn(
  file: string,
  row: NamedRow,
  { time: timeName, series, value }: LongColumns,
  written: TimeForm,
): Reading[] {
  const { line, fields } = row;
  const name = joinedNames(series, fields);
  const values = valuesIn(file, row, value);
  if (values.length === 0 || name === "") {
    const right = `${[timeName, ...series, value].join(", ")} are needed`;
    throw new StreamError(file, line, values.length === 0 ? `no ${value}` : "no name of a series", right);
  }
  const time = timeIn(file, row, timeName, written);
  return values.map(([within, text]) => {
    return { line, time, name: within === "" ? name : `${name} ${within}`, text: text.trim() };
  });
}

function joinedNames(series: readonly string[], fields: NamedRow["fields"]): string {
  const [first, ...others] = series;
  if (others.length === 0) return fields.get(first)?.trim() ?? "";
  return series.flatMap((column) => fields.get(column)?.trim() || []).join(" ");
}

/** The value of a column, named ""; of an object of JSON, as text or not, each of its values by its name. */
function valuesIn(file: string, { line, fields }: NamedRow, column: string): [name: string, text: string][] {
  const text = fields.get(column);
  if (text?.trimStart().startsWith("{")) return [...namedValues(parseObject(file, line, text))];
  if (text !== undefined) return [["", text]];
  const prefix = `${column}.`;
  return [...fields].flatMap(([name, value]): [string, string][] =>
    name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [],
  );
}

function readingsIn(file: string, row: NamedRow, timeName: string, written: TimeForm): Reading[] {
  const time = timeIn(file, row, timeName, written);
  const others = [...row.fields].filter(([name]) => name !== timeName);
  return others.map(([name, text]) => ({ line: row.line, time, name, text }));
}

function timeIn(file: string, { line, fields }: NamedRow, name: string, written: TimeForm): number {
  const text = fields.get(name) ?? "";
  const time = parseTime(text, written);
  if (!Number.isNaN(time)) return time;
  const right = `${dateNeeded(text)}, or an epoch is needed`;
  throw new StreamError(file, line, `${name} is ${excerpt(text)}`, right);
}
