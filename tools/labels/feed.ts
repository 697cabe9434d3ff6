import type { Label } from "../../src/node/ports.ts";
import type { LabelSource } from "../../src/peer/labels.ts";
import type { Supply } from "./supply.ts";

/** Where a node is, as its peer knows. */
interface Place {
  readonly sid: number;
  readonly seq: number;
  readonly labelled: number;
  readonly fed: boolean;
}

/** A session's samples among the source's: its sample `seq` is the source's sample `first`, and so on. */
interface Span {
  readonly sid: number;
  readonly first: number;
  readonly seq: number;
}

/**
 * Gives a peer what a supply has, when it is due, in the node's own terms. A node that is fed takes the source's samples
 * as they are numbered. One with a sensor goes on in a new session when it starts again: what it samples then are the
 * source's samples after the last one known of, and labels for those that it lost keep the session that they had.
 */
export class Feed implements LabelSource {
  private readonly spans: Span[] = [];
  /** The last sample that was heard of in the newest span. */
  private lastSeq = 0;

  private supply: Supply | undefined;

  /** @param place where the node is now. */
  constructor(private readonly place: () => Place) {}

  /** From now on labels come from there. */
  use(supply: Supply): void {
    const { labelled, seq, fed } = this.place();
    this.supply = supply;
    supply.goOn(labelled + 1, fed ? seq + 1 : null);
  }

  restart(labelled: number): void {
    const { sid, seq, fed } = this.place();
    const newest = this.spans[this.spans.length - 1];
    if (!newest) this.spans.push({ sid, first: 1, seq: 1 });
    else if (newest.sid !== sid) {
      this.spans.push({ sid, first: newest.first + this.lastSeq - newest.seq + 1, seq: seq + 1 });
    }
    this.lastSeq = seq;
    this.supply?.goOn(labelled + 1, fed ? seq + 1 : null);
  }

  at(number: number): Label | undefined {
    const { sid, seq, labelled } = this.place();
    this.supply?.passed(labelled, seq);
    const label = this.supply?.label(number);
    const newest = this.spans[this.spans.length - 1];
    if (!label || !newest) return undefined;
    if (newest.sid === sid) this.lastSeq = Math.max(this.lastSeq, seq);
    const reached = newest.first + this.lastSeq - newest.seq;
    if (label.due > reached) return undefined;
    const span = this.spanOf(label.seq);
    return { number, sid: span.sid, seq: span.seq + label.seq - span.first, y: label.y };
  }

  private spanOf(seq: number): Span {
    let at = this.spans.length - 1;
    while (at > 0 && this.spans[at].first > seq) at--;
    return this.spans[at];
  }

  durable(number: number): void {
    this.supply?.durable(number);
  }
}
