import type { Task } from "../../src/learn/learner.ts";
import { truthOf } from "../scoring/scorer.ts";
import type { NewLabel } from "./label-book.ts";
import type { Mote } from "./mote.ts";
import type { NodeLabels } from "./node-labels.ts";

/** The longest delay: it ends after every stream. */
const DELAY_MOST = (1 << 24) - 1;

/**
 * A label that waits for its time, and the next that waits for the same time; the last links to the first.
 */
interface Waiting extends NewLabel {
  sid: number;
  seq: number;
  y: number;
  taken: number;
  right: boolean;
  due: number;
  next: Waiting | undefined;
}

/**
 * The fusion centre as one node meets it. It takes the label that the node's surroundings report, or the one fused from all nodes' votes,
 * delays it, and hands it to the node's peer.
 */
export class FusionCentre {
  /** The last label of each sample at which some go out, by that sample modulo the length, a power of two. */
  private waiting: (Waiting | undefined)[] = [undefined];
  private waits = 0;
  /** Records of labels that were sent, for reuse. */
  private spare: Waiting | undefined;
  private numbered = 0;

  /** @param fused each sample's label by the votes of all; default: the node's own counts. */
  constructor(
    private readonly mote: Mote,
    private readonly source: NodeLabels,
    private readonly task: Task,
    private readonly fused?: ArrayLike<number>,
  ) {}

  /** Issues the label of the sample at `now`, if its truth is known, and hands over the labels whose time has come. */
  step(now: number, truth: number): void {
    const { source } = this;
    const told = Number.isNaN(truth) ? truth : source.corrupt(truth);
    this.label(now, this.fused ? this.fused[now] : told, truth);
    this.release(now);
  }

  /** Issues the label of the node's sample at `now`, if it took one. */
  private label(now: number, told: number, truth: number): void {
    const { mote } = this;
    const delay = this.source.delay();
    if (mote.samples === this.numbered) return;
    this.numbered = mote.samples;
    if (Number.isNaN(truth) || !mote.wantsLabel) return;
    if (Number.isNaN(delay)) {
      mote.lose();
      return;
    }
    const { sid, seq } = mote.newest;
    const label = this.blank();
    label.sid = sid;
    label.seq = seq;
    label.y = truthOf(this.task, told);
    label.taken = now;
    label.right = told === truth;
    this.hold(label, Math.min(delay, DELAY_MOST));
  }

  /** A label to be filled in. */
  private blank(): Waiting {
    const label = this.spare;
    if (!label) return { sid: 0, seq: 0, y: 0, taken: 0, right: false, due: 0, next: undefined };
    this.spare = label.next;
    return label;
  }

  private hold(label: Waiting, delay: number): void {
    if (delay >= this.waiting.length) this.widen(delay);
    label.due = label.taken + delay;
    const place = label.due & (this.waiting.length - 1);
    const last = this.waiting[place];
    label.next = last ? last.next : label;
    if (last) last.next = label;
    this.waiting[place] = label;
    this.waits++;
  }

  /** Makes room for that delay. */
  private widen(delay: number): void {
    const before = this.waiting;
    let { length } = before;
    while (length <= delay) length *= 2;
    this.waiting = new Array(length).fill(undefined);
    for (const last of before) if (last) this.waiting[last.due & (length - 1)] = last;
  }

  /** Hands over the labels whose time has come. */
  release(now: number): void {
    const place = now & (this.waiting.length - 1);
    const last = this.waiting[place];
    if (!last) return;
    this.waiting[place] = undefined;
    const first = last.next as Waiting;
    last.next = undefined;
    for (let label: Waiting | undefined = first; label; label = label.next) {
      this.mote.issue(label);
      this.waits--;
    }
    last.next = this.spare;
    this.spare = first;
  }

  /** Whether every label has come through. */
  get idle(): boolean {
    return this.waits === 0 && this.mote.idle;
  }
}
