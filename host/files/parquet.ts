import { type BasicType, fileWriter, ParquetWriter, schemaFromColumnData } from "hyparquet-writer";

/** Rows of a group in a Parquet file. */
const GROUP = 10_000;

/** A column, and its value of each row. */
export interface ParquetColumn<R> {
  readonly name: string;
  readonly type: BasicType;
  readonly nullable?: boolean;
  readonly of: (row: R) => unknown;
}

/** Writes rows as a Parquet file, in groups of 10,000. */
export function writeParquet<R>(path: string, columns: readonly ParquetColumn<R>[], rows: Iterable<R>): void {
  const columnData = (group: readonly R[]) =>
    columns.map(({ of, ...column }) => ({ ...column, data: group.map(of) }));
  const file = new ParquetWriter({
    writer: fileWriter(path),
    schema: schemaFromColumnData({ columnData: columnData([]) }),
  });
  for (const group of batches(rows, GROUP)) file.write({ columnData: columnData(group) });
  file.finish();
}

/** The items in arrays of `size`, the last of what is left. */
function* batches<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let batch: Item[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
