import { CLASSES_MAX, distinctLabels } from "../../host/streams/class-names.ts";
import { type Description, toOptions } from "../../host/streams/description.ts";
import { type BadRowsReport, readStored, type SampleTable } from "../../host/streams/index.ts";
import { secondLabels } from "../../host/streams/second-labels.ts";
import { isContinuous, type LabelColumn, labelledCount } from "../../host/streams/targets.ts";

/** A class, and how many rows have it. */
interface ClassFound {
  readonly name: string;
  readonly rows: number;
}

/** What every command reads in a file. */
export interface ReadBack {
  readonly rows: number;
  /** Features a row. */
  readonly dimension: number;
  /** Rows of each class; absent where the labels are numbers to be estimated, or there are none. */
  readonly classes?: readonly ClassFound[];
  /** True of whole labels that may be classes as well as numbers. */
  readonly mayBeEither?: boolean;
  /** Rows without a label. */
  readonly unlabelled: number;
  /** Rows that are no samples, as they lack a reading. */
  readonly skipped?: number;
  /** The rows that were skipped. */
  readonly badRows?: BadRowsReport;
  /** The first row as it is read: its features, null where one is missing, and its label. */
  readonly first?: { readonly features: readonly (number | null)[]; readonly label?: string | number };
}

export type TiedFeatures = ReturnType<typeof secondLabels>;

/** Reads a file as its description says, and the places of features that go with its label. Throws a StreamError for one that can't be read. */
export async function readBack(
  file: string,
  description: Description,
): Promise<{ readonly read: ReadBack; readonly tied: TiedFeatures }> {
  const { rate: _, ...own } = toOptions(description);
  const options = { ...own, optionNames: {}, described: false };
  const missing = description.missing === "hold" ? "hold" : "nan";
  const data = await readStored(file, { ...options, missing, unlabelled: true });
  const { count: rows, dimension, badRows, missing: lacking } = data;
  const counts = { ...labelCounts(data), unlabelled: rows - labelledCount(data) };
  const first = firstRow(data);
  const tied = secondLabels(data, (visit) => data.each(null, visit));
  data.close();
  const skipped = lacking?.skipped ? { skipped: lacking.skipped } : {};
  return { read: { rows, dimension, ...counts, ...skipped, ...(badRows && { badRows }), first }, tied };
}

/** Features of the first row that are kept. */
const FIRST_MAX = 64;
/** Digits of a number in float32. */
const DIGITS = 7;

function firstRow(data: SampleTable): NonNullable<ReadBack["first"]> {
  let first: NonNullable<ReadBack["first"]> = { features: [] };
  data.each(Uint32Array.of(0), (x, label) => {
    const features = [...x.subarray(0, FIRST_MAX)].map((value) =>
      Number.isNaN(value) ? null : Number(value.toPrecision(DIGITS)),
    );
    first = { features, ...(!Number.isNaN(label) && { label: data.labelNames?.[label] ?? label }) };
  });
  return first;
}

/** More whole labels than a scale of ten may be numbers as well as classes. */
const SCALE = 10;

function labelCounts(data: LabelColumn): Pick<ReadBack, "classes" | "mayBeEither"> {
  if (labelledCount(data) === 0) return {};
  const { labels, labelNames } = data;
  const counts = new Map<number, number>();
  for (const label of labels) if (!Number.isNaN(label)) counts.set(label, (counts.get(label) ?? 0) + 1);
  const areMany = counts.size > SCALE && counts.size <= CLASSES_MAX;
  const isEither = !labelNames && areMany && [...counts.keys()].every(Number.isInteger);
  const either = isEither ? { mayBeEither: true } : {};
  if (isContinuous(data)) return either;
  return {
    ...either,
    classes: (distinctLabels(counts.keys()) as number[]).map((label) => ({
      name: labelNames?.[label] ?? String(label),
      rows: counts.get(label) as number,
    })),
  };
}
