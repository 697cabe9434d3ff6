import type { BadRows } from "../bad-rows.ts";
import type { TextSource } from "../text.ts";

/** The name of the column of the time in rows that are made of readings. */
export const TIME = "time";
/** The name of the column of labels that aren't the file's own. */
export const LABEL = "label";

/** What one line of a file says, by names: a sample, or a part of one. */
export interface NamedRow {
  readonly line: number;
  readonly fields: ReadonlyMap<string, string>;
}

/** Rows as a file has them, several at a time. */
export type NamedRows = AsyncGenerator<readonly NamedRow[]>;

/** The same rows without the last ones, which make no sample of so many. */
export async function* wholeSamples(rows: NamedRows, each: number): NamedRows {
  let rest: readonly NamedRow[] = [];
  for await (const some of rows) {
    const all = rest.length > 0 ? [...rest, ...some] : some;
    const whole = all.length - (all.length % each);
    rest = all.slice(whole);
    yield all.slice(0, whole);
  }
}

/** The rows of a text in which each line is one, or none; a line that `parse` refuses is a bad row. */
export async function* lineRows(
  text: TextSource,
  badRows: BadRows,
  parse: (text: string, line: number) => NamedRow | undefined,
): NamedRows {
  let line = 0;
  for await (const lines of text.lines()) {
    const rows: NamedRow[] = [];
    for (const each of lines) {
      line++;
      try {
        const row = parse(each, line);
        if (row) rows.push(row);
      } catch (error) {
        badRows.take(error);
      }
    }
    yield rows;
  }
}
