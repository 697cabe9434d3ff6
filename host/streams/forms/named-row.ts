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

const BITS = /^(?:(true)|false)$/i;

/** A field in which true and false are numbers, so that it can be a reading. */
export function withBits(text: string): string {
  const bit = BITS.exec(text);
  return bit ? (bit[1] ? "1" : "0") : text;
}
