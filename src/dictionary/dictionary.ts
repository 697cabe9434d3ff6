import { ceil4, LEAVING } from "../math/primitives.ts";
import type { Layout, MemoryRange, Region } from "../memory/layout.ts";

/**
 * What happens at a full budget: the oldest vector leaves, or the one with the least coefficient; the new one is declined; or the
 * one with the least |coefficient|, which may be the new one, merges with its nearest of the same sign.
 */
export type Evict = "oldest" | "smallest" | "refuse" | "merge";

/**
 * A support set of fixed capacity: vectors in interleaved rows, a signed coefficient each, and the running number
 * of their birth, from which ages follow. Rows 0..size-1 are in use, in no lasting order: a removal moves the
 * last row into the gap. Unused rows are zero, so that equal contents have equal bytes.
 */
export class Dictionary {
  /** Word of the first row, of the first coefficient. */
  readonly rows: number;
  readonly coefficients: number;
  private readonly births: number;
  private readonly count: number;
  private readonly f32;

  /** In this order, one after the other: a support set, as the primitives know it. */
  static regions(capacity: number, dimension: number): Region[] {
    return [
      { name: "rows", kind: "state", words: ceil4(capacity) * dimension },
      { name: "coefficients", kind: "state", words: capacity },
      { name: "births", kind: "state", words: capacity },
      { name: "count", kind: "state", words: 2 },
    ];
  }

  constructor(
    layout: Layout,
    range: MemoryRange,
    readonly capacity: number,
    readonly dimension: number,
  ) {
    this.f32 = range.f32;
    this.rows = layout.at("rows", range);
    this.coefficients = layout.at("coefficients", range);
    this.births = layout.at("births", range);
    this.count = layout.at("count", range);
  }

  /** Vectors stored now. */
  get size(): number {
    return this.f32.bits[this.count];
  }

  /** Whether there is no room for another. */
  get full(): boolean {
    return this.size === this.capacity;
  }

  /** Coefficient of row i. */
  coefficient(i: number): number {
    return this.f32.words[this.coefficients + i];
  }

  /** Births since row i's own, itself included: the oldest row has the largest age. */
  age(i: number): number {
    return (this.f32.bits[this.count + 1] - this.f32.bits[this.births + i]) >>> 0;
  }

  /** Stores the vector at word x; the caller has seen to it that there is room. */
  insert(x: number, coefficient: number): void {
    this.f32.insertVector(this.rows, this.capacity, this.dimension, x, coefficient);
  }

  /** Removes row i; the last row takes its place. */
  remove(i: number): void {
    this.f32.removeVector(this.rows, this.capacity, this.dimension, i);
  }

  /** Removes row i; those behind it move up. */
  removeInOrder(i: number): void {
    this.f32.removeVectorInOrder(this.rows, this.capacity, this.dimension, i);
  }

  /** The row that leaves by `LEAVING.oldest` or `LEAVING.smallest`. Size must not be 0. */
  leaving(by: number): number {
    return by === LEAVING.smallest ? this.smallest() : this.oldest();
  }

  /** The row of least |coefficient|, the lowest on ties. Size must not be 0. */
  smallest(): number {
    return this.f32.argminMagnitude(this.coefficients, this.size);
  }

  /** The row stored first. Size must not be 0. */
  oldest(): number {
    return this.f32.oldest(this.births, this.f32.bits[this.count + 1], this.size);
  }

  /** The row nearest to the vector at word x, the lowest on ties; squared distances are left at `out` (ceil4(size) words). */
  nearest(x: number, out: number): number {
    return this.f32.nearestRow(out, this.rows, x, this.size, this.dimension);
  }
}
