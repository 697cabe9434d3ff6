import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { familyNamed } from "../../src/learn/registry.ts";
import { ceil4 } from "../../src/math/primitives.ts";
import { firstDifference, SELF_TEST_ITEMS, selfTest } from "../../src/selftest/self-test.ts";
import { checkSameHashes, guarded, OPTIONS, PRIMITIVES } from "./tested.ts";

test("two implementations of the arithmetic give the same hashes, for a learner", () => {
  checkSameHashes([familyNamed("olk-c")!]);
});

test("every primitive there is has a hash, and every one that an engine binds", () => {
  const named = (file: string, pattern: RegExp) =>
    [...readFileSync(file, "utf8").matchAll(pattern)].map(([, name]) => name).sort();
  const ours = [...PRIMITIVES].sort();
  assert.equal(ours, named("src/math/primitives.ts", /^ {2}(\w+)\(/gm));
  assert.equal(ours, named("targets/moddable/native-f32.h", /^\tNATIVE\((?!bind|testBatch)(\w+),/gm));
  assert.is(SELF_TEST_ITEMS.at(-1), "learner");
});

/** Words that a primitive's call finds only by their place in memory: a vector's, and a set's number of rows. */
function wordsRead(name: string, options: number[], bits: Uint32Array): Iterable<number> {
  if (name === "finite") return bits.slice(options[0], options[0] + 37);
  if (name !== "gaussianExpansion") return [];
  const [, , set, m, d] = options;
  return [bits[set + d * ceil4(m) + 2 * m]];
}

/** What the self-test itself calls each primitive with, before the learner's turn. */
function recordCalls(): Map<string, number[][]> {
  const { range, f32 } = guarded(OPTIONS);
  const calls = new Map<string, number[][]>();
  let counting = true;
  let depth = 0;
  const learner = {
    ...OPTIONS.learner,
    create: (...options: Parameters<typeof OPTIONS.learner.create>) => {
      counting = false;
      return OPTIONS.learner.create(...options);
    },
  };
  for (const name of PRIMITIVES) {
    const called: number[][] = [];
    const primitive = (f32 as unknown as Record<string, (...options: number[]) => unknown>)[name].bind(f32);
    const seen = (...options: number[]) => {
      if (counting && depth === 0) called.push([...options, ...wordsRead(name, options, f32.bits)]);
      depth++;
      const result = primitive(...options);
      depth--;
      return result;
    };
    Object.assign(f32, { [name]: seen });
    calls.set(name, called);
  }
  selfTest({ ...OPTIONS, learner }, range);
  return calls;
}

test("each primitive runs on 1,000 vectors, or matrices of so many rows", () => {
  const matrices = ["innerProducts", "squaredDistances", "gaussianRow", "polynomialRow", "symmetricProduct"];
  const rowsAt = new Map(
    [...matrices, "nearestRow", "mergeNearest", "fourierFeatures"].map((name) => [name, 3]),
  );
  rowsAt.set("blockProducts", 4);
  rowsAt.set("gaussianExpansion", 9);
  // Each class has a row of coefficients.
  for (const name of ["classScores", "classStep"]) rowsAt.set(name, 4);
  // A wave's numbers count as rows: a few hundred transforms are thousands of butterflies.
  for (const name of ["taper", "fourierTransform"]) rowsAt.set(name, 1);
  for (const [name, calls] of recordCalls()) {
    const at = rowsAt.get(name);
    const vectors = at === undefined ? calls.length : calls.reduce((sum, options) => sum + options[at], 0);
    assert.ok(vectors >= 1000, `${name}: ${vectors}`);
  }
});

test("the vectors are different, of every length, and have numbers of every kind", () => {
  const calls = recordCalls();
  // `load` calls `finite` of results, which lie where `copy` first writes.
  const [[results]] = calls.get("copy") as number[][];
  const options = (calls.get("finite") as number[][]).filter(([at]) => at < results);
  const vectors = options.map((words) => words.slice(2));
  assert.is(new Set(vectors.map((words) => words.join())).size, 1000);
  assert.is(new Set(options.map(([, n]) => n)).size, 13);
  const bits = vectors.flat();
  const among = (is: (magnitude: number) => boolean) => bits.filter((word) => is(word & 0x7fffffff)).length;
  assert.ok(among((word) => word > 0 && word < 0x00800000) > 5_000);
  assert.ok(among((word) => word === 0x7f800000) > 100);
  for (const zero of [0, 0x80000000]) assert.ok(bits.filter((word) => word === zero).length > 100);
});

test("a learner with other options has another hash", () => {
  const one = selfTest(OPTIONS, guarded(OPTIONS).range);
  const options = { ...OPTIONS, options: { dimension: 3, budget: 8, C: 0.25 } };
  assert.is(firstDifference(one, selfTest(options, guarded(options).range)), "learner");
  assert.is.not(new Set(one).size, 1);
});

test.run();
