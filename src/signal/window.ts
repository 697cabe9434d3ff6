import type { Primitives } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { Layout, type MemoryRange } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";

/** Options of a `SlidingWindow`. */
export interface WindowOptions {
  /** n, samples in the window: 1..65536. */
  readonly samples: number;
  /** Where it lies; default: a range of its own. */
  readonly memory?: MemoryRange;
}

/** The statistics that `measure` writes, a word each. */
export const WINDOW_STATISTICS = frozen([
  /** sum x / n */
  "mean",
  /** sqrt(sum x^2 / n) */
  "rms",
  /** largest - least */
  "peakToPeak",
  /** times that the sign changes; a 0 has the sign before it */
  "zeroCrossings",
] as const);

function resolveWindow({ samples }: WindowOptions): number {
  if (Number.isInteger(samples) && samples >= 1 && samples <= 65536) return samples;
  throw new OptionError("window", "samples", samples, "a whole number >= 1 and <= 65536");
}

/**
 * Statistics of the latest n samples of one channel, in fixed memory: a ring of float32. They are computed
 * from the ring on request, oldest sample first, in doubles: running sums would drift, and would make a
 * restored window differ from one that never stopped.
 *
 * Warm-up: until n samples came, the statistics cover the samples so far.
 */
export class SlidingWindow {
  /** Its regions, and so its bytes. */
  readonly layout: Layout;
  /** Where its regions lie. */
  readonly range: MemoryRange;
  /** Samples in the window. */
  readonly samples: number;
  private readonly f32: Primitives;
  private readonly ring: number;
  /** Word of the number of samples there are, then of the place of the next one. */
  private readonly cursor: number;
  private readonly refusals: number;

  /** Its memory, to the byte, without making it. Throws an OptionError that names the option. */
  static layout(options: WindowOptions): Layout {
    return new Layout([
      { name: "ring", kind: "state", words: resolveWindow(options) },
      { name: "cursor", kind: "state", words: 2, holds: [options.samples, options.samples - 1] },
      { name: "refused", kind: "counters", words: 1 },
    ]);
  }

  constructor(options: WindowOptions) {
    this.layout = SlidingWindow.layout(options);
    this.samples = options.samples;
    this.range = options.memory ?? this.layout.ownRange();
    this.f32 = this.range.f32;
    this.ring = this.layout.at("ring", this.range);
    this.cursor = this.layout.at("cursor", this.range);
    this.refusals = this.layout.at("refused", this.range);
    this.f32.bits.fill(0, this.range.state, this.range.state + this.layout.state);
    this.f32.bits.fill(0, this.range.counters, this.range.counters + this.layout.counters);
  }

  /** Samples there are, at most n. */
  get size(): number {
    return this.f32.bits[this.cursor];
  }

  /** Samples refused because they weren't finite; a 32-bit word that wraps. */
  get refused(): number {
    return this.f32.bits[this.refusals];
  }

  /** Takes a sample, rounded to float32; the oldest leaves a full window. False, and counted, if it isn't finite. */
  push(sample: number): boolean {
    const { bits, words } = this.f32;
    const value = Math.fround(sample);
    if (!Number.isFinite(value)) {
      bits[this.refusals]++;
      return false;
    }
    const place = bits[this.cursor + 1];
    words[this.ring + place] = value;
    bits[this.cursor + 1] = place + 1 === this.samples ? 0 : place + 1;
    if (bits[this.cursor] < this.samples) bits[this.cursor]++;
    return true;
  }

  /** Takes the `count` <= n samples that lie at word `from` in their order, all finite; the oldest leave a full window. */
  pushAll(from: number, count: number): void {
    const { bits } = this.f32;
    const { ring, samples, cursor } = this;
    const place = bits[cursor + 1];
    const room = samples - place;
    const first = count < room ? count : room;
    this.f32.copy(ring + place, from, first);
    this.f32.copy(ring, from + first, count - first);
    bits[cursor + 1] = count < room ? place + count : count - room;
    bits[cursor] = bits[cursor] + count < samples ? bits[cursor] + count : samples;
  }

  /**
   * Writes the four statistics at word `to`, in the order of `WINDOW_STATISTICS`. False, and nothing written, if
   * there is no sample yet or float32 can't hold the difference of the largest and the least.
   */
  measure(to: number): boolean {
    const { ring, samples, size } = this;
    if (size === 0) return false;
    const oldest = size < samples ? 0 : this.f32.bits[this.cursor + 1];
    return this.f32.windowStatistics(to, ring, oldest, size, samples);
  }

  /** Copies the n samples to word `to`, oldest first; until n came, the first stands for those before it. There must be one. */
  copyTo(to: number): void {
    const { f32, ring, samples, size } = this;
    const missing = samples - size;
    const oldest = missing > 0 ? 0 : f32.bits[this.cursor + 1];
    if (missing > 0) f32.words[to] = f32.words[ring];
    for (let done = 1; done < missing; done *= 2) {
      f32.copy(to + done, to, done < missing - done ? done : missing - done);
    }
    f32.copy(to + missing, ring + oldest, size - oldest);
    f32.copy(to + samples - oldest, ring, oldest);
  }
}
