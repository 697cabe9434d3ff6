import type { CsvRecord } from "../../host/streams/csv-records.ts";
import { areSpans, type LabelFile, labelPath, readOwnLabels } from "../../host/streams/forms/label-file.ts";
import { rowTimeReader } from "../../host/streams/forms/labelled-rows.ts";
import { plainNumber } from "../../host/streams/numbers.ts";
import { UnskippableError } from "../../host/streams/stream-error.ts";
import { type TimeForm, timeForm } from "../../host/streams/time-text.ts";

/** So many labels at the time of a row show that each is of that row. */
const AT_ROWS = 0.9;
/** Labels that show whether each is another class than the one before it. */
const CHANGES_MIN = 3;

/** Stands for the time from which labels count, until it is found. */
export const UNKNOWN_START = "?";
/** Stands for the time of the first row. */
const FIRST_ROW = "start";
/** Rows of a table, and the place of their time. */
interface TimedRows extends TimeForm {
  readonly file: string;
  readonly records: () => AsyncIterable<CsvRecord>;
  readonly time: number;
}

/**
 * Labels of single times, and whether each holds until the next: if few have the time of a row, or each is another class than the one before it.
 * Spans and labels without times stay as they are. Labels that count from the beginning of a recording get the time of that.
 *
 * @throws UnskippableError where the labels' times and the rows' don't overlap.
 */
export async function withHold(given: LabelFile, rows: TimedRows): Promise<LabelFile> {
  if (given.time === undefined) return given;
  const path = labelPath(rows.file, given);
  const own = (await readOwnLabels(path, given)).sort((a, b) => a.first - b.first);
  const of = {
    first: own[0]?.first ?? Number.NaN,
    last: own.reduce((most, { last }) => Math.max(most, last), Number.NEGATIVE_INFINITY),
  };
  const labels = given.since === undefined ? given : { ...given, since: await findStart(given, of, rows) };
  const distinct = new Set(own.map(({ first }) => first));
  const times = await rowTimes(rows, labels, distinct);
  const isBefore = areSpans(labels) && of.last < times.first;
  if (of.first > times.last || isBefore) throw apart(path, labels, of, { ...times, file: rows.file });
  if (areSpans(labels)) return labels;
  const changes = own.every(({ label }, i) => i === 0 || label !== own[i - 1].label);
  const isLog = changes && own.length >= CHANGES_MIN;
  return times.found < AT_ROWS * distinct.size || isLog ? { ...labels, holds: true } : labels;
}

interface Span {
  readonly first: number;
  readonly last: number;
}

function apart(path: string, { since }: LabelFile, of: Span, rows: Span & { readonly file: string }) {
  const text = (time: number) =>
    since === undefined ? new Date(time).toISOString() : `${plainNumber(time / 1000)} s`;
  const span = ({ first, last }: Span) => `${text(first)} to ${text(last)}`;
  const from = since === undefined ? "" : ` from ${since} on`;
  const right = `labels of times that ${rows.file} has are needed${since === undefined ? "" : ", or --since: the row's time from which they count"}`;
  return new UnskippableError(
    path,
    undefined,
    `labels of ${span(of)}, and rows of ${span(rows)}${from}`,
    right,
  );
}

/** The rows' time from which the labels count: the one that is given; 0 of a clock of the rows' own, if labels and rows overlap so; else the first row's. */
async function findStart(labels: LabelFile, of: Span, rows: TimedRows): Promise<string> {
  const { since, rowUnit } = labels;
  if (since !== UNKNOWN_START && since !== FIRST_ROW) return since as string;
  const first = await firstTime(rows, labels);
  if (rowUnit === undefined || since === FIRST_ROW) return first;
  const own = await rowTimes(rows, { ...labels, since: "0" }, new Set());
  return of.first <= own.last && of.last >= own.first ? "0" : first;
}

/** The time of the first row that has one, as its file writes it. Throws an UnskippableError for none. */
async function firstTime(rows: TimedRows, { rowUnit }: LabelFile): Promise<string> {
  const { file, records, time: at } = rows;
  const readTime = rowTimeReader({ ...timeForm(rows), rowUnit });
  for await (const { fields } of records()) if (!Number.isNaN(readTime(fields[at]))) return fields[at].trim();
  throw new UnskippableError(file, undefined, "no row has a time", "times that labels can have are needed");
}

/** The first and the last time of the rows on the labels' clock, and how many of the given ones they have. */
async function rowTimes(
  rows: TimedRows,
  { rowUnit, since }: LabelFile,
  given: ReadonlySet<number>,
): Promise<Span & { readonly found: number }> {
  const readTime = rowTimeReader({ ...timeForm(rows), rowUnit, since });
  const found = new Set<number>();
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for await (const { fields } of rows.records()) {
    const time = readTime(fields[rows.time]);
    if (Number.isNaN(time)) continue;
    [first, last] = [Math.min(first, time), Math.max(last, time)];
    if (given.has(time)) found.add(time);
  }
  return { first, last, found: found.size };
}
