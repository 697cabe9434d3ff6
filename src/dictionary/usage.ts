import type { Primitives } from "../math/primitives.ts";
import { ANY, type Layout, type MemoryRange, type Region } from "../memory/layout.ts";

/** Uses beyond which a vector gains no further time. */
const MOST_USES = 16;
const SIGHT = 64;

/**
 * Finds the stale vectors of a full dictionary. A vector c is used when it is stored, and by each x that has it as its nearest vector, if c
 * reaches x: |k(c, x)| >= k(x, x) / 64. It is stale once it was unused for `staleAfter` samples times its uses so far, 16 uses at most.
 * So a vector from a glitch at power-up soon becomes stale, and one that represented many samples late. When room is needed, stale vectors
 * leave first.
 */
export class Usage {
  private readonly last: number;
  private readonly uses: number;
  private readonly clock: number;

  static regions(capacity: number): Region[] {
    return [
      { name: "lastUse", kind: "state", words: capacity, holds: [ANY] },
      { name: "uses", kind: "state", words: capacity, holds: [MOST_USES] },
      { name: "clock", kind: "state", words: 1, holds: [ANY] },
    ];
  }

  constructor(
    private readonly f32: Primitives,
    layout: Layout,
    range: MemoryRange,
    private readonly staleAfter: number,
  ) {
    this.last = layout.at("lastUse", range);
    this.uses = layout.at("uses", range);
    this.clock = layout.at("clock", range);
  }

  /** Counts a sample x: vector i is its nearest, -1 for none; `value` is k(c_i, x), `self` k(x, x). */
  pass(i: number, value: number, self: number): void {
    const { bits } = this.f32;
    bits[this.clock]++;
    if (i < 0 || !(SIGHT * Math.abs(value) >= self)) return;
    bits[this.last + i] = bits[this.clock];
    if (bits[this.uses + i] < MOST_USES) bits[this.uses + i]++;
  }

  /** Vector i was stored from the last sample. */
  begin(i: number): void {
    const { bits } = this.f32;
    bits[this.last + i] = bits[this.clock];
    bits[this.uses + i] = 1;
  }

  /** The stalest of n vectors, the one that was unused for longest; -1 if no vector is stale. */
  stale(n: number): number {
    const { f32, last, uses, clock, staleAfter } = this;
    return f32.stalest(last, uses, f32.bits[clock], staleAfter, n);
  }

  /** True if at least a quarter of n > 0 vectors is stale. */
  isQuarterStale(n: number): boolean {
    if (this.stale(n) < 0) return false;
    let count = 0;
    for (let i = 0; i < n; i++) if (this.isStale(i)) count++;
    return 4 * count >= n;
  }

  private isStale(i: number): boolean {
    const { bits } = this.f32;
    const idle = (bits[this.clock] - bits[this.last + i]) >>> 0;
    return idle > this.staleAfter * bits[this.uses + i];
  }

  /** Vector i of n leaves, and the last takes its place. */
  remove(i: number, n: number): void {
    const { bits } = this.f32;
    bits[this.last + i] = bits[this.last + n - 1];
    bits[this.uses + i] = bits[this.uses + n - 1];
    this.clear(n - 1);
  }

  /** Vector i of n leaves, and the vectors behind it move up. */
  removeInOrder(i: number, n: number): void {
    this.f32.copy(this.last + i, this.last + i + 1, n - 1 - i);
    this.f32.copy(this.uses + i, this.uses + i + 1, n - 1 - i);
    this.clear(n - 1);
  }

  private clear(i: number): void {
    this.f32.bits[this.last + i] = 0;
    this.f32.bits[this.uses + i] = 0;
  }
}
