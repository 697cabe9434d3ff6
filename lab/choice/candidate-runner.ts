import type { DataSet } from "../../host/streams/table.ts";
import type { Catalogue } from "../../host-sim/catalogue/catalogue.ts";
import { chooseFamily } from "../../host-sim/catalogue/learner-choice.ts";
import { type LabelPath, pathOfPass } from "../../host-sim/prequential/labelled-run.ts";
import { passUnlabelled, withoutLabels } from "../../host-sim/prequential/prequential.ts";
import { Scorer, scoredTruth, truthClasses } from "../../host-sim/scoring/scorer.ts";
import type { Learner } from "../../src/learn/learner.ts";
import type { FeaturesOption } from "../../src/signal/features.ts";
import {
  computeTargets,
  createLearner,
  labelledRun,
  memoryFor,
  type PreparedLearner,
  prepare,
} from "../evaluation/evaluation.ts";
import { computeMean, type Mean } from "../evaluation/mean.ts";
import { makeSamples, type Pass, runPass, type Samples, sampleOrder } from "../evaluation/one-pass.ts";
import { measureTrivial, type Trivial } from "../evaluation/trivial.ts";
import {
  acrossPasses,
  type Estimate,
  estimateLoss,
  type Losses,
  LossSums,
  stretchesOfStays,
  tailLosses,
} from "./noise.ts";
import { Readings } from "./readings.ts";

/**
 * A learner to try on the first `rows` samples of the order, in so many passes. Shuffled samples get a new
 * permutation in each pass; otherwise each pass starts at another place of the file, and wraps around at its
 * end. The first passes of a trial are those of every shorter one.
 */
export interface Trial {
  readonly learner: string;
  /** Those that don't follow from the data, beside the budget; others have their defaults. */
  readonly options: { readonly [name: string]: unknown };
  /** Features that its node makes of its readings; default: the readings. */
  readonly features?: FeaturesOption;
  /** Samples of its node that may wait for a label; default: the path's. */
  readonly pending?: number;
  /** Samples: all, unless the search was cut. */
  readonly rows: number;
  /** The best are tried in several passes, from as many places of the file. */
  readonly passes: number;
}

/** The order of the samples, the passes, the label of a novelty, and how labels come, as for `evaluate`. */
export interface Passes {
  readonly shuffle: number | null;
  readonly repeat: number;
  readonly novel?: string;
  /** True if each pass standardises the samples, in its order; default: they are scaled. */
  readonly standardises?: boolean;
  /** Readings of each sensor in a sample. Features may take the last of them. Default 1. */
  readonly readings?: number;
  readonly path?: LabelPath;
  /** True if the losses on each class count alike, however rare it is: a sample's counts in inverse proportion to its class's share. */
  readonly balanced?: boolean;
}

/** The last fifth of the samples, predicted without learning by the learner that knows those before. */
interface HeldBack {
  readonly frozen: Estimate;
  /** The same samples, learned after prediction. */
  readonly learning: Estimate;
}

/** A learner's result as it ran, with several classes maybe one-vs-all; each sample was predicted before it was learned. */
export interface TrialOutcome extends Pick<Trial, "learner" | "options" | "rows" | "passes"> {
  /** Mean over the passes, and deviation. Share of wrong classes, or mean squared error; null where it isn't finite. */
  readonly loss: Mean | null;
  /** Mean over the classes of the share predicted right, 0..1; null for a regression. */
  readonly balancedAccuracy: Mean | null;
  /** Stored vectors at the end of a pass. */
  readonly supportVectors: Mean | null;
  /** Updates of the first pass that were refused since a result wasn't finite. */
  readonly overflowed: number;
  /** Of the learner's state after the last pass that --repeat asks for: `evaluate` ends with it. */
  readonly stateHash: string;
  /** Of each pass. */
  readonly losses: readonly Losses[];
  /** Labels that the first pass had learned by the end of each stretch of its losses. */
  readonly learned: readonly number[];
  /** Null where it wasn't tried on all samples, or isn't finite. */
  readonly heldBack: HeldBack | null;
}

/** The share of the samples behind which the others are held back. */
const HELD_FROM = 0.8;

/** Where a pass starts, as a share of the file: van der Corput's sequence 0, 1/2, 1/4, 3/4, 1/8, ... fills it evenly, however long. */
function startShare(pass: number): number {
  let share = 0;
  for (let rest = pass, part = 0.5; rest > 0; rest >>= 1, part /= 2) share += part * (rest & 1);
  return share;
}

const isFiniteEstimate = ({ mean, standardError }: Estimate) => Number.isFinite(mean + standardError);

/** Tries learners on one data set, whose samples it prepares once for all of a kind. */
export class CandidateRunner {
  /** By task and rows. */
  private readonly samples = new Map<string, Samples>();
  /** The features, by their options and, where they follow from the order, by the pass. */
  private readonly rows = new Map<string, DataSet>();
  private readonly orders: Uint32Array[] = [];

  private readonly readings: Readings;

  constructor(
    private readonly catalogue: Catalogue,
    private readonly train: DataSet,
    private readonly order: Passes,
  ) {
    this.readings = new Readings(train, order.readings, order.standardises);
  }

  /** Throws a UserError or an OptionError for what the learner doesn't take. */
  try(trial: Trial): TrialOutcome {
    const { rows, passes } = trial;
    const prepared = this.prepareTrial(trial);
    const memory = memoryFor(prepared);
    const runs = Array.from({ length: passes }, (_, i) =>
      this.pass(trial, prepared, createLearner(prepared, memory), i),
    );
    const ran = runs.map(({ pass }) => pass);
    const [first] = ran;
    const loss = computeMean(
      this.order.balanced
        ? runs.map(({ losses }) => estimateLoss(losses).mean)
        : ran.map(({ cumulative }) => cumulative.mse ?? cumulative.error),
    );
    const held = runs.flatMap(({ heldBack }) => heldBack ?? []);
    return {
      learner: prepared.family.name,
      options: prepared.options,
      rows,
      passes,
      loss: loss && Number.isFinite(loss.mean + loss.sd) ? loss : null,
      balancedAccuracy: computeMean(ran.map(({ cumulative }) => cumulative.balancedAccuracy)),
      supportVectors: computeMean(ran.map(({ supportVectors }) => supportVectors)),
      overflowed: first.counters.overflowed,
      stateHash: ran[Math.min(this.order.repeat, passes) - 1].stateHash,
      losses: runs.map(({ losses }) => losses),
      learned: runs[0].learned,
      heldBack:
        held.length < passes
          ? null
          : {
              frozen: acrossPasses(held.map(({ frozen }) => frozen)),
              learning: acrossPasses(held.map(({ learning }) => learning)),
            },
    };
  }

  /** The baselines for the learner's task. */
  trivial(trial: Pick<Trial, "learner" | "options" | "features">): Trivial {
    const prepared = this.prepareTrial(trial);
    const seeds = Array.from({ length: this.order.repeat }, (_, i) => this.seed(i));
    const samples = this.samplesFor(trial, prepared, 0);
    return measureTrivial(prepared.task, seeds, samples, undefined, this.order, this.catalogue);
  }

  private prepareTrial({
    learner,
    options,
    features = {},
  }: Pick<Trial, "learner" | "options" | "features">): PreparedLearner {
    const family = chooseFamily(learner, this.catalogue);
    return prepare({ family, options, train: this.readings.shape(features) });
  }

  private path({ pending }: Trial, pass: number): LabelPath | undefined {
    const path = pathOfPass(this.order.path, pass);
    return path && { ...path, pending: pending ?? path.pending };
  }

  private seed(pass: number): number | null {
    const { shuffle } = this.order;
    return shuffle === null ? null : shuffle + pass;
  }

  /** The order of a pass, made once: it is as long as the file, however short a prefix is tried. */
  private passOrder(count: number, pass: number): Uint32Array {
    this.orders[pass] ??= this.makeOrder(count, pass);
    return this.orders[pass];
  }

  private makeOrder(count: number, pass: number): Uint32Array {
    const order = sampleOrder(count, this.seed(pass));
    if (this.order.shuffle !== null) return order;
    const start = Math.floor(startShare(pass) * count);
    return order.map((_, place) => (start + place) % count);
  }

  private samplesFor(
    { features = {} }: Pick<Trial, "features">,
    prepared: PreparedLearner,
    pass: number,
  ): Samples {
    const { train, order } = this;
    const { task, classes } = prepared;
    const key = `${task}/${this.rowsKey(features, pass)}`;
    const made = this.samples.get(key);
    if (made) return made;
    const targets = computeTargets(train, prepared, { train, novel: order.novel });
    const samples = makeSamples(this.passRows(features, pass), targets, classes?.count ?? 2);
    if (this.keeps(features, pass)) this.samples.set(key, samples);
    return samples;
  }

  /** True if all trials share a pass's samples. Features of later passes are made anew for each: together they would be many files. */
  private keeps(features: FeaturesOption, pass: number): boolean {
    return pass === 0 || this.readings.areBare(features);
  }

  /** Names the rows that a pass's learners get. */
  private rowsKey(features: FeaturesOption, pass: number): string {
    return this.readings.areBare(features) ? "" : `${JSON.stringify(features)}/${pass}`;
  }

  /** The samples as the pass's learners get them. */
  private passRows(features: FeaturesOption, pass: number): DataSet {
    const key = this.rowsKey(features, pass);
    const order = () => this.passOrder(this.train.count, pass);
    const rows = this.rows.get(key) ?? this.readings.makeFeatures(features, order());
    if (this.keeps(features, pass)) this.rows.set(key, rows);
    return rows;
  }

  private pass(trial: Trial, prepared: PreparedLearner, learner: Learner, number: number) {
    const { rows } = trial;
    const samples = this.samplesFor(trial, prepared, number);
    const seed = this.seed(number);
    const run = labelledRun(learner, samples.classes, this.path(trial, number), this.catalogue);
    const all = this.passOrder(samples.count, number);
    const order = all.subarray(0, rows);
    const isLabelled = (row: number) => !Number.isNaN(samples.targets[row]);
    const scored = order.filter(isLabelled);
    const { length: labels } = scored;
    const stretches = stretchesOfStays(Array.from(scored, (row) => samples.targets[row]));
    const losses = new LossSums(labels, stretches);
    const weights = this.order.balanced ? classWeights(samples) : undefined;
    const weigh = (loss: number, row: number) => loss * (weights?.get(samples.targets[row]) ?? 1);
    const labelled = all.filter(isLabelled);
    const held = labelled.subarray(Math.floor(HELD_FROM * labelled.length));
    const learned = rows === all.length && held.length < labels ? labels - held.length : undefined;
    const learnedBy: number[] = [];
    let frozen: Estimate | undefined;
    const pass: Pass = runPass(learner, run, samples, order, seed, undefined, {
      scored(place, loss) {
        learnedBy[losses.add(place, weigh(loss, scored[place]))] = run.labels.applied;
        if (place + 1 === learned) frozen = frozenOn(learner, samples, held, weigh);
      },
    });
    const learning = estimateLoss(tailLosses(losses, HELD_FROM));
    const isKnown = frozen && isFiniteEstimate(frozen) && isFiniteEstimate(learning);
    const heldBack = frozen && isKnown ? { frozen, learning } : undefined;
    const { sums, counts, stays } = losses; // which can go to another thread
    return { pass, losses: { sums, counts, stays }, learned: learnedBy, heldBack };
  }
}

/** The present learner's loss on labelled samples, as a node's to which no label comes. */
function frozenOn(
  learner: Learner,
  { classes, input, targets }: Samples,
  rows: Uint32Array,
  weigh: (loss: number, row: number) => number,
): Estimate {
  const { task } = learner;
  const scorer = new Scorer(task, truthClasses(task, classes));
  const losses = new LossSums(rows.length);
  withoutLabels(learner, () =>
    rows.forEach((row, place) => {
      const loss = scorer.add(passUnlabelled(learner, input(row)), scoredTruth(task, targets[row]));
      losses.add(place, weigh(loss, row));
    }),
  );
  return estimateLoss(losses);
}

/** By the class, its mean share over its own: losses so weighed have the mean of the classes' mean losses. */
function classWeights({ targets }: Samples): Map<number, number> {
  const counts = new Map<number, number>();
  const labelled = targets.filter((target) => !Number.isNaN(target));
  for (const target of labelled) counts.set(target, (counts.get(target) ?? 0) + 1);
  return new Map([...counts].map(([target, count]) => [target, labelled.length / (counts.size * count)]));
}
