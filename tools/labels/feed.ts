import { CERTAIN, type Label, SOURCE_UNTOLD } from "../../src/node/ports.ts";
import { installTag } from "../../src/peer/install.ts";
import type { DueLabel, LabelSource } from "../../src/peer/labels.ts";
import type { LabelTag } from "../../src/wire/label-tag.ts";
import { locateSample, SPANS_MAX, type Span } from "../fusion/spans.ts";
import type { Deliverables, DueInstall, DueItem } from "./supply.ts";

/** A node's position, as its peer knows it. */
interface Place {
  readonly sid: number;
  readonly seq: number;
  readonly labelled: number;
  readonly fed: boolean;
}

/**
 * Data with which another process can resume: the node's sessions, and the last sample received in the
 * newest.
 */
export interface FeedMemory {
  readonly spans: readonly Span[];
  readonly lastSeq: number;
}

/**
 * Gives a peer a supply's labels and samples when they are due, in the node's terms. A fed node takes the
 * source's samples by their numbers, in any session. A node with a sensor begins a new session when it
 * restarts: its samples are then the source's samples after the last known one, and labels for lost samples
 * keep their session. A label tagged by the source passes unchanged, since the source knows the sessions,
 * too.
 */
export class Feed<Item extends DueItem = DueLabel> implements LabelSource {
  private readonly spans: Span[];
  /** The last sample received in the newest span. */
  private lastSeq: number;

  private supply: Deliverables<Item> | undefined;
  /** The last install that was tagged, in this session. */
  private install: DueInstall | undefined;

  /**
   * @param place the node's present position.
   * @param labelTag tags labels that come without a tag, for a node that has a label key; default: they
   * aren't tagged.
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

  /** The source's number of the node's last sample. */
  get reached(): number {
    const newest = this.spans[this.spans.length - 1];
    return newest ? newest.first + this.lastSeq - newest.seq : 0;
  }

  /** Sets the source of further labels. */
  use(supply: Deliverables<Item>): void {
    const { labelled, seq, fed } = this.place();
    this.supply = supply;
    supply.goOn(labelled + 1, fed ? seq + 1 : null, this.spans);
  }

  restart(labelled: number): void {
    this.install = undefined;
    const { sid, seq, fed } = this.place();
    if (fed) this.spans.length = 0;
    const newest = this.spans[this.spans.length - 1];
    if (!newest) this.spans.push({ sid, first: 1, seq: 1 });
    else if (newest.sid !== sid) this.begin(sid, newest, seq + 1);
    this.lastSeq = seq;
    this.supply?.goOn(labelled + 1, fed ? seq + 1 : null, this.spans);
  }

  /** Begins a session after the newest one, or replaces that if it had no sample. */
  private begin(sid: number, newest: Span, seq: number): void {
    const first = newest.first + this.lastSeq - newest.seq + 1;
    if (first === newest.first) this.spans.pop();
    this.spans.push({ sid, first, seq });
    if (this.spans.length > SPANS_MAX) this.spans.shift();
  }

  at(number: number): Label | Exclude<Item, DueLabel> | undefined {
    const { sid, seq, labelled } = this.place();
    this.supply?.passed(labelled, seq);
    const label: DueItem | undefined = this.supply?.label(number);
    const newest = this.spans[this.spans.length - 1];
    if (!label || !newest) return undefined;
    if (newest.sid === sid) this.lastSeq = Math.max(this.lastSeq, seq);
    if (label.due > this.reached) return undefined;
    if ("model" in label) return this.taggedInstall(label, sid) as Exclude<Item, DueLabel>;
    if (label.tag) return { ...label, number };
    return this.addTag({ ...label, number, ...locateSample(this.spans, label.seq) });
  }

  private addTag(label: Label): Label {
    const { labelTag } = this;
    if (!labelTag) return label;
    const { source = SOURCE_UNTOLD, confidence = CERTAIN } = label;
    labelTag.compute({ ...label, source, confidence });
    return { ...label, tag: [labelTag.low, labelTag.high] };
  }

  private taggedInstall(install: DueInstall, sid: number): DueInstall {
    const { labelTag } = this;
    if (!labelTag) return install;
    if (this.install?.number !== install.number)
      this.install = { ...install, tag: installTag(labelTag, install, sid) };
    return this.install;
  }

  durable(number: number): void {
    this.supply?.durable(number);
  }
}
