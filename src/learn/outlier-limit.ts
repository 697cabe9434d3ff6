import type { Primitives } from "../math/primitives.ts";
import { ANY, type Layout, type MemoryRange, POSITIVE, type Region } from "../memory/layout.ts";
import { real } from "./options.ts";

/** Option of learners whose update grows with the magnitude of an input or label. */
export const outlierLimit = (of: string) =>
  real(
    { default: 4, min: 1 },
    `limit of ${of}, in multiples of the level that one in 128 exceeds; a larger one is clipped to it; 1e30: no limit`,
  );

/** The first FIRST magnitudes aren't clipped; after them the limit at the n-th is wider by a factor 1 + WIDE / n. */
const FIRST = 16;
const WIDE = 32;
/** The level rises by this share at a magnitude above it, and falls by 1/128 of this at any other: faster at first. */
const RISE = 0.125;
/** The level rises by this share at a magnitude above the limit. */
const YIELD = 1 / 32;
const FALL = 1 / 1024;
/** Magnitudes in a row beyond the limit, after which the level doubles with each further one: they are no outliers. */
const PATIENCE = 32;
/** The level stays between these: from 0 it could not rise. */
const LEAST = 1e-37;
const LARGEST = 3e38;
/** 2^-70: a vector of finite components, multiplied by it, has a finite length in float32. */
const SHRINK = 8.470329472543003e-22;
/** A state learned from magnitudes above this multiple of the level comes from another scale. */
const OUTGROWN = 1024;

/**
 * The limit of ordinary magnitudes, by which a learner's gain is bounded: one glitch, however large, counts as
 * `outlierLimit` ordinary samples do (Winsorizing at a running quantile). The level l estimates the quantile that
 * one in 128 exceeds. Before the n-th magnitude a > 0, n = 0, 1, ...:
 *
 *     limit = outlierLimit l (1 + 32 / n), none while n < 16
 *     r = max(1/1024, 1 / (8 + n/16))
 *     a > l: l <- min(a, l (1 + max(1/8, 8 r))), a while n < 16;   else l <- l (1 - r)
 *     a > limit: l <- 33/32 l
 *
 * More than 32 in a row beyond the limit are another regime: l doubles with each, and n is 16 again. So
 * every regime ends its clipping. A zero leaves the level as it is. Where the largest magnitude learned exceeds 1024 l, the
 * learned state comes from another scale (a glitch at power-up, a long burst): `outgrown` is true, and the learner restarts.
 *
 * State: l, n, the run beyond the limit, and the largest learned.
 */
export class OutlierLimit {
  private readonly at: number;

  static region(name = "outliers"): Region {
    return { name, kind: "state", words: 4, holds: [POSITIVE, ANY, PATIENCE, POSITIVE] };
  }

  constructor(
    private readonly f32: Primitives,
    private readonly factor: number,
    private readonly layout: Layout,
    private readonly range: MemoryRange,
    region = "outliers",
  ) {
    this.at = layout.at(region, range);
  }

  /** Counts a regression's label; returns it, clipped to the limit. */
  clipLabel(y: number): number {
    const most = this.meet(Math.abs(y));
    return Math.fround(y < 0 ? -most : most);
  }

  /** Counts the length of the vector of n words at x, and clips it to the limit; true if it needed no clipping. */
  clipVector(x: number, n: number): boolean {
    const { f32 } = this;
    let squared = f32.dot(x, x, n);
    let unit = 1;
    if (squared === Infinity) {
      unit = SHRINK;
      f32.scale(x, unit, n);
      squared = f32.dot(x, x, n);
    }
    const length = Math.sqrt(squared) / unit;
    const most = this.meet(length);
    if (most < length || unit < 1) f32.scale(x, most / length / unit, n);
    return most === length;
  }

  /** Counts a magnitude; returns it, clipped to the limit. */
  meet(magnitude: number): number {
    const { words, bits } = this.f32;
    const { at } = this;
    const a = magnitude < LARGEST ? magnitude : LARGEST;
    if (a === 0) return 0;
    const most = this.clamp(a);
    this.follow(a, words[at], bits[at + 1], a > most);
    if (most > words[at + 3]) words[at + 3] = most;
    return most;
  }

  /** A magnitude, clipped to the limit without being counted. */
  clamp(magnitude: number): number {
    const { words, bits } = this.f32;
    const { at } = this;
    const n = bits[at + 1];
    const widest = n < FIRST ? magnitude : this.factor * words[at] * (1 + WIDE / n);
    return magnitude > widest ? widest : magnitude;
  }

  /** Magnitudes in a row beyond the limit, up to the last one counted. */
  get run(): number {
    return this.f32.bits[this.at + 2];
  }

  /** True if the learned magnitudes are out of all proportion to the level. */
  get outgrown(): boolean {
    const { words } = this.f32;
    return words[this.at + 3] > OUTGROWN * words[this.at];
  }

  /** Sets the learner's state to 0, its own included: the level belongs to another scale, too. */
  clear(): void {
    const { range, layout } = this;
    this.f32.bits.fill(0, range.state, range.state + layout.state);
  }

  /** Begins anew, the learner's state apart. */
  restart(): void {
    this.f32.bits.fill(0, this.at, this.at + 4);
  }

  private follow(a: number, level: number, n: number, beyond: boolean): void {
    const { words, bits } = this.f32;
    const { at } = this;
    const early = 1 / (8 + n / 16);
    const fall = early > FALL ? early : FALL;
    let risen = n < FIRST ? a : level * (1 + (8 * fall > RISE ? 8 * fall : RISE));
    if (beyond) risen = level * (1 + YIELD);
    let met = n < 0xffffffff ? n + 1 : n;
    const run = beyond ? bits[at + 2] + 1 : 0;
    if (run > PATIENCE) {
      risen = 2 * level;
      if (met > FIRST) met = FIRST;
    }
    bits[at + 1] = met;
    bits[at + 2] = run > PATIENCE ? PATIENCE : run;
    const next = a > level ? (a < risen ? a : risen) : level * (1 - fall);
    words[at] = next > LEAST ? next : LEAST;
  }
}
