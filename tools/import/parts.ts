/** Columns at the beginning of a row that may number its part of the recording, or the row in it. */
const COLUMNS = 4;
/** Rows of a part, in the mean, and of all. */
const LONG_PART = 5;
const ROWS_MIN = 20;

/** The places of a column that numbers the parts of a recording, and of the one behind it that counts the rows of each. */
export interface PartColumns {
  readonly part: number;
  readonly counter: number;
}

/** Judges a pair of columns row by row. */
class Pair {
  private rows = 0;
  private parts = 0;
  isOther = false;
  private part = Number.NEGATIVE_INFINITY;
  private row = Number.NaN;

  take(part: number, row: number): void {
    const isNext = part === this.part ? row === this.row + 1 : part > this.part && !(row > this.row);
    if (!isNext || !Number.isInteger(part) || !Number.isInteger(row)) this.isOther = true;
    if (part !== this.part) this.parts++;
    this.rows++;
    this.part = part;
    this.row = row;
  }

  get areParts(): boolean {
    return !this.isOther && this.parts > 1 && this.rows >= Math.max(ROWS_MIN, LONG_PART * this.parts);
  }
}

/** Finds columns such as an engine's number and its cycle: the first one rises where the second one begins anew. */
export class Parts {
  private readonly pairs = Array.from({ length: COLUMNS - 1 }, () => new Pair());

  /** @param numberAt the number in a column of the next row, or NaN. */
  take(numberAt: (at: number) => number): void {
    for (const [at, pair] of this.pairs.entries())
      if (!pair.isOther) pair.take(numberAt(at), numberAt(at + 1));
  }

  get found(): PartColumns | undefined {
    const part = this.pairs.findIndex(({ areParts }) => areParts);
    return part < 0 ? undefined : { part, counter: part + 1 };
  }
}
