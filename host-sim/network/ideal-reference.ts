import type { MemoryRange } from "../../src/memory/layout.ts";
import { type NodeOptions, nodeLearner } from "../../src/node/node-options.ts";
import { Features, featureDimension } from "../../src/signal/features.ts";
import { Prequential } from "../prequential/prequential.ts";
import { CurveRecorder } from "../scoring/curve.ts";
import type { Scores } from "../scoring/result.ts";
import { Scorer } from "../scoring/scorer.ts";
import type { NodeKind } from "./node-kind.ts";
import type { StartState } from "./start-state.ts";

/**
 * The same features and learner under ideal conditions: each sample's correct label comes at once. It isn't part of the network; the network
 * is measured against it.
 */
export class IdealReference {
  readonly error: CurveRecorder;
  private readonly features: Features;
  private readonly run: Prequential;
  private readonly scorer: Scorer;
  /** The feature vector: its word and a view of it. */
  private readonly vector: number;
  private readonly vectorView: Float32Array;
  private seq = 0;

  constructor(
    node: NodeOptions,
    kind: NodeKind,
    classes: readonly number[],
    stride: number,
    private readonly shape: ((mean: number) => number) | undefined,
    start?: StartState,
  ) {
    const { channels, features, learner } = node;
    const { options: given } = nodeLearner(node);
    const layout = kind.shadowLayout;
    const range = kind.shadowMemory();
    const dimension = featureDimension(channels, features);
    range.f32.bits.fill(0, range.state, range.state + layout.state);
    this.vector = layout.at("vector", range);
    this.vectorView = range.f32.words.subarray(this.vector, this.vector + dimension);
    this.features = new Features(layout, range, channels, features);
    this.run = new Prequential(learner.create({ ...given, memory: layout.within("learner", range) }));
    this.scorer = new Scorer(learner.task, classes);
    this.error = new CurveRecorder(stride);
    if (start) this.resume(start, kind, range);
  }

  /** Goes on from the features' and the learner's part of that state. */
  private resume({ words, seq }: StartState, { layout, shadowLayout }: NodeKind, to: MemoryRange): void {
    const node = { ...to, state: 0, counters: layout.state };
    for (const { name, kind, words: length } of shadowLayout.regions) {
      if (kind === "scratch") continue;
      const from = layout.at(name, node);
      to.f32.bits.set(words.subarray(from, from + length), shadowLayout.at(name, to));
    }
    this.seq = seq;
  }

  /** @param y the truth as the learner takes it. NaN: the sample passes without a label. */
  sample(readings: Float32Array, truth: number, y: number): void {
    const { error, vector } = this;
    this.seq++;
    if (!this.features.extract(readings, vector)) return;
    const decision = this.run.sample(this.vectorView, y);
    if (Number.isNaN(truth) || Number.isNaN(decision)) return;
    error.add(this.scorer.add(decision, truth));
    error.close(this.seq, this.shape);
  }

  scores(): Scores {
    return this.scorer.scores();
  }
}
