import { ceil4, gridWords, rowWords } from "../math/primitives.ts";
import type { Layout, MemoryRange, Region } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";

/** What stored vectors are made of. */
export type Storage = "float32" | "q15";

/** The least and the largest value of a component, both included. */
export type ComponentRange = readonly [least: number, largest: number];

/** What a store of vectors is made from, of the options of its learner. */
export interface StorageOptions {
  readonly dimension: number;
  readonly storage?: Storage;
  /** Of each component, or one of all. */
  readonly ranges?: readonly ComponentRange[];
}

/** No literal where a learner is made: XS copies one each time that it is evaluated. */
const Q15 = "q15";
const GAUSSIAN = "gaussian";
const ROWS = "rows";
const GRID = "grid";
const LANES = "lanes";
/** Lanes have so many steps from one end to the other, one of them left for what the middle is off. */
const STEPS = 32766;
/** A step beyond the last lane. */
const LANE_FARTHEST = 16385;
/** Offsets and lanes add up to whole numbers of float32. */
const OFFSET_MOST = 16777216 - 16384;
/** u * u is an ordinary float32. */
const UNIT_LEAST = 8.673617379884035e-19; // 2^-60
const UNIT_MOST = 1 / UNIT_LEAST;

/** What rows are to the primitives: the dimension, or its negative where they are of 16 bits. */
export function formOf({ dimension, storage }: StorageOptions): number {
  return storage === Q15 ? -dimension : dimension;
}

/** u: the least power of two in which the widest range has no more than `STEPS` steps. */
function unitOf(ranges: readonly ComponentRange[]): number {
  let widest = 0;
  for (const [least, largest] of ranges) if (largest - least > widest) widest = largest - least;
  let unit = UNIT_LEAST;
  while (unit < UNIT_MOST && STEPS * unit < widest) unit *= 2;
  return unit;
}

function offsetOf([least, largest]: ComponentRange, unit: number): number {
  return Math.round((least / 2 + largest / 2) / unit);
}

/**
 * Throws an OptionError unless there is a range for each component, or one for all, that lanes of 16 bits can hold where the
 * vectors are of those, and else none.
 */
export function checkStorage(learner: string, options: StorageOptions & { kernel?: { type: string } }): void {
  const { dimension, storage, ranges = [], kernel } = options;
  if (storage !== Q15) {
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
    const takes = `[least, largest] of each component, ${dimension}, or one of all, with storage "q15": a node gives its own ranges, or +-5 if it standardises`;
    throw new OptionError(learner, "ranges", ranges.length > 0 ? ranges : undefined, takes);
  }
  const unit = unitOf(ranges);
  const fits = (range: ComponentRange) => Math.abs(offsetOf(range, unit)) <= OFFSET_MOST;
  if (unit > UNIT_LEAST && unit < UNIT_MOST && ranges.every(fits)) return;
  const takes = `ranges whose widest is more than 1e-13 and less than 1e22 wide, and none farther from 0 than 500 times that`;
  throw new OptionError(learner, "ranges", ranges, takes);
}

/** Writes u, 1/u and the offsets, which lie in front of rows of 16 bits, to the words from `at` on. */
function writeGrid(words: Float32Array, at: number, { dimension, ranges = [] }: StorageOptions): void {
  const unit = unitOf(ranges);
  words[at] = unit;
  words[at + 1] = 1 / unit;
  for (let j = 0; j < dimension; j++)
    words[at + 2 + j] = offsetOf(ranges.length > 1 ? ranges[j] : ranges[0], unit);
}

/** Whether a component of the vector at word x lies more than a step beyond the lanes of the grid in front of `rows`. */
export function isOutsideGrid(words: Float32Array, rows: number, x: number, dimension: number): boolean {
  const grid = rows - dimension - 2;
  for (let j = 0; j < dimension; j++) {
    const lane = Math.fround(Math.fround(words[x + j] * words[grid + 1]) - words[grid + 2 + j]);
    if (!(lane >= -LANE_FARTHEST && lane <= LANE_FARTHEST)) return true;
  }
  return false;
}

/** Rows of so many vectors, behind the grid of those of 16 bits, as regions of a layout; `name` is that of rows of float32. */
export function rowRegions(rows: number, options: StorageOptions, name = ROWS): Region[] {
  const form = formOf(options);
  const words = ceil4(rows) * rowWords(form);
  if (form > 0) return [{ name, kind: "state", words }];
  return [
    { name: GRID, kind: "state", words: gridWords(form) },
    { name: LANES, kind: "state", words },
  ];
}

/** Word of these rows, whose grid is written. */
export function placeRows(layout: Layout, range: MemoryRange, options: StorageOptions, name = ROWS): number {
  if (options.storage !== Q15) return layout.at(name, range);
  writeGrid(range.f32.words, layout.at(GRID, range), options);
  return layout.at(LANES, range);
}
