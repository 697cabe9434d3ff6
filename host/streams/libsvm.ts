import { DecimalScanner } from "./decimal.ts";
import { isMissing, missingTaken } from "./missing.ts";
import { BEYOND, isBeyond, isFloat32, parseNumber, WITHIN_NEEDED } from "./numbers.ts";
import { excerpt, numeral, StreamError, UnskippableError } from "./stream-error.ts";
import { DIMENSION_MAX, type TableBuilder } from "./table.ts";
import type { Piece, TextSource } from "./text.ts";

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const BLANK = 0x20;
const COLON = 0x3a;

/** The entry that SVMlight gives the rows of one query, which classes don't need. */
const GROUP = "qid:";

/** Reads LIBSVM text: a line is `label index:value ...`, indices from 1, rising; `#` starts a comment. */
export async function readLibsvm(text: TextSource, table: TableBuilder): Promise<void> {
  const rows = new LibsvmRows(text.file, table);
  for await (const piece of text.pieces("line")) rows.take(piece);
}

class LibsvmRows {
  private line = 0;
  private readonly values: number[] = [];
  private readonly scanner = new DecimalScanner();
  /** Of the plain row that was read. */
  private label = 0;

  constructor(
    private readonly file: string,
    private readonly table: TableBuilder,
  ) {}

  take({ text, from, to, bytes }: Piece): void {
    const { table, values } = this;
    for (let at = from; at < to; ) {
      this.line++;
      const end = bytes ? this.plainEnd(bytes, at) : -1;
      if (end >= 0 && table.takesLabel(this.label)) {
        table.add(this.line, values, this.label);
        at = end;
      } else {
        const newline = text.indexOf("\n", at);
        const next = newline < 0 ? to : newline;
        this.takeLine(text.slice(at, next));
        at = next + 1;
      }
    }
  }

  private takeLine(row: string): void {
    try {
      this.takeAny(row);
    } catch (error) {
      this.table.badRows.take(error);
    }
  }

  private takeAny(row: string): void {
    const { file, line, table, values } = this;
    const hash = row.indexOf("#");
    const fields = (hash < 0 ? row : row.slice(0, hash)).trim().split(/\s+/);
    if (fields[0] === "") return;
    if (Number.isNaN(parseNumber(fields[0])) && !isMissing(fields[0])) {
      throw new StreamError(file, line, `label ${excerpt(fields[0])}`, "a number is needed");
    }
    values.length = 0;
    for (let i = 1; i < fields.length; i++) if (!fields[i].startsWith(GROUP)) this.addEntry(fields[i]);
    table.add(line, values, fields[0]);
  }

  /**
   * Reads the row at that place, if it has plain numbers with a blank between them. Returns where the next
   * row begins; -1 for any other row, or one that doesn't end in the text.
   */
  private plainEnd(text: Uint8Array, from: number): number {
    const { scanner, values } = this;
    if (!scanner.read(text, from)) return -1;
    this.label = scanner.value;
    values.length = 0;
    for (;;) {
      let at = scanner.end;
      if (text[at] === BLANK && (text[at + 1] === NEWLINE || text[at + 1] === RETURN)) at++;
      if (text[at] === RETURN) at++;
      if (text[at] === NEWLINE) return at + 1;
      if (text[at] !== BLANK || !scanner.read(text, at + 1) || text[scanner.end] !== COLON) return -1;
      const index = scanner.value;
      if (!Number.isInteger(index) || index <= values.length || index > DIMENSION_MAX) return -1;
      if (!scanner.readFloat32(text, scanner.end + 1) || !isFloat32(scanner.value)) return -1;
      while (values.length < index - 1) values.push(0);
      values.push(scanner.value);
    }
  }
  /** Appends the entry to the row so far, with zeros for the indices that were left out. */
  private addEntry(entry: string): void {
    const { values } = this;
    const colon = entry.indexOf(":");
    const index = colon < 1 ? NaN : parseNumber(entry.slice(0, colon));
    const value = Number.isInteger(index) ? this.parseEntry(entry, index, entry.slice(colon + 1)) : undefined;
    if (value === undefined)
      throw this.error(`bad entry ${excerpt(entry)}`, "index:value is right, such as 3:0.5");
    if (index <= values.length || index > DIMENSION_MAX) {
      const right =
        index <= values.length && index > 0
          ? "indices must rise"
          : `1 to ${DIMENSION_MAX} is right${index === 0 ? ", from scikit-learn by zero_based=False" : ""}`;
      throw this.error(`index ${index} in ${excerpt(entry)}`, right);
    }
    while (values.length < index - 1) values.push(0);
    values.push(value);
  }

  /** The entry's number, NaN where it is missing and the table takes that; undefined for anything else. */
  private parseEntry(entry: string, index: number, text: string): number | undefined {
    const value = parseNumber(text);
    if (isFloat32(value)) return value;
    if (isBeyond(text)) throw this.error(`index ${index}: ${numeral(text)} ${BEYOND}`, WITHIN_NEEDED);
    if (!isMissing(text)) return undefined;
    if (this.table.takesMissing) return Number.NaN;
    const { missing } = this.table.optionNames;
    if (!missing) return undefined;
    const what = `no number in ${excerpt(entry)}`;
    throw new UnskippableError(this.file, this.line, what, missingTaken(missing));
  }

  private error(what: string, right: string): StreamError {
    return new StreamError(this.file, this.line, what, right);
  }
}
