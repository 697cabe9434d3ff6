import type { Primitives } from "../math/primitives.ts";
import { ANY, type Layout, type MemoryRange, POSITIVE, type Region } from "../memory/layout.ts";

/** Each silence multiplies the longest by this. */
const KEEP = 15 / 16;
/** A silence is unusual from so many times the longest, and so many samples, on. */
const TIMES = 2;
const SAMPLES = 8;

/**
 * Watches for labels that stop. A silence is the samples since a label came. It is unusual once it is longer than twice the longest before it
 * plus 8 samples; that length decays by 1/16 with each silence. A member that sees labels alone then repeats the last one, whose class may
 * have ended long ago, and no label says so. So a committee then decides by its members on samples.
 *
 * State: the silence, and the longest before it.
 */
export class LabelSilence {
  private readonly f32: Primitives;
  private readonly at: number;

  static region(): Region {
    return { name: "silence", kind: "state", words: 2, holds: [ANY, POSITIVE] };
  }

  constructor(layout: Layout, range: MemoryRange) {
    this.f32 = range.f32;
    this.at = layout.at("silence", range);
  }

  /** Counts a sample. Returns true for the one at which the silence becomes unusual. */
  countSample(): boolean {
    const { bits, words } = this.f32;
    const most = TIMES * words[this.at + 1] + SAMPLES;
    const before = bits[this.at]++;
    return before <= most && before + 1 > most;
  }

  /** Ends the silence: a label came. */
  end(): void {
    const { bits, words } = this.f32;
    const { at } = this;
    if (bits[at] === 0) return;
    const kept = KEEP * words[at + 1];
    words[at + 1] = bits[at] > kept ? bits[at] : kept;
    bits[at] = 0;
  }
}
