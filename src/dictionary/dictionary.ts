import { components, LEAVING } from "../math/primitives.ts";
import { ANY, type Layout, type MemoryRange, type Region } from "../memory/layout.ts";
import {
  areRowsSound,
  isOutsideGrid,
  placeRows,
  rowRegions,
  type StorageOptions,
  vectorForm,
} from "./grid.ts";

/**
 * A support set of fixed capacity: vectors in interleaved rows, each with a signed coefficient and a birth number, from which its age
 * follows. Rows 0..size-1 are in use, in arbitrary order: a removal moves the last row into the gap. Unused rows are zero, so that equal
 * contents have equal bytes.
 *
 * With storage "q15" a component is a lane of 16 bits. It counts steps of u around the middle of its range. u is the least power of two with
 * which the widest range has at most 2^15 - 2 steps. So a stored component is off by u / 2 at most, 1 / 32,766 of the widest range. A
 * component outside its range is stored as the range's end, or a little more. Vectors that the primitives fetch are float32 in the inputs'
 * own units, and so are distances, the kernel's width and a merged vector, which is rounded to the grid when it is stored.
 */
export class Dictionary {
  /** Word of the first row. */
  readonly rows: number;
  /** Word of the first coefficient. */
  readonly coefficients: number;
  /** The form of rows for the primitives: the dimension, or its negative for rows of 16 bits. */
  readonly form: number;
  /** Word of the first birth number. */
  readonly births: number;
  private readonly count: number;
  private readonly f32;

  /** The regions of a support set, in the order that the primitives expect. */
  static regions(capacity: number, options: StorageOptions): Region[] {
    return [
      ...rowRegions(capacity, options),
      { name: "coefficients", kind: "state", words: capacity },
      { name: "births", kind: "state", words: capacity, holds: [ANY] },
      { name: "count", kind: "state", words: 2, holds: [capacity, ANY] },
    ];
  }

  constructor(
    layout: Layout,
    range: MemoryRange,
    /** Capacity, in vectors. */
    readonly capacity: number,
    private readonly options: StorageOptions,
  ) {
    this.f32 = range.f32;
    this.form = vectorForm(options);
    this.rows = placeRows(layout, range, options);
    this.coefficients = layout.at("coefficients", range);
    this.births = layout.at("births", range);
    this.count = layout.at("count", range);
  }

  /** Components of a vector. */
  get dimension(): number {
    return components(this.form);
  }

  /** Vectors stored now. */
  get size(): number {
    const size = this.f32.bits[this.count];
    return size < this.capacity ? size : this.capacity;
  }

  /** True if rows of 16 bits are as their options have them. */
  get isSound(): boolean {
    return areRowsSound(this.f32, this.rows, this.capacity, this.options);
  }

  /** True if the budget is full. */
  get full(): boolean {
    return this.size === this.capacity;
  }

  /** Coefficient of row i. */
  coefficient(i: number): number {
    return this.f32.words[this.coefficients + i];
  }

  /** Age of row i: births from its own on, its own included. The oldest row has the largest age. */
  age(i: number): number {
    return (this.f32.bits[this.count + 1] - this.f32.bits[this.births + i]) >>> 0;
  }

  /** True if the vector at word x has a component outside its range. Only rows of 16 bits have ranges. */
  isOutside(x: number): boolean {
    const { form, rows } = this;
    return form < 0 && isOutsideGrid(this.f32.words, rows, x, -form);
  }

  /** Stores the vector at word x. The set must not be full. */
  insert(x: number, coefficient: number): void {
    this.f32.insertVector(this.rows, this.capacity, this.form, x, coefficient);
  }

  /** Removes row i; the last row takes its place. */
  remove(i: number): void {
    this.f32.removeVector(this.rows, this.capacity, this.form, i);
  }

  /** Removes row i; the rows behind it move up. */
  removeInOrder(i: number): void {
    this.f32.removeVectorInOrder(this.rows, this.capacity, this.form, i);
  }

  /** The row that leaves by rule `by`, `LEAVING.oldest` or `LEAVING.smallest`. The set must hold a vector. */
  leaving(by: number): number {
    return by === LEAVING.smallest ? this.smallest() : this.oldest();
  }

  /** The row of least |coefficient|, the lowest on ties. The set must hold a vector. */
  smallest(): number {
    return this.f32.argminMagnitude(this.coefficients, this.size);
  }

  /** The row stored first. The set must hold a vector. */
  oldest(): number {
    return this.f32.oldest(this.births, this.f32.bits[this.count + 1], this.size);
  }

  /** The row nearest to the vector at word x, the lowest on ties. Leaves squared distances at `out` (ceil4(size) words). */
  nearest(x: number, out: number): number {
    return this.f32.nearestRow(out, this.rows, x, this.size, this.form);
  }
}
