// How random tables are written into files.
import { type Column, type How, LABEL_NAMES, TIME_NAMES } from "./fuzz-import-tables.ts";

const ABOVE = {
  nothing: [],
  comments: ["# logger 7, firmware 1.2", "# written hourly"],
  facts: ["Device: logger 7", "Serial number: 1207", ""],
  rate: ["Device: logger 7", "Sampling rate: 50 Hz"],
};
const BELOW = { nothing: [], comment: ["# end"], "blank line": [""], "cut line": [] };

function lines(columns: readonly Column[], count: number, how: How): string[] {
  const quote = (text: string, isText = false) =>
    how.quotes === "all" || (how.quotes === "texts" && isText) ? `"${text}"` : text;
  const line = (cell: (column: Column) => string) =>
    columns.map(cell).join(how.separator) + (how.trailing ? how.separator : "");
  return [
    ...ABOVE[how.above],
    ...(how.header ? [line(({ name }) => quote(name, true))] : []),
    ...(how.units === "row" ? [line(({ unit = "" }) => quote(unit, true))] : []),
    ...Array.from({ length: count }, (_, row) => line(({ cells, isText }) => quote(cells[row], isText))),
    ...BELOW[how.below],
  ];
}

function encode(text: string, { encoding }: How): Buffer {
  if (encoding === "windows") return Buffer.from(text, "latin1");
  if (encoding === "utf16") return Buffer.from(`\ufeff${text}`, "utf16le");
  return Buffer.from(encoding === "bom" ? `\ufeff${text}` : text);
}

/** A table in a file. */
export function writeRows(
  columns: readonly Column[],
  readings: readonly Column[],
  count: number,
  how: How,
): Buffer {
  const rows = rowsIn(columns, readings, count, how);
  const last = rows[rows.length - 1];
  const isCut = how.below === "cut line" && how.form === "table" && last.includes(how.separator);
  const cut = isCut ? last.slice(0, last.lastIndexOf(how.separator, last.length - 2) - 1) : "";
  return encode(`${rows.join(how.end)}${how.end}${cut}`, how);
}

const jsonValue = (cell: string, isText = false) =>
  cell === "null" || cell === "" ? null : isText ? cell : Number(cell);

/** Columns as lists in JSON. */
function lists(columns: readonly Column[]): string {
  return JSON.stringify(
    Object.fromEntries(
      columns.map(({ name, cells, isText }) => [name, cells.map((cell) => jsonValue(cell, isText))]),
    ),
  );
}

/** Rows as objects in JSON, a line each. */
function objects(columns: readonly Column[], count: number): string[] {
  return Array.from({ length: count }, (_, row) =>
    JSON.stringify(
      Object.fromEntries(columns.map(({ name, cells, isText }) => [name, jsonValue(cells[row], isText)])),
    ),
  );
}

function rowsIn(columns: readonly Column[], readings: readonly Column[], count: number, how: How): string[] {
  if (how.form === "table") return lines(columns, count, how);
  if (how.form === "lines of JSON") return objects(columns, count);
  if (how.form === "a list a column") return [lists(columns)];
  const time = columns.find(({ name }) => TIME_NAMES.includes(name)) as Column;
  const label = columns.find(({ name }) =>
    ([...LABEL_NAMES.words, ...LABEL_NAMES.classes] as string[]).includes(name),
  ) as Column;
  return [
    `${time.name},sensor,value`,
    ...Array.from({ length: count }, (_, row) =>
      [...readings, label].flatMap(({ name, cells }) =>
        cells[row] === "null" ? [] : [`${time.cells[row]},${name},${cells[row]}`],
      ),
    ).flat(),
  ];
}
