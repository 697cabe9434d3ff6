import { countText } from "../count-text.ts";

/** How missing readings are handled. */
export const MISSING = ["refuse", "skip", "hold", "nan"] as const;
export type Missing = (typeof MISSING)[number];

/** How a file may write a missing reading: empty, or one of these words in any case. */
const WORDS = new Set(["", "?", "na", "n/a", "nan", "null", "none"]);

/** True if a field says that its reading is missing. */
export function isMissing(field: string): boolean {
  return WORDS.has(field.trim().toLowerCase());
}

/** The advice in the message where a row lacks a reading and an option, of that name, could take it. */
export function missingTaken(option: string): string {
  return `${option} skip, hold or nan takes such rows`;
}

/** The missing readings of a file. */
export interface MissingTally {
  /** Rows that lack a reading. */
  readonly rows: number;
  /** Readings that they lack. */
  readonly readings: number;
  /** How many of the rows aren't samples. */
  readonly skipped: number;
}

/** The tally, and how the rows were handled. */
export interface MissingReport extends MissingTally {
  readonly how: Missing;
}

export function missingText({ rows, readings, skipped }: MissingTally): string {
  const lacks = `${countText(rows, "row")} ${rows === 1 ? "lacks" : "lack"} ${countText(readings, "reading")}`;
  return skipped === 0 ? lacks : `${lacks}; ${countText(skipped, "row")} skipped`;
}

/** Handles missing readings row by row, and counts them. */
export class MissingReadings {
  /** The readings missing in the last row. */
  lacked = 0;
  private rows = 0;
  private readings = 0;
  /** Rows that still lack a reading. */
  private open = 0;
  /** Each node's last reading of each channel; NaN where there was none. */
  private readonly last = new Map<string, number[]>();

  /** @param sparse whether components behind a row's end are zero rather than missing. */
  constructor(
    private readonly how: Missing,
    private readonly sparse: boolean,
  ) {}

  /**
   * Takes a node's next row, NaN where a reading is missing, and fills in held readings. Returns whether it
   * is a sample.
   */
  take(values: number[], node: string): boolean {
    this.lacked = 0;
    for (let j = 0; j < values.length; j++) if (Number.isNaN(values[j])) this.lacked++;
    const isWhole = this.how === "hold" ? this.hold(values, node) : this.lacked === 0;
    if (this.lacked > 0) this.rows++;
    this.readings += this.lacked;
    if (!isWhole) this.open++;
    return isWhole || this.how === "nan";
  }

  /** True if each of this many rows lacks a reading. */
  isEvery(rows: number): boolean {
    return this.open > 0 && this.open === rows;
  }

  report(): MissingReport {
    const { how, rows, readings, open } = this;
    return { how, rows, readings, skipped: how === "nan" ? 0 : open };
  }

  private hold(values: number[], node: string): boolean {
    const before = this.last.get(node);
    const last = before ?? [];
    if (!before) this.last.set(node, last);
    const none = before && this.sparse ? 0 : Number.NaN;
    let isWhole = true;
    for (let j = 0; j < values.length; j++) {
      if (Number.isNaN(values[j])) values[j] = last[j] ?? none;
      last[j] = values[j];
      if (Number.isNaN(values[j])) isWhole = false;
    }
    if (this.sparse) last.fill(0, values.length);
    return isWhole;
  }
}
