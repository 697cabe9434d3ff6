import { REMARK } from "../../src/node/ports.ts";
import type { LiveRow } from "../api/api.ts";

/** The drawn value of a sample: its decision, or a reading by its place. */
export const DECISION = -1;
/** The size of the prediction set; upper and lower end of the interval. */
export const SET_SIZE = -2;
export const UPPER = -3;
export const LOWER = -4;

/** Rows behind the last among which one is looked for that comes in two parts. */
const RECENT = 256;

function setSize(remarks: number): number {
  if (remarks < 0 || (remarks & REMARK.set) === 0) return Number.NaN;
  return (remarks & REMARK.minus ? 1 : 0) + (remarks & REMARK.plus ? 1 : 0);
}

/** Samples of a node by column, in the order in which they came: of more than there is room for, the last ones. */
export class Columns {
  count = 0;
  private start = 0;
  private readonly times: Float64Array;
  private readonly sids: Uint32Array;
  private readonly seqs: Uint32Array;
  private readonly said: Int16Array;
  /** Decision, half width of its interval, readings: one row after the other. */
  private values = new Float32Array(0);
  private channelCount = 0;

  constructor(private readonly capacity: number) {
    this.times = new Float64Array(capacity);
    this.sids = new Uint32Array(capacity);
    this.seqs = new Uint32Array(capacity);
    this.said = new Int16Array(capacity);
  }

  static of(rows: readonly LiveRow[]): Columns {
    const columns = new Columns(Math.max(1, rows.length));
    for (const row of rows) columns.push(row);
    return columns;
  }

  get channels(): number {
    return this.channelCount;
  }

  clear(): void {
    this.count = 0;
  }

  /** Adds a sample, or its missing part. */
  push(row: LiveRow): void {
    const [time, sid, seq, , , x] = row;
    if (x && x.length !== this.channelCount) this.widen(x.length);
    const known = this.recent(sid, seq);
    if (known >= 0) {
      this.fill(this.place(known), row);
      return;
    }
    if (this.count === this.capacity) this.start = (this.start + 1) % this.capacity;
    else this.count++;
    const at = this.place(this.count - 1);
    this.times[at] = time;
    this.sids[at] = sid;
    this.seqs[at] = seq;
    this.said[at] = -1;
    this.values.fill(Number.NaN, at * this.stride, (at + 1) * this.stride);
    this.fill(at, row);
  }

  time(i: number): number {
    return this.times[this.place(i)];
  }

  sid(i: number): number {
    return this.sids[this.place(i)];
  }

  seq(i: number): number {
    return this.seqs[this.place(i)];
  }

  /** The node's remarks; -1: it didn't predict this one yet. */
  remarks(i: number): number {
    return this.said[this.place(i)];
  }

  /** NaN: there is none. @param k a reading's place, or one of those above. */
  value(i: number, k: number): number {
    const from = this.place(i) * this.stride;
    if (k >= 0) return k < this.channelCount ? this.values[from + 2 + k] : Number.NaN;
    if (k === DECISION) return this.values[from];
    if (k === SET_SIZE) return setSize(this.remarks(i));
    return this.values[from] + (k === UPPER ? 1 : -1) * this.values[from + 1];
  }

  /** Calls `visit` with time and value of each row from `first` on that has one, until it returns false. A plot does so for each picture. */
  scan(first: number, k: number, visit: (time: number, value: number) => boolean): void {
    const { times, values, stride, capacity, count } = this;
    const offset = k === DECISION ? 0 : k + 2;
    const direct = k >= DECISION && k < this.channelCount;
    for (let i = first, at = this.place(first); i < count; i++, at = at + 1 === capacity ? 0 : at + 1) {
      const value = direct ? values[at * stride + offset] : this.value(i, k);
      if (!Number.isNaN(value) && !visit(times[at], value)) return;
    }
  }

  /** The first row that isn't before that time. */
  firstAt(time: number): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.time(middle) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The row of that sample; -1: it isn't here. */
  find(sid: number, seq: number): number {
    for (let i = this.count - 1; i >= 0; i--) if (this.seq(i) === seq && this.sid(i) === sid) return i;
    return -1;
  }

  /** Milliseconds between two rows, in the mean. */
  get interval(): number {
    return this.count < 2 ? 0 : (this.time(this.count - 1) - this.time(0)) / (this.count - 1);
  }

  row(i: number): LiveRow {
    const x = Array.from({ length: this.channelCount }, (_, k) => this.value(i, k));
    const decision = this.value(i, DECISION);
    return [
      ...([this.time(i), this.sid(i), this.seq(i)] as const),
      ...([Number.isNaN(decision) ? null : decision, this.remarks(i), x] as const),
    ];
  }

  between(from: number, to: number): LiveRow[] {
    const rows: LiveRow[] = [];
    for (let i = this.firstAt(from); i < this.count && this.time(i) <= to; i++) rows.push(this.row(i));
    return rows;
  }

  private get stride(): number {
    return this.channelCount + 2;
  }

  private place(i: number): number {
    return (this.start + i) % this.capacity;
  }

  private recent(sid: number, seq: number): number {
    for (let i = this.count - 1; i >= Math.max(0, this.count - RECENT); i--) {
      const its = this.seq(i);
      if (its === seq && this.sid(i) === sid) return i;
      if (its < seq) return -1;
    }
    return -1;
  }

  private fill(at: number, [, , , decision, remarks, x, half]: LiveRow): void {
    const from = at * this.stride;
    if (remarks >= 0) {
      this.said[at] = remarks;
      this.values[from] = decision ?? Number.NaN;
    }
    if (half !== undefined) this.values[from + 1] = half;
    if (x) for (let k = 0; k < x.length; k++) this.values[from + 2 + k] = x[k];
  }

  /** Changes the number of readings; earlier samples keep only their decisions. */
  private widen(channels: number): void {
    const [before, stride] = [this.values, this.stride];
    this.channelCount = channels;
    this.values = new Float32Array(this.capacity * this.stride).fill(Number.NaN);
    for (let i = 0; i < this.count; i++) {
      const at = this.place(i);
      this.values.set(before.subarray(at * stride, at * stride + 2), at * this.stride);
    }
  }
}
