import type { BadRows } from "../bad-rows.ts";
import { excerpt } from "../stream-error.ts";
import type { TextSource } from "../text.ts";
import type { NamedRow, NamedRows } from "./named-row.ts";

/** What stands between a name and its value. */
const MARK = /[=:|]/;
const NAME = /^[\p{L}_][\p{L}\p{N}_ .()[\]%°/-]{0,63}$/u;
/** A line that a program draws, or heads a record with: -[ RECORD 1 ]-, *** 1. row ***, [Sample 1], (20 rows). */
const RULE = /^\s*[-*=#[(<+]/;

/** The name and the value of a line that has one field; undefined for another line. */
export function fieldIn(line: string): readonly [name: string, value: string] | undefined {
  const at = line.search(MARK);
  const name = line.slice(0, at).trim();
  return at > 0 && NAME.test(name) ? [name, line.slice(at + 1).trim()] : undefined;
}

/** Makes records of lines of one field each. A record ends where a name returns, or before a line that is no field. */
export class FieldRecords {
  private fields = new Map<string, string>();
  private first = 0;

  /** Takes the next line; returns the record that ended before it, if one did. */
  take(text: string, line: number): NamedRow | undefined {
    const field = fieldIn(text);
    const isEnd = field === undefined || this.fields.has(field[0]);
    const ended = isEnd ? this.end() : undefined;
    if (field) {
      if (this.fields.size === 0) this.first = line;
      this.fields.set(...field);
    }
    return ended;
  }

  /** The last record. */
  end(): NamedRow | undefined {
    if (this.fields.size === 0) return undefined;
    const { first: line, fields } = this;
    this.fields = new Map();
    return { line, fields };
  }
}

/** Rows of lines that have a field each, as sqlite3's `.mode line`, mysql's `\G` and psql's `\x` print them. Other lines but those of a rule are counted. */
export async function* fieldLineRows(text: TextSource, badRows: BadRows): NamedRows {
  const records = new FieldRecords();
  let line = 0;
  for await (const lines of text.lines()) {
    const rows: NamedRow[] = [];
    for (const each of lines) {
      const ended = records.take(each, ++line);
      if (ended) rows.push(ended);
      const isRow = each.trim() === "" || RULE.test(each) || fieldIn(each);
      if (!isRow) badRows.leaveOut(line, `no field: ${excerpt(each)}`);
    }
    yield rows;
  }
  const last = records.end();
  if (last) yield [last];
}
