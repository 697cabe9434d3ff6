import { parseJson } from "../../host/json.ts";
import { readAcquisition } from "../../host/streams/forms/edge-impulse.ts";
import { excerpt, UnskippableError } from "../../host/streams/stream-error.ts";
import { fileWord } from "../../host/terminal/command-line.ts";
import { homeAssistantColumns } from "./long-columns.ts";
import type { Shape } from "./shape.ts";

/**
 * Of an object a line: their names; of one over all lines: Edge Impulse's. Throws an UnskippableError for JSON that is none of these.
 *
 * @param first the file's first line.
 * @param isLone whether it has no other.
 */
export function jsonShape(file: string, first: string, isLone: boolean): Shape | undefined {
  const object = parseLine(first);
  if (first.trimStart().startsWith("[")) {
    const depth = /^\s*\[\s*\[/.test(first) ? ".[][]" : ".[]";
    const right = `one object a line is needed: jq -c '${depth}' ${fileWord(file)} > rows.ndjson`;
    throw new UnskippableError(file, 1, "a JSON array", right);
  }
  if (object === undefined || "payload" in object) return acquisitionShape(file, first, object !== undefined);
  const path = isLone && pathOfRows(object);
  if (path) throw rowsWithin(file, path);
  if (Array.isArray(object.x) || typeof object.type === "string") return undefined;
  const long = homeAssistantColumns(Object.keys(object));
  return { format: "ndjson-fields", ...(long && { long }) };
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

function rowsWithin(file: string, path: string): UnskippableError {
  const filter = path === INFLUX_VALUES ? INFLUX_ROWS : path;
  const right = `one object a line is needed: jq -c '${filter}' ${fileWord(file)} > rows.ndjson`;
  return new UnskippableError(file, 1, "one JSON object around all rows", right);
}

function acquisitionShape(file: string, first: string, isLine: boolean): Shape {
  try {
    readAcquisition(file);
    return { format: "edge-impulse" };
  } catch (error) {
    // An object a line may have a payload, too.
    if (isLine) return { format: "ndjson-fields" };
    if (/"payload"|"signature"|"protected"/.test(first)) throw error;
    const right = `one object a line is needed: jq -c . ${fileWord(file)} > rows.ndjson`;
    throw new UnskippableError(file, 1, `JSON over several lines: ${excerpt(first.trim())}`, right);
  }
}
