import { UserError } from "../errors.ts";

/**
 * One line about a wrong data file: `file:line: what; what would be right` (without `:line` if it concerns
 * the whole file).
 */
export class StreamError extends UserError {
  override readonly name = "StreamError";
  /** The rows that were read whole before the error. */
  rowsRead = 0;

  /**
   * @param file the path as the user gave it.
   * @param line from 1, or undefined.
   * @param what is wrong.
   * @param right what would be right.
   */
  constructor(
    readonly file: string,
    readonly line: number | undefined,
    readonly what: string,
    right: string,
  ) {
    super(`${file}${line === undefined ? "" : `:${line}`}: ${what}; ${right}`);
  }

  override get inOneLine(): string {
    if (this.rowsRead === 0) return this.message;
    return `${this.message} (${this.rowsRead} ${this.rowsRead === 1 ? "row was" : "rows were"} read before it)`;
  }
}

/** One that skipping its row doesn't cure, or for which another option is the remedy. */
export class UnskippableError extends StreamError {}

/** Each row of a file lacks a reading. */
export class NoWholeRowError extends StreamError {}

const EXCERPT_LENGTH = 40;

/** The text in quotes, on one line, cut after 40 characters. */
export function excerpt(text: string): string {
  return JSON.stringify(shorten(text));
}

/** A name as it is; of a long one its excerpt. */
export function shownName(name: string): string {
  return name.length > EXCERPT_LENGTH ? excerpt(name) : name;
}

/** A number as a file writes it, without blanks around it, cut after 40 characters. */
export function numeral(text: string): string {
  return shorten(text.trim());
}

function shorten(text: string): string {
  return text.length > EXCERPT_LENGTH ? `${text.slice(0, EXCERPT_LENGTH)}...` : text;
}
