import { SensorNode } from "../../src/node/node.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { NO_STORAGE } from "../../src/node/ports.ts";
import { installWhole } from "../../src/node/whole-install.ts";
import type { FedSample } from "../../src/peer/samples.ts";
import type { DueItem } from "./supply.ts";

/** Where a mirror finds what the node received. */
export interface MirrorSource {
  label(number: number): DueItem | undefined;
  sample(seq: number): FedSample | undefined;
}

/** True if a node's learner and this machine's end in the same state; or why they aren't compared. */
export type Compared =
  | { readonly same: boolean; readonly stateHash: string }
  | { readonly same?: undefined; readonly why: string };

/**
 * A node in this machine that takes the samples and labels of another node, in its order, as far as the other node's messages tell that. So it must
 * end in the same state. It takes each once: what a restarted node takes again leads to the same state again.
 */
export class Mirror {
  private readonly node: SensorNode;
  /** Why it can't go on. */
  private stuck: string | undefined;
  /** True if it had to guess an order. */
  private isGuessed = false;

  /**
   * @param options the other node's.
   * @param learnedBefore whether the other node had learned from labels before the first that this one takes.
   */
  constructor(
    private readonly options: NodeOptions,
    private readonly source: MirrorSource,
    private readonly learnedBefore: boolean,
  ) {
    this.node = new SensorNode(options, { now: () => 0 }, { predicted() {}, acknowledge() {} }, NO_STORAGE);
  }

  /** The node took its samples up to `seq`. */
  sampled(seq: number): void {
    if (seq > this.node.seq + 1) this.isGuessed = true;
    while (!this.stuck && this.node.seq < seq) this.takeSample();
  }

  /** The node answered its labels up to `number`. */
  labelled(number: number): void {
    if (number > this.node.labelled + 1) this.isGuessed = true;
    while (!this.stuck && this.node.labelled < number) this.takeLabel();
  }

  private takeSample(): void {
    const { node, source } = this;
    const sample = source.sample(node.seq + 1);
    if (!sample) {
      this.stuck = `sample ${node.seq + 1} isn't known here`;
      return;
    }
    if (sample.after !== undefined && sample.after > node.labelled) this.labelled(sample.after);
    if (!this.stuck) node.sample(Float32Array.from(sample.x));
  }

  private takeLabel(): void {
    const { node, source } = this;
    const label = source.label(node.labelled + 1);
    if (!label) {
      this.stuck = `label ${node.labelled + 1} isn't known here`;
      return;
    }
    if (label.due > node.seq) this.sampled(label.due);
    if (this.stuck) return;
    if ("model" in label) installWhole(node, label.number, label.model);
    else node.label({ ...label, number: node.labelled + 1, sid: node.sid, y: Math.fround(label.y) });
  }

  /** True if the order of samples and labels matters to the learner's state. */
  private get isOrdered(): boolean {
    return (
      this.node.learner.layout.regions.some(({ name }) => name === "note") || this.options.drift === "restart"
    );
  }

  /** Compares it to the node, which is in that state. */
  compare(state: { readonly seq: number; readonly labelled: number; readonly stateHash: string }): Compared {
    this.labelled(state.labelled);
    this.sampled(state.seq);
    const stateHash = this.node.learner.stateHash();
    if (!this.stuck && stateHash === state.stateHash) return { same: true, stateHash };
    if (this.learnedBefore) return { why: "the node had learned before from labels that aren't known here" };
    if (this.stuck) return { why: this.stuck };
    if (this.isGuessed && this.isOrdered)
      return {
        why: "the order in which the node took samples and labels isn't known, and its learner depends on it",
      };
    return { same: false, stateHash };
  }
}
