import type { Labels } from "./labels.ts";
import type { MissingReport } from "./missing.ts";
import type { Pages } from "./pages.ts";

/** A data file whose rows are read one by one, out of memory and, where there are many, a temporary file. */
export class StoredTable {
  readonly labelNames: string[] | undefined;
  private readonly x: Float32Array<ArrayBuffer>;
  private readonly label = new Float64Array(1);

  /**
   * @param missing what the file's rows lack, if that was asked for.
   * @param kept the rows that count; all, if not given.
   */
  constructor(
    readonly source: string,
    readonly dimension: number,
    private readonly rows: Pages<Float32Array<ArrayBuffer>>,
    private readonly column: Labels,
    readonly missing?: MissingReport,
    private readonly kept?: Uint32Array,
  ) {
    this.labelNames = column.labelNames;
    this.x = new Float32Array(dimension);
  }

  get count(): number {
    return this.kept?.length ?? this.rows.count;
  }

  /** Each row's label in turn: the number in the file, or an index into `labelNames`. */
  get labels(): Iterable<number> {
    return { [Symbol.iterator]: () => this.eachLabel() };
  }

  /**
   * Each row in the order of the file, or in that order of theirs. `x` holds its numbers while `visit` runs.
   */
  each(order: Uint32Array | null, visit: (x: Float32Array, label: number) => void): void {
    const { rows, kept, x, label } = this;
    const { values } = this.column;
    for (let i = 0; i < this.count; i++) {
      const place = order ? order[i] : i;
      const row = kept ? kept[place] : place;
      rows.read(row, x);
      values.read(row, label);
      visit(x, this.labelRead());
    }
  }

  /** The rows that have a label. */
  withLabel(): StoredTable {
    const labelled: number[] = [];
    let row = 0;
    for (const label of this.labels) {
      if (!Number.isNaN(label)) labelled.push(row);
      row++;
    }
    const { source, dimension, rows, column, missing } = this;
    return new StoredTable(source, dimension, rows, column, missing, Uint32Array.from(labelled));
  }

  /** Frees the temporary file. */
  close(): void {
    this.rows.close();
    this.column.values.close();
  }

  private *eachLabel(): Generator<number> {
    for (let i = 0; i < this.count; i++) {
      this.column.values.read(this.kept ? this.kept[i] : i, this.label);
      yield this.labelRead();
    }
  }

  private labelRead(): number {
    const { order } = this.column;
    const [label] = this.label;
    return order ? (order[label] ?? Number.NaN) : label;
  }
}
