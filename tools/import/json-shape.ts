import { readBounded } from "../../host/bounded-file.ts";
import { parseJson } from "../../host/json.ts";
import { readAcquisition } from "../../host/streams/forms/edge-impulse.ts";
import { findColumns, type JsonColumns, readJsonText } from "../../host/streams/forms/json-columns.ts";
import { type ListedObject, listedObjects } from "../../host/streams/forms/json-list.ts";
import { parseObject } from "../../host/streams/ndjson.ts";
import { UnskippableError } from "../../host/streams/stream-error.ts";
import { TextSource } from "../../host/streams/text.ts";
import { fileWord } from "../../host/terminal/command-line.ts";
import { fileFilter, listedSeries, rowsFilter } from "./jq-rows.ts";
import { timelessMessages } from "./line-patterns.ts";
import { objectColumns, recur, TIME_NAME } from "./long-columns.ts";
import type { Shape } from "./shape.ts";

/** Bytes of a file that is read whole for its refusal. */
const BYTES_MAX = 1 << 26;
/** Objects before the one that has the rows. */
const HEADS_MAX = 8;
const MESSAGE_EXAMPLE = ', such as {"time": "2026-03-01T08:00:00Z", "topic": "press/temp", "payload": 21.5}';

/** Makes rows of RFC 8428's packs: a reading's time and name are added to those of the pack. */
const SENML =
  '(.[0].bt // 0) as $time | (.[0].bn // "") as $name | .[] | {time: ($time + (.t // 0)), series: ($name + (.n // "")), value: .v}';

/**
 * Of objects in a list, or one a line: their names; of one over all lines: Edge Impulse's. Throws an UnskippableError for JSON that is none of these.
 *
 * @param lines the file's first ones, the first of them not blank.
 */
export async function jsonShape(file: string, lines: readonly string[]): Promise<Shape | undefined> {
  const texts = lines.filter((line) => line.trim() !== "");
  const [first] = texts;
  if (first.trimStart().startsWith("[")) return listShape(file);
  const object = parseLine(first);
  if (object === undefined) return wholeShape(file, first);
  const isLone = texts.length === 1;
  if (isLone && isAcquisition(file)) return { format: "edge-impulse" };
  if (isLone && findColumns(object)) return { format: "json-columns" };
  const rows = isLone ? fileFilter(object) : rowsFilter(object);
  if (rows?.areObjects === false) throw noList(file, object);
  if (isLone && rows) return listShape(file, object);
  const objects = objectsIn(texts);
  if (objects.some(({ x }) => Array.isArray(x))) return undefined;
  const series = listedSeries(objects);
  if (series) throw noList(file, object, series);
  return { format: "ndjson-fields", ...longIn(file, objects) };
}

/** The columns of a reading an object. Throws an UnskippableError for messages without a time. */
function longIn(file: string, objects: readonly JsonObject[]): Pick<Shape, "long"> {
  const long = objectColumns(objects);
  if (long) return { long };
  const topics = objects.flatMap(({ topic, payload }) => (payload === undefined ? [] : String(topic ?? "")));
  const hasTime = objects.some((object) => Object.keys(object).some((name) => TIME_NAME.test(name)));
  if (recur(topics) && !hasTime) throw timelessMessages(file, MESSAGE_EXAMPLE);
  if (objects.some((object) => "bt" in object || "bn" in object) && objects.some((object) => "v" in object)) {
    const right = `jq -c '${SENML}' ${fileWord(file)} > rows.ndjson makes an object of each`;
    throw new UnskippableError(
      file,
      1,
      "readings of SenML, whose names and times are relative to the first",
      right,
    );
  }
  return {};
}

/** Of a list of objects, by the first of them. */
async function listShape(file: string, whole?: object): Promise<Shape> {
  const listed = await firstListed(file).catch((error) => {
    const value = parseWhole(file);
    const areLists = Array.isArray(value) && value.every(Array.isArray);
    throw areLists || fileFilter(value)?.areObjects === false ? noList(file, value) : error;
  });
  const [row] = listed;
  if (!row) throw noList(file, whole);
  const object = parseObject(file, row.line, row.text, "an object of JSON is needed");
  const within = rowsFilter(object);
  if (within && (row.nesting === "{[" || !within.areObjects)) throw noList(file, whole);
  // Of a database's export the first objects say what follows, and a later one has the rows.
  const later = listed.slice(1, HEADS_MAX).flatMap(({ text }) => parseLine(text) ?? []);
  if (!within && later.some((each) => (rowsFilter(each as object)?.rows ?? 0) > HEADS_MAX))
    throw noList(file, whole);
  return {
    format: "json-fields",
    ...longIn(file, objectsIn(listed.map(({ text }) => text))),
  };
}

/** The first objects in a file's list. */
async function firstListed(file: string): Promise<ListedObject[]> {
  const text = new TextSource(file);
  try {
    for await (const some of listedObjects(text)) if (some.length > 0) return some;
    return [];
  } finally {
    await text.close();
  }
}

type JsonObject = Readonly<Record<string, unknown>>;

function objectsIn(texts: readonly string[]): JsonObject[] {
  return texts.map(parseLine).filter((object) => object !== undefined);
}

/** The object in a text; undefined for other JSON, and for other texts. */
function parseLine(line: string): JsonObject | undefined {
  try {
    const value = parseJson(line);
    return typeof value === "object" && value !== null ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** @param whole what the file holds; read if it isn't known. */
function noList(
  file: string,
  whole: object = parseWhole(file),
  { filter } = fileFilter(whole) ?? { filter: "." },
): UnskippableError {
  const right = `one object a line is needed: jq -c '${filter}' ${fileWord(file)} > rows.ndjson`;
  return new UnskippableError(file, 1, "JSON without a list of objects that are rows", right);
}

function parseWhole(file: string): object {
  try {
    return parseLine(readBounded(file, BYTES_MAX)) ?? {};
  } catch {
    return {};
  }
}

/** Of JSON whose first line is no object of rows: Edge Impulse's, or a list of objects within an object. */
async function wholeShape(file: string, first: string): Promise<Shape> {
  try {
    readAcquisition(file);
    return { format: "edge-impulse" };
  } catch (error) {
    if (/"payload"|"signature"|"protected"/.test(first)) throw error;
    return (await readColumns(file)) ? { format: "json-columns" } : listShape(file);
  }
}

function isAcquisition(file: string): boolean {
  try {
    readAcquisition(file);
    return true;
  } catch {
    return false;
  }
}

/** The columns that a file in JSON has as lists; undefined for another file. */
async function readColumns(file: string): Promise<JsonColumns | undefined> {
  const text = new TextSource(file);
  try {
    return findColumns(await readJsonText(text));
  } catch {
    return undefined;
  } finally {
    await text.close();
  }
}
