import { test } from "uvu";
import * as assert from "uvu/assert";
import { arithmeticNamed } from "../../host/arithmetic.ts";
import { Random } from "../../host/random.ts";
import type { Family } from "../../src/learn/family.ts";
import { oneVsAllFamily } from "../../src/learn/one-vs-all.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { SharedClasses } from "../../src/learn/shared-classes.ts";
import * as fc from "../properties.ts";
import { readWords } from "./region.ts";

const NAMES = ["olk-c", "kernel-perceptron", "bsgd"];
const K = 4;
const kernel = { type: "gaussian", gamma: 0.7 } as const;
const whole = (name: string) => oneVsAllFamily(familyNamed(name) as Family);

const value = fc.integer({ min: -64, max: 64 }).map((n) => n / 32);
const sample = fc.tuple(fc.array(value, { minLength: 3, maxLength: 3 }), fc.integer({ min: 0, max: K - 1 }));

for (const name of NAMES) {
  test(`${name}: while there is room, classes that share a dictionary are what each is with its own`, () => {
    // With C from the errors, each dictionary would have errors of its own.
    const given = name === "olk-c" ? { C: 0.4 } : {};
    const options = { dimension: 3, kernel, budget: 40, classes: K, ...given };
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 40 }), (samples) => {
        const shared = whole(name).create({ ...options, shared: true });
        const apart = whole(name).create(options);
        for (const [x, y] of samples) {
          shared.learn(x, y);
          apart.learn(x, y);
          const expected = [...readWords(apart, "scores", K)];
          [...readWords(shared, "scores", K)].forEach((score, c) => {
            assert.ok(Math.abs(score - expected[c]) < 1e-4, `class ${c}: ${score}, ${expected[c]}`);
          });
        }
        assert.ok(shared.size <= apart.size);
      }),
      { numRuns: 40 },
    );
  });
}

/** Samples around the corners of a square, a class a corner. */
function corners(count: number, seed: number): [number[], number][] {
  const random = new Random(seed, "corners");
  return Array.from({ length: count }, () => {
    const y = random.below(K);
    return [[2 * (y & 1) + 0.4 * random.normal(), (y & 2) + 0.4 * random.normal()], y];
  });
}

for (const evict of ["oldest", "smallest", "refuse", "merge"]) {
  test(`a full dictionary learns on (${evict}), and norms match the coefficients`, () => {
    const options = { dimension: 2, kernel, budget: 12, classes: K, shared: true, evict };
    const learner = whole("olk-c").create(options) as SharedClasses;
    for (const [x, y] of corners(400, 1)) learner.learn(x, y);
    assert.is(learner.size, 12);
    assert.is(learner.count("overflowed"), 0);
    assert.ok(learner.count(evict === "refuse" ? "declined" : "evicted") > 20);
    const test = corners(400, 2);
    const errors = test.filter(([x, y]) => learner.predict(x) !== y).length;
    assert.ok(errors < 40, `${errors} of ${test.length}`);
    const { words } = learner.range.f32;
    const at = learner.layout.at("classes", learner.range);
    for (let i = 0; i < 12; i++) {
      const norm = Math.hypot(...Array.from({ length: K }, (_, c) => words[at + 4 * i + c]));
      assert.ok(Math.abs(norm / learner.dictionary.coefficient(i) - 1) < 1e-4, `vector ${i}`);
    }
  });
}

test("a merged vector lies between the two, with each class's coefficients projected on it", () => {
  const options = { dimension: 1, kernel, budget: 2, classes: 3, shared: true, eta: 1 };
  const learner = whole("kernel-perceptron").create({ ...options, evict: "merge" });
  learner.learn([0], 0);
  learner.learn([9], 1);
  const before = [...readWords(learner, "scores", K)].slice(0, 3);
  assert.is(learner.count("inserted"), 2);
  learner.predict([0.5]);
  assert.is(before.length, 3);
  learner.learn([9.4], 2); // stored for another label: nothing to merge with, so the vector of least norm is lost
  assert.is(learner.size, 2);
  assert.is(learner.count("evicted"), 1);
});

test("the same bits in WebAssembly and TypeScript", () => {
  for (const name of NAMES) {
    const hashes = (["webassembly", "typescript"] as const).map((path) => {
      const family = whole(name);
      const options = { dimension: 2, budget: 12, classes: K, shared: true };
      const memory = arithmeticNamed(path)?.allocate(family.layout(options));
      const learner = family.create({ ...options, memory });
      for (const [x, y] of corners(300, 3)) learner.learn(x, y);
      return learner.stateHash();
    });
    assert.is(hashes[0], hashes[1], name);
  }
});

test("its memory is one dictionary, and K coefficients a vector", () => {
  const options = { dimension: 8, budget: 64, classes: 26 };
  const shared = whole("olk-c").layout({ ...options, shared: true });
  assert.is(shared.bytes, whole("olk-c").create({ ...options, shared: true }).layout.bytes);
  assert.ok(shared.bytes < whole("olk-c").layout(options).bytes / 3);
});

test("the option is refused by name where classes can't share", () => {
  const options = { dimension: 2, classes: 3, shared: true };
  assert.throws(() => whole("pa").create(options), /ova:pa.*shared/);
  assert.throws(() => whole("olk-c").create({ ...options, shared: 1 }), /shared: got 1; takes true or false/);
  assert.throws(() => whole("olk-c").create({ ...options, C: -1 }), /C: got -1/);
  assert.instance(whole("olk-c").create(options), SharedClasses);
});

test.run();
