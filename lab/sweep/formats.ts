import { fileWriter, ParquetWriter, schemaFromColumnData } from "hyparquet-writer";
import { batches } from "../../host/files/batches.ts";
import { csvLines, writeLines, writeWhole } from "../../host/files/table-file.ts";
import { printableJson } from "../../host/printable.ts";
import type { Value } from "../../host-sim/runs/rows.ts";
import type { Table } from "./table.ts";

/** Rows of a group in a Parquet file. */
const GROUP = 10_000;

function* ndjsonLines({ columns, rows }: Table): Generator<string> {
  for (const row of rows())
    yield printableJson(Object.fromEntries(row.map((value, i) => [columns[i], value])));
}

/** Columns of numbers are doubles, those with a text anywhere texts. */
function writeParquet(path: string, { columns, rows }: Table): void {
  const isText = columns.map(() => false);
  for (const row of rows())
    row.forEach((value, i) => {
      isText[i] ||= typeof value === "string";
    });
  const columnData = (group: readonly (readonly Value[])[]) =>
    columns.map((name, i) => ({
      name,
      data: group.map((row) => (isText[i] && row[i] !== null ? String(row[i]) : row[i])),
      type: isText[i] ? ("STRING" as const) : ("DOUBLE" as const),
      nullable: true,
    }));
  const file = new ParquetWriter({
    writer: fileWriter(path),
    schema: schemaFromColumnData({ columnData: columnData([]) }),
  });
  for (const group of batches(rows(), GROUP)) file.write({ columnData: columnData(group) });
  file.finish();
}

const WRITERS = {
  csv: (path: string, table: Table) => writeLines(path, csvLines(table.columns, table.rows())),
  ndjson: (path: string, table: Table) => writeLines(path, ndjsonLines(table)),
  parquet: writeParquet,
};
export type Format = keyof typeof WRITERS;
export const FORMATS = Object.keys(WRITERS) as Format[];

/** Writes a table in a format; equal tables give equal bytes. */
export function writeTable(path: string, format: Format, table: Table): void {
  writeWhole(path, "--report", (part) => WRITERS[format](part, table));
}
