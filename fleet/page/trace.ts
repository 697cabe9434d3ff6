import type { KeptLabel, LiveAnswer, LiveEvent, LiveLabel, LiveRow, NodeHistory } from "../api/api.ts";
import { Columns, DECISION } from "./columns.ts";

const ROWS_MAX = 1 << 15;
/** So many rows that come live first may be in the history, too. */
const SEAM = 64;
const LABELS_MAX = 2000;
const EVENTS_MAX = 500;

export interface SampleName {
  readonly sid: number;
  readonly seq: number;
}

/** A label where it is drawn: at its sample. */
export interface PlacedLabel extends LiveLabel {
  readonly sampled: number;
  readonly decision: number | null;
  status?: number | null;
}

/** A page's data of one node: live rows, and the last requested stretch of the history. */
export class Trace {
  readonly live: Columns;
  base = new Columns(1);
  labels: PlacedLabel[] = [];
  events: LiveEvent[] = [];
  /** Changes with each new item. */
  version = 0;

  constructor(rows = ROWS_MAX) {
    this.live = new Columns(rows);
  }

  /** Older rows, then newer ones. */
  get parts(): readonly Columns[] {
    return [this.base, this.live];
  }

  get channels(): number {
    return Math.max(this.base.channels, this.live.channels);
  }

  /** Takes live rows. The history, read a moment earlier, may have a sample already that now comes live. */
  rows(rows: readonly LiveRow[]): void {
    const { base, live } = this;
    for (const row of rows) (live.count < SEAM && base.find(row[1], row[2]) >= 0 ? base : live).push(row);
    this.version++;
  }

  label(label: LiveLabel): void {
    const { sid, seq } = label;
    for (const part of this.parts) {
      const i = part.find(sid, seq);
      if (i < 0) continue;
      const [sampled, , , decision] = part.row(i);
      this.labels = [...this.labels, { ...label, sampled, decision }].slice(-LABELS_MAX);
      this.version++;
      return;
    }
  }

  answer({ sid, seq, status }: LiveAnswer): void {
    const label = this.labels.find((each) => each.seq === seq && each.sid === sid);
    if (label) label.status = status;
    this.version++;
  }

  event(event: LiveEvent): void {
    this.events = [...this.events, event].slice(-EVENTS_MAX);
    this.version++;
  }

  /** Takes over the requested rows; live ones stay. */
  history({ rows, labels, events }: NodeHistory): void {
    const { live } = this;
    const first = live.count > 0 ? live.time(0) : Number.POSITIVE_INFINITY;
    // The two clocks may differ by a millisecond about the same sample.
    const seam = new Set(Array.from({ length: Math.min(live.count, SEAM) }, (_, i) => live.seq(i)));
    this.base = Columns.of(rows.filter(([time, , seq]) => time <= first && !seam.has(seq)));
    const known = new Set(labels.map(({ sid, seq }) => `${sid} ${seq}`));
    const last = labels.at(-1)?.time ?? 0;
    const newer = this.labels.filter((label) => label.time > last && !known.has(`${label.sid} ${label.seq}`));
    this.labels = [...(labels as KeptLabel[]), ...newer];
    const lastEvent = events.at(-1)?.time ?? 0;
    this.events = [...events, ...this.events.filter(({ time }) => time > lastEvent)];
    this.version++;
  }

  /** The last sample up to a time that has a decision; undefined: the newest of all. */
  sampleAt(time: number | undefined): SampleName | undefined {
    for (const part of [...this.parts].reverse()) {
      let i = (time === undefined ? part.count : part.firstAt(time + 1)) - 1;
      while (i >= 0 && Number.isNaN(part.value(i, DECISION))) i--;
      if (i >= 0) return { sid: part.sid(i), seq: part.seq(i) };
    }
    return undefined;
  }

  /** The newest session that has a sample of that number here. */
  findSession(seq: number): number | undefined {
    for (const part of [...this.parts].reverse())
      for (let i = part.count - 1; i >= 0; i--) if (part.seq(i) === seq) return part.sid(i);
    return undefined;
  }

  /** Rows between two times, older first. */
  between(from: number, to: number): LiveRow[] {
    return this.parts.flatMap((part) => part.between(from, to));
  }
}
