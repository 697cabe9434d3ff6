import { ceil4, gridWords, type Primitives, rowWords } from "../math/primitives.ts";
import { LANES as LANE_PAIR, type Layout, type MemoryRange, type Region } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";

/** The number format of stored vectors. */
export type Storage = "float32" | "q15";

/** The least and the largest value of a component, both included. */
export type ComponentRange = readonly [least: number, largest: number];

/** A learner's options that concern its store of vectors. */
export interface StorageOptions {
  /** Components of a vector. */
  readonly dimension: number;
  /** How a component is stored: as float32, or as 16 bits of its range; default float32. */
  readonly storage?: Storage;
  /** A range for each component, or one for all. */
  readonly ranges?: readonly ComponentRange[];
}

/** A value in place of a literal: XS copies a literal each time that it evaluates one. */
const FLOAT32 = "float32";
const Q15 = "q15";
const GAUSSIAN = "gaussian";
const ROWS = "rows";
const GRID = "grid";
const LANES = "lanes";
/** Steps of a lane from one end to the other; one more is reserved for the rounding of the middle. */
const STEPS = 32766;
/** A step beyond the last lane. */
const LANE_FARTHEST = 16385;
/** Offsets and lanes add up to whole numbers of float32. */
const OFFSET_MOST = 16777216 - 16384;
/** u * u is an ordinary float32. */
const UNIT_LEAST = 8.673617379884035e-19; // 2^-60
const UNIT_MOST = 1 / UNIT_LEAST;

/** The form of rows for the primitives: the dimension, or its negative for rows of 16 bits. */
export function vectorForm({ dimension, storage }: StorageOptions): number {
  return storage === Q15 ? -dimension : dimension;
}

/** u: the least power of two in which the widest range has no more than `STEPS` steps. */
function gridUnit(ranges: readonly ComponentRange[]): number {
  let widest = 0;
  for (const [least, largest] of ranges) if (largest - least > widest) widest = largest - least;
  let unit = UNIT_LEAST;
  while (unit < UNIT_MOST && STEPS * unit < widest) unit *= 2;
  return unit;
}

function gridOffset([least, largest]: ComponentRange, unit: number): number {
  return Math.round((least / 2 + largest / 2) / unit);
}

/**
 * Throws an OptionError unless vectors of 16 bits, or of 8 where a learner has no option `storage`, have a range for each component, or one for all, that lanes of 16 bits can hold, and
 * vectors of float32 have none.
 */
export function checkStorage(learner: string, options: StorageOptions & { kernel?: { type: string } }): void {
  const { dimension, storage, ranges = [], kernel } = options;
  if (storage === FLOAT32) {
    if (ranges.length > 0)
      throw new OptionError(
        learner,
        "ranges",
        ranges,
        `nothing with storage ${storage}: only "q15" has a grid`,
      );
    return;
  }
  if (kernel && kernel.type !== GAUSSIAN)
    throw new OptionError(
      learner,
      "storage",
      storage,
      `"float32" where the kernel is ${kernel.type}: "q15" has Gaussians only`,
    );
  if (ranges.length !== 1 && ranges.length !== dimension) {
    const where = storage ? ', with storage "q15"' : "";
    const takes = `[least, largest] of each component, ${dimension}, or one of all${where}: a node gives its own ranges, or +-5 if it standardises`;
    throw new OptionError(learner, "ranges", ranges.length > 0 ? ranges : undefined, takes);
  }
  const unit = gridUnit(ranges);
  const fits = (range: ComponentRange) => Math.abs(gridOffset(range, unit)) <= OFFSET_MOST;
  if (unit > UNIT_LEAST && unit < UNIT_MOST && ranges.every(fits)) return;
  const takes = `ranges whose widest is more than 1e-13 and less than 1e22 wide, and none farther from 0 than 500 times that`;
  throw new OptionError(learner, "ranges", ranges, takes);
}

/** Writes the grid that precedes rows of 16 bits to the words from `at` on: u, 1/u and the offsets. */
function writeGrid(words: Float32Array, at: number, { dimension, ranges = [] }: StorageOptions): void {
  const unit = gridUnit(ranges);
  words[at] = unit;
  words[at + 1] = 1 / unit;
  for (let j = 0; j < dimension; j++)
    words[at + 2 + j] = gridOffset(ranges.length > 1 ? ranges[j] : ranges[0], unit);
}

/** True if rows of 16 bits, so many, have the grid of their options in front of them, and a 0 in place of a lane that an odd row lacks. */
export function areRowsSound(
  { bits, words }: Primitives,
  rows: number,
  count: number,
  { dimension, storage, ranges = [] }: StorageOptions,
): boolean {
  if (storage !== Q15) return true;
  const unit = gridUnit(ranges);
  const grid = rows - dimension - 2;
  if (words[grid] !== unit || words[grid + 1] !== 1 / unit) return false;
  for (let j = 0; j < dimension; j++)
    if (words[grid + 2 + j] !== gridOffset(ranges.length > 1 ? ranges[j] : ranges[0], unit)) return false;
  const each = rowWords(-dimension);
  const last = rows + 4 * (each - 1);
  for (let i = 0; dimension % 2 > 0 && i < ceil4(count); i++)
    if (bits[last + 4 * each * (i >> 2) + (i & 3)] >>> 16 > 0) return false;
  return true;
}

/** True if a component of the vector at word x lies more than a step beyond the lanes of the grid in front of `rows`. */
export function isOutsideGrid(words: Float32Array, rows: number, x: number, dimension: number): boolean {
  const grid = rows - dimension - 2;
  for (let j = 0; j < dimension; j++) {
    const lane = Math.fround(Math.fround(words[x + j] * words[grid + 1]) - words[grid + 2 + j]);
    if (!(lane >= -LANE_FARTHEST && lane <= LANE_FARTHEST)) return true;
  }
  return false;
}

/** The rows of `vectors` vectors as regions of a layout. A grid precedes rows of 16 bits; rows of float32 are called `name`. */
export function rowRegions(rows: number, options: StorageOptions, name = ROWS): Region[] {
  const form = vectorForm(options);
  const words = ceil4(rows) * rowWords(form);
  if (form > 0) return [{ name, kind: "state", words }];
  return [
    { name: GRID, kind: "state", words: gridWords(form) },
    { name: LANES, kind: "state", words, holds: [LANE_PAIR] },
  ];
}

/** Writes the rows' grid, and returns the word of the first row. */
export function placeRows(layout: Layout, range: MemoryRange, options: StorageOptions, name = ROWS): number {
  if (options.storage !== Q15) return layout.at(name, range);
  writeGrid(range.f32.words, layout.at(GRID, range), options);
  return layout.at(LANES, range);
}
