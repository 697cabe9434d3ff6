import { arithmetic } from "../../host/arithmetic.ts";
import { Random } from "../../host/random.ts";
import { Confusion } from "../../host-sim/scoring/confusion.ts";
import { loneNode } from "../../host-sim/state/lone-node.ts";
import { type Family, withBudget } from "../../src/learn/family.ts";
import { decidedClass, type Task } from "../../src/learn/learner.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { normals } from "../experiments/lib/drawing.ts";
import { meanWithError } from "../sweep/statistics/statistics.ts";

/**
 * The stream: samples and channels. The fault begins at AT; the score covers so many samples, so long after
 * its end.
 */
export const SAMPLES = 2500;
const CHANNELS = 4;
const AT = 1000;
const AFTER = 500;
const SCORED = 500;
/** Length of a lasting fault in samples. */
const LONG = 500;
const ALTERNATING = 200;
/** Samples between a sample and its label. */
const DELAY = 30;
const BUDGET = 32;
/** Width of the Gaussian kernels, which suits four standardised readings. */
const SIGMA = 2;
const PERSISTENCE = 20;
/** Half the distance of the class means in each of four readings: the best rule classifies 90 % correctly. */
const HALF_DISTANCE = 0.64;
const NOVELTY_SHARE = 0.1;
const NOVELTY_DISTANCE = 4;
const NOISE = 0.1;

/** One node's input: readings, received labels, and the truth. */
interface Course {
  readonly readings: Float32Array[];
  readonly labels: number[];
  readonly truths: readonly number[];
}

/** One way in which readings or labels go wrong. */
export interface Fault {
  readonly name: string;
  readonly doc: string;
  /** The node's options that aren't defaults: its features, its ranges. Default: it standardises. */
  readonly node?: Partial<NodeOptions>;
  /** The tasks that it applies to; default all. */
  readonly tasks?: readonly Task[];
  /** Injects the fault. Returns the first sample after it. */
  inject(course: Course, task: Task): number;
}

/** A fault's cost for a learner: error added, or balanced accuracy lost, 500 samples after its end. */
interface FaultCost {
  readonly fault: string;
  /**
   * Mean over the seeds and its standard error; undefined where the fault doesn't apply to the learner's
   * task.
   */
  readonly mean?: number;
  readonly error?: number;
}

export interface FaultRow {
  readonly learner: string;
  readonly task: Task;
  /**
   * The undisturbed twin's mean score: balanced accuracy, or root mean square error in deviations of the
   * target.
   */
  readonly undisturbed: number;
  readonly costs: readonly FaultCost[];
}

const STANDARDISED: Partial<NodeOptions> = { features: { standardise: true } };
const RAW: Partial<NodeOptions> = {};

function spike(course: Course, size: number, from = AT, samples = 1): number {
  for (let t = from; t < from + samples; t++) course.readings[t][0] = size;
  return from + samples;
}

function hugeLabel({ labels }: Course): number {
  labels[AT] = 1e20;
  return AT + DELAY;
}

/** Every fault of the battery, in the order of the table. */
export const FAULTS: readonly Fault[] = [
  {
    name: "glitch",
    doc: "one reading of 65535",
    inject: (course) => spike(course, 65535),
  },
  {
    name: "burst",
    doc: "five readings of 65535",
    inject: (course) => spike(course, 65535, AT, 5),
  },
  {
    name: "raw glitch",
    doc: "one reading of 10000, no standardisation",
    node: RAW,
    inject: (course) => spike(course, 10000),
  },
  {
    name: "in ranges",
    doc: "the same, and the node knows the range of its readings",
    node: { ranges: Array.from({ length: CHANNELS }, () => [-100, 100] as const) },
    inject: (course) => spike(course, 10000),
  },
  {
    name: "constant start",
    doc: `every channel constant for the first ${LONG} samples`,
    inject({ readings }) {
      for (let t = 0; t < LONG; t++) readings[t].fill(1);
      return LONG;
    },
  },
  {
    name: "stuck",
    doc: `one channel stuck for ${LONG} samples`,
    inject({ readings }) {
      for (let t = AT; t < AT + LONG; t++) readings[t][0] = readings[AT - 1][0];
      return AT + LONG;
    },
  },
  {
    name: "offset step",
    doc: "one channel 8 higher from then on",
    inject({ readings }) {
      for (let t = AT; t < SAMPLES; t++) readings[t][0] += 8;
      return AT;
    },
  },
  {
    name: "gain step",
    doc: "every channel three times as large from then on",
    inject({ readings }) {
      for (let t = AT; t < SAMPLES; t++) for (let c = 0; c < CHANNELS; c++) readings[t][c] *= 3;
      return AT;
    },
  },
  {
    name: "huge label",
    doc: "one label of 1e20",
    tasks: ["regression"],
    inject: hugeLabel,
  },
  {
    name: "in labelRange",
    doc: "the same, and the node knows the range of its labels",
    node: { ...STANDARDISED, labelRange: [-10, 10] },
    tasks: ["regression"],
    inject: hugeLabel,
  },
  {
    name: "alternating",
    doc: `${ALTERNATING} labels that alternate`,
    inject({ labels }, task) {
      const size = task === "regression" ? 3 : 1;
      for (let t = AT; t < AT + ALTERNATING; t++) labels[t] = t % 2 === 0 ? size : -size;
      return AT + ALTERNATING + DELAY;
    },
  },
];

/** A stream for a task: two persistent classes; a smooth target; a cloud with novelties beside it. */
function course(task: Task, seed: number): Course {
  const random = new Random(seed, `faults/${task}`);
  const readings: Float32Array[] = [];
  const truths: number[] = [];
  let state = 1;
  for (let t = 0; t < SAMPLES; t++) {
    const x = Float32Array.from(normals(random, CHANNELS));
    readings.push(x);
    if (task === "regression") {
      truths.push(Math.fround(0.8 * x[0] - 0.5 * x[1] + 0.4 * x[2] * x[3] + NOISE * random.normal()));
      continue;
    }
    const turns = random.uniform() < (task === "novelty" ? 1 : 1 / PERSISTENCE);
    if (turns) state = task === "novelty" ? (random.uniform() < NOVELTY_SHARE ? -1 : 1) : -state;
    const shift = task === "novelty" ? (state < 0 ? NOVELTY_DISTANCE / 2 : 0) : state * HALF_DISTANCE;
    for (let c = 0; c < CHANNELS; c++) x[c] += shift;
    truths.push(state);
  }
  return { readings, truths, labels: [...truths] };
}

/** The predictions of a node with that learner for each sample, its labels so many samples late. */
function predictAll(
  learner: Family,
  { readings, labels }: Course,
  settings: Partial<NodeOptions>,
): Float64Array {
  const kernel = Object.hasOwn(learner.options, "kernel")
    ? { kernel: { type: "gaussian", sigma: SIGMA } }
    : {};
  const own = { sid: 1, channels: CHANNELS, learner, options: withBudget(learner, kernel, BUDGET) };
  const options = { ...own, ...settings };
  const node = loneNode(options, arithmetic().allocate(nodeLayout(options)));
  return Float64Array.from(readings, (x, t) => {
    const decision = node.sample(x);
    if (t >= DELAY) node.label({ number: t - DELAY + 1, sid: 1, seq: t - DELAY + 1, y: labels[t - DELAY] });
    return decision;
  });
}

/**
 * Balanced accuracy, or root mean square error in deviations of the target, of the samples from..from+499.
 */
export function score(task: Task, decisions: Float64Array, truths: readonly number[], from: number): number {
  return task === "regression"
    ? deviation(decisions, truths, from)
    : balancedError(task, decisions, truths, from);
}

function balancedError(task: Task, decisions: Float64Array, truths: readonly number[], from: number): number {
  const confusion = new Confusion([-1, 1]);
  for (let t = from; t < from + SCORED; t++) confusion.add(truths[t], decidedClass(task, decisions[t]));
  return confusion.balancedAccuracy as number;
}

function deviation(decisions: Float64Array, truths: readonly number[], from: number): number {
  let [error, sum, squares] = [0, 0, 0];
  for (let t = from; t < from + SCORED; t++) {
    const miss = decisions[t] - truths[t];
    error += miss * miss;
    sum += truths[t];
    squares += truths[t] * truths[t];
  }
  return Math.sqrt(error / (squares - (sum * sum) / SCORED));
}

/** The difference between the two: positive where the fault costs something. */
function cost(task: Task, undisturbed: number, disturbed: number): number {
  return task === "regression" ? disturbed - undisturbed : undisturbed - disturbed;
}

/**
 * Injects every fault into a node with that learner, over so many seeds, each beside its undisturbed twin.
 */
export function benchmarkFaults(
  learner: Family,
  seeds: number,
  faults: readonly Fault[] = FAULTS,
  { after = AFTER, firstSeed = 1 } = {},
): FaultRow {
  const { name, task } = learner;
  const costs = faults.map(() => [] as number[]);
  let undisturbed = 0;
  for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
    const twins = new Map<NodeOptions["features"], Float64Array>();
    for (const [i, fault] of faults.entries()) {
      const { node = STANDARDISED } = fault;
      if (fault.tasks && !fault.tasks.includes(task)) continue;
      const clean = course(task, seed);
      const { features } = node;
      const twin = twins.get(features) ?? predictAll(learner, clean, { features });
      twins.set(features, twin);
      const faulty = course(task, seed);
      const from = fault.inject(faulty, task) + after;
      const disturbed = predictAll(learner, faulty, node);
      const before = score(task, twin, clean.truths, from);
      costs[i].push(cost(task, before, score(task, disturbed, clean.truths, from)));
      if (i === 0) undisturbed += before / seeds;
    }
  }
  return {
    learner: name,
    task,
    undisturbed,
    costs: faults.map(({ name: fault }, i) => ({ fault, ...moments(costs[i]) })),
  };
}

function moments(values: readonly number[]): { mean?: number; error?: number } {
  if (values.length === 0) return {};
  const { mean, standardError } = meanWithError(values);
  return { mean, error: standardError ?? 0 };
}
