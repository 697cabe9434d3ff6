import { test } from "uvu";
import * as assert from "uvu/assert";
import { type Family, withBudget } from "../../src/learn/family.ts";
import type { Learner } from "../../src/learn/learner.ts";
import { LOL } from "../../src/learn/lol.ts";
import { OLK } from "../../src/learn/olk.ts";
import { OneVsAll, oneVsAllFamily } from "../../src/learn/one-vs-all.ts";
import { PASSIVE_AGGRESSIVE } from "../../src/learn/passive-aggressive.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import * as fc from "../properties.ts";
import { readTrace } from "./golden.ts";
import { readWords } from "./region.ts";

const [olk] = OLK;
const [lol] = LOL;
const [pa] = PASSIVE_AGGRESSIVE;

function readBits({ range, layout }: Learner, kind: "state" | "counters"): Uint32Array {
  return range.f32.bits.slice(range[kind], range[kind] + layout[kind]);
}

const value = fc.integer({ min: -64, max: 64 }).map((n) => n / 32);
const stream = fc.array(
  fc.tuple(fc.array(value, { minLength: 3, maxLength: 3 }), fc.integer({ min: 0, max: 3 })),
  { maxLength: 40 },
);

for (const family of [olk, lol, pa] as Family[]) {
  test(`each class of one-vs-all over ${family.name} is, to the bit, the learner run on its own`, () => {
    const K = 4;
    const options = withBudget(family, { dimension: 3 }, 5);
    fc.assert(
      fc.property(stream, (samples) => {
        const whole = oneVsAllFamily(family).create({ ...options, classes: K }) as OneVsAll;
        const alone = Array.from({ length: K }, () => family.create(options));
        for (const [x, y] of samples) {
          const before = whole.predict(x);
          assert.is(whole.learn(x, y), before, "learn returns what predict did");
          const decisions = alone.map((learner, c) => Math.fround(learner.learn(x, c === y ? 1 : -1)));
          assert.equal([...readWords(whole, "scores", K)], decisions);
          assert.is(
            before,
            decisions.indexOf(Math.max(...decisions)),
            "the largest wins, the lowest on ties",
          );
        }
        alone.forEach((learner, c) => {
          assert.equal(
            readBits(whole.learners[c], "state"),
            readBits(learner, "state"),
            `state of class ${c}`,
          );
          assert.equal(
            readBits(whole.learners[c], "counters"),
            readBits(learner, "counters"),
            `counters of ${c}`,
          );
        });
        const sum = (of: (learner: Learner) => number) => alone.reduce((s, learner) => s + of(learner), 0);
        assert.is(
          whole.size,
          sum((learner) => learner.size),
        );
        for (const name of ["inserted", "evicted", "overflowed"] as const) {
          assert.is(
            whole.count(name),
            sum((learner) => learner.count(name)),
            name,
          );
        }
        assert.is(whole.count("learned"), samples.length);
      }),
      { numRuns: 30 },
    );
  });
}

test("the whole's memory is K states, K counters and its own, one scratch and the scores", () => {
  const options = { dimension: 7, budget: 10 };
  const part = olk.layout(options);
  const whole = oneVsAllFamily(olk).layout({ ...options, classes: 5 });
  assert.is(whole.state, 5 * part.state);
  assert.is(whole.counters, 6 * part.counters);
  assert.is(whole.scratch, part.scratch + 5);
  const learner = oneVsAllFamily(olk).create({ ...options, classes: 5 });
  assert.is(learner.range.f32.words.byteLength, whole.bytes);
});

test("it lives anywhere in a memory handed in and touches nothing else of it", () => {
  const family = oneVsAllFamily(olk);
  const { X, y } = readTrace("lol_multiclass");
  const options = { dimension: X[0].length, budget: 6, classes: 3 };
  const layout = family.layout(options);
  const f32 = new PortableF32(new ArrayBuffer(layout.bytes + 64));
  f32.bits.fill(0xdeadbeef);
  const inside = family.create({ ...options, memory: layout.range(f32, 32) });
  const alone = family.create(options);
  X.forEach((x, t) => {
    assert.is(inside.learn(x, y[t]), alone.learn(x, y[t]));
  });
  assert.is(inside.stateHash(), alone.stateHash());
  const end = f32.bits.length;
  for (const i of [0, 7, end - 8, end - 1]) assert.is(f32.bits[i], 0xdeadbeef);
});

test("scratch carries nothing from one call to the next", () => {
  const { X, y } = readTrace("lol_multiclass");
  const options = { dimension: X[0].length, budget: 6, classes: 3, learner: olk };
  const clean = new OneVsAll(options);
  const soiled = new OneVsAll(options);
  const { f32, scratch } = soiled.range;
  X.forEach((x, t) => {
    f32.words.fill(Number.NaN, scratch, scratch + soiled.layout.scratch);
    assert.is(soiled.learn(x, y[t]), clean.learn(x, y[t]));
  });
  assert.is(soiled.stateHash(), clean.stateHash());
});

test("what is refused leaves every class as it was", () => {
  const learner = new OneVsAll({
    dimension: 2,
    budget: 4,
    classes: 3,
    learner: olk,
    kernel: { type: "linear" },
  });
  learner.learn([1e10, 1], 0);
  const before = learner.stateHash();
  for (const y of [-1, 3, 0.5, Number.NaN]) learner.learn([1, 1], y);
  learner.learn([Number.NaN, 1], 1);
  learner.learn([1], 1);
  assert.is(learner.count("refused"), 6);
  assert.ok(Number.isNaN(learner.learn([3e38, 1], 1)), "no decision where a class has none");
  assert.is(learner.count("overflowed"), 1);
  assert.is(learner.count("learned"), 1);
  assert.is(learner.stateHash(), before);
});

test("it takes the binary learner's options and classes, and names anything else", () => {
  const family = oneVsAllFamily(olk);
  assert.throws(() => family.create({ dimension: 2 }), /ova:olk-c: option classes: got nothing/);
  assert.throws(() => family.layout({ dimension: 2, classes: 3, nonsense: 1 }), /no option nonsense/);
  assert.throws(() => family.create({ dimension: 2, classes: 3, C: -1 }), /ova:olk-c: option C: got -1/);
  assert.throws(
    () => oneVsAllFamily(OLK[1]).layout({ dimension: 2, classes: 3 }),
    /option learner: got "regression"; takes a family whose task/,
  );
});

test.run();
