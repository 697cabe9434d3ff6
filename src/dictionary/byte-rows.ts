import type { Primitives } from "../math/primitives.ts";
import { ANY, type Layout, type MemoryRange, type Region } from "../memory/layout.ts";
import type { ComponentRange } from "./grid.ts";

/** A value in place of a literal, as in grid.ts. */
const GRID = "grid";
const BYTES = "bytes";
const LARGEST = 255;

/** Words of a row of so many bytes. */
export function byteWords(dimension: number): number {
  return (dimension + 3) >> 2;
}

/**
 * Rows of 8 bits a component, whose squared distances are whole numbers: see `Primitives.nearestBytes`. A byte counts steps of u, 1/255 of the
 * widest range, around the middle of its component's range, so a component is off by u / 2 at most. A value outside counts as the end of
 * these 255 steps. Components that fill up a row's last word are 0.
 */
export class ByteRows {
  /** Word of the first row. */
  readonly rows: number;
  /** Words of a row. */
  readonly width: number;
  private readonly f32: Primitives;
  private readonly grid: number;

  /** The grid, 1/u and where each component's 0 lies; and the rows. */
  static regions(capacity: number, dimension: number): Region[] {
    return [
      { name: GRID, kind: "state", words: 1 + dimension },
      { name: BYTES, kind: "state", words: capacity * byteWords(dimension), holds: [ANY] },
    ];
  }

  /** @param ranges of each component, or one of all. */
  constructor(
    layout: Layout,
    range: MemoryRange,
    private readonly dimension: number,
    private readonly ranges: readonly ComponentRange[],
  ) {
    this.f32 = range.f32;
    this.width = byteWords(dimension);
    this.grid = layout.at(GRID, range);
    this.rows = layout.at(BYTES, range);
    for (let j = 0; j <= dimension; j++) this.f32.words[this.grid + j] = this.gridWord(j);
  }

  /** 1/u, then where the 0 of component j - 1 lies. */
  private gridWord(j: number): number {
    const { ranges } = this;
    let widest = 0;
    for (let i = 0; i < ranges.length; i++) {
      const width = ranges[i][1] - ranges[i][0];
      if (width > widest) widest = width;
    }
    if (j === 0) return Math.fround(LARGEST / widest);
    const range = ranges[ranges.length > 1 ? j - 1 : 0];
    return Math.fround((range[0] + range[1]) / 2 - widest / 2);
  }

  /** True if the stored grid equals the options' grid. */
  get isSound(): boolean {
    for (let j = 0; j <= this.dimension; j++)
      if (this.f32.words[this.grid + j] !== this.gridWord(j)) return false;
    return true;
  }

  /** Writes the vector at word x to the row at word `to`. */
  pack(to: number, x: number): void {
    const { dimension, grid } = this;
    const { words, bits } = this.f32;
    const perUnit = words[grid];
    for (let j = 0; j < dimension; j += 4) {
      let word = 0;
      for (let k = j; k < j + 4 && k < dimension; k++) {
        // The shift drops the fraction.
        const steps = (words[x + k] - words[grid + 1 + k]) * perUnit + 0.5;
        word |= (steps > 0 ? (steps < LARGEST ? steps : LARGEST) : 0) << (8 * (k - j));
      }
      bits[to + (j >> 2)] = word;
    }
  }
}
