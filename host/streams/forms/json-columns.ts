import { isJsonObject, parseJson } from "../../json.ts";
import { StreamError, UnskippableError } from "../stream-error.ts";
import type { TextSource } from "../text.ts";
import { parseTime } from "../time-text.ts";
import { namedValues } from "./json-rows.ts";
import { type NamedRows, TIME } from "./named-row.ts";

/** Characters of a file in JSON, which is read whole. */
const LENGTH_MAX = 1 << 26;
/** Values that show that a list is a column; of a lone one more. */
const ROWS_MIN = 3;
const LONE_MIN = 20;
/** Objects around the columns. */
const DEPTH_MAX = 3;
/** Rows that are made at once. */
const ROWS_AT_ONCE = 1024;

type JsonObject = Readonly<Record<string, unknown>>;
type Lists = ReadonlyMap<string, readonly unknown[]>;

/** The columns that a JSON value has as lists. */
export interface JsonColumns {
  /** The names of the objects around them. */
  readonly path: readonly string[];
  /** Each as long as the others. */
  readonly lists: Lists;
  readonly rows: number;
  /** The paths of other columns, which are left out. */
  readonly others: readonly string[];
}

const isScalar = (value: unknown) => typeof value !== "object" || value === null;

/** True for numbers and texts, or for lists of as many of them. */
function areReadings(values: readonly unknown[]): boolean {
  const [first] = values;
  if (!Array.isArray(first)) return values.every(isScalar);
  return values.every((each) => Array.isArray(each) && each.length === first.length && each.every(isScalar));
}

/** The values of an object by the rows' numbers or times, as pandas writes a column; undefined for another. */
function byRow(value: unknown): JsonObject | undefined {
  const [first, second] = isJsonObject(value) ? Object.keys(value) : [];
  const isRow = (first === "0" && second === "1") || !Number.isNaN(parseTime(first ?? ""));
  return isRow ? (value as JsonObject) : undefined;
}

/** The lists of one length among an object's values: those with most values. */
function listsIn(value: JsonObject): Lists {
  const byLength = new Map<number, Map<string, readonly unknown[]>>();
  for (const [name, each] of Object.entries(value)) {
    const list = Array.isArray(each) ? each : Object.values(byRow(each) ?? {});
    if (list.length < ROWS_MIN || !areReadings(list)) continue;
    const alike = byLength.get(list.length) ?? new Map<string, readonly unknown[]>();
    byLength.set(list.length, alike.set(name, list));
  }
  const size = ([length, lists]: readonly [number, Lists]) => length * lists.size;
  const [[, lists] = [0, new Map()]] = [...byLength].sort((a, b) => size(b) - size(a));
  const [named] = [...lists.keys()].flatMap((name) => byRow(value[name]) ?? []);
  const times = Object.keys(named ?? {});
  return Number.isNaN(parseTime(times[0] ?? "")) ? lists : new Map([[TIME, times], ...lists]);
}

/** All objects that have columns. */
function tablesIn(value: JsonObject, path: readonly string[]): Omit<JsonColumns, "others">[] {
  const lists = listsIn(value);
  const [first = []] = lists.values();
  const own =
    first.length >= (lists.size > 1 ? ROWS_MIN : LONE_MIN) ? [{ path, lists, rows: first.length }] : [];
  if (path.length >= DEPTH_MAX) return own;
  const within = Object.entries(value).filter(([name]) => !lists.has(name));
  return [
    ...own,
    ...within.flatMap(([name, each]) => (isJsonObject(each) ? tablesIn(each, [...path, name]) : [])),
  ];
}

/** The most objects that a list within a value has. */
function mostObjects(value: unknown): number {
  if (isScalar(value)) return 0;
  const parts = Object.values(value as object);
  const own =
    Array.isArray(value) && parts.length > 0 && parts.every((each) => !isScalar(each)) ? parts.length : 0;
  return parts.reduce((most, each) => Math.max(most, mostObjects(each)), own);
}

/** The columns with most values among the lists of a JSON value; undefined where it has none, or where a list of objects has more rows. */
export function findColumns(value: unknown): JsonColumns | undefined {
  if (!isJsonObject(value)) return undefined;
  const tables = tablesIn(value, []);
  const size = ({ rows, lists }: Omit<JsonColumns, "others">) => rows * lists.size;
  const most = tables.reduce((sofar, each) => Math.max(sofar, size(each)), 0);
  const table = tables.find((each) => size(each) === most);
  if (!table) return undefined;
  const others = Object.entries(value).filter(([name]) => !table.lists.has(name));
  if (others.some(([, each]) => mostObjects(each) > table.rows)) return undefined;
  return {
    ...table,
    others: tables.flatMap((each) =>
      each === table ? [] : each.path.join(".") || [...each.lists.keys()].join(", "),
    ),
  };
}

/** The value of a JSON text. Throws an UnskippableError for a text that is too long, and a StreamError for one that is no JSON. */
export async function readJsonText(text: TextSource): Promise<unknown> {
  let whole = "";
  for await (const some of text.texts()) {
    whole += some;
    if (whole.length <= LENGTH_MAX) continue;
    const what = `JSON of more than ${LENGTH_MAX} characters`;
    throw new UnskippableError(text.file, undefined, what, "a row an object, or a line, is needed");
  }
  try {
    return parseJson(whole);
  } catch (error) {
    throw new StreamError(text.file, undefined, (error as Error).message, "a whole JSON value is needed");
  }
}

/** A date and the time of its day without a zone. */
const ZONELESS = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/;

/** The zone of times without one, as Open-Meteo says it beside its lists; "" where nothing does. */
function zoneIn(value: unknown): string {
  const seconds = (value as JsonObject).utc_offset_seconds;
  if (typeof seconds !== "number" || !(Math.abs(seconds) < 86_400)) return "";
  const [hours, minutes] = [Math.abs(seconds) / 3600, (Math.abs(seconds) / 60) % 60];
  const two = (number: number) => String(Math.floor(number)).padStart(2, "0");
  return `${seconds < 0 ? "-" : "+"}${two(hours)}:${two(minutes)}`;
}

/** Rows of a JSON text that has a list a column. The first row counts as line 1. Throws a StreamError for another text. */
export async function* jsonColumnRows(text: TextSource): NamedRows {
  const whole = await readJsonText(text);
  const found = findColumns(whole);
  if (!found)
    throw new StreamError(text.file, undefined, "no lists of as many values", "a list a column is needed");
  const { lists, rows } = found;
  const zone = zoneIn(whole);
  const zoned = (value: unknown) =>
    typeof value === "string" && ZONELESS.test(value) ? `${value}${zone}` : value;
  for (let from = 0; from < rows; from += ROWS_AT_ONCE) {
    const places = Array.from({ length: Math.min(ROWS_AT_ONCE, rows - from) }, (_, i) => from + i);
    yield places.map((at) => ({
      line: at + 1,
      fields: new Map(
        namedValues(Object.fromEntries([...lists].map(([name, values]) => [name, zoned(values[at])]))),
      ),
    }));
  }
}
