import type { Task } from "../../src/learn/learner.ts";
import type { NodeLabels } from "../prequential/node-labels.ts";
import { scoredTruth } from "../scoring/scorer.ts";
import type { NewLabel } from "./label-book.ts";
import type { Mote } from "./mote.ts";

/**
 * The fusion centre as one node meets it. It takes the label that the node's surroundings report, or the one fused from all nodes' votes,
 * delays it, and hands it to the node's peer.
 */
export class FusionCentre {
  /** The labels under way, by the sample at which they go out, in the order in which they were issued. */
  private readonly waiting = new Map<number, NewLabel[]>();
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
    const delay = this.source.delay(now);
    if (mote.samples === this.numbered) return;
    this.numbered = mote.samples;
    if (Number.isNaN(truth) || !mote.wantsLabel) return;
    if (Number.isNaN(delay)) {
      mote.lose();
      return;
    }
    const { sid, seq } = mote.newest;
    const label = { sid, seq, y: scoredTruth(this.task, told), taken: now, right: told === truth };
    const due = now + Math.trunc(delay);
    const others = this.waiting.get(due);
    if (others) others.push(label);
    else this.waiting.set(due, [label]);
  }

  /** Hands over the labels whose time has come. */
  release(now: number): void {
    const labels = this.waiting.get(now);
    if (!labels) return;
    this.waiting.delete(now);
    for (const label of labels) this.mote.issue(label);
  }

  /** True if every label has come through. */
  get idle(): boolean {
    return this.waiting.size === 0 && this.mote.idle;
  }
}
