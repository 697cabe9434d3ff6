import { test } from "uvu";
import * as assert from "uvu/assert";
import { benchmarkFaults, FAULTS, type Fault } from "../../lab/bench/faults.ts";
import { FAMILIES, familyNamed } from "../../src/learn/registry.ts";

/** Other seeds than the printed table's. */
const SEEDS = { firstSeed: 101, after: 200 };

/** So many readings in a row of that size, from sample `at` on (the first is 1), in so many channels. */
function glitch(at: number, size: number, channels: number, samples: number, window = 0): Fault {
  return {
    name: `${samples} of ${size} at ${at} in ${channels}${window ? `, window ${window}` : ""}`,
    doc: "",
    node: { features: { standardise: true, window } },
    inject({ readings }) {
      for (let t = at - 1; t < at - 1 + samples; t++) readings[t].fill(size, 0, channels);
      return at - 1 + samples;
    },
  };
}

const SINGLE = [1, 5, 50, 1000].flatMap((at) =>
  [1000, 65535, 1e30, 3e38].flatMap((size) => [1, 4].map((channels) => glitch(at, size, channels, 1))),
);
const BURSTS = [5, 50, 1000].map((at) => glitch(at, 65535, 1, 5));
const WINDOWED = [50, 1000].flatMap((at) => [65535, 1e30].map((size) => glitch(at, size, 1, 1, 8)));

for (const name of ["arow", "bsgd"]) {
  test(`200 samples after a glitch, in the warm-up too, a node with ${name} is as good as its twin`, () => {
    const { costs } = benchmarkFaults(familyNamed(name)!, 6, [...SINGLE, ...BURSTS, ...WINDOWED], SEEDS);
    for (const { fault, mean, error } of costs)
      assert.ok(mean! <= 0.02, `${fault}: lost ${mean!.toFixed(4)} ± ${error!.toFixed(4)}`);
  });
}

/**
 * Largest cost of each fault: points of balanced accuracy, or error in deviations of the target. A step of
 * the gain has none: the scaler follows it by forgetting, and the learner by learning again.
 */
const BARS: { readonly [fault: string]: number } = {
  glitch: 0.03,
  burst: 0.03,
  "raw glitch": 0.03,
  "in ranges": 0.03,
  "constant start": 0.05,
  stuck: 0.08,
  "offset step": 0.03,
  "huge label": 0.03,
  "in labelRange": 0.03,
  alternating: 0.06,
};
/**
 * What some learners cost more. Linear least squares with a long memory weighs the samples before the standardiser followed as much as those
 * after. The committee for numbers follows the last label while that alone is right: with constant inputs, or labels that alternate with its
 * delay. After so many such labels as its losses are remembered for, it takes some hundred more to leave it.
 */
const HIGHER: { readonly [learnerAndFault: string]: number } = {
  "rls, offset step": 0.09,
  "auto-r, constant start": 0.2,
  "auto-r, alternating": 0.3,
};

test("no glitch, burst, constant start, stuck sensor or wrong label costs a node much for long, with any learner", () => {
  const faults = FAULTS.filter(({ name }) => BARS[name] !== undefined);
  assert.is(faults.length, Object.keys(BARS).length);
  const beyond: string[] = [];
  for (const learner of FAMILIES) {
    const { costs } = benchmarkFaults(learner, 3, faults, { firstSeed: 201 });
    for (const { fault, mean, error } of costs) {
      const bar = HIGHER[`${learner.name}, ${fault}`] ?? BARS[fault];
      if (mean === undefined || mean <= bar + 2 * error!) continue;
      beyond.push(`${learner.name}, ${fault}: ${mean.toFixed(3)} ± ${error!.toFixed(3)}`);
    }
  }
  assert.equal(beyond, []);
});

test.run();
