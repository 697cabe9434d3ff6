import type { GivenLabel } from "./label-rows.ts";

/**
 * Labels in a checkpoint that are still remembered, since a labeller without an answer sends its label again
 * after a gateway died.
 */
const RECENT = 64;
/** Labels of one node that may wait: all must fit one record, of 1 MB at most. */
export const WAITING_MAX = 2000;

/** A label as the log has it; `number` is null until the node was met. */
export interface LoggedLabel extends GivenLabel {
  readonly number: number | null;
}

/** The place from which each source of a node's labels resumes, by the source's name. The log holds the labels before it. */
export type Places = Readonly<Record<string, string>>;

/** One message of a node's log. */
export type LogRecord =
  /** That gateway holds the node from here on, and has read everything before. */
  | { readonly is: "taken" | "read"; readonly by: string }
  /** These labels are new, or have a new number; labels up to `durable` lie in a checkpoint; the labels of `gone` wait no longer. */
  | {
      readonly is: "change";
      readonly durable: number;
      readonly labels: readonly LoggedLabel[];
      readonly gone?: readonly string[];
      /** Those that changed. */
      readonly places?: Places;
    }
  /** A summary of all messages before. */
  | {
      readonly is: "whole";
      readonly durable: number;
      readonly labels: readonly LoggedLabel[];
      readonly recent: readonly LoggedLabel[];
      readonly places?: Places;
    };

const sampleKey = ({ sid, seq }: { readonly sid: number; readonly seq: number }) => `${sid} ${seq}`;

/** The labels of one node that aren't in a checkpoint, with their numbers, as its log's records say. */
export class LabelLog {
  /** The last label known to be in a checkpoint. */
  durable = 0;
  /** The last labels that lie in a checkpoint. */
  recent: readonly LoggedLabel[] = [];
  places: Places = {};
  private readonly waiting = new Map<string, LoggedLabel>();

  get labels(): readonly LoggedLabel[] {
    return [...this.waiting.values()];
  }

  apply(record: LogRecord): void {
    if (!("durable" in record)) return;
    if (record.is === "whole") {
      this.waiting.clear();
      this.recent = record.recent;
    } else for (const key of record.gone ?? []) this.waiting.delete(key);
    this.places = { ...this.places, ...record.places };
    this.durable = record.durable;
    for (const label of record.labels) this.put(label);
    for (const [key, { number }] of this.waiting)
      if (number !== null && number <= record.durable) this.finish(key);
  }

  /** The record after which exactly these labels wait; undefined: they do already. */
  change(durable: number, labels: readonly LoggedLabel[], places: Places = {}): LogRecord | undefined {
    const kept = new Set(labels.map(sampleKey));
    const news = labels.filter((label) => this.waiting.get(sampleKey(label))?.number !== label.number);
    const gone = [...this.waiting.keys()].filter((key) => {
      const number = this.waiting.get(key)?.number ?? Number.POSITIVE_INFINITY;
      return !kept.has(key) && number > durable;
    });
    const moved = Object.entries(places).filter(([source, place]) => this.places[source] !== place);
    if (news.length === 0 && gone.length === 0 && moved.length === 0) return undefined;
    return {
      is: "change",
      durable,
      labels: news,
      ...(gone.length > 0 && { gone }),
      ...(moved.length > 0 && { places: Object.fromEntries(moved) }),
    };
  }

  get whole(): LogRecord {
    const { durable, labels, recent, places } = this;
    return { is: "whole", durable, labels, recent, places };
  }

  /** A number belongs to one label: its previous label was never answered. */
  private put(label: LoggedLabel): void {
    if (label.number !== null)
      for (const [key, { number }] of this.waiting) if (number === label.number) this.waiting.delete(key);
    this.waiting.set(sampleKey(label), label);
  }

  private finish(key: string): void {
    const label = this.waiting.get(key);
    if (!label) return;
    this.waiting.delete(key);
    this.recent = [...this.recent, label].slice(-RECENT);
  }
}
