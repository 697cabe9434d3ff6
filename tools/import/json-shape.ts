import { parseJson } from "../../host/json.ts";
import { readAcquisition } from "../../host/streams/forms/edge-impulse.ts";
import { type ListedObject, listedObjects } from "../../host/streams/forms/json-list.ts";
import { parseObject } from "../../host/streams/ndjson.ts";
import { UnskippableError } from "../../host/streams/stream-error.ts";
import { TextSource } from "../../host/streams/text.ts";
import { fileWord } from "../../host/terminal/command-line.ts";
import { homeAssistantColumns } from "./long-columns.ts";
import type { Shape } from "./shape.ts";

/**
 * Of objects in a list, or one a line: their names; of one over all lines: Edge Impulse's. Throws an UnskippableError for JSON that is none of these.
 *
 * @param first the file's first line.
 * @param isLone whether it has no other.
 */
export async function jsonShape(file: string, first: string, isLone: boolean): Promise<Shape | undefined> {
  if (first.trimStart().startsWith("[")) return listShape(file);
  const object = parseLine(first);
  if (object === undefined || "payload" in object) return wholeShape(file, first, object !== undefined);
  if (isLone && pathOfRows(object)) return listShape(file, object);
  if (Array.isArray(object.x) || typeof object.type === "string") return undefined;
  return { format: "ndjson-fields", ...longColumns(object) };
}

function longColumns(row: object): Pick<Shape, "long"> {
  const long = homeAssistantColumns(Object.keys(row));
  return long ? { long } : {};
}

/** Of a list of objects, by the first of them. */
async function listShape(file: string, whole: object = {}): Promise<Shape> {
  const row = await firstListed(file);
  if (!row) throw noList(file, pathOfRows(whole));
  const object = parseObject(file, row.line, row.text, "an object of JSON is needed");
  const within = row.nesting === "{[" ? pathOfRows(object) : undefined;
  if (within !== undefined) throw noList(file, pathOfRows(whole) ?? `.[][]?${within}`);
  return { format: "json-fields", ...longColumns(object) };
}

/** The first object in a file's list. */
async function firstListed(file: string): Promise<ListedObject | undefined> {
  const text = new TextSource(file);
  try {
    for await (const [first] of listedObjects(text)) if (first) return first;
    return undefined;
  } finally {
    await text.close();
  }
}

function parseLine(line: string): Record<string, unknown> | undefined {
  try {
    return parseJson(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** The path by jq to the rows within an object: a list of objects or of lists. */
function pathOfRows(object: object): string | undefined {
  for (const [name, value] of Object.entries(object)) {
    if (typeof value !== "object" || value === null) continue;
    const isPlain = /^[A-Za-z_]\w*$/.test(name);
    const step = Array.isArray(object) ? "[]" : isPlain ? `.${name}` : `[${JSON.stringify(name)}]`;
    const within = areRows(value) ? "[]" : pathOfRows(value);
    if (within !== undefined) return `${step}${within}`;
  }
  return undefined;
}

function areRows(value: object): boolean {
  return Array.isArray(value) && value.length > 1 && value.every((row) => typeof row === "object" && row);
}

/** InfluxDB 1's answer has lists of values, whose names stand once. */
const INFLUX_VALUES = ".results[].series[].values[]";
const INFLUX_ROWS =
  ".results[].series[] | .columns as $names | .values[] | [$names, .] | transpose | map({(.[0]): .[1]}) | add";

function noList(file: string, path = "."): UnskippableError {
  const filter = path === INFLUX_VALUES ? INFLUX_ROWS : path;
  const right = `one object a line is needed: jq -c '${filter}' ${fileWord(file)} > rows.ndjson`;
  return new UnskippableError(file, 1, "JSON without a list of objects that are rows", right);
}

/** Of JSON whose first line is no object of rows: Edge Impulse's, or a list of objects within an object. */
async function wholeShape(file: string, first: string, isLine: boolean): Promise<Shape> {
  try {
    readAcquisition(file);
    return { format: "edge-impulse" };
  } catch (error) {
    // An object a line may have a payload, too.
    if (isLine) return { format: "ndjson-fields" };
    if (/"payload"|"signature"|"protected"/.test(first)) throw error;
    return listShape(file);
  }
}
