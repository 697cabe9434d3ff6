import { BadRows, type BadRowsHow, type BadRowsReport } from "./bad-rows.ts";
import type { ColumnRoles } from "./columns.ts";
import { LabelCollector, type RawLabel } from "./labels.ts";
import { type Missing, MissingReadings, type MissingReport } from "./missing.ts";
import { type OptionNames, PROGRAM_OPTIONS } from "./option-names.ts";
import { NoRoomError, Pages } from "./pages.ts";
import { type Provenance, ProvenanceColumns, type SampleProvenance } from "./provenance.ts";
import { StoredTable } from "./stored.ts";
import { NoWholeRowError, StreamError, UnskippableError } from "./stream-error.ts";

/** The most features a row may have. */
export const DIMENSION_MAX = 1 << 16;
const VALUES_MAX = 1 << 28;

/** A data file in memory. */
export interface DataSet {
  /** Features a row. */
  dimension: number;
  /** count x dimension, row by row. */
  rows: Float32Array;
  /** Readings of each sensor in a row, of a raw recording; default 1. */
  readings?: number;
  /** Milliseconds from one sample to the next, where the description or the options say so. */
  periodMs?: number;
  /** One a row: the number in the file, or an index into `labelNames`; NaN where a row has none. */
  labels: Float64Array;
  /** The labels that are words: sorted by code unit, or as `knownLabels` had them. Absent for numbers. */
  labelNames?: string[];
  /** The names of the classes in the order of a learner's targets, where the options gave them. */
  classes?: readonly string[];
  /** The features' names, where the file has a header. */
  columns?: string[];
  /** What its columns are, for CSV. */
  roles?: ColumnRoles;
  /** Rows. */
  count: number;
  /** The path, as it was given. */
  source: string;
  /** Where and when the rows were sampled, where the file says so. */
  provenance?: Provenance;
  /** The readings that rows lack, and how they were handled, if the options asked for it. */
  missing?: MissingReport;
  /** One a row: readings that it lacks, though some may be held. Only with `keepsPlaces`. */
  lacking?: Uint32Array;
  /** The rows that couldn't be read and were skipped, if there were any. */
  badRows?: BadRowsReport;
}

/** The required form of a file's rows. */
export interface TableShape {
  /** Features a row. Default: as many as the first row has (LIBSVM: the largest index). */
  dimension?: number;
  /** The only labels allowed, such as a training set's; words keep their position here. Default: any. */
  knownLabels?: readonly (string | number)[];
  /** The names of the classes in the order of a learner's targets, for `ClassNames`. Default: as its labels say. */
  classes?: readonly string[];
  /** True if all rows may go without a label (NaN). Default false: some may, but a file without any label is an error. */
  unlabelled?: boolean;
  /**
   * How to handle a row that lacks readings: refuse it; skip it as no sample; hold each channel's (and
   * node's) last reading, with rows before the first skipped; or NaN. Default: refuse it.
   */
  missing?: Missing;
  /** True if a skipped row keeps its place in time, with NaN readings. Default false. */
  keepsPlaces?: boolean;
  /** What is done about a row that can't be read. Default: it is refused. */
  badRows?: BadRowsHow;
  /** How messages call these options. Default: as a program does. */
  optionNames?: OptionNames;
}

/** Collects rows into a `DataSet`; a wrong row is a StreamError. */
export class TableBuilder {
  count = 0;
  /** Rows, with skipped ones. */
  rowsRead = 0;
  roles: ColumnRoles | undefined;
  /** How messages call the options. */
  readonly optionNames: OptionNames;
  /** Refuses rows that can't be read, or counts them. */
  readonly badRows: BadRows;
  private widest = 0;
  private readonly rows: Pages<Float32Array<ArrayBuffer>>;
  private readonly labels: LabelCollector;
  private readonly provenance = new ProvenanceColumns();
  /** Undefined: no row may lack a reading. */
  private readonly missing: MissingReadings | undefined;
  private readonly lacking: number[] = [];

  /**
   * @param sparse whether a row may end early, the rest of it being zero.
   * @param overflows whether rows may go to a temporary file: then `finishStored` takes them, without
   * provenance.
   */
  constructor(
    private readonly source: string,
    private readonly shape: TableShape,
    private readonly sparse: boolean,
    private readonly overflows = false,
  ) {
    const { missing = "refuse", optionNames = PROGRAM_OPTIONS } = shape;
    this.optionNames = optionNames;
    this.badRows = new BadRows(source, shape.badRows);
    this.missing = missing === "refuse" ? undefined : new MissingReadings(missing, sparse);
    this.rows = new Pages((length) => new Float32Array(length), overflows);
    this.labels = new LabelCollector(source, shape, overflows);
  }

  /** True if a reading may be NaN, as it is missing. */
  get takesMissing(): boolean {
    return this.missing !== undefined;
  }

  /**
   * Adds a row; `values` (copied, and changed where readings are held) must be finite in float32, or NaN if
   * `takesMissing`. Returns whether it is a row of the table. Its label may come later, by `label`.
   */
  add(line: number, values: number[], label: RawLabel, provenance?: SampleProvenance): boolean {
    try {
      return this.addRow(line, values, label, provenance);
    } catch (error) {
      this.badRows.take(error);
      return false;
    }
  }

  private addRow(line: number, values: number[], label: RawLabel, provenance?: SampleProvenance): boolean {
    this.checkWidth(line, values.length);
    this.widest = Math.max(this.widest, values.length);
    const isSample = this.missing?.take(values, provenance?.node ?? "") ?? true;
    if (!isSample && !this.shape.keepsPlaces) {
      this.rowsRead++;
      return false;
    }
    try {
      this.labels.add(line, label);
      this.rows.add(values);
    } catch (error) {
      throw error instanceof NoRoomError ? this.noRoom(line, error) : error;
    }
    if (provenance && !this.overflows) this.provenance.add(this.count, provenance);
    if (this.missing && this.shape.keepsPlaces) this.lacking.push(this.missing.lacked);
    this.count++;
    this.rowsRead++;
    return true;
  }

  /** True if the labels so far are numbers, and this is one that may follow. */
  takesLabel(number: number): boolean {
    return this.labels.takes(number);
  }

  /** Gives row `row` the label that came after it. */
  label(row: number, line: number, label: RawLabel, provenance?: SampleProvenance): void {
    this.labels.set(row, line, label);
    if (provenance && !this.overflows) this.provenance.add(row, provenance);
  }

  finish(): DataSet {
    const { source, count } = this;
    const dimension = this.rowDimension();
    const rows = this.rows.joinRows(dimension);
    const { values, labelNames, order } = this.labels.finish();
    const labels = values.joinRows(1);
    if (order) for (let i = 0; i < count; i++) labels[i] = order[labels[i]] ?? Number.NaN;
    const provenance = this.provenance.finish(count);
    const data: DataSet = { dimension, rows, labels, ...(labelNames && { labelNames }), count, source };
    const { roles } = this;
    if (roles) data.roles = roles;
    if (roles?.header) data.columns = roles.features.map((at) => roles.names[at]);
    if (this.shape.classes) data.classes = this.shape.classes;
    if (provenance) data.provenance = provenance;
    if (this.missing) data.missing = this.missing.report();
    const badRows = this.badRows.report();
    if (badRows) data.badRows = badRows;
    if (this.missing && this.shape.keepsPlaces) data.lacking = Uint32Array.from(this.lacking);
    return data;
  }

  /** The same, to be read row by row. */
  finishStored(): StoredTable {
    const dimension = this.rowDimension();
    const missing = this.missing?.report();
    const badRows = this.badRows.report();
    const { classes } = this.shape;
    const { source, rows, roles } = this;
    const labels = this.labels.finish();
    return new StoredTable(source, dimension, rows, labels, { classes, missing, roles, badRows });
  }

  private rowDimension(): number {
    const { source, count, missing } = this;
    if (missing?.isEvery(this.rowsRead)) throw this.noneWhole(missing.report());
    const bad = this.badRows.report();
    if (count === 0 && bad) {
      const what = `none of its ${bad.rows} rows can be read: ${bad.first.join("; ")}`;
      const right = "correct its description, or write it by motelearn import";
      throw new StreamError(source, undefined, what, right);
    }
    if (count === 0) throw new StreamError(source, undefined, "no rows", "one row a line is needed");
    const dimension = this.shape.dimension ?? this.widest;
    if (dimension < 1) throw new StreamError(source, undefined, "no features", "one or more a row is needed");
    return dimension;
  }

  private noneWhole({ rows, readings }: MissingReport): NoWholeRowError {
    const what = `each of its ${rows} rows lacks a reading (${readings} are missing)`;
    return new NoWholeRowError(
      this.source,
      undefined,
      what,
      "a row that has all is needed, or other columns",
    );
  }

  private noRoom(line: number, { folder, message }: NoRoomError): UnskippableError {
    const what = `no room in ${folder} for its rows (${message})`;
    const right = "a TMPDIR with as much room as the file takes is needed";
    return new UnskippableError(this.source, line, what, right);
  }

  private checkWidth(line: number, width: number): void {
    const wanted = this.shape.dimension ?? (this.sparse || this.rowsRead === 0 ? undefined : this.widest);
    if (wanted !== undefined && (this.sparse ? width > wanted : width !== wanted)) {
      const what = `${width} features where ${wanted} ${this.shape.dimension ? "were asked for" : "came before"}`;
      throw new StreamError(this.source, line, what, "every row needs as many");
    }
    if (width > DIMENSION_MAX) {
      throw new StreamError(this.source, line, `${width} features`, `${DIMENSION_MAX} are the most`);
    }
    const numbers = (this.count + 1) * Math.max(width, this.widest, this.shape.dimension ?? 0);
    if (!this.overflows && numbers > VALUES_MAX) {
      const what = `more than ${VALUES_MAX} numbers`;
      throw new UnskippableError(this.source, line, what, "a smaller file is needed");
    }
  }
}
