import type { BadRows } from "../bad-rows.ts";
import { type CsvLines, type CsvRecord, csvRecords } from "../csv-records.ts";
import { StreamError } from "../stream-error.ts";
import type { TextSource } from "../text.ts";
import type { NamedRow, NamedRows } from "./named-row.ts";

/** A record of InfluxDB's annotated CSV that says something about the columns of the table below it. */
const ANNOTATION = "#";
const DEFAULTS = "#default";

/**
 * The rows of a CSV file with a header, by its names. A record that begins with `#` is an annotation, as InfluxDB writes them: another table
 * begins, with a header of its own, and `#default` has what an empty field of it says.
 */
export async function* csvRows(text: TextSource, lines: CsvLines, badRows: BadRows): NamedRows {
  const tables = new AnnotatedTables(text.file);
  for await (const records of csvRecords(text, lines, badRows)) {
    yield records.flatMap((record) => {
      try {
        return tables.take(record) ?? [];
      } catch (error) {
        badRows.take(error);
        return [];
      }
    });
  }
}

class AnnotatedTables {
  private names: readonly string[] | undefined;
  private defaults: readonly string[] = [];
  private isAnnotated = false;

  constructor(private readonly file: string) {}

  /** A row; undefined for a header or an annotation. */
  take({ fields, line }: CsvRecord): NamedRow | undefined {
    if (fields[0].startsWith(ANNOTATION)) {
      if (!this.isAnnotated) this.defaults = [];
      this.isAnnotated = true;
      if (fields[0] === DEFAULTS) this.defaults = ["", ...fields.slice(1)];
    } else if (this.isAnnotated || !this.names) {
      this.names = fields.map((name) => name.trim());
      this.isAnnotated = false;
    } else return this.row(this.names, fields, line);
    return undefined;
  }

  private row(names: readonly string[], fields: readonly string[], line: number): NamedRow {
    if (fields.length !== names.length) {
      const what = `${fields.length} fields where the header has ${names.length}`;
      throw new StreamError(this.file, line, what, "every row needs as many");
    }
    const { defaults } = this;
    return { line, fields: new Map(names.map((name, i) => [name, fields[i] || (defaults[i] ?? "")])) };
  }
}
