import { isMissing } from "./missing.ts";

/** Lines from the first that is no row to the header: what a logger writes when it starts. */
const LINES_MAX = 32;

/** True for what may name a column; a program's message has colons or braces. */
const isName = (field: string) => /^[\p{L}_$#%"][^:={}<>]{0,80}$/u.test(field.trim()) && !isMissing(field);

/** Finds a header that returns, as a logger writes it at each start, and the lines of other widths before it. */
export class Restarts {
  /**
   * @param header its fields.
   * @param width fields of a row.
   * @param split takes a line apart; undefined for one that may have separators in quotes.
   */
  constructor(
    private readonly header: readonly string[],
    private readonly width: number,
    private readonly split: (line: string) => readonly string[] | undefined,
  ) {}

  /** True if these are no fields of a row. */
  isOther(fields: readonly string[]): boolean {
    return fields.length !== this.width || this.isHeader(fields);
  }

  /** True for another header: all fields are words, and the header has one of them. Its columns are others, or in another order. */
  isOtherHeader(fields: readonly string[]): boolean {
    if (fields.length !== this.header.length || this.isHeader(fields)) return false;
    return fields.every(isName) && fields.some((field) => this.header.includes(field));
  }

  private isHeader(fields: readonly string[]): boolean {
    return fields.length === this.header.length && fields.every((field, i) => field === this.header[i]);
  }

  /** The lines at that place up to a header; [] where none returns, undefined where the text ends before that is known. */
  linesAt(text: string, from: number, isLast: boolean): readonly string[] | undefined {
    const lines: string[] = [];
    for (let at = from; lines.length < LINES_MAX && at < text.length; at += lines[lines.length - 1].length) {
      const end = text.indexOf("\n", at) + 1;
      if (end === 0 && !isLast) return undefined;
      lines.push(text.slice(at, end || text.length));
      const fields = this.split(lines[lines.length - 1].replace(/\r?\n$/, ""));
      if (fields && this.isHeader(fields)) return lines;
      if (!fields || fields.length === this.width) return [];
    }
    return isLast || lines.length === LINES_MAX ? [] : undefined;
  }
}
