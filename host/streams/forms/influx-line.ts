import type { BadRows } from "../bad-rows.ts";
import { excerpt, StreamError } from "../stream-error.ts";
import type { TextSource } from "../text.ts";
import { lineRows, type NamedRow, type NamedRows, TIME } from "./named-row.ts";

/** A measurement with its tags, fields with a string's quotes and escapes whole, and the time: the three parts of a line. */
const LINE = /^((?:\\.|[^\\ ])+) +((?:"(?:\\.|[^"\\])*"|\\.|[^"\\ ])+)(?: +(-?\d+))?\s*$/s;
const FIELD = /((?:\\.|[^\\,="])+)=("(?:\\.|[^"\\])*"|[^,"]*)(?:,|$)/gsy;
/** An integer, signed or not, whose type follows it. */
const INTEGER = /^([-+]?\d+)[iu]$/;
/** Its forms of true and false, as numbers, so that they can be readings. */
const TRUTHS: ReadonlyMap<string, string> = new Map([
  ["t", "1"],
  ["true", "1"],
  ["f", "0"],
  ["false", "0"],
]);

/** True if a line can be a point of InfluxDB's line protocol. */
export function isInfluxLine(line: string): boolean {
  return splitLine(line) !== undefined;
}

/**
 * Rows of InfluxDB's line protocol: a point a line. A field has the name of its series: measurement, tags and field with blanks between them,
 * as in "weather city=Bonn temp".
 *
 * @see https://docs.influxdata.com/influxdb/v2/reference/syntax/line-protocol/
 */
export function influxRows(text: TextSource, badRows: BadRows): NamedRows {
  return lineRows(text, badRows, (each, line) =>
    each.trim() === "" || each.startsWith("#") ? undefined : parseRow(text.file, line, each),
  );
}

interface Parts {
  readonly series: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly time: string | undefined;
}

/** Undefined for a line that isn't line protocol. */
function splitLine(line: string): Parts | undefined {
  const [, series, fieldSet, time] = LINE.exec(line) ?? [];
  if (series === undefined) return undefined;
  const found = [...fieldSet.matchAll(FIELD)];
  const isWhole = found.reduce((sum, [all]) => sum + all.length, 0) === fieldSet.length;
  if (!isWhole || found.length === 0 || fieldSet.endsWith(",")) return undefined;
  const fields = found.map(([, name, value]) => [unescapeName(name), valueIn(value)] as const);
  return { series: unescapeName(series.replace(/(?<!\\),/g, " ")), fields, time };
}

function parseRow(file: string, line: number, text: string): NamedRow {
  const parts = splitLine(text.replace(/\r$/, ""));
  if (!parts) {
    const right = "measurement,tag=value field=1.5 1700000000000000000 is right";
    throw new StreamError(file, line, `no point of line protocol: ${excerpt(text)}`, right);
  }
  const { series, fields, time } = parts;
  if (time === undefined) throw new StreamError(file, line, "no time", "each point needs one");
  return { line, fields: new Map([[TIME, time], ...fields.map(namedIn(series))]) };
}

const namedIn =
  (series: string) =>
  ([name, value]: readonly [string, string]): [string, string] => [`${series} ${name}`, value];

/** A string without its quotes, an integer without its type, true or false as 1 or 0. */
function valueIn(value: string): string {
  if (value.startsWith('"')) return value.slice(1, -1).replace(/\\(["\\])/g, "$1");
  return INTEGER.exec(value)?.[1] ?? TRUTHS.get(value.toLowerCase()) ?? value;
}

function unescapeName(name: string): string {
  return name.replace(/\\([ ,=])/g, "$1");
}
