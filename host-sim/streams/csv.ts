import { type CsvError, type Options, type Parser, parse } from "csv-parse";
import { type ChosenColumns, ColumnError, type ColumnOptions, chooseColumns, quoted } from "./columns.ts";
import { isFloat32, notFloat32, parseNumber } from "./numbers.ts";
import { BYTE_NEEDED, isByte, type SampleProvenance } from "./provenance.ts";
import { excerpt, StreamError } from "./stream-error.ts";
import type { TableBuilder } from "./table.ts";
import type { TextSource } from "./text.ts";

/** How a CSV file is read. */
export interface CsvOptions extends ColumnOptions {
  /** What separates the fields. Default: a tab if the first line has one, else a semicolon, else a comma. */
  separator?: "," | ";" | "\t";
}

const RECORD_LENGTH_MAX = 1 << 22;

interface CsvRecord {
  fields: string[];
  line: number;
}

/** Reads CSV with fields quoted or not, header or not. Every row must have as many fields as the first. */
export async function readCsv(text: TextSource, table: TableBuilder, options: CsvOptions): Promise<void> {
  const separator = options.separator ?? separatorOf(await text.firstLine());
  const rows = new CsvRows(text.file, table, options);
  try {
    for await (const records of parsed(text, separator)) for (const record of records) rows.take(record);
  } finally {
    rows.finish(); // also before an error: a first row held back was read
  }
}

/** Holds the first record back until the second tells whether it is a header. */
class CsvRows {
  private first: CsvRecord | undefined;
  private chosen: ChosenColumns | undefined;
  private readonly values: number[] = [];

  constructor(
    private readonly file: string,
    private readonly table: TableBuilder,
    private readonly options: CsvOptions,
  ) {}

  take(record: CsvRecord): void {
    if (!this.first) {
      this.first = record;
    } else {
      if (!this.chosen) this.choose(record);
      this.add(record);
    }
  }

  finish(): void {
    if (this.first && !this.chosen) this.choose();
  }

  private choose(second?: CsvRecord): void {
    const first = this.first as CsvRecord;
    try {
      this.chosen = chooseColumns(first.fields, second?.fields, this.options);
    } catch (error) {
      if (error instanceof ColumnError) throw new StreamError(this.file, first.line, error.what, error.right);
      throw error;
    }
    const { header, names, features } = this.chosen;
    if (header) this.table.columns = features.map((at) => names[at]);
    else this.add(first);
  }

  private add({ fields, line }: CsvRecord): void {
    const { features, label, names } = this.chosen as ChosenColumns;
    if (fields.length !== names.length) {
      const what = `${fields.length} fields where the first row has ${names.length}`;
      throw new StreamError(this.file, line, what, "every row needs as many");
    }
    for (let i = 0; i < features.length; i++) this.values[i] = this.number(features[i], fields, line);
    this.table.add(line, this.values, label < 0 ? undefined : fields[label], this.provenance(fields, line));
  }

  private number(at: number, fields: string[], line: number): number {
    const value = parseNumber(fields[at]);
    if (isFloat32(value)) return value;
    const { names, header } = this.chosen as ChosenColumns;
    const what = `${quoted(names[at], header)} is ${excerpt(fields[at])}, ${notFloat32(fields[at])}`;
    throw new StreamError(this.file, line, what, "choose columns of numbers with --columns");
  }

  private provenance(fields: string[], line: number): SampleProvenance | undefined {
    const { time, ticks, faults, node, source, confidence } = (this.chosen as ChosenColumns).provenance;
    if (Math.max(time, ticks, faults, node, source, confidence) < 0) return undefined;
    const present = (at: number) => at >= 0 && fields[at].trim() !== "";
    return {
      ...(present(time) && { time: this.number(time, fields, line) }),
      ...(present(ticks) && { ticks: this.number(ticks, fields, line) }),
      ...(present(faults) && { faults: fields[faults].trim() }),
      ...(present(node) && { node: fields[node].trim() }),
      ...(present(source) && { source: this.byte(source, fields, line) }),
      ...(present(confidence) && { confidence: this.byte(confidence, fields, line) }),
    };
  }

  private byte(at: number, fields: string[], line: number): number {
    const value = parseNumber(fields[at]);
    if (isByte(value)) return value;
    const { names, header } = this.chosen as ChosenColumns;
    throw new StreamError(
      this.file,
      line,
      `${quoted(names[at], header)} is ${excerpt(fields[at])}`,
      BYTE_NEEDED,
    );
  }
}

function separatorOf(line: string): CsvOptions["separator"] {
  const bare = line.replace(/"[^"]*"/g, "");
  return bare.includes("\t") ? "\t" : bare.includes(";") ? ";" : ",";
}

/** The records as they become whole: what precedes an error is yielded before the error is thrown. */
async function* parsed(text: TextSource, separator: CsvOptions["separator"]): AsyncGenerator<CsvRecord[]> {
  const ready: CsvRecord[] = [];
  let failure: CsvError | undefined;
  const options: Options = {
    delimiter: separator,
    record_delimiter: ["\r\n", "\n"],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: RECORD_LENGTH_MAX,
    on_record: (fields, { lines }) => {
      ready.push({ fields, line: lines });
      return null;
    },
  };
  const parser: Parser = parse(options);
  parser.on("error", (error: CsvError) => {
    failure = error;
  });
  parser.resume();
  for await (const chunk of text.chunks()) {
    await new Promise<void>((done) => parser.write(chunk, () => done()));
    yield ready.splice(0);
    if (failure) throw fromParser(text.file, failure);
  }
  const closed = new Promise((done) => parser.once("close", done));
  parser.end();
  await closed;
  yield ready.splice(0);
  if (failure) throw fromParser(text.file, failure);
}

function fromParser(file: string, error: CsvError): StreamError {
  const line = typeof error.lines === "number" ? error.lines : undefined;
  switch (error.code) {
    case "CSV_QUOTE_NOT_CLOSED":
      return new StreamError(file, line, "a quote is never closed", 'a " at the end of its field is needed');
    case "CSV_INVALID_CLOSING_QUOTE":
    case "INVALID_OPENING_QUOTE":
      return new StreamError(
        file,
        line,
        "a quote inside a field",
        'whole fields in quotes, inner ones as "", is right',
      );
    case "CSV_MAX_RECORD_SIZE":
      return new StreamError(
        file,
        line,
        `a row of more than ${RECORD_LENGTH_MAX} characters`,
        "one row a line is needed",
      );
    default:
      return new StreamError(
        file,
        line,
        `not CSV (${error.message})`,
        "fields with separators between are needed",
      );
  }
}
