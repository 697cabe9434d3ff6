import { UserError } from "../errors.ts";
import type { StoredTable } from "./stored.ts";
import type { DataSet } from "./table.ts";

/** How rows of a raw recording become samples of a node, which takes a burst of readings of each sensor. */
export interface Sampling {
  /** Rows a second; takes a period. Default: each row is a sample. */
  rate?: number;
  /** Milliseconds from one sample of the node to the next. */
  period?: number;
  /** Readings of each sensor in a sample, the last ones of its period. Default: all. */
  burst?: number;
}

/** Rows that make a sample, and how many of these it has. */
interface Burst {
  readonly rows: number;
  readonly burst: number;
}

/** A file's samples, one after the other, and its labels. */
export type SampleTable = Pick<StoredTable, keyof StoredTable>;

/** A period's rows are whole to so many parts of one. */
const ROUNDING = 1e-6;
const MS = 1000;

/** The rows of a sample; undefined: one. Throws a UserError where the period isn't known, or has no whole number of them. */
export function readBurst(file: string, { rate, period, burst }: Sampling): Burst | undefined {
  if (rate === undefined) return undefined;
  if (period === undefined)
    throw new UserError(
      `${file}: ${rate} rows a second; how often does the node take a sample? Give a period (--period ms)`,
    );
  const exact = (rate * period) / MS;
  const rows = Math.round(exact);
  if (rows < 1 || Math.abs(exact - rows) > ROUNDING * rows)
    throw new UserError(
      `${file}: ${rate} rows a second and a period of ${period} ms are ${exact} rows a sample; take a whole number of rows`,
    );
  if (burst !== undefined && burst > rows)
    throw new UserError(`${file}: a burst of ${burst} readings; a sample has ${rows} rows`);
  return rows === 1 ? undefined : { rows, burst: burst ?? rows };
}

/** The last label among a sample's rows; NaN where none has one. */
function lastLabel(labels: ArrayLike<number>, from: number, rows: number): number {
  let last = from + rows - 1;
  while (last > from && Number.isNaN(labels[last])) last--;
  return labels[last];
}

/** The whole samples in so many rows. Throws a UserError for none. */
function samplesIn(
  { source, count }: { readonly source: string; readonly count: number },
  each: number,
): number {
  if (count >= each) return Math.floor(count / each);
  const right = "a longer recording is needed, or a shorter period (--period ms)";
  throw new UserError(`${source}: ${count} rows, fewer than the ${each} of one sample; ${right}`);
}

/** Samples in memory, each of a burst of rows and with its last label: one sensor's readings, oldest first, then the next one's. An incomplete sample at the end is dropped. */
export function inBursts(data: DataSet, { rows: each, burst }: Burst): DataSet {
  const { dimension: sensors, rows: from, labels, provenance: _, lacking, ...others } = data;
  const count = samplesIn(data, each);
  const rows = new Float32Array(count * sensors * burst);
  for (let k = 0, at = 0; k < count; k++)
    for (let s = 0; s < sensors; s++)
      for (let i = each - burst; i < each; i++) rows[at++] = from[(k * each + i) * sensors + s];
  const lackingReadings = (k: number) => (lacking as Uint32Array).subarray(k * each, (k + 1) * each);
  return {
    ...others,
    ...{ dimension: sensors * burst, rows, count, readings: burst },
    labels: Float64Array.from({ length: count }, (_, k) => lastLabel(labels, k * each, each)),
    ...(lacking && {
      lacking: Uint32Array.from({ length: count }, (_, k) =>
        lackingReadings(k).reduce((sum, one) => sum + one, 0),
      ),
    }),
  };
}

/** The same of a file that is read row by row. */
export function storedInBursts(table: SampleTable, { rows: each, burst }: Burst): SampleTable {
  const { source, labelNames, classes, missing, badRows, roles, dimension: sensors } = table;
  const labels = [...table.labels];
  const count = samplesIn(table, each);
  const x = new Float32Array(sensors * burst);
  const expandRows = (order: Uint32Array | null) =>
    Uint32Array.from({ length: count * each }, (_, i) =>
      order ? order[Math.floor(i / each)] * each + (i % each) : i,
    );
  return {
    ...{ source, labelNames, classes, missing, badRows, roles, count },
    dimension: x.length,
    labels: Array.from({ length: count }, (_, k) => lastLabel(labels, k * each, each)),
    each(order, visit) {
      let [i, k] = [0, 0];
      table.each(expandRows(order), (reading) => {
        const at = i++ - (each - burst);
        for (let s = 0; at >= 0 && s < sensors; s++) x[s * burst + at] = reading[s];
        if (i < each) return;
        i = 0;
        visit(x, lastLabel(labels, each * (order ? order[k] : k), each));
        k++;
      });
    },
    close: () => table.close(),
  };
}
