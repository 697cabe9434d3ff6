import type { Learner, Task } from "../../src/learn/learner.ts";
import { Catalogue } from "../catalogue/catalogue.ts";
import type { LabelOptions } from "../scenario/scenario.ts";
import { scoredTruth } from "../scoring/scorer.ts";
import { NodeLabels } from "./node-labels.ts";
import { type LabelFates, Prequential } from "./prequential.ts";

/** How labels come to a learner without a line: what a scenario says of them, and of the node that keeps their samples. */
export interface LabelPath {
  readonly labels: LabelOptions;
  /** Samples after its own before which no label can be known, as a forecast's. */
  readonly horizon: number;
  /** Samples that may wait for a label. */
  readonly pending: number;
  /** Names the random draws, with the seed: those of a simulated node of that place and index. */
  readonly place: string;
  readonly index: number;
  readonly seed: number;
}

/** A learner to run, or none; and the classes of the truth. */
interface RunParts {
  readonly learner?: Learner;
  readonly task: Task;
  readonly classes: readonly number[];
  /** Default: each label is right, and comes at once. */
  readonly path?: LabelPath;
  readonly catalogue?: Catalogue;
  /** Called with each label as it comes, in the truth's terms, and its sample's number from 0. */
  readonly received?: (label: number, number: number) => void;
}

/** A prequential run whose labels take a path: they come late, wrong or never, as a simulated node's do. */
export class LabelledRun {
  private readonly run: Prequential;
  private readonly source: NodeLabels | undefined;
  private readonly task: Task;
  private readonly horizon: number;
  private taken = 0;

  constructor({ learner, task, classes, path, catalogue = Catalogue.shipped, received }: RunParts) {
    const told = received && ((y: number, number: number) => received(scoredTruth(task, y), number));
    this.task = task;
    this.run = new Prequential(learner, { pending: path?.pending, received: told });
    this.horizon = path?.horizon ?? 0;
    if (path)
      this.source = new NodeLabels(catalogue, path.labels, classes, path.index, path.place, path.seed);
  }

  get labels(): LabelFates {
    return this.run.labels;
  }

  /** Predicts the next sample. `target` is its right label, NaN for a sample without one. */
  sample(x: Float32Array, target: number): number {
    const { source, task, horizon } = this;
    const number = this.taken++;
    if (!source) return this.run.sample(x, target);
    const told = Number.isNaN(target) ? target : scoredTruth(task, source.corrupt(scoredTruth(task, target)));
    return this.run.sample(x, told, source.delay(number, horizon));
  }

  /** Learns the labels that are still under way. */
  finish(): void {
    this.run.finish();
  }
}

/** The path of pass i: other draws each time. */
export function pathOfPass(path: LabelPath | undefined, pass: number): LabelPath | undefined {
  return path && { ...path, seed: path.seed + pass };
}
