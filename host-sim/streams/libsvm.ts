import { isFloat32, notFloat32, parseNumber, TOO_LARGE } from "./numbers.ts";
import { excerpt, StreamError } from "./stream-error.ts";
import { DIMENSION_MAX, type TableBuilder } from "./table.ts";
import type { TextSource } from "./text.ts";

/** Reads LIBSVM text: a line is `label index:value ...`, indices from 1, rising; `#` starts a comment. */
export async function readLibsvm(text: TextSource, table: TableBuilder): Promise<void> {
  const values: number[] = [];
  let line = 0;
  for await (const lines of text.lines()) {
    for (const row of lines) {
      line++;
      const hash = row.indexOf("#");
      const fields = (hash < 0 ? row : row.slice(0, hash)).trim().split(/\s+/);
      if (fields[0] === "") continue;
      if (Number.isNaN(parseNumber(fields[0]))) {
        throw new StreamError(text.file, line, `label ${excerpt(fields[0])}`, "a number is needed");
      }
      values.length = 0;
      for (let i = 1; i < fields.length; i++) addEntry(text.file, line, fields[i], values);
      table.add(line, values, fields[0]);
    }
  }
}

/** Appends the entry to the row so far, with zeros for the indices that were left out. */
function addEntry(file: string, line: number, entry: string, values: number[]): void {
  const colon = entry.indexOf(":");
  const index = colon < 1 ? NaN : parseNumber(entry.slice(0, colon));
  const value = parseNumber(entry.slice(colon + 1));
  if (Number.isInteger(index) && notFloat32(entry.slice(colon + 1)) === TOO_LARGE) {
    throw new StreamError(file, line, `${excerpt(entry)} is ${TOO_LARGE}`, "a smaller number is needed");
  }
  if (!Number.isInteger(index) || !isFloat32(value)) {
    throw new StreamError(file, line, `bad entry ${excerpt(entry)}`, "index:value is right, such as 3:0.5");
  }
  if (index <= values.length || index > DIMENSION_MAX) {
    const right =
      index <= values.length && index > 0 ? "indices must rise" : `1 to ${DIMENSION_MAX} is right`;
    throw new StreamError(file, line, `index ${index} in ${excerpt(entry)}`, right);
  }
  while (values.length < index - 1) values.push(0);
  values.push(value);
}
