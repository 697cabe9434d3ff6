import { type ParquetColumn, writeParquet } from "../../host/files/parquet.ts";
import { csvLines, writeLines, writeWhole } from "../../host/files/table-file.ts";
import { printableJson } from "../../host/printable.ts";
import type { Value } from "../../host-sim/runs/rows.ts";
import type { Table } from "./table.ts";

function* ndjsonLines({ columns, rows }: Table): Generator<string> {
  for (const row of rows())
    yield printableJson(Object.fromEntries(row.map((value, i) => [columns[i], value])));
}

/** Columns of numbers are doubles, those with a text anywhere texts. */
function writeColumns(path: string, { columns, rows }: Table): void {
  const isText = columns.map(() => false);
  for (const row of rows())
    row.forEach((value, i) => {
      isText[i] ||= typeof value === "string";
    });
  const column = (name: string, i: number): ParquetColumn<readonly Value[]> => ({
    ...{ name, type: isText[i] ? "STRING" : "DOUBLE", nullable: true },
    of: (row) => (isText[i] && row[i] !== null ? String(row[i]) : row[i]),
  });
  writeParquet(path, columns.map(column), rows());
}

const WRITERS = {
  csv: (path: string, table: Table) => writeLines(path, csvLines(table.columns, table.rows())),
  ndjson: (path: string, table: Table) => writeLines(path, ndjsonLines(table)),
  parquet: writeColumns,
};
export type Format = keyof typeof WRITERS;
export const FORMATS = Object.keys(WRITERS) as Format[];

/** Writes a table in a format; equal tables give equal bytes. */
export function writeTable(path: string, format: Format, table: Table): void {
  writeWhole(path, "--report", (part) => WRITERS[format](part, table));
}
