import type { Primitives } from "../math/primitives.ts";
import { ANY, type Layout, type MemoryRange, type Region } from "../memory/layout.ts";
import { ByteRows, byteWords } from "./byte-rows.ts";
import type { ComponentRange } from "./grid.ts";

/** Values in place of literals, as in grid.ts. */
const LABELS = "labels";
const RING = "ring";
const QUERY = "query";
const NEAREST = "nearest";

/** The last labelled samples, in 8 bits a component and one byte for the class; and the search for the nearest of them. See `ByteRows`. */
export class SampleRing {
  protected readonly f32: Primitives;
  private readonly rows: ByteRows;
  /** Word of the classes, a byte each. */
  protected readonly labels: number;
  /** Word of the number of stored samples; behind it the place of the next one. */
  private readonly ring: number;
  private readonly query: number;
  /** Word of the places that `search` found, the nearest first; their squared distances stand `k` words behind. */
  readonly nearest: number;

  /** @param k samples that a search finds at most */
  static regions(capacity: number, dimension: number, k: number): Region[] {
    return [
      ...ByteRows.regions(capacity, dimension),
      { name: LABELS, kind: "state", words: byteWords(capacity), holds: [ANY] },
      { name: RING, kind: "state", words: 2, holds: [capacity, capacity - 1] },
      { name: QUERY, kind: "scratch", words: byteWords(dimension) },
      { name: NEAREST, kind: "scratch", words: 2 * k },
    ];
  }

  constructor(
    layout: Layout,
    range: MemoryRange,
    readonly capacity: number,
    dimension: number,
    private readonly k: number,
    ranges: readonly ComponentRange[],
  ) {
    this.f32 = range.f32;
    this.rows = new ByteRows(layout, range, dimension, ranges);
    this.labels = layout.at(LABELS, range);
    this.ring = layout.at(RING, range);
    this.query = layout.at(QUERY, range);
    this.nearest = layout.at(NEAREST, range);
  }

  get size(): number {
    return this.f32.bits[this.ring];
  }

  /** True if a restored state has the options' grid, and no class beyond these. */
  isSound(classes: number): boolean {
    for (let i = 0; i < this.size; i++) if (this.label(i) >= classes) return false;
    return this.rows.isSound;
  }

  /** Finds the k nearest to the vector at word x, or all if there are fewer; returns how many. */
  search(x: number): number {
    this.rows.pack(this.query, x);
    const { rows, width } = this.rows;
    return this.f32.nearestBytes(this.nearest, rows, this.query, this.size, width, this.k);
  }

  /** The class of the sample at that place of the ring. */
  label(i: number): number {
    return (this.f32.bits[this.labels + (i >> 2)] >>> (8 * (i & 3))) & 255;
  }

  /** Stores the vector at word x with its class, in a full ring in place of the oldest: then true. */
  store(x: number, label: number): boolean {
    const { rows, labels, ring, capacity } = this;
    const { bits } = this.f32;
    const place = bits[ring + 1];
    rows.pack(rows.rows + place * rows.width, x);
    const word = labels + (place >> 2);
    const shift = 8 * (place & 3);
    bits[word] = (bits[word] & ~(255 << shift)) | (label << shift);
    bits[ring + 1] = place + 1 < capacity ? place + 1 : 0;
    if (bits[ring] === capacity) return true;
    bits[ring]++;
    return false;
  }

  /** The place of the last sample stored. */
  get newest(): number {
    const next = this.f32.bits[this.ring + 1];
    return next > 0 ? next - 1 : this.capacity - 1;
  }
}
