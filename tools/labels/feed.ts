import { CERTAIN, type Label, SOURCE_UNTOLD } from "../../src/node/ports.ts";
import type { LabelSource } from "../../src/peer/labels.ts";
import type { LabelTag } from "../../src/wire/label-tag.ts";
import { placeOf, SPANS_MAX, type Span } from "../fusion/spans.ts";
import type { Supply } from "./supply.ts";

/** Where a node is, as its peer knows. */
interface Place {
  readonly sid: number;
  readonly seq: number;
  readonly labelled: number;
  readonly fed: boolean;
}

/** What another process needs to resume: the node's sessions, and the last sample heard of in the newest. */
export interface FeedMemory {
  readonly spans: readonly Span[];
  readonly lastSeq: number;
}

/**
 * Gives a peer what a supply has, when it is due, in the node's own terms. A node that is fed takes the source's samples
 * as they are numbered, in whatever session. One with a sensor goes on in a new session when it starts again: what it samples then are the
 * source's samples after the last one known of, and labels for those that it lost keep the session that they had. A label that the source
 * tagged goes as it is: the source knows the sessions, too.
 */
export class Feed implements LabelSource {
  private readonly spans: Span[];
  /** The last sample that was heard of in the newest span. */
  private lastSeq: number;

  private supply: Supply | undefined;

  /**
   * @param place where the node is now.
   * @param labelTag tags the labels that their source didn't, for a node that has a label key; default: they aren't tagged.
   * @param memory of an earlier process, to resume from; default: none.
   */
  constructor(
    private readonly place: () => Place,
    private readonly labelTag?: LabelTag,
    memory?: FeedMemory,
  ) {
    this.spans = [...(memory?.spans ?? [])];
    this.lastSeq = memory?.lastSeq ?? 0;
  }

  get memory(): FeedMemory {
    return { spans: this.spans, lastSeq: this.lastSeq };
  }

  /** From now on labels come from there. */
  use(supply: Supply): void {
    const { labelled, seq, fed } = this.place();
    this.supply = supply;
    supply.goOn(labelled + 1, fed ? seq + 1 : null, this.spans);
  }

  restart(labelled: number): void {
    const { sid, seq, fed } = this.place();
    if (fed) this.spans.length = 0;
    const newest = this.spans[this.spans.length - 1];
    if (!newest) this.spans.push({ sid, first: 1, seq: 1 });
    else if (newest.sid !== sid) this.begin(sid, newest, seq + 1);
    this.lastSeq = seq;
    this.supply?.goOn(labelled + 1, fed ? seq + 1 : null, this.spans);
  }

  /** A session begins after the newest one, in whose place it comes if that had no sample. */
  private begin(sid: number, newest: Span, seq: number): void {
    const first = newest.first + this.lastSeq - newest.seq + 1;
    if (first === newest.first) this.spans.pop();
    this.spans.push({ sid, first, seq });
    if (this.spans.length > SPANS_MAX) this.spans.shift();
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
    if (label.tag) return { ...label, number };
    return this.tagged({ ...label, number, ...placeOf(this.spans, label.seq) });
  }

  private tagged(label: Label): Label {
    const { labelTag } = this;
    if (!labelTag) return label;
    const { source = SOURCE_UNTOLD, confidence = CERTAIN } = label;
    labelTag.compute({ ...label, source, confidence });
    return { ...label, tag: [labelTag.low, labelTag.high] };
  }

  durable(number: number): void {
    this.supply?.durable(number);
  }
}
