import { ceil4 } from "../math/primitives.ts";
import type { Layout, MemoryRange, Region } from "../memory/layout.ts";

/** What happens to a full budget: the oldest or the least coefficient leaves, or the new vector is declined. */
export type Evict = "oldest" | "smallest" | "refuse";

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
    const { bits, words } = this.f32;
    const i = bits[this.count]++;
    this.f32.storeRow(this.rows, i, x, this.dimension);
    words[this.coefficients + i] = coefficient;
    bits[this.births + i] = bits[this.count + 1]++;
  }

  /** Removes row i; the last row takes its place. `spare` is the word of `dimension` scratch words. */
  remove(i: number, spare: number): void {
    const { bits, words } = this.f32;
    const last = --bits[this.count];
    this.f32.fetchRow(spare, this.rows, last, this.dimension);
    this.f32.storeRow(this.rows, i, spare, this.dimension);
    words[this.coefficients + i] = words[this.coefficients + last];
    bits[this.births + i] = bits[this.births + last];
    words.fill(0, spare, spare + this.dimension);
    this.f32.storeRow(this.rows, last, spare, this.dimension);
    words[this.coefficients + last] = 0;
    bits[this.births + last] = 0;
  }

  /** The row that an evicting policy gives up. Size must not be 0. */
  leaving(evict: "oldest" | "smallest"): number {
    if (evict === "smallest") return this.f32.argminMagnitude(this.coefficients, this.size);
    return this.f32.oldest(this.births, this.f32.bits[this.count + 1], this.size);
  }

  /** The row nearest to the vector at word x, the lowest on ties; squared distances are left at `out` (ceil4(size) words). */
  nearest(x: number, out: number): number {
    this.f32.squaredDistances(out, this.rows, x, this.size, this.dimension);
    return this.f32.argmin(out, this.size);
  }
}
