import { statSync } from "node:fs";
import { join } from "node:path";
import { BadRows } from "../../host/streams/bad-rows.ts";
import { BLANKS, csvRecords } from "../../host/streams/csv-records.ts";
import { classFiles } from "../../host/streams/forms/class-files.ts";
import { acquisitionFiles, labelInName } from "../../host/streams/forms/edge-impulse.ts";
import { isInfluxLine } from "../../host/streams/forms/influx-line.ts";
import type { LongColumns, TableFormat } from "../../host/streams/forms/options.ts";
import { excerpt, StreamError, UnskippableError } from "../../host/streams/stream-error.ts";
import { TextSource } from "../../host/streams/text.ts";
import { isClock, isSlashed, parseDate } from "../../host/streams/time-text.ts";
import { fileWord } from "../../host/terminal/command-line.ts";
import { type Dialect, detectDialect, rowsIn } from "./dialect.ts";
import { firstLines } from "./first-lines.ts";
import { jsonShape } from "./json-shape.ts";
import { lineShape } from "./line-patterns.ts";
import {
  annotatedColumns,
  homeAssistantColumns,
  loneSources,
  namedReadings,
  numberedReadings,
  readingColumns,
  seriesNames,
} from "./long-columns.ts";

import { refuseSplitDecimals } from "./split-decimals.ts";

/** What a file is, that becomes a table first. */
export interface Shape {
  readonly format: "csv" | TableFormat;
  readonly long?: LongColumns;
  /** Of lines in which a regular expression finds the fields. */
  readonly pattern?: string;
  /** Of CSV. */
  readonly dialect?: Dialect;
}

/** The header of its answer to a query that failed. */
const INFLUX_ERROR = /^,?error,reference$/;
/** A line of JSON: an object, or a list of such, of others or of nothing yet; unlike "[10:00:00] temp" or "{System 1};". */
const JSON_START = /^\s*(\{\s*($|["'}]|\w+\s*:)|\[\s*($|[[{"\]]|-?[\d.]+\s*[,\]]))/;
/** The first number of a time since 1970; a lesser one is a clock of the recording's own. */
export const EPOCH_MIN = 1e8;

/** True for a folder, which is read as Edge Impulse's. */
export function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The shape of a file that begins with these lines; undefined if it is a table already. Throws a StreamError for JSON that is none of these. */
export async function detectShape(file: string, lines: readonly string[]): Promise<Shape | undefined> {
  if (isFolder(file)) return folderShape(file);
  const first = lines.find((line) => line.trim() !== "" && !line.startsWith("#")) ?? "";
  if (JSON_START.test(first)) return jsonShape(file, lines.slice(lines.indexOf(first)));
  if (isInfluxLine(first)) return { format: "influx-line" };
  return lineShape(file, lines) ?? (await csvShape(file, lines));
}

/** A folder of Edge Impulse's files, or of tables by class. Throws a StreamError for another. */
async function folderShape(file: string): Promise<Shape> {
  const tables = classFiles(file);
  const acquired = acquisitionFiles(file);
  const isEdgeImpulse =
    acquired.length > 0 && acquired.every((each) => /\.json$/i.test(each) || labelInName(each));
  if (isEdgeImpulse) return { format: "edge-impulse" };
  const split = tables.find(({ name }) => SPLIT.test(name));
  if (split && isFolder(join(file, split.name))) {
    const right = `a folder of each class is needed: motelearn import ${fileWord(join(file, split.name))} reads that part`;
    throw new StreamError(file, undefined, `a folder ${split.name}, which is no class`, right);
  }
  if (tables.length > 0)
    return { format: "class-files", dialect: detectDialect(await firstLines(tables[0].path)) };
  const right = "a data file, or a folder of tables or of Edge Impulse's .json or .csv files, is needed";
  throw new StreamError(file, undefined, "a folder without such files", right);
}

/** Names of folders that are parts of a data set. */
const SPLIT = /^(train|test|valid)/i;

/** Lines that end with a semicolon between commas, and LIBSVM's with a second number beside the label. */
const ENDED = /^[^;,]*,[^;]*;\s*$/;
const TWO_LABELS = /^\s*[^\s:;]+;[^\s:;]+(\s+\d+:[^\s:;]+)+\s*$/;
/** What a list of numbers hasn't. */
const NO_NUMBER = /[^\d\s.,;+\-e[\](){}]/i;

/** True for a line whose fields stand in one pair of quotes, and aren't all numbers. */
function isQuotedLine(line: string): boolean {
  const text = line.trimEnd();
  const inner = text.slice(1, -1);
  const isWhole = text.length > 1 && text.startsWith('"') && text.endsWith('"') && !inner.includes('"');
  return isWhole && inner.split(",", 3).length === 3 && NO_NUMBER.test(inner);
}

/** Lines with a list in brackets between commas, but without quotes; and with one behind a name. */
const BARE_LIST = /(^|,)\s*\[[^\][",]*,[^\]["]*\]\s*(,|$)/;
const NAMED_LIST = /[a-z]\s*[:=]\s*[[(]\s*[-+.\d][^\][()",]*,[^\][()"]*[\])]\s*(,|$)/i;

/** Begins the samples of a set of time series as aeon and sktime write it (.ts), its class behind a colon. */
const SERIES_DATA = /^@data\s*$/i;
const SERIES_FACT = /^@(problemname|classlabel|univariate)\b/i;

/** Throws an UnskippableError for lines that a command mends. */
function refuseLines(file: string, lines: readonly string[]): void {
  const areMost = (isSuch: (line: string) => boolean) => 2 * lines.filter(isSuch).length > lines.length;
  const isMost = (form: RegExp) => areMost((line) => form.test(line));
  const mend = (program: string) => `sed '${program}' ${fileWord(file)} > NEW takes it off`;
  if (isMost(ENDED))
    throw new UnskippableError(file, 1, "a semicolon at the end of each line", mend("s/;[[:space:]]*$//"));
  if (isMost(TWO_LABELS))
    throw new UnskippableError(file, 1, "a second number beside LIBSVM's label", mend("s/;[^ ]*//"));
  const data = lines.findIndex((line) => SERIES_DATA.test(line)) + 1;
  if (lines.slice(0, data).some((line) => SERIES_FACT.test(line))) {
    const right = `sed '1,${data}d; s/:/,/g' ${fileWord(file)} > NEW makes a row of each, its class last`;
    throw new UnskippableError(file, data + 1, "time series with colons between channels and class", right);
  }
  if (areMost(isQuotedLine)) {
    const right = `sed 's/^"\\(.*\\)"/\\1/' ${fileWord(file)} > NEW takes it off`;
    throw new UnskippableError(file, 1, "a pair of quotes around each line", right);
  }
  const split = "a list in brackets whose commas separate columns, too";
  if (isMost(BARE_LIST)) {
    const right = `sed 's/\\[[^]]*\\]/"&"/g' ${fileWord(file)} > NEW puts it in quotes`;
    throw new UnskippableError(file, 1, split, right);
  }
  if (isMost(NAMED_LIST)) {
    const right = `sed 's/[][()]//g; s/[A-Za-z][A-Za-z ]*[:=] *//g' ${fileWord(file)} > NEW leaves the numbers`;
    throw new UnskippableError(file, 1, split, right);
  }
}

async function csvShape(file: string, lines: readonly string[]): Promise<Shape | undefined> {
  refuseLines(file, lines);
  const dialect = detectDialect(lines);
  const rows = rowsIn(lines, dialect);
  refuseJoined(file, rows, dialect);
  refuseSplitDecimals(file, rows, dialect);
  if (!dialect.header) return numberedShape(rows, dialect);
  const [header, second] = rows;
  if (!header) return undefined;
  refuseError(file, header, second);
  const states = homeAssistantColumns(header);
  if (states) return { format: "csv", long: states, dialect };
  const { comment, ...uncommented } = dialect;
  const values = annotatedColumns(rows);
  if (values) return { format: "csv", long: values, dialect: uncommented };
  const readings = readingColumns(rows) ?? (await blockedReadings(file, dialect, rows));
  if (readings) return { format: "csv", long: await withSources(file, dialect, rows, readings), dialect };
  const isOwnClock = header[0] === "timestamp" && Number(second?.[0]) < EPOCH_MIN;
  const isAcquisition = isOwnClock && labelInName(file) !== "" && !header.includes("label");
  return isAcquisition ? { format: "edge-impulse" } : undefined;
}

/** A text, and a number with or without its unit behind it. */
const AND_NUMBER = /^\s*(\S.*?:\d\d\S*)\s+([-+]?\d\S*)\s*$/;

/** True for a cell with a time and a number behind it, that isn't the time's zone. */
function hasTimeAndNumber(cell: string): boolean {
  const [, time, number = ""] = AND_NUMBER.exec(cell) ?? [];
  if (time === undefined || number.includes(":") || isSlashed(cell) || !Number.isNaN(parseDate(cell)))
    return false;
  return isClock(time) || isSlashed(time) || !Number.isNaN(parseDate(time));
}

/** Throws an UnskippableError where most cells of a column have a time and a reading. */
function refuseJoined(file: string, rows: readonly (readonly string[])[], { separator }: Dialect): void {
  const first = rows.slice(0, 2).find((row) => row.some(hasTimeAndNumber)) ?? [];
  const at = separator === BLANKS ? -1 : first.findIndex(hasTimeAndNumber);
  if (at < 0 || 2 * rows.filter((row) => hasTimeAndNumber(row[at] ?? "")).length <= rows.length) return;
  const what = `a time and a number in one cell, as ${excerpt(first[at].trim())}`;
  const right = `sed -E 's/(:[0-9]{2}[0-9.]*) +/\\1${separator === "\t" ? "\\t" : separator}/' ${fileWord(file)} > NEW parts them`;
  throw new UnskippableError(file, 1, what, right);
}

/** A table of a reading a row without a header; undefined for another. */
function numberedShape(
  rows: readonly (readonly string[])[],
  { names: _, ...dialect }: Dialect,
): Shape | undefined {
  const long = numberedReadings(rows);
  return long && { format: "csv", long, dialect };
}

/** The same, with sources that the first lines have one of, and others another: a sensor after the other. */
async function withSources(
  file: string,
  dialect: Dialect,
  rows: readonly (readonly string[])[],
  long: LongColumns,
): Promise<LongColumns> {
  const [header, first] = rows;
  const lone = new Set(loneSources(rows, long));
  const found = new Set<number>();
  if (lone.size === 0) return long;
  for await (const some of csvRecords(new TextSource(file), dialect, new BadRows(file, "skip")))
    for (const { fields } of some)
      for (const at of lone)
        if (fields.length === header.length && fields[at] !== first[at] && fields[at] !== header[at])
          found.add(at);
  const names = header.map((name) => name.trim());
  const series = names.filter((name, at) => found.has(at) || long.series.includes(name));
  return { ...long, series };
}

/** The columns of readings that come a series after the other, as openSenseMap exports them: its first lines have one name. */
async function blockedReadings(
  file: string,
  dialect: Dialect,
  rows: readonly (readonly string[])[],
): Promise<LongColumns | undefined> {
  const long = namedReadings(rows);
  const first = long && seriesNames(rows, long);
  if (!first || new Set(first).size !== 1) return undefined;
  for await (const some of csvRecords(new TextSource(file), dialect, new BadRows(file, "skip"))) {
    const names = seriesNames([rows[0], ...some.map(({ fields }) => fields)], long);
    if (names.some((name, i) => name !== first[0] && some[i].fields[0] !== rows[0][0])) return long;
  }
  return undefined;
}

/** Throws a StreamError for InfluxDB's answer to a query that failed. */
function refuseError(file: string, header: readonly string[], message: readonly string[] = []): void {
  if (!INFLUX_ERROR.test(header.join())) return;
  const what = `InfluxDB's error: ${excerpt(message.join(" ").trim())}`;
  throw new StreamError(file, undefined, what, "the result of a query that succeeds is needed");
}
