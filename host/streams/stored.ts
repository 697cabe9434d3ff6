import type { BadRowsReport } from "./bad-rows.ts";
import type { ColumnRoles } from "./columns.ts";
import type { Labels } from "./labels.ts";
import type { MissingReport } from "./missing.ts";
import type { Pages } from "./pages.ts";
import type { DataSet } from "./table.ts";

type KnownParts = Pick<DataSet, "classes" | "missing" | "roles" | "badRows">;

/** A data file whose rows are read one by one, out of memory and, where there are many, a temporary file. */
export class StoredTable {
  readonly labelNames: string[] | undefined;
  /** As a `DataSet` has them. */
  readonly classes: readonly string[] | undefined;
  readonly missing: MissingReport | undefined;
  readonly roles: ColumnRoles | undefined;
  readonly badRows: BadRowsReport | undefined;
  private readonly x: Float32Array<ArrayBuffer>;
  private readonly label = new Float64Array(1);

  /**
   * @param known what is known of the file besides.
   */
  constructor(
    readonly source: string,
    readonly dimension: number,
    private readonly rows: Pages<Float32Array<ArrayBuffer>>,
    private readonly column: Labels,
    { classes, missing, roles, badRows }: KnownParts,
  ) {
    this.classes = classes;
    this.missing = missing;
    this.roles = roles;
    this.badRows = badRows;
    this.labelNames = column.labelNames;
    this.x = new Float32Array(dimension);
  }

  get count(): number {
    return this.rows.count;
  }

  /** Each row's label in turn: the number in the file, or an index into `labelNames`. */
  get labels(): Iterable<number> {
    return { [Symbol.iterator]: () => this.eachLabel() };
  }

  /**
   * Each row in the order of the file, or in that order of theirs. `x` holds its numbers while `visit` runs.
   */
  each(order: Uint32Array | null, visit: (x: Float32Array, label: number) => void): void {
    const { rows, x, label } = this;
    const { values } = this.column;
    for (let i = 0; i < (order?.length ?? this.count); i++) {
      const row = order ? order[i] : i;
      rows.read(row, x);
      values.read(row, label);
      visit(x, this.labelRead());
    }
  }

  /** Frees the temporary file. */
  close(): void {
    this.rows.close();
    this.column.values.close();
  }

  private *eachLabel(): Generator<number> {
    for (let i = 0; i < this.count; i++) {
      this.column.values.read(i, this.label);
      yield this.labelRead();
    }
  }

  private labelRead(): number {
    const { order } = this.column;
    const [label] = this.label;
    return order ? (order[label] ?? Number.NaN) : label;
  }
}
