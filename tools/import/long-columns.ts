import type { LongColumns } from "../../host/streams/forms/options.ts";
import { isMissing } from "../../host/streams/missing.ts";
import { parseNumber } from "../../host/streams/numbers.ts";
import { guessUnit, isClock } from "../../host/streams/time-text.ts";
import { isDate, isDigits } from "./joined-time.ts";
import { LABEL_NAMES } from "./roles.ts";

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

/** Names of the time of a reading. */
export const TIME_NAME =
  /^(time|timestamp|t[ _]?stamp|time[ _]?string|date[ _]?time|date|ts|tst|clock|seconds|created_?at|start|start_ts|zeit|zeitstempel|datum|fecha|horodatage)$/i;
const SERIES =
  /^((entity|statistic|sensor|metric|variable|parameter|channel|signal|tag|point|item|pid)[ _]?(id|name)?|(var|measure)[ _]?name|topic|series|measurement|kanal|messgröße|canal|capteur)$/i;
/** What names a series where no other column does. */
const ID = /^(id|name|(data|sensor|reading|measurement)[ _]?type)$/i;
/** What has several series, and is named before them. */
const SOURCE =
  /^(host|device|machine|asset|equipment|station|gateway|node|site|room|location)[ _]?(id|name)?$/i;
const VALUE =
  /^((var|tag|sensor|point|measured)?[ _]?value|reading|state|mean|payload|wert|messwert|valeur|valor)$/i;
/** What else a row of one reading may have: its own id in a database, and what MQTT's, Node-RED's and openSenseMap's have. */
const ASIDE =
  /^(|((measurement|reading|record|row|log|entry|event)[ _]?)?id|unit|units|unit_of_measurement|quality|validity|time[ _]?ms|qualifiers?(\.\d+)?|min|max|sum|count|ns|qos|retain|dup|mid|payloadlen|lat(itude)?|lon|longt?itude|height|(is)?outlier|_.*)$/i;

/** Those of any table of a time, a name and a value, whose names occur again. */
export function readingColumns(rows: readonly (readonly string[])[]): LongColumns | undefined {
  const long = namedReadings(rows);
  return long && recur(seriesNames(rows, long)) ? long : shownReadings(rows);
}

/** The same of a table without a header, by its columns' numbers from 1. */
export function numberedReadings(rows: readonly (readonly string[])[]): LongColumns | undefined {
  const [first = []] = rows;
  return shownReadings([first.map((_, at) => String(at + 1)), ...rows]);
}

/** Rows of a time, in the mean, where a row has one of several readings. */
const ROWS_A_TIME = 1.5;
/** The fewest names at a time, by all. */
const NAMES_SHARE = 0.5;
/** The fewest pairs of a time and a name that don't come again, by the rows. */
const ONCE_SHARE = 0.95;

/** True for a date, a time of the day, or a span of it, such as 08:00 - 08:15. */
const isWhen = (cell: string) => isDate(cell) || cell.split(/\s*[-–]\s*/).every(isClock);

/** Those of a table that shows it by its cells: beside the time and what all rows have alike, one column has words, one has numbers, and a time comes again with other words. */
function shownReadings([header, ...rows]: readonly (readonly string[])[]): LongColumns | undefined {
  const names = header.map((name) => name.trim());
  const cells = names.map((_, at) => rows.map((row) => row[at]?.trim() ?? ""));
  const varying = [...names.keys()].filter((at) => new Set(cells[at]).size > 1);
  if (varying.length !== 3) return undefined;
  const areAll = (at: number, isSuch: (cell: string) => boolean) =>
    cells[at].every((cell) => isMissing(cell) || isSuch(cell));
  const isNumber = (cell: string) => !Number.isNaN(parseNumber(cell));
  const isTime = (cell: string) =>
    isDate(cell) || isDigits(cell) || guessUnit(parseNumber(cell)) !== undefined;
  const time = varying.find((at) => areAll(at, isTime));
  const value = varying.find((at) => at !== time && areAll(at, isNumber));
  const series = varying.find(
    (at) => at !== time && areAll(at, (cell) => !isNumber(cell) && !isWhen(cell)) && recur(cells[at]),
  );
  if (time === undefined || value === undefined || series === undefined) return undefined;
  const pairs = new Set(rows.map((_, i) => `${cells[time][i]}\n${cells[series][i]}`)).size;
  const times = new Set(cells[time]).size;
  const needed = Math.max(ROWS_A_TIME, NAMES_SHARE * new Set(cells[series]).size);
  const isLong = rows.length >= needed * times && pairs >= ONCE_SHARE * rows.length;
  const isNamed = new Set(names).size === names.length && !LABEL_NAMES.includes(names[series].toLowerCase());
  return isLong && isNamed ? { time: names[time], series: [names[series]], value: names[value] } : undefined;
}

/** Places of columns that may name a series, too, but have one value in all these rows: other rows may have another. */
export function loneSources(
  [header, ...rows]: readonly (readonly string[])[],
  { series }: LongColumns,
): number[] {
  const isSource = (name: string) => SERIES.test(name) || SOURCE.test(name);
  return header.flatMap((name, at) => {
    const isLone = new Set(rows.map((row) => row[at])).size === 1;
    return isSource(name.trim()) && isLone && !series.includes(name.trim()) ? [at] : [];
  });
}

/** Those of a table that may be one, by the names of its columns alone. */
export function namedReadings([header, ...rows]: readonly (readonly string[])[]): LongColumns | undefined {
  const names = header.map((name) => name.trim());
  const find = (pattern: RegExp) => names.findIndex((name) => pattern.test(name));
  const [time, value] = [TIME_NAME, VALUE].map(find);
  const hasSeveral = (i: number) => new Set(rows.map((row) => row[i])).size > 1;
  // A lone sensor may have several channels.
  const several = names.findIndex((name, i) => SERIES.test(name) && hasSeveral(i));
  const named = several >= 0 ? several : find(SERIES);
  const series =
    [named, find(ID), names.findIndex((name, i) => SOURCE.test(name) && hasSeveral(i))].find((i) => i >= 0) ??
    -1;
  const isAside = (name: string, i: number) => ASIDE.test(name) || SOURCE.test(name) || !hasSeveral(i);
  const isWhole = names.every((name, i) => [time, series, value].includes(i) || isAside(name, i));
  if (!isWhole || [time, series, value].includes(-1)) return undefined;
  const by = names.filter((name, i) => i === series || (SOURCE.test(name) && hasSeveral(i)));
  return { time: names[time], series: by, value: names[value] };
}

/** The name of what each row below the header read. */
export function seriesNames(
  [header, ...rows]: readonly (readonly string[])[],
  { series }: LongColumns,
): string[] {
  const by = series.map((name) => header.findIndex((each) => each.trim() === name));
  return rows.map((row) =>
    by
      .map((i) => row[i]?.trim() ?? "")
      .join(" ")
      .trim(),
  );
}

/** The same of objects, by the names of them all. */
export function objectColumns(
  objects: readonly Readonly<Record<string, unknown>>[],
): LongColumns | undefined {
  const names = [...new Set(objects.flatMap(Object.keys))];
  const rows = objects.map((object) => names.map((name) => String(object[name] ?? "")));
  return homeAssistantColumns(names) ?? readingColumns([names, ...rows]);
}

/** True if there are several texts, of names or whole numbers, that come twice or more on average. */
export function recur(texts: readonly string[]): boolean {
  const found = texts.filter((text) => text !== "");
  const { size } = new Set(found);
  return size >= 2 && found.length >= 2 * size && found.every((text) => !/^[-+]?\d*[.,]\d+$/.test(text));
}
