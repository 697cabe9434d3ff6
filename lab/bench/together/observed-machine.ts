import { arithmetic } from "../../../host/arithmetic.ts";
import type { Lesson } from "../../../host/training/model.ts";
import { SensorNode } from "../../../src/node/node.ts";
import { nodeLayout } from "../../../src/node/node-layout.ts";
import type { NodeOptions } from "../../../src/node/node-options.ts";
import { LABEL_STATUS, type Label, NO_STORAGE } from "../../../src/node/ports.ts";
import { installWhole } from "../../../src/node/whole-install.ts";
import type { Fleet, Machine } from "./machines.ts";

const SID = 1;

/** A node without a line: what it reports stays here. */
export class Node {
  readonly node: SensorNode;
  private decision = 0;

  constructor(options: NodeOptions, learned?: (x: Float32Array) => void) {
    const link = {
      predicted: (_seq: number, _at: number, decision: number) => {
        this.decision = decision;
      },
      acknowledge() {},
      learned: (_number: number, x: Float32Array) => learned?.(x),
    };
    const memory = arithmetic().allocate(nodeLayout(options));
    this.node = new SensorNode(options, { now: () => 0 }, link, NO_STORAGE, memory);
  }

  /** Takes a sample; returns the decision. */
  sample(x: Float32Array): number {
    this.node.sample(x);
    return this.decision;
  }

  label(seq: number, y: number): void {
    const { node } = this;
    const label: Label = { number: node.labelled + 1, sid: SID, seq, y };
    if (node.label(label) !== LABEL_STATUS.applied) throw new Error(`label of sample ${seq} wasn't applied`);
  }

  install(model: Uint8Array): void {
    const { node } = this;
    if (installWhole(node, node.labelled + 1, model) !== LABEL_STATUS.applied)
      throw new Error(`a model of ${model.length} bytes wasn't applied`);
  }

  /** Takes over another's memory. */
  copy({ node: { range, layout } }: Node): void {
    const { f32, state } = this.node.range;
    f32.bits.set(range.f32.bits.subarray(range.state, range.state + layout.state), state);
  }
}

/** A machine, and the nodes that see it, each by itself: one alone, one that takes models, and others that begin from something. */
export class ObservedMachine {
  readonly nodes: readonly Node[];
  private readonly late: { readonly seq: number; readonly y: number }[] = [];
  private readonly x: Float32Array;
  private seq = 0;
  /** The label that the nodes learn. */
  private y = 0;

  /** @param taught called with each label and the features of its sample. */
  constructor(
    readonly machine: Machine,
    private readonly fleet: Fleet,
    options: readonly NodeOptions[],
    taught: (lesson: Lesson) => void,
  ) {
    this.x = new Float32Array(fleet.dimension);
    this.nodes = options.map((each) => new Node(each, (x) => taught({ x: x.slice(), y: this.y })));
    for (let i = 0; i < fleet.warmUp; i++) this.sample();
  }

  private sample(): number {
    const y = this.machine.next(this.x);
    for (const node of this.nodes) node.sample(this.x);
    this.seq++;
    return y;
  }

  /** Samples until the next label has come. */
  learn(): void {
    const { fleet, late, machine } = this;
    for (let isDone = false; !isDone; ) {
      const y = this.sample();
      if (this.seq % fleet.labelEvery === 0) late.push({ seq: this.seq, y: machine.label(y) });
      if (late.length === 0 || late[0].seq + fleet.delay > this.seq) continue;
      const { seq, y: label } = late.shift() as (typeof late)[0];
      this.y = label;
      for (const node of this.nodes) node.label(seq, label);
      isDone = true;
    }
  }
}
