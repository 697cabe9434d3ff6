import { type NodeOptions, nodeLayout, SensorNode } from "../../src/node/node.ts";
import type { RestoreStatus } from "../../src/store/checkpoint-store.ts";
import { arithmetic } from "../arithmetic.ts";
import type { Scores } from "../result.ts";
import { CurveRecorder } from "../scoring/curve.ts";
import { Scorer } from "../scoring/scorer.ts";

const LINK = { predicted() {}, acknowledge() {} };
const STORAGE = { save: () => false, load: (): RestoreStatus => "fresh" };
const CLOCK = { now: () => 0 };

/**
 * The same learner where nothing goes wrong: a node that is given each sample's label directly, right and at once. It is
 * no part of the network, but what the network is measured by.
 */
export class Shadow {
  readonly error: CurveRecorder;
  private readonly node: SensorNode;
  private readonly scorer: Scorer;
  private readonly label = { number: 0, sid: 0, seq: 0, y: 0 };

  constructor(
    options: NodeOptions,
    classes: readonly number[],
    stride: number,
    private readonly shape: ((mean: number) => number) | undefined,
  ) {
    const memory = arithmetic().allocate(nodeLayout(options));
    this.node = new SensorNode({ ...options, checkpointEvery: 0 }, CLOCK, LINK, STORAGE, memory);
    this.scorer = new Scorer(options.learner.task, classes);
    this.error = new CurveRecorder(stride);
    this.label.sid = options.sid;
  }

  /** @param y the truth as the learner takes it. */
  sample(readings: Float32Array, truth: number, y: number): void {
    const { node, label, error } = this;
    const decision = node.sample(readings);
    if (!Number.isNaN(decision)) {
      error.add(this.scorer.add(decision, truth));
      error.close(node.seq, this.shape);
    }
    label.number = label.seq = node.seq;
    label.y = y;
    node.label(label);
  }

  scores(): Scores {
    return this.scorer.scores();
  }
}
