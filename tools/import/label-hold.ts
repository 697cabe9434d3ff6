import type { CsvRecord } from "../../host/streams/csv-records.ts";
import { type LabelFile, labelPath, readOwnLabels } from "../../host/streams/forms/label-file.ts";
import type { FormOptions } from "../../host/streams/forms/options.ts";
import { UnskippableError } from "../../host/streams/stream-error.ts";
import { parseTime } from "../../host/streams/time-text.ts";

/** So many labels at the time of a row show that each is of that row. */
const AT_ROWS = 0.9;
/** Labels that show whether each is another class than the one before it. */
const CHANGES_MIN = 3;

/** Rows of a table, and the place of their time. */
interface TimedRows extends Pick<FormOptions, "timeUnit" | "dateOrder"> {
  readonly file: string;
  readonly records: AsyncIterable<CsvRecord>;
  readonly time: number;
}

/**
 * Labels of single times, and whether each holds until the next: if few have the time of a row, or each is another class than the one before it.
 * Spans and labels without times stay as they are.
 *
 * @throws UnskippableError where the labels' times and the rows' don't overlap.
 */
export async function withHold(labels: LabelFile, rows: TimedRows): Promise<LabelFile> {
  if (labels.time === undefined) return labels;
  const path = labelPath(rows.file, labels);
  const own = (await readOwnLabels(path, labels)).sort((a, b) => a.first - b.first);
  const of = {
    first: own[0]?.first ?? Number.NaN,
    last: own.reduce((most, { last }) => Math.max(most, last), Number.NEGATIVE_INFINITY),
  };
  const distinct = new Set(own.map(({ first }) => first));
  const times = await rowTimes(rows, distinct);
  const isBefore = labels.last !== undefined && of.last < times.first;
  if (of.first > times.last || isBefore) {
    const span = ({ first, last }: typeof of) => `${date(first)} to ${date(last)}`;
    const what = `labels of ${span(of)}, and rows of ${span(times)}`;
    throw new UnskippableError(path, undefined, what, `labels of times that ${rows.file} has are needed`);
  }
  if (labels.last !== undefined) return labels;
  const changes = own.every(({ label }, i) => i === 0 || label !== own[i - 1].label);
  const isLog = changes && own.length >= CHANGES_MIN;
  return times.found < AT_ROWS * distinct.size || isLog ? { ...labels, holds: true } : labels;
}

const date = (time: number) => new Date(time).toISOString();

/** The first and the last time of the rows, and how many of the given ones they have. */
async function rowTimes(
  { records, time: at, dateOrder, timeUnit }: TimedRows,
  given: ReadonlySet<number>,
): Promise<{ readonly first: number; readonly last: number; readonly found: number }> {
  const found = new Set<number>();
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for await (const { fields } of records) {
    const time = parseTime(fields[at], dateOrder, timeUnit);
    if (Number.isNaN(time)) continue;
    [first, last] = [Math.min(first, time), Math.max(last, time)];
    if (given.has(time)) found.add(time);
  }
  return { first, last, found: found.size };
}
