import { StreamError } from "../stream-error.ts";
import type { Reading } from "./readings.ts";

/** Readings that are held until they are in the order of their times, and the bytes of their texts. */
const HELD_MAX = 1 << 23;
const TEXT_BYTES_MAX = 1 << 28;
/** Readings that are packed together, a power of two. */
const PACK_BITS = 14;
const PACK = 1 << PACK_BITS;

/** Throws a StreamError for more readings out of order than are held. */
export function checkHeld(file: string, readings: number, textBytes: number): void {
  if (readings <= HELD_MAX && textBytes <= TEXT_BYTES_MAX) return;
  const count = readings > HELD_MAX ? `${HELD_MAX} readings` : `${TEXT_BYTES_MAX} bytes of readings`;
  const what = `more than ${count} that aren't in the order of their times`;
  throw new StreamError(file, undefined, what, "a file sorted by time is needed, or several smaller ones");
}

/** Readings in the order in which they came. The text of each ends where the next one begins. */
interface Pack {
  readonly lines: Uint32Array;
  readonly names: Uint32Array;
  readonly ends: Uint32Array;
  readonly texts: Buffer;
}

/** Readings in some 30 bytes each beside the bytes of their texts, to be taken in the order of their times. */
export class HeldReadings {
  private readonly places = new Map<string, number>();
  private readonly names: string[] = [];
  private readonly packs: Pack[] = [];
  private readonly times: Float64Array[] = [];
  private open: Reading[] = [];
  private count = 0;
  private textBytes = 0;

  constructor(private readonly file: string) {}

  /** Throws a StreamError where they are too many. */
  add(reading: Reading): void {
    this.open.push(reading);
    this.count++;
    this.textBytes += Buffer.byteLength(reading.text);
    checkHeld(this.file, this.count, this.textBytes);
    if (this.open.length === PACK) this.pack();
  }

  private pack(): void {
    const { open } = this;
    let end = 0;
    this.packs.push({
      lines: Uint32Array.from(open, ({ line }) => line),
      names: Uint32Array.from(open, ({ name }) => this.place(name)),
      ends: Uint32Array.from(open, ({ text }) => (end += Buffer.byteLength(text))),
      texts: Buffer.from(open.map(({ text }) => text).join("")),
    });
    this.times.push(Float64Array.from(open, ({ time }) => time));
    this.open = [];
  }

  private place(name: string): number {
    const known = this.places.get(name);
    if (known !== undefined) return known;
    this.places.set(name, this.names.length);
    return this.names.push(name) - 1;
  }

  /** Those of one time come in their order in the file. */
  *inTimeOrder(batch: number): Generator<Reading[]> {
    this.pack();
    const times = joined(this.times, this.count);
    this.times.length = 0;
    const order = sortedPlaces(times);
    for (let from = 0; from < order.length; from += batch)
      yield Array.from(order.subarray(from, from + batch), (at) => this.read(at, times[at]));
  }

  private read(place: number, time: number): Reading {
    const { lines, names, ends, texts } = this.packs[place >> PACK_BITS];
    const at = place & (PACK - 1);
    const text = texts.toString("utf8", at === 0 ? 0 : ends[at - 1], ends[at]);
    return { line: lines[at], time, name: this.names[names[at]], text };
  }
}

/** The places of times from the earliest on, equal ones in their order: a merge sort, whose memory is two places a time. */
function sortedPlaces(times: Float64Array): Uint32Array {
  const { length } = times;
  let order = new Uint32Array(length);
  let merged = new Uint32Array(length);
  for (let at = 0; at < length; at++) order[at] = at;
  for (let width = 1; width < length; width *= 2) {
    for (let from = 0; from < length; from += 2 * width) {
      const middle = Math.min(from + width, length);
      mergeRuns(times, order, merged, from, middle, Math.min(middle + width, length));
    }
    [order, merged] = [merged, order];
  }
  return order;
}

/** Merges two sorted runs of places, the second from `middle` to `end`, into the same range of `merged`. */
function mergeRuns(
  times: Float64Array,
  order: Uint32Array,
  merged: Uint32Array,
  from: number,
  middle: number,
  end: number,
): void {
  if (middle === end || times[order[middle - 1]] <= times[order[middle]]) {
    merged.set(order.subarray(from, end), from);
    return;
  }
  let left = from;
  let right = middle;
  for (let at = from; at < end; at++) {
    const isLeft = right === end || (left < middle && times[order[left]] <= times[order[right]]);
    merged[at] = isLeft ? order[left++] : order[right++];
  }
}

function joined(parts: readonly Float64Array[], length: number): Float64Array {
  const whole = new Float64Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
