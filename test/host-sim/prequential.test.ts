import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { Prequential, prequentialDecisions } from "../../host-sim/prequential/prequential.ts";
import { loneNode } from "../../host-sim/state/lone-node.ts";
import { familyNamed } from "../../src/learn/registry.ts";

/**
 * Samples of two classes that last, some without a label; delays between 0 and 19 samples, and some labels that never come. Of the given share
 * a reading is missing.
 */
function stream(seed: number, count: number, missing = 0) {
  const random = new Random(seed, "prequential");
  const failures = new Random(seed, "missing");
  let y = 1;
  return Array.from({ length: count }, () => {
    if (random.uniform() < 0.1) y = -y;
    const second = failures.uniform() < missing ? Number.NaN : 0;
    const x = Float32Array.of(y + random.normal(), random.normal() + second);
    const label = random.uniform() < 0.2 ? Number.NaN : y;
    return { x, y: label, delay: random.uniform() < 0.1 ? Number.NaN : random.below(20) };
  });
}

/** A node that gets the same labels, in the order of their coming. */
function nodeOn(learner: string, pending: number, samples: ReturnType<typeof stream>) {
  const family = familyNamed(learner)!;
  const options = { sid: 1, channels: 2, pending, labelWindow: 1, learner: family, options: {} };
  const node = loneNode(options);
  let number = 0;
  const decisions: number[] = [];
  for (let now = 0; now < samples.length + 20; now++) {
    if (now < samples.length) decisions.push(node.sample(samples[now].x));
    samples.forEach(({ y, delay }, k) => {
      if (k + delay === now && !Number.isNaN(y)) node.label({ number: ++number, sid: 1, seq: k + 1, y });
    });
  }
  return { node, decisions };
}

test("labels late, lost, of a refused or a discarded sample leave the state and the decisions of a node", () => {
  for (const [learner, missing] of [
    ["pa", 0],
    ["olk-c", 0],
    ["auto", 0],
    ["pa", 0.3],
    ["olk-c", 0.3],
  ] as const) {
    const samples = stream(5, 160, missing);
    const { node, decisions } = nodeOn(learner, 12, samples);
    const made = familyNamed(learner)!.create({ dimension: 2 });
    const run = new Prequential(made, { pending: 12 });
    assert.equal(
      samples.map(({ x, y, delay }) => run.sample(x, y, delay)),
      decisions,
      learner,
    );
    run.finish();
    assert.is(made.stateHash(), node.learner.stateHash(), learner);
    assert.is(run.labels.applied, node.count("applied"));
    const { applied, late, refused } = run.labels;
    assert.is(late + refused, node.count("expired"));
    assert.is(refused > 0, missing > 0);
    assert.ok(late > 10 && applied > 50, JSON.stringify(run.labels));
    const lost = samples.filter(({ y, delay }) => !Number.isNaN(y) && Number.isNaN(delay));
    assert.is(run.labels.lost, lost.length);
  }
});

test("a number is learned as a line carries it, a float32: the state is a node's, which gets it so", () => {
  for (const learner of ["auto-r", "rls", "qklms"]) {
    const family = familyNamed(learner)!;
    const [made, sent] = [family.create({ dimension: 1 }), family.create({ dimension: 1 })];
    const run = new Prequential(made);
    const other = new Prequential(sent);
    for (let k = 0; k < 60; k++) {
      const y = Math.sin(k / 3) / 7;
      run.sample(Float32Array.of(y), y, k % 3);
      other.sample(Float32Array.of(y), Math.fround(y), k % 3);
    }
    assert.is(made.stateHash(), sent.stateHash(), learner);
  }
});

test("a label is heard when it comes, in the order of the samples among those due at once, also without a learner", () => {
  const heard: number[] = [];
  const run = new Prequential(undefined, { received: (y) => heard.push(y) });
  const x = Float32Array.of(0);
  for (const [y, delay] of [
    [1, 2],
    [2, 1],
    [3, 0],
    [4, Number.NaN],
    [5, 9],
  ])
    run.sample(x, y, delay);
  assert.equal(heard, [1, 2, 3]);
  run.finish();
  assert.equal(heard, [1, 2, 3, 5]);
});

test("without a delay decisions are those of learn", () => {
  const samples = stream(6, 80).filter(({ y }) => !Number.isNaN(y));
  const [one, other] = [1, 2].map(() => familyNamed("auto")!.create({ dimension: 2 }));
  const labels = samples.map(({ y }) => y);
  assert.equal(
    prequentialDecisions(
      one,
      samples.map(({ x }) => x),
      labels,
    ),
    samples.map(({ x, y }) => other.learn(x, y)),
  );
  assert.is(one.stateHash(), other.stateHash());
});

test.run();
