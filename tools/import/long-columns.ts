import type { LongColumns } from "../../host/streams/forms/options.ts";
import { parseNumber } from "../../host/streams/numbers.ts";

/** The columns of InfluxDB's annotated CSV that name no series, beside those that begin with `_`. */
const INFLUX_ASIDE = ["", "result", "table"];

/** Those of Home Assistant's history, one state a row. */
export function homeAssistantColumns(names: readonly string[]): LongColumns | undefined {
  const times = ["last_changed", "last_updated", "last_changed_ts", "last_updated_ts"];
  const time = times.find((name) => names.includes(name));
  if (!time || !names.includes("entity_id") || !names.includes("state")) return undefined;
  return { time, series: ["entity_id"], value: "state" };
}

/** Those of InfluxDB's annotated CSV, which may have several tables: a series has the names of its measurement, its tags and its field. */
export function annotatedColumns(rows: readonly (readonly string[])[]): LongColumns | undefined {
  const isHeader = (row: readonly string[]) =>
    ["_time", "_value", "_field"].every((name) => row.includes(name));
  if (!isHeader(rows[0])) return undefined;
  const names = new Set(rows.filter(isHeader).flat());
  const tags = [...names].filter((name) => !INFLUX_ASIDE.includes(name) && !name.startsWith("_"));
  return { time: "_time", series: ["_measurement", ...tags, "_field"], value: "_value" };
}

const TIME = /^(time|timestamp|datetime|date|ts|created_at|start|start_ts)$/i;
const SERIES =
  /^((entity|statistic|sensor|metric|variable|parameter|channel|signal|tag|point)[ _]?(id|name)?|topic|item|series|measurement)$/i;
const VALUE = /^(value|reading|state|mean)$/i;
/** What else a row of one reading may have. */
const ASIDE = /^(|id|unit|units|unit_of_measurement|quality|min|max|sum|count)$/i;

/** Those of any table of a time, a name and a value, whose names occur again. */
export function readingColumns([header, ...rows]: readonly (readonly string[])[]): LongColumns | undefined {
  const names = header.map((name) => name.trim());
  const at = [TIME, SERIES, VALUE].map((pattern) => names.findIndex((name) => pattern.test(name)));
  const isWhole = names.every((name, i) => at.includes(i) || ASIDE.test(name));
  if (!isWhole || at.includes(-1)) return undefined;
  const [time, series, value] = at;
  const found = rows.flatMap((row) => row[series]?.trim() || []);
  const { size } = new Set(found);
  const areNames = found.every((name) => Number.isNaN(parseNumber(name)));
  if (!areNames || size < 2 || found.length < 2 * size) return undefined;
  return { time: names[time], series: [names[series]], value: names[value] };
}
