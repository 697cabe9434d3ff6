import { numberText } from "./wording.ts";

/** Curves shown of a sample with many readings: the most unusual ones. */
const CURVES_MAX = 6;

/** Between which values a reading usually lies. */
export type Usual = readonly [low: number, high: number];

/** How far a value lies outside of its usual range, in widths of the range; 0 within it. */
export function excess(value: number, [low, high]: Usual): number {
  return Math.max(0, low - value, value - high) / (high - low || 1);
}

/** The readings to show, in their order. */
export function shownReadings(x: readonly number[], usual: readonly Usual[]): number[] {
  const all = x.map((_, k) => k).filter((k) => usual[k] !== undefined);
  const most = [...all].sort((a, b) => excess(x[b], usual[b]) - excess(x[a], usual[a])).slice(0, CURVES_MAX);
  return all.filter((k) => most.includes(k));
}

/** Where a value lies, in words that need no chart. */
export function placeText(value: number, [low, high]: Usual): string {
  const range = `usual ${numberText(low)} to ${numberText(high)}`;
  if (value > high) return `above the ${range}`;
  return value < low ? `below the ${range}` : range;
}
