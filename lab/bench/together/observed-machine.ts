import { arithmetic } from "../../../host/arithmetic.ts";
import { FIRST_ASKED, SURE } from "../../../host/training/first-asked.ts";
import type { Lesson } from "../../../host/training/model.ts";
import { SensorNode } from "../../../src/node/node.ts";
import { nodeLayout } from "../../../src/node/node-layout.ts";
import type { NodeOptions } from "../../../src/node/node-options.ts";
import { LABEL_STATUS, type Label, NO_STORAGE } from "../../../src/node/ports.ts";
import { installWhole } from "../../../src/node/whole-install.ts";
import type { Fleet, Machine } from "./machines.ts";

const SID = 1;
/** Samples among which one is chosen whose label is asked for. */
const ASKED_AMONG = 20;

interface SampleLabel {
  readonly seq: number;
  readonly y: number;
}

interface Seen extends SampleLabel {
  /** Of the node that takes models. */
  readonly decision: number;
}

/** A larger one is surer; one below `SURE` isn't. */
function sureness({ decision }: Seen): number {
  const size = Math.abs(decision);
  return size < SURE ? 0 : size;
}

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
  private readonly late: SampleLabel[] = [];
  private readonly x: Float32Array;
  private seq = 0;
  /** The label that the nodes learn. */
  private y = 0;
  /** Labels that are still to be asked for. */
  private toAsk: number;

  /**
   * @param taught called with each label and the features of its sample.
   * @param asks true if the first labels of the node that takes models are asked for, one at a time, as `FIRST_ASKED` says
   */
  constructor(
    readonly machine: Machine,
    private readonly fleet: Fleet,
    options: readonly NodeOptions[],
    taught: (lesson: Lesson) => void,
    asks = false,
  ) {
    this.x = new Float32Array(fleet.dimension);
    this.nodes = options.map((each) => new Node(each, (x) => taught({ x: x.slice(), y: this.y })));
    for (let i = 0; i < fleet.warmUp; i++) this.sample();
    this.toAsk = asks ? FIRST_ASKED : 0;
  }

  private sample(): Seen {
    const y = this.machine.next(this.x);
    const [, decision = 0] = this.nodes.map((node) => node.sample(this.x));
    return { seq: ++this.seq, y, decision };
  }

  /** Samples until the next label has come. */
  learn(): void {
    if (this.toAsk > 0) {
      this.toAsk--;
      this.learnAsked();
      return;
    }
    const { fleet, late, machine } = this;
    for (let isDone = false; !isDone; ) {
      const { seq, y } = this.sample();
      if (seq % fleet.labelEvery === 0) late.push({ seq, y: machine.label(y) });
      if (late.length === 0 || late[0].seq + fleet.delay > seq) continue;
      const label = late.shift() as SampleLabel;
      this.label(label, label);
      isDone = true;
    }
  }

  /** The surest sample is labelled, or the last one if none is sure; at the other nodes the last one. */
  private learnAsked(): void {
    const { fleet, machine } = this;
    const seen = Array.from({ length: ASKED_AMONG }, () => this.sample());
    const last = seen[ASKED_AMONG - 1];
    const asked = seen.reduceRight((a, b) => (sureness(b) > sureness(a) ? b : a));
    for (let i = 0; i < fleet.delay; i++) this.sample();
    const rightness = machine.label(1);
    this.label({ ...last, y: rightness * last.y }, { ...asked, y: rightness * asked.y });
  }

  private label(usual: SampleLabel, asked: SampleLabel): void {
    this.nodes.forEach((node, kind) => {
      const { seq, y } = kind === 1 ? asked : usual;
      this.y = y;
      node.label(seq, y);
    });
  }
}
