import { excerpt, UnskippableError } from "../stream-error.ts";
import { parseElapsed, parseTime, type TimeForm, toMicrosecond } from "../time-text.ts";
import { areSpans, type LabelFile, labelPath, type OwnLabel, readOwnLabels } from "./label-file.ts";
import { LABEL, type NamedRow, type NamedRows } from "./named-row.ts";
import type { FormOptions } from "./options.ts";

type SpanRules = Pick<LabelFile, "holds" | "last" | "lasts" | "otherwise">;

/** Gives a time the label of the span in which it lies. */
class SpanLabels {
  private readonly spans: OwnLabel[] = [];
  private readonly otherwise: string;

  /**
   * @param path of the file that has them, named in errors.
   * @throws UnskippableError where spans of two classes overlap; where one begins at the last time of another, that time is its. Of two labels at one time the file's later one counts.
   */
  constructor(path: string, labels: readonly OwnLabel[], rules: SpanRules) {
    const { holds, otherwise = "" } = rules;
    this.otherwise = otherwise;
    const sorted = [...labels].sort((a, b) => a.first - b.first || a.line - b.line);
    for (const span of sorted) {
      const before = this.spans.at(-1);
      const isAgain = !areSpans(rules) && span.first === before?.first;
      if (isAgain) this.spans[this.spans.length - 1] = span;
      else if (before === undefined || span.first >= before.last) this.spans.push(span);
      else if (span.label === before.label)
        this.spans[this.spans.length - 1] = { ...before, last: Math.max(before.last, span.last) };
      else throw overlapFault(path, before, span);
    }
    if (!holds) return;
    for (const [i, span] of this.spans.entries())
      this.spans[i] = { ...span, last: this.spans[i + 1]?.first ?? Number.POSITIVE_INFINITY };
  }

  /** The label of a time on the labels' clock; "" for none. */
  labelAt(time: number): string {
    const span = this.spans[this.countUntil(time) - 1];
    return span && time <= span.last ? span.label : this.otherwise;
  }

  /** How many spans begin at that time or before. */
  private countUntil(time: number): number {
    let [low, high] = [0, this.spans.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.spans[middle].first <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function overlapFault(path: string, before: OwnLabel, span: OwnLabel): UnskippableError {
  const what = `its span is ${excerpt(span.label)}, and overlaps that of line ${before.line}, ${excerpt(before.label)}`;
  return new UnskippableError(path, span.line, what, "one class at a time is needed");
}

/** How the rows' times are written, and the one from which the labels' times count. */
type RowClock = TimeForm & Pick<LabelFile, "rowUnit" | "since">;

/** The column of the rows' times, and how they are written. */
interface RowTimes extends RowClock {
  readonly name: string;
}

/** Reads rows' times on the labels' clock, in milliseconds: since 1970, or since where the labels' times begin. NaN for what is no time. */
export function rowTimeReader({ rowUnit, since, ...form }: RowClock): (text: string) => number {
  const read = (text: string) => (rowUnit ? parseElapsed(text, rowUnit) : parseTime(text, form));
  if (since === undefined) return read;
  const start = read(since);
  return (text) => toMicrosecond(read(text) - start);
}

/** Rows with a label in the column `label`: 1 where their time lies in one of the windows, else 0; none where they have no time. */
export function labelledByWindows(
  rows: NamedRows,
  windows: NonNullable<FormOptions["windows"]>,
  times: RowTimes,
): NamedRows {
  const spans = windows.map(([first, last]): OwnLabel => {
    return { line: 0, first: parseTime(first), last: parseTime(last), label: "1" };
  });
  return labelled(rows, bySpans(new SpanLabels("", spans, { last: "last", otherwise: "0" }), times));
}

/** Rows with the labels of a file of their own, likewise. Throws a StreamError where labels without times are more or fewer than the rows. */
export async function* labelledByFile(
  rows: NamedRows,
  dataFile: string,
  how: LabelFile,
  times: RowTimes,
): NamedRows {
  const path = labelPath(dataFile, how);
  const own = await readOwnLabels(path, how);
  if (how.time !== undefined) {
    yield* labelled(rows, bySpans(new SpanLabels(path, own, how), times));
    return;
  }
  let count = 0;
  yield* labelled(rows, () => own[count++]?.label ?? "");
  if (count === own.length) return;
  const what = `${own.length} labels for the ${count} rows of ${dataFile}`;
  const right = "one for each row, or a column of their times, is needed";
  throw new UnskippableError(path, undefined, what, right);
}

function bySpans(spans: SpanLabels, { name, ...clock }: RowTimes): (row: NamedRow) => string {
  const readTime = rowTimeReader(clock);
  return ({ fields }) => {
    const time = readTime(fields.get(name) ?? "");
    return Number.isNaN(time) ? "" : spans.labelAt(time);
  };
}

async function* labelled(rows: NamedRows, labelOf: (row: NamedRow) => string): NamedRows {
  for await (const some of rows)
    yield some.map((row) => ({ ...row, fields: new Map(row.fields).set(LABEL, labelOf(row)) }));
}
