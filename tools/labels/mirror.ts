import { loneNode } from "../../host-sim/state/lone-node.ts";
import type { SensorNode } from "../../src/node/node.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { installWhole } from "../../src/node/whole-install.ts";
import type { FedSample } from "../../src/peer/samples.ts";
import type { DueItem } from "./supply.ts";

/** Where a mirror finds what the node received. */
export interface MirrorSource {
  label(number: number): DueItem | undefined;
  sample(seq: number): FedSample | undefined;
}

/** Whether a node's learner and this machine's end in the same state, or why they are not compared. */
export type MirrorVerdict =
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
  /** The last label that the other node told, and which kind it told last. */
  private labels = 0;
  private last: "sample" | "label" | undefined;
  /** True if it had to guess an order: a message between a sample and a label was lost. */
  private isGuessed = false;

  /**
   * @param options the other node's.
   * @param samples the last sample that the other node told; it came before the first label that this one takes.
   * @param learnedBefore whether the other node had learned from labels before that one.
   */
  constructor(
    private readonly options: NodeOptions,
    private readonly source: MirrorSource,
    private samples: number,
    private readonly learnedBefore: boolean,
  ) {
    this.node = loneNode(options);
  }

  /** The node took sample `seq` now. Where the source doesn't know it yet, it is taken with the next label. */
  sampled(seq: number): void {
    if (seq <= this.samples) return;
    if (this.last === "label" && seq > this.samples + 1) this.isGuessed = true;
    this.last = "sample";
    this.samples = seq;
    this.takeSamples(seq);
  }

  /** The node answered label `number` now. */
  labelled(number: number): void {
    if (number <= this.labels) return;
    if (this.last === "sample" && number > this.labels + 1) this.isGuessed = true;
    this.last = "label";
    this.labels = number;
    this.needSamples(this.samples);
    this.takeLabels(number);
  }

  /** The node is there now. What it hadn't told by then came at a time that isn't known. */
  reached(seq: number, labelled: number): void {
    const [samples, labels] = [seq > this.samples, labelled > this.labels];
    if (samples && (labels || this.last === "label")) this.isGuessed = true;
    if (labels && this.last === "sample") this.isGuessed = true;
    this.labelled(labelled);
    this.sampled(seq);
  }

  /** Takes the samples up to `seq`, as far as they are known. */
  private takeSamples(seq: number): void {
    const { node, source } = this;
    while (!this.stuck && node.seq < seq) {
      const sample = source.sample(node.seq + 1);
      if (!sample) return;
      if (sample.after !== undefined) this.takeLabels(sample.after);
      if (!this.stuck) node.sample(Float32Array.from(sample.x));
    }
  }

  private needSamples(seq: number): void {
    this.takeSamples(seq);
    if (this.node.seq < seq) this.stuck ??= `sample ${this.node.seq + 1} isn't known here`;
  }

  private takeLabels(number: number): void {
    while (!this.stuck && this.node.labelled < number) this.takeLabel();
  }

  private takeLabel(): void {
    const { node, source } = this;
    const label = source.label(node.labelled + 1);
    if (!label) {
      this.stuck = `label ${node.labelled + 1} isn't known here`;
      return;
    }
    if (label.due > this.samples) this.isGuessed = true;
    this.needSamples(label.due);
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
  compare(state: {
    readonly seq: number;
    readonly labelled: number;
    readonly stateHash: string;
  }): MirrorVerdict {
    this.reached(state.seq, state.labelled);
    this.needSamples(state.seq);
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
