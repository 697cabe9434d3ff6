import type { Curve, Figure, LearnerResult, Scores, SimulateResult } from "../../host-sim/scoring/result.ts";
import { COUNTERS, type Task } from "../../src/learn/learner.ts";
import { NODE_COUNTERS } from "../../src/node/node-counters.ts";

const POINTS = 60;
const NO_EVENTS = { why: "no sample of class +1" };
const NOT_HERE = { why: "not defined for regression" };

const WAY = { frames: 14_066, bytes: 421_980, lost: 470, doubled: 8, damaged: 31, stalls: 2 };

function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function zeros<Name extends string>(names: readonly Name[], options: Partial<Record<Name, number>>) {
  return { ...Object.fromEntries(names.map((name) => [name, 0])), ...options } as Record<Name, number>;
}

function scores(kind: Task, error: number, events: number, found: number, alarms: number): Scores {
  const defined = (value: number): Figure => (events === 0 ? NO_EVENTS : value);
  const regression = kind === "regression";
  return {
    error: regression ? NOT_HERE : error,
    balancedAccuracy: regression ? NOT_HERE : defined(1 - 1.7 * error),
    f1: regression ? NOT_HERE : defined(1 - 2 * error),
    auc: regression ? NOT_HERE : defined(1 - error),
    events,
    eventsFound: found,
    falseAlarms: alarms,
    falseAlarmRate: alarms / 4500,
    rmse: regression ? 0.4321 * (1 + error) : NOT_HERE,
  };
}

/** A curve that falls from `from` to `to`, with some noise. */
function falling(random: () => number, samples: number, from: number, to: number): Curve {
  const at = Array.from({ length: POINTS }, (_, i) => Math.round(((i + 1) * samples) / POINTS));
  const value = at.map((_, i) => (to + (from - to) / (1 + i / 4)) * (0.85 + 0.3 * random()));
  return { at, value };
}

function learnerResult(task: string, kind: Task, name: string, seed: number, events: number): LearnerResult {
  const random = seeded(seed);
  const samples = 4000 + Math.floor(700 * random());
  const budget = 64;
  const size = Math.floor(30 + 34 * random());
  const ideal = 0.02 + 0.06 * random();
  const error = ideal + 0.05 * random();
  const found = Math.floor(events * (0.7 + 0.3 * random()));
  const error0 = falling(random, samples, 0.4, error);
  const fill = error0.at.map((_, i) => Math.min(size, Math.floor(3 * i * (0.6 + random() / 2))));
  return {
    name,
    task,
    kind,
    channels: 2,
    classes: 2,
    samples,
    missed: 12,
    labels: {
      issued: samples,
      applied: samples - 480,
      late: 61,
      lost: 419,
      wrong: 388,
      duplicates: 80,
      held: 112,
      died: 7,
      refused: 1,
      open: 0,
      lagMean: 21.3,
      lagMax: 63,
    },
    link: { up: WAY, down: WAY, labelsResent: 455, samplesRefed: 3, overruns: 0 },
    power: { cuts: 4, duringSave: 1, restored: 3, fallback: 1, fresh: 1 },
    metrics: scores(kind, error, events, found, Math.floor(300 * random())),
    ideal: scores(kind, ideal, events, found, 40),
    trivial: {
      majority: scores(kind, 0.294, events, 0, 0),
      last: scores(kind, 0.031, events, events, 19),
    },
    bytes: 4352,
    bytesUsed: 1280 + 48 * size,
    nodeBytes: 9840,
    pending: { samples: 64, from: "default" as const },
    size,
    budget,
    counters: zeros(COUNTERS, { learned: samples - 480, dropped: Math.floor(90 * random()), evicted: 341 }),
    nodeCounters: zeros(NODE_COUNTERS, { sampled: samples, applied: samples - 480 }),
    stateHash: `${(seed * 2654435761) >>> 0}`.padStart(16, "0"),
    nodeHash: `${(seed * 40503) >>> 0}`.padStart(16, "0"),
    curves: {
      error: error0,
      idealError: falling(random, samples, 0.35, ideal),
      size: { at: error0.at, value: fill },
      lag: { at: error0.at, value: error0.at.map(() => 15 + 12 * random()) },
    },
  };
}

interface Wanted {
  readonly nodes?: number;
  readonly names?: readonly string[];
  readonly kind?: Task;
  readonly title?: string;
}

/** A made-up result: four nodes unless told, two tasks, three learners; two nodes have no events in the first task. */
export function network({
  nodes: count = 4,
  names,
  kind = "classification",
  title = "Four recorded motes",
}: Wanted = {}): SimulateResult {
  const novelty = names ?? ["olk-n", "norma-n", "oskm"];
  const faults = names ?? ["olk-c", "dual-greedy", "kernel-perceptron"];
  const nodes = Array.from({ length: count }, (_, n) => ({
    node: `mote-${n + 1}`,
    learners: [
      ...novelty.map((name, i) => learnerResult("novelty", "novelty", name, 31 * n + i + 1, n < 2 ? 14 : 0)),
      ...faults.map((name, i) => learnerResult("faults", kind, name, 57 * n + i + 9, 22)),
    ],
  }));
  return {
    schema: "motelearn.simulate/1",
    scenario: "four-motes",
    title,
    seed: 1,
    repeat: "npx motelearn simulate four-motes --seed 1",
    engine: "node",
    arithmetic: "typescript",
    nodes,
    fusion: [
      {
        task: "faults",
        rule: "chair-varshney",
        decisions: 4690,
        error: 0.0412,
        rules: { oracle: 0.1, majority: 0.0689, "chair-varshney": 0.0412 },
        estimated: { "mote-1": 0.07, "mote-2": 0.2, "mote-3": 0.1, "mote-4": 0.35 },
        alarms: [{ node: "mote-4", decision: 812, rate: 0.051 }],
        votes: { "mote-1": 0.08, "mote-2": 0.21, "mote-3": 0.09, "mote-4": 0.343 },
      },
    ],
    timing: { seconds: 12.34, threads: 2, cpuSeconds: 24.1, samplesPerCpuSecond: 250_000, peakMib: 150 },
  };
}
