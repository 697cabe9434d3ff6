import { countText } from "../../count-text.ts";
import type { BadRows } from "../bad-rows.ts";
import { ANNOTATION, type CsvLines, type CsvRecord, csvRecords } from "../csv-records.ts";
import { StreamError } from "../stream-error.ts";
import type { TextSource } from "../text.ts";
import type { NamedRow, NamedRows } from "./named-row.ts";

const DEFAULTS = "#default";

/** How a table is written. */
export interface TableLines extends CsvLines {
  /** False if the first record is a row. Default true. */
  readonly header?: boolean;
  /** The columns' names, where the first record is a row. Default: their numbers from 1. */
  readonly names?: readonly string[];
  /** True if rows begin with a name for which the header has no column. Default false. */
  readonly rowNames?: boolean;
}

/**
 * The rows of a CSV file, by the names of its columns. A record that begins with `#` is an annotation, as InfluxDB writes them: another table
 * begins, with a header of its own, and `#default` has what an empty field of it says.
 */
export async function* csvRows(text: TextSource, lines: TableLines, badRows: BadRows): NamedRows {
  const tables = new AnnotatedTables(text.file, lines);
  for await (const records of csvRecords(text, { header: true, ...lines }, badRows)) {
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

  constructor(
    private readonly file: string,
    private readonly lines: TableLines,
  ) {}

  /** A row; undefined for a header or an annotation. */
  take({ fields, line }: CsvRecord): NamedRow | undefined {
    if (fields[0].startsWith(ANNOTATION)) {
      if (!this.isAnnotated) this.defaults = [];
      this.isAnnotated = true;
      if (fields[0] === DEFAULTS) this.defaults = ["", ...fields.slice(1)];
    } else if (this.isAnnotated || !this.names) {
      const { header = true, names = fields.map((_, at) => String(at + 1)) } = this.lines;
      this.names = header ? this.readHeader(fields) : names;
      this.isAnnotated = false;
      if (!header) return this.row(this.names, fields, line);
    } else return this.row(this.names, fields, line);
    return undefined;
  }

  private readHeader(fields: readonly string[]): string[] {
    const names = this.lines.rowNames ? ["", ...fields] : fields;
    return names.map((name, at) => name.trim() || `column ${at + 1}`);
  }

  private row(names: readonly string[], fields: readonly string[], line: number): NamedRow {
    if (fields.length !== names.length) {
      const what = `${countText(fields.length, "field")} where the header has ${names.length}`;
      throw new StreamError(this.file, line, what, "every row needs as many");
    }
    const { defaults } = this;
    return { line, fields: new Map(names.map((name, i) => [name, fields[i] || (defaults[i] ?? "")])) };
  }
}
