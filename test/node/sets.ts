import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { SensorNode } from "../../src/node/node.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { NO_STORAGE, REMARK } from "../../src/node/ports.ts";
import type { LabelFlips } from "../../src/node/prediction-sets.ts";

export const NODE: NodeOptions = {
  sid: 7,
  channels: 4,
  pending: 64,
  learner: familyNamed("arow")!,
  options: {},
};
const DELAY = 30;
const COUNT = 5500;
const WARM_UP = 500;

/** Coverages of the true class and mean size of the sets, in %, after 500 samples, and coverage in the 1,000 samples around the change. */
interface Sets {
  readonly coverage: number;
  readonly size: number;
  readonly around: number;
}

/** Two classes of persistence 50 that overlap and change places half way; labels come 30 samples late, and wrong at those rates. */
function runSets(
  seed: number,
  flips: LabelFlips,
  options: Partial<NodeOptions> = {},
  confidence = 255,
): Sets {
  const random = new Random(seed, "sets");
  let remarks = 0;
  const link = {
    predicted(_seq: number, _ts: number, _decision: number, said: number) {
      remarks = said;
    },
    acknowledge() {},
  };
  const node = new SensorNode(
    { ...NODE, coverage: 0.9, labelFlips: flips, ...options },
    { now: () => 0 },
    link,
    NO_STORAGE,
  );
  const labels: number[] = [];
  const [covered, size] = [[] as number[], [] as number[]];
  for (let t = 0, y = 1; t < COUNT + WARM_UP; t++) {
    if (random.uniform() < 0.02) y = -y;
    const turned = t < WARM_UP + COUNT / 2 ? 0 : 1;
    const x = Array.from({ length: 4 }, (_, c) => random.normal() + (c === turned ? 1.2 * y : 0));
    node.sample(x);
    assert.ok(remarks & REMARK.set);
    const plus = remarks & REMARK.plus ? 1 : 0;
    const minus = remarks & REMARK.minus ? 1 : 0;
    covered.push(y > 0 ? plus : minus);
    size.push(plus + minus);
    labels.push(random.uniform() < flips[y > 0 ? 0 : 1] ? -y : y);
    if (t < DELAY) continue;
    const number = t - DELAY + 1;
    node.label({ number, sid: 7, seq: number, y: labels[number - 1], confidence });
  }
  const mean = (list: readonly number[], from: number, to: number) =>
    (100 * list.slice(from, to).reduce((sum, value) => sum + value, 0)) / (to - from);
  const half = WARM_UP + COUNT / 2;
  return {
    coverage: mean(covered, WARM_UP, covered.length),
    size: mean(size, WARM_UP, size.length),
    around: mean(covered, half - 500, half + 500),
  };
}

export function averageRuns(
  flips: LabelFlips,
  options?: Partial<NodeOptions>,
  confidence?: number,
  count = 10,
): Sets {
  const runs = Array.from({ length: count }, (_, i) => runSets(200 + i, flips, options, confidence));
  const mean = (of: (sets: Sets) => number) => runs.reduce((sum, sets) => sum + of(sets), 0) / runs.length;
  return { coverage: mean((s) => s.coverage), size: mean((s) => s.size), around: mean((s) => s.around) };
}

export const about = (figure: number, what: string) =>
  assert.ok(Math.abs(figure - 90) <= 1.5, `${what}: ${figure}`);

/**
 * Coverage of a class of 10 % of the samples, and of all, in %: in random order or in stays of so many samples, with that share of labels
 * wrong.
 */
export function rareCoverage(
  options: Partial<NodeOptions>,
  flips: number,
  { delay = DELAY, stay = 0, seed = 400 } = {},
): { readonly rare: number; readonly all: number } {
  const random = new Random(seed, "rare");
  const covered = { rare: 0, all: 0 };
  const samples = { rare: 0, all: 0 };
  let said = 0;
  const link = {
    predicted(_seq: number, _ts: number, _decision: number, remarks: number) {
      said = remarks;
    },
    acknowledge() {},
  };
  const node = new SensorNode(
    { ...NODE, pending: 512, coverage: 0.9, ...options },
    { now: () => 0 },
    link,
    NO_STORAGE,
  );
  const labels: number[] = [];
  for (let t = 0, y = -1; t < 12_000; t++) {
    const leaves = y > 0 ? 1 / stay : 1 / (9 * stay);
    if (stay === 0) y = random.uniform() < 0.1 ? 1 : -1;
    else if (random.uniform() < leaves) y = -y;
    node.sample(Array.from({ length: 4 }, (_, c) => random.normal() + (c === 0 ? 1.1 * y : 0)));
    labels.push(random.uniform() < flips ? -y : y);
    const isCovered = said & (y > 0 ? REMARK.plus : REMARK.minus) ? 1 : 0;
    for (const of of y > 0 ? (["rare", "all"] as const) : (["all"] as const)) {
      if (t < WARM_UP) continue;
      covered[of] += isCovered;
      samples[of]++;
    }
    const seq = t + 1 - delay;
    if (seq > 0) node.label({ number: seq, sid: 7, seq, y: labels[seq - 1] });
  }
  return { rare: (100 * covered.rare) / samples.rare, all: (100 * covered.all) / samples.all };
}
