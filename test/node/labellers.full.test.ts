import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { SensorNode } from "../../src/node/node.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { NO_STORAGE, REMARK } from "../../src/node/ports.ts";
import type { LabelFlips } from "../../src/node/prediction-sets.ts";

const NODE: NodeOptions = { sid: 7, channels: 4, pending: 64, learner: familyNamed("arow")!, options: {} };
const DELAY = 30;
const WARM_UP = 500;

const about = (figure: number, what: string) => assert.ok(Math.abs(figure - 90) <= 1.5, `${what}: ${figure}`);

/** Labellers 1, 2, ... of different quality, by the mean of their flips. */
const LABELLERS: readonly (readonly LabelFlips[])[] = [
  [0, 0, 0],
  [0.02, 0.08, 0.2],
  [0.05, 0.15, 0.4],
  [0.2, 0.3, 0.4],
].map((rates) => rates.map((rate) => [rate, rate]));
/** Labels that a labeller gives in a row, of those that take turns. */
const TURN = 600;

/** Coverages of the true class while each labeller's turn lasts, and in all, in %: two persistent classes that overlap, labels 30 late. */
function measureCoverages(
  seed: number,
  labellers: readonly LabelFlips[],
  options: Partial<NodeOptions>,
  turn: number,
) {
  const random = new Random(seed, "labellers");
  let covers = 0;
  const link = {
    predicted(_seq: number, _ts: number, _decision: number, said: number) {
      covers = said;
    },
    acknowledge() {},
  };
  const node = new SensorNode({ ...NODE, coverage: 0.9, ...options }, { now: () => 0 }, link, NO_STORAGE);
  const held: { y: number; source: number }[] = [];
  const covered = labellers.map(() => 0);
  const all = labellers.map(() => 0);
  for (let t = 0, y = 1; t < WARM_UP + 12 * TURN; t++) {
    if (random.uniform() < 0.02) y = -y;
    node.sample(Array.from({ length: 4 }, (_, c) => random.normal() + (c === 0 ? 1.2 * y : 0)));
    const on = Math.floor(turn > 0 ? t / turn : labellers.length * random.uniform()) % labellers.length;
    if (t >= WARM_UP) {
      all[on]++;
      if (covers & (y > 0 ? REMARK.plus : REMARK.minus)) covered[on]++;
    }
    held.push({ y: random.uniform() < labellers[on][y > 0 ? 0 : 1] ? -y : y, source: on + 1 });
    if (t >= DELAY) node.label({ number: t - DELAY + 1, sid: 7, seq: t - DELAY + 1, ...held[t - DELAY] });
  }
  const sum = (list: readonly number[]) => list.reduce((a, b) => a + b, 0);
  return [...covered.map((count, i) => (100 * count) / all[i]), (100 * sum(covered)) / sum(all)];
}

/** Means of those over ten seeds. */
function meanCoverages(
  labellers: readonly LabelFlips[],
  options: Partial<NodeOptions>,
  turn: number,
): number[] {
  const runs = Array.from({ length: 10 }, (_, i) => measureCoverages(300 + i, labellers, options, turn));
  return runs[0].map((_, i) => runs.reduce((sum, each) => sum + each[i], 0) / runs.length);
}

test("labellers of different quality, flips 0 to 0.3 in the mean: 90 % of sets hold the true class, +-1.5, who labels also in turns", () => {
  for (const labellers of LABELLERS) {
    const labelFlips: LabelFlips[] = [[0, 0], ...labellers];
    for (const turn of [0, TURN]) {
      const coverages = meanCoverages(labellers, { labelFlips }, turn);
      about(coverages[labellers.length], `turns of ${turn}, ${labellers}`);
      // At 0.4 flips 24,000 labels tell coverage to 1.6 points.
      for (const each of coverages)
        assert.ok(Math.abs(each - 90) <= 2.5, `in turns, ${labellers}: ${coverages}`);
    }
  }
  const byMean = meanCoverages(LABELLERS[2], { labelFlips: [0.2, 0.2] }, TURN);
  assert.ok(byMean[0] < 82 && byMean[2] > 95, `by the mean rate, in the turns: ${byMean}`);
});

test("sets know the rates that the learner's option sources has, unless the node's own are given", () => {
  const sources = [[0, 0], ...LABELLERS[3]];
  const learners = meanCoverages(LABELLERS[3], { options: { sources } }, 0);
  about(learners[3], "the learner's rates");
  const own = meanCoverages(LABELLERS[3], { options: { sources }, labelFlips: [0, 0] }, 0);
  assert.ok(own[3] > 95, `labels taken at their word: ${own[3]}`);
});

test.run();
