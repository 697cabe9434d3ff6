import { statSync } from "node:fs";
import { parseJson } from "../../host/json.ts";
import { acquisitionFiles, labelInName, readAcquisition } from "../../host/streams/forms/edge-impulse.ts";
import { isInfluxLine } from "../../host/streams/forms/influx-line.ts";
import type { LongColumns, TableFormat } from "../../host/streams/forms/options.ts";
import { excerpt, StreamError, UnskippableError } from "../../host/streams/stream-error.ts";
import { type Dialect, dialectOf, rowsIn } from "./dialect.ts";

/** What a file is, that becomes a table first. */
export interface Shape {
  readonly format: "csv" | TableFormat;
  readonly long?: LongColumns;
  /** Of CSV. */
  readonly dialect?: Dialect;
}

/** The columns of InfluxDB's annotated CSV that name no series, beside those that begin with `_`. */
const INFLUX_ASIDE = ["", "result", "table"];
/** The header of its answer to a query that failed. */
const INFLUX_ERROR = /^,?error,reference$/;
/** The first number of a time since 1970; a lesser one is a clock of the recording's own. */
const EPOCH_MIN = 1e8;

/** True for a folder, which is read as Edge Impulse's. */
export function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The shape of a file that begins with these lines; undefined if it is a table already. Throws a StreamError for JSON that is none of these. */
export function shapeOf(file: string, lines: readonly string[]): Shape | undefined {
  if (isFolder(file)) return folderShape(file);
  const first = lines.find((line) => line.trim() !== "" && !line.startsWith("#")) ?? "";
  if (/^\s*[[{]/.test(first)) return jsonShape(file, first);
  if (isInfluxLine(first)) return { format: "influx-line" };
  return csvShape(file, lines);
}

function folderShape(file: string): Shape {
  if (acquisitionFiles(file).length > 0) return { format: "edge-impulse" };
  const right = "a data file, or a folder of Edge Impulse's .json or .csv files, is needed";
  throw new StreamError(file, undefined, "a folder without such files", right);
}

/** Of an object a line: their names; of one over all lines: Edge Impulse's. */
function jsonShape(file: string, first: string): Shape | undefined {
  const object = parsed(first);
  if (first.trimStart().startsWith("[")) {
    const depth = /^\s*\[\s*\[/.test(first) ? ".[][]" : ".[]";
    const right = `one object a line is needed: jq -c '${depth}' ${file} > rows.ndjson`;
    throw new UnskippableError(file, 1, "a JSON array", right);
  }
  if (object === undefined || "payload" in object) return acquisitionShape(file, first, object !== undefined);
  if (Array.isArray(object.x) || typeof object.type === "string") return undefined;
  const long = homeAssistantColumns(Object.keys(object));
  return { format: "ndjson-fields", ...(long && { long }) };
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    return parseJson(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function acquisitionShape(file: string, first: string, isLine: boolean): Shape {
  try {
    readAcquisition(file);
    return { format: "edge-impulse" };
  } catch (error) {
    // An object a line may have a payload, too.
    if (isLine) return { format: "ndjson-fields" };
    if (/"payload"|"signature"|"protected"/.test(first)) throw error;
    const right = `one object a line is needed: jq -c . ${file} > rows.ndjson`;
    throw new UnskippableError(file, 1, `JSON over several lines: ${excerpt(first.trim())}`, right);
  }
}

function csvShape(file: string, lines: readonly string[]): Shape | undefined {
  const dialect = dialectOf(lines);
  if (!dialect.header) return undefined;
  const rows = rowsIn(lines, dialect);
  const [header, second] = rows;
  if (!header) return undefined;
  refuseError(file, header, second);
  const states = homeAssistantColumns(header);
  if (states) return { format: "csv", long: states, dialect };
  const { comment, ...uncommented } = dialect;
  const values = annotatedColumns(rows);
  if (values) return { format: "csv", long: values, dialect: uncommented };
  const isOwnClock = header[0] === "timestamp" && Number(second?.[0]) < EPOCH_MIN;
  const isAcquisition = isOwnClock && labelInName(file) !== "" && !header.includes("label");
  return isAcquisition ? { format: "edge-impulse" } : undefined;
}

/** Throws a StreamError for InfluxDB's answer to a query that failed. */
function refuseError(file: string, header: readonly string[], message: readonly string[] = []): void {
  if (!INFLUX_ERROR.test(header.join())) return;
  const what = `InfluxDB's error: ${excerpt(message.join(" ").trim())}`;
  throw new StreamError(file, undefined, what, "the result of a query that succeeds is needed");
}

/** Those of Home Assistant's history, one state a row. */
function homeAssistantColumns(names: readonly string[]): LongColumns | undefined {
  const times = ["last_changed", "last_updated", "last_changed_ts", "last_updated_ts"];
  const time = times.find((name) => names.includes(name));
  if (!time || !names.includes("entity_id") || !names.includes("state")) return undefined;
  return { time, series: ["entity_id"], value: "state" };
}

/** Those of InfluxDB's annotated CSV, which may have several tables: a series has the names of its measurement, its tags and its field. */
function annotatedColumns(rows: readonly (readonly string[])[]): LongColumns | undefined {
  const isHeader = (row: readonly string[]) =>
    ["_time", "_value", "_field"].every((name) => row.includes(name));
  if (!isHeader(rows[0])) return undefined;
  const names = new Set(rows.filter(isHeader).flat());
  const tags = [...names].filter((name) => !INFLUX_ASIDE.includes(name) && !name.startsWith("_"));
  return { time: "_time", series: ["_measurement", ...tags, "_field"], value: "_value" };
}
