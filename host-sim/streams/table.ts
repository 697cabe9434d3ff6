import { LabelColumn, type RawLabel } from "./labels.ts";
import { type Provenance, ProvenanceColumns, type SampleProvenance } from "./provenance.ts";
import { selected } from "./replay.ts";
import { StreamError } from "./stream-error.ts";

/** The most features a row may have. */
export const DIMENSION_MAX = 1 << 16;
const VALUES_MAX = 1 << 28;

/** A data file in memory. */
export interface DataSet {
  /** Features a row. */
  dimension: number;
  /** count x dimension, row by row. */
  rows: Float32Array;
  /** One a row: the number in the file, or an index into `labelNames`; NaN where a row has none. */
  labels: Float64Array;
  /** The labels that are words: sorted by code unit, or as `knownLabels` had them. Absent for numbers. */
  labelNames?: string[];
  /** The features' names, where the file has a header. */
  columns?: string[];
  /** Rows. */
  count: number;
  /** The path, as it was given. */
  source: string;
  /** Where and when the rows were sampled, where the file says so. */
  provenance?: Provenance;
}

/** What a table is to be like. */
export interface TableShape {
  /** Features a row. Default: as many as the first row has (LIBSVM: the largest index). */
  dimension?: number;
  /** The only labels allowed, such as a training set's; words keep their position here. Default: any. */
  knownLabels?: readonly (string | number)[];
  /**
   * Whether rows may go without a label (NaN). Default false: one that has none is an error, and in a log, whose labels come
   * after their samples, left out.
   */
  unlabelled?: boolean;
}

/** Collects rows into a `DataSet`; what is wrong with one is a StreamError. */
export class TableBuilder {
  count = 0;
  columns: string[] | undefined;
  private widest = 0;
  private stride: number;
  private rows = new Float32Array(0);
  private readonly labels: LabelColumn;
  private readonly provenance = new ProvenanceColumns();
  /** The line of the first row whose label may come later, and whether any did. */
  private firstLate: number | undefined;
  private labelled = false;

  /** @param sparse whether a row may end early, the rest of it being zero. */
  constructor(
    private readonly source: string,
    private readonly shape: TableShape,
    private readonly sparse: boolean,
  ) {
    this.stride = shape.dimension ?? 0;
    this.labels = new LabelColumn(source, shape.knownLabels, shape.unlabelled ?? false);
  }

  /** Adds a row; `values` (copied) must be finite in float32. `late`: whether its label may come later, by `label`. */
  add(
    line: number,
    values: readonly number[],
    label: RawLabel,
    provenance?: SampleProvenance,
    late = false,
  ): void {
    this.checkWidth(line, values.length);
    this.labels.add(line, label, late);
    if (late) this.firstLate ??= line;
    this.reserve(line, values.length);
    this.rows.set(values, this.count * this.stride);
    if (provenance) this.provenance.add(this.count, provenance);
    this.widest = Math.max(this.widest, values.length);
    this.count++;
  }

  /** Gives row `row` the label that came after it. */
  label(row: number, line: number, label: RawLabel, provenance?: SampleProvenance): void {
    if (this.labels.set(row, line, label)) this.labelled = true;
    if (provenance) this.provenance.add(row, provenance);
  }

  finish(): DataSet {
    const { source, count } = this;
    if (count === 0) throw new StreamError(source, undefined, "no rows", "one row a line is needed");
    const dimension = this.shape.dimension ?? this.widest;
    if (dimension < 1) throw new StreamError(source, undefined, "no features", "one or more a row is needed");
    const rows = this.restrided(dimension, count * dimension);
    const provenance = this.provenance.finish(count);
    const data: DataSet = { dimension, rows, ...this.labels.finish(), count, source };
    if (this.columns) data.columns = this.columns;
    if (provenance) data.provenance = provenance;
    return this.shape.unlabelled || this.firstLate === undefined
      ? data
      : this.withLabel(data, this.firstLate);
  }

  /** The rows that have a label: of a log's samples, some get none. */
  private withLabel(data: DataSet, firstLate: number): DataSet {
    if (!this.labelled) throw new StreamError(this.source, firstLate, "no label", "every row needs one");
    return selected(
      data,
      Array.from(data.labels.keys()).filter((row) => !Number.isNaN(data.labels[row])),
    );
  }

  private checkWidth(line: number, width: number): void {
    const wanted = this.shape.dimension ?? (this.sparse || this.count === 0 ? undefined : this.widest);
    if (wanted !== undefined && (this.sparse ? width > wanted : width !== wanted)) {
      const what = `${width} features where ${wanted} ${this.shape.dimension ? "were asked for" : "came before"}`;
      throw new StreamError(this.source, line, what, "every row needs as many");
    }
    if (width > DIMENSION_MAX) {
      throw new StreamError(this.source, line, `${width} features`, `${DIMENSION_MAX} are the most`);
    }
  }

  /** Makes room for one row more. Both stride and length grow by factors, so that n rows cost O(n). */
  private reserve(line: number, width: number): void {
    const stride = width <= this.stride ? this.stride : this.count === 0 ? width : Math.ceil(width * 1.5);
    const needed = (this.count + 1) * stride;
    if (needed > VALUES_MAX) {
      throw new StreamError(this.source, line, `more than ${VALUES_MAX} numbers`, "a smaller file is needed");
    }
    if (stride === this.stride && needed <= this.rows.length) return;
    this.rows = this.restrided(stride, Math.max(1024, 2 * needed));
    this.stride = stride;
  }

  private restrided(stride: number, length: number): Float32Array<ArrayBuffer> {
    const next = new Float32Array(length);
    if (stride === this.stride) {
      next.set(this.rows.subarray(0, this.count * stride));
      return next;
    }
    const kept = Math.min(stride, this.stride);
    for (let row = 0; row < this.count; row++) {
      const start = row * this.stride;
      next.set(this.rows.subarray(start, start + kept), row * stride);
    }
    return next;
  }
}
