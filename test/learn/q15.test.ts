import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import type { Family, UserOptions } from "../../src/learn/family.ts";
import { FAMILIES, familyNamed } from "../../src/learn/registry.ts";
import { OptionError } from "../../src/memory/option-error.ts";
import { SensorNode } from "../../src/node/node.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import { nodeLearner } from "../../src/node/node-options.ts";
import type { Ranges } from "../../src/node/ranges.ts";
import { nodeSchema } from "../../src/node/schema.ts";

const olkC = familyNamed("olk-c") as Family;
const SHORT = { storage: "q15", ranges: [[-4, 4]] };
const shortFamilies = FAMILIES.filter(({ options }) => options.storage);

/** The message of the error that its construction throws. */
function refusal(make: () => unknown): string {
  try {
    make();
  } catch (error) {
    assert.instance(error, OptionError);
    return (error as Error).message;
  }
  return "";
}

test("vectors of 16 bits take half the words, and a grid", () => {
  const words = (options: UserOptions, name: string) =>
    olkC.layout({ dimension: 7, budget: 30, ...options }).regions.find((region) => region.name === name)
      ?.words;
  assert.is(words({}, "rows"), 7 * 32);
  assert.is(words(SHORT, "lanes"), 4 * 32);
  assert.is(words(SHORT, "grid"), 2 + 7);
  assert.is(words({}, "grid"), undefined);
});

/** Numbers of the grid that ranges of +-4 give: multiples of 2^-11. */
function onGrid(random: Random): number {
  return Math.round(random.normal() * 2048) / 2048;
}

for (const family of shortFamilies) {
  test(`${family.name} of inputs that lie in the grid decides as it does with float32`, () => {
    const kernel = family.options.kernel ? { kernel: { type: "gaussian", p: 1 } } : {};
    const options = { dimension: 3, budget: family.options.kernel ? 200 : 20, ...kernel };
    const [short, long] = [family.create({ ...options, ...SHORT }), family.create(options)];
    const random = new Random(1, family.name);
    let largest = 0;
    for (let t = 0; t < 150; t++) {
      const x = [onGrid(random), onGrid(random), onGrid(random)];
      const score = x[0] * x[1] + x[2] / 2;
      const y = family.task === "regression" ? score : family.task === "novelty" ? 1 : score > 0 ? 1 : -1;
      largest = Math.max(largest, Math.abs(short.learn(x, y) - long.learn(x, y)));
    }
    assert.ok(short.size > 10 && short.size === long.size);
    // QKRLS solves with a matrix of kernel values.
    const most = family.name === "qkrls" ? 1e-2 : family.options.kernel ? 1e-4 : 0.5;
    assert.ok(largest < most, `${largest}`);
    if (family.options.kernel) assert.ok(largest > 0, "kernel rows are computed otherwise");
  });

  // One that consists of several learners restarts each.
  if (!family.options.kernel || family.name === "olk-drift") continue;
  test(`${family.name} of 16 bits restarts with its grid`, () => {
    const options = { dimension: 2, budget: 8, ...SHORT };
    const learner = family.create(options);
    const begin = learner.stateHash();
    const random = new Random(1, "anew");
    for (let t = 0; t < 60; t++) learner.learn([random.normal(), random.normal()], t & 1 ? 1 : -1);
    assert.is.not(learner.stateHash(), begin);
    (learner as unknown as { reset(keeps: boolean): void }).reset(false);
    assert.is(learner.stateHash(), begin);
  });
}

test("a component outside its range counts as the range's end", () => {
  const make = () => olkC.create({ dimension: 1, budget: 8, kernel: { type: "gaussian", p: 1 }, ...SHORT });
  const [far, near] = [make(), make()];
  far.learn([1e30], 1);
  near.learn([8], 1);
  assert.is(far.stateHash(), near.stateHash());
  assert.is(far.predict([-1e30]), near.predict([-8.5]));
});

test("each component has a range of its own, and the widest sets the steps", () => {
  const ranges = [
    [0, 1],
    [95000, 105000],
  ];
  const learner = olkC.create({
    ...{ dimension: 2, budget: 8, kernel: { type: "gaussian", p: 100 }, storage: "q15", ranges },
  });
  learner.learn([0.5, 101325], 1);
  const { dictionary } = learner as unknown as { dictionary: { rows: number } };
  const { f32 } = learner.range;
  f32.fetchRow(learner.layout.at("input", learner.range), dictionary.rows, 0, -2);
  const at = learner.layout.at("input", learner.range);
  assert.equal([...f32.words.subarray(at, at + 2)], [0.5, 101325]);
});

test("16 bits take a Gaussian kernel, and ranges that fit", () => {
  const create = (options: object) => refusal(() => olkC.create({ dimension: 2, ...options }));
  const short = { storage: "q15" };
  assert.is(
    create({ ...SHORT, kernel: { type: "linear" } }),
    'olk-c: option storage: got "q15"; takes "float32" where the kernel is linear: "q15" has Gaussians only',
  );
  const needed =
    '[least, largest] of each component, 2, or one of all, with storage "q15": a node gives its own ranges, or +-5 if it standardises';
  assert.is(create(short), `olk-c: option ranges: got nothing; takes ${needed}`);
  assert.match(
    create({
      ...short,
      ranges: [
        [0, 1],
        [0, 1],
        [0, 1],
      ],
    }),
    `takes ${needed}`,
  );
  assert.match(create({ ranges: [[0, 1]] }), 'takes nothing with storage float32: only "q15" has a grid');
  assert.match(create({ ...short, ranges: [[1, 1]] }), "takes [least, largest] of each component");
  for (const range of [
    [0, 1e-14],
    [-1e30, 1e30],
    [1e6, 1e6 + 1],
  ])
    assert.match(create({ ...short, ranges: [range] }), "none farther from 0 than 500 times that");
  assert.is(create({ ...short, ranges: [[1000, 1010]] }), "");
});

test("a learner that can't store 16 bits refuses the option", () => {
  for (const family of FAMILIES) {
    if (family.options.storage) continue;
    const told = refusal(() => family.create({ dimension: 2, storage: "q15" }));
    assert.match(told, `${family.name}: no option storage; takes `);
  }
});

const node = (given: object) => ({
  ...{ sid: 1, channels: 2, learner: olkC, options: { storage: "q15" } },
  ...given,
});

test("a node gives its ranges to a learner of 16 bits, and +-5 where it standardises", () => {
  const ranges: Ranges = [
    [0, 1],
    [-20, 60],
  ];
  const readRanges = (given: object) => nodeLearner(node(given)).options.ranges;
  assert.equal(readRanges({ ranges }), ranges);
  assert.equal(readRanges({ features: { standardise: true } }), [[-5, 5]]);
  assert.equal(readRanges({ ranges, options: { storage: "q15", ranges: [[0, 1]] } }), [[0, 1]]);
  assert.is(readRanges({ ranges, options: {} }), undefined);
  for (const given of [{}, { ranges: [[0, 1], null] }, { ranges, features: { window: 8 } }])
    assert.match(
      refusal(() => nodeLayout(node(given))),
      "olk-c: option ranges: got nothing",
    );
  const ports = { now: () => 0, send: () => true, save: () => true };
  const made = new SensorNode(node({ ranges }), ports as never, ports as never, ports as never);
  assert.is(made.layout.bytes, nodeLayout(node({ ranges })).bytes);
});

test("what a checkpoint means is as it was without 16 bits, and says so with them", () => {
  const ranges: Ranges = [
    [0, 1],
    [-20, 60],
  ];
  const schema = (options: object) => nodeSchema(node({ ranges, options }));
  assert.is(schema({}), schema({ storage: "float32" }));
  assert.is.not(schema({}), schema({ storage: "q15" }));
  assert.is.not(schema({ storage: "q15", ranges: [[0, 1]] }), schema({ storage: "q15" }));
});

test.run();
