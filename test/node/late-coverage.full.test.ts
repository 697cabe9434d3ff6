import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { SensorNode } from "../../src/node/node.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { NO_STORAGE, REMARK, REMARK_BYTE } from "../../src/node/ports.ts";
import { halfWidth } from "../../src/node/prediction-intervals.ts";

const COUNT = 6000;
const BLOCK = 250;
const RUNS = 8;
const DELAYS = [0, 30, 100, 200, 400];
const gaussian = { type: "gaussian", gamma: 0.5 };

/** A sample's readings, its truth, and the label that comes for it. */
type Scene = (random: Random) => {
  readonly x: readonly number[];
  readonly y: number;
  readonly label: number;
};

/** Two classes that overlap; a share of labels is flipped. */
const classes =
  (flips: number): Scene =>
  (random) => {
    const y = random.uniform() < 0.5 ? 1 : -1;
    const x = [random.normal() + 1.1 * y, random.normal()];
    return { x, y, label: random.uniform() < flips ? -y : y };
  };

/** A noisy sine. */
const numbers: Scene = (random) => {
  const x = 6 * random.uniform() - 3;
  const y = Math.sin(x) + 0.3 * random.normal();
  return { x: [x], y, label: y };
};

/** Whether each sample's set or interval held its truth, over one run. */
function heldBy(scene: Scene, delay: number, seed: number, options: Partial<NodeOptions>): number[] {
  const random = new Random(seed, "late coverage");
  let [estimate, remarks] = [0, 0];
  const link = {
    predicted(_seq: number, _ts: number, decision: number, more: number) {
      [estimate, remarks] = [decision, more];
    },
    acknowledge() {},
  };
  const all = { sid: 7, channels: 2, pending: 512, coverage: 0.9, ...options } as NodeOptions;
  const node = new SensorNode(all, { now: () => 0 }, link, NO_STORAGE);
  const labels: number[] = [];
  return Array.from({ length: COUNT }, (_, t) => {
    const { x, y, label } = scene(random);
    labels.push(label);
    node.sample(x);
    const isHeld =
      all.learner.task === "regression"
        ? Math.abs(y - Math.fround(estimate)) <= halfWidth(Math.floor(remarks / REMARK_BYTE))
        : (remarks & (y > 0 ? REMARK.plus : REMARK.minus)) !== 0;
    const seq = t + 1 - delay;
    if (seq > 0) node.label({ number: seq, sid: 7, seq, y: labels[seq - 1] });
    return isHeld ? 1 : 0;
  });
}

/** Coverage in the mean over the runs: of all samples, and of the worst block of 250 from the first label on. */
function measureCoverage(scene: Scene, delay: number, options: Partial<NodeOptions>) {
  const runs = Array.from({ length: RUNS }, (_, run) => heldBy(scene, delay, 500 + run, options));
  const begin = delay + 1;
  const averageHeld = (from: number, to: number) =>
    runs.reduce((sum, held) => sum + held.slice(from, to).reduce((a, b) => a + b, 0), 0) / RUNS / (to - from);
  const blocks: number[] = [];
  for (let from = begin; from + BLOCK <= COUNT; from += BLOCK) blocks.push(averageHeld(from, from + BLOCK));
  return { mean: averageHeld(begin, COUNT), worst: Math.min(...blocks) };
}

const CASES: readonly (readonly [string, Scene, Partial<NodeOptions>])[] = [
  ["sets of arow", classes(0), { learner: familyNamed("arow"), options: {} }],
  ["sets of olk-c", classes(0), { learner: familyNamed("olk-c"), options: { budget: 32 } }],
  [
    "sets of arow, 20 % of labels wrong",
    classes(0.2),
    { learner: familyNamed("arow"), options: {}, labelFlips: [0.2, 0.2] },
  ],
  [
    "intervals of qklms",
    numbers,
    { channels: 1, learner: familyNamed("qklms"), options: { budget: 16, kernel: gaussian } },
  ],
  [
    "intervals of krls-ald",
    numbers,
    { channels: 1, learner: familyNamed("krls-ald"), options: { budget: 16, kernel: gaussian } },
  ],
];

for (const [name, scene, options] of CASES)
  test(`${name}: 90 % hold the truth, +-1.5, and no block of 250 less than 85 %, with labels 0 to 400 samples late`, () => {
    for (const delay of DELAYS) {
      const { mean, worst } = measureCoverage(scene, delay, options);
      const text = `${name}, delay ${delay}: ${(100 * mean).toFixed(1)}, worst block ${(100 * worst).toFixed(1)}`;
      if (process.env.MOTELEARN_FIGURES) console.log(text);
      assert.ok(Math.abs(mean - 0.9) <= 0.015, text);
      assert.ok(worst >= 0.85, text);
    }
  });

test.run();
