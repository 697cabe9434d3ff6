import { StreamError, UnskippableError } from "./stream-error.ts";

/** How rows that can't be read are handled. */
export const BAD_ROWS = ["refuse", "skip"] as const;
export type BadRowsHow = (typeof BAD_ROWS)[number];

/** Rows that are named in a message. */
const NAMED_MAX = 3;

/** The rows of a file that couldn't be read, and were skipped. */
export interface BadRowsReport {
  readonly file: string;
  readonly rows: number;
  /** What is wrong with the first few, such as "line 7: 2 fields where the first row has 3". */
  readonly first: readonly string[];
}

export function badRowsText({ file, rows, first }: BadRowsReport): string {
  const more = rows > first.length ? "; and more" : "";
  return `${file}: ${rows} bad ${rows === 1 ? "row" : "rows"} skipped: ${first.join("; ")}${more}`;
}

/** Refuses a file's bad rows, or counts them. */
export class BadRows {
  private rows = 0;
  private readonly first: string[] = [];

  constructor(
    private readonly file: string,
    readonly how: BadRowsHow = "refuse",
  ) {}

  /** Takes the error of a row that is skipped. Throws any that skipping the row doesn't cure, and all unless rows may be skipped. */
  take(error: unknown): void {
    const isOfRow = error instanceof StreamError && error.line !== undefined;
    if (this.how === "refuse" || !isOfRow || error instanceof UnskippableError) throw error;
    this.leaveOut(error.line as number, error.what);
  }

  /** Counts a line that is no row, in whatever way bad rows are handled. */
  leaveOut(line: number, what: string): void {
    this.rows++;
    if (this.first.length < NAMED_MAX) this.first.push(`line ${line}: ${what}`);
  }

  /** Counts a last line without an end that can't be read, as where a logger lost its power. */
  leaveCut(line: number): void {
    this.leaveOut(line, "cut off at the end of the file");
  }

  /** Undefined if there was none. */
  report(): BadRowsReport | undefined {
    const { file, rows, first } = this;
    return rows > 0 ? { file, rows, first } : undefined;
  }
}
