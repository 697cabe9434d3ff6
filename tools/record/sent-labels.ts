import { LABEL_STATUS, type Label } from "../../src/node/ports.ts";
import type { Message } from "../../src/wire/messages.ts";

/** The node's report on its labels: an acknowledgement, or a credit, which names no label. */
export interface Answer {
  /** Number of the last label processed. */
  readonly labelled: number;
  readonly number?: number;
  readonly status?: number;
}

/** A label that the node processed. */
export interface AnsweredLabel extends Label {
  /**
   * Its status; undefined if its acknowledgement was lost, and a later message shows that it was processed.
   */
  readonly status?: string;
}

const STATUS_NAMES = Object.keys(LABEL_STATUS);
/** The label is processed later, or was before. */
const NOT_YET: readonly number[] = [LABEL_STATUS.held, LABEL_STATUS.duplicate, LABEL_STATUS.ahead];

/** Matches the labels sent to a node with its answers: an answer names its label by number alone. */
export class SentLabels {
  private readonly sent = new Map<number, Label>();
  private readonly statuses = new Map<number, string>();
  private labelled = 0;

  /** The node started: it has processed the labels up to this one, and takes later ones again. */
  restart(labelled: number): void {
    this.sent.clear();
    this.statuses.clear();
    this.labelled = labelled;
  }

  /** Notes a label sent to the node. */
  add({ number, sid, seq, y, source, confidence }: Message<"label">): void {
    if (number > this.labelled) this.sent.set(number, { number, sid, seq, y, source, confidence });
  }

  /** The labels that the node has answered since the last call, in their order. */
  answer({ number, status, labelled }: Answer): AnsweredLabel[] {
    if (number !== undefined && status !== undefined && !NOT_YET.includes(status))
      this.statuses.set(number, STATUS_NAMES[status]);
    this.labelled = Math.max(this.labelled, labelled);
    const numbers = [...this.sent.keys()].filter((next) => next <= labelled).sort((a, b) => a - b);
    return numbers.map((next) => this.take(next));
  }

  private take(number: number): AnsweredLabel {
    const label = this.sent.get(number) as Label;
    const status = this.statuses.get(number);
    this.sent.delete(number);
    this.statuses.delete(number);
    return { ...label, status };
  }
}
