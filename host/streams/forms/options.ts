import type { TimeForm } from "../time-text.ts";
import type { LabelFile } from "./label-file.ts";

/** Formats whose text is made into a table first, beside CSV that has `long`, `rows`, `windows` or `labels`. */
export const TABLE_FORMATS = [
  "ndjson-fields",
  "json-fields",
  "json-columns",
  "influx-line",
  "line-pattern",
  "field-lines",
  "edge-impulse",
  "class-files",
] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

/**
 * A table that has one reading a row: its columns for the time, for what was read, and for the reading, by their names, or without a header by
 * their numbers from 1. Where the reading is an object of JSON, each of its values is one, named after the series, too.
 */
export interface LongColumns {
  readonly time: string;
  /** Columns that together name what was read. One that a table lacks is left out. */
  readonly series: readonly string[];
  readonly value: string;
}

/** When readings make a row, of the last known ones: each so many seconds, or at each reading of one column. */
export type RowRule = { readonly every: number } | { readonly at: string };

/** How a file that doesn't have a sample a row becomes a table. */
export interface FormOptions extends TimeForm {
  long?: LongColumns;
  /** Of lines in which a regular expression finds the fields: its groups name them. */
  pattern?: string;
  /** Default: a row at each time, of the readings of that time alone. */
  rows?: RowRule;
  /** True if the readings are in the order of their times, so that they needn't be held. Default false. */
  inOrder?: boolean;
  /** Spans of time, first and last, whose rows get the label 1, and all others 0, in a column `label`. */
  windows?: readonly (readonly [first: string, last: string])[];
  /** Rows that become one sample, so that none is of two files. */
  part?: number;
  /** A file that has the labels, which become a column `label`. */
  labels?: LabelFile;
}
