import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { withBudget } from "../../src/learn/family.ts";
import { FAMILIES, familyNamed } from "../../src/learn/registry.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { ceil4 } from "../../src/math/primitives.ts";
import { compileWasm, WasmF32 } from "../../src/math/wasm.ts";
import {
  combinedHash,
  firstDifference,
  SELF_TEST_ITEMS,
  selfTest,
  selfTestBytes,
  type TestedLearner,
} from "../../src/selftest/self-test.ts";

const OPTIONS: TestedLearner = { learner: familyNamed("olk-c")!, options: { dimension: 3, budget: 8 } };

const PRIMITIVES = SELF_TEST_ITEMS.slice(0, -1);

/** A range that begins behind guard words, of exactly the bytes that a self-test says it needs. */
function guarded(options: TestedLearner) {
  const bytes = selfTestBytes(options);
  const f32 = new PortableF32(new ArrayBuffer(bytes + 32));
  f32.bits.fill(0x12345678);
  return { range: { f32, state: 4, counters: 0, scratch: 0 }, f32, end: 4 + bytes / 4 };
}

test("two implementations of the arithmetic give the same hashes, for every learner", () => {
  const wasm = compileWasm();
  for (const learner of FAMILIES) {
    const options = { learner, options: withBudget(learner, { dimension: 3 }, 32) };
    const { range, f32, end } = guarded(options);
    const portable = selfTest(options, range);
    const other = new WasmF32(wasm, 4 * end + 16);
    const hashes = selfTest(options, { f32: other, state: 4, counters: 0, scratch: 0 });
    assert.is(firstDifference(portable, hashes), undefined, learner.name);
    assert.is(combinedHash(portable), combinedHash(hashes));
    for (const k of [0, 1, 2, 3, end, end + 1, end + 2, end + 3]) assert.is(f32.bits[k], 0x12345678);
  }
});

test("every primitive there is has a hash, and every one that an engine binds", () => {
  const named = (file: string, pattern: RegExp) =>
    [...readFileSync(file, "utf8").matchAll(pattern)].map(([, name]) => name).sort();
  const ours = [...PRIMITIVES].sort();
  assert.equal(ours, named("src/math/primitives.ts", /^ {2}(\w+)\(/gm));
  assert.equal(ours, named("targets/moddable/native-f32.h", /^\tNATIVE\((\w+),/gm));
  assert.is(SELF_TEST_ITEMS.at(-1), "learner");
});

test("the first primitive that differs is named", () => {
  const right = selfTest(OPTIONS, guarded(OPTIONS).range);
  for (const name of PRIMITIVES) {
    const { range, f32 } = guarded(OPTIONS);
    const primitive = (f32 as unknown as Record<string, (...given: number[]) => unknown>)[name].bind(f32);
    let calls = 0;
    // A primitive that errs from its 100th call on, in the last bit of one word that it writes, or of what it returns.
    // A set's size and its indices stay within it: else a step wouldn't end.
    const wrong = (...given: number[]) => {
      const before = f32.bits.slice();
      const result = primitive(...given);
      if (++calls < 100) return result;
      const word = before.findIndex((bits, k) => bits !== f32.bits[k] && f32.bits[k] > 16);
      if (word >= 0) f32.bits[word] ^= 1;
      if (word >= 0) return result;
      if (typeof result === "boolean") return !result;
      return Number.isInteger(result) ? Math.max(0, (result as number) - 1) : (result as number) + 1;
    };
    Object.assign(f32, { [name]: wrong });
    assert.is(firstDifference(right, selfTest(OPTIONS, range)), name);
  }
});

/** Words that the call of a primitive is told of only by where they lie: a vector's, and how many rows a set has. */
function wordsRead(name: string, given: number[], bits: Uint32Array): Iterable<number> {
  if (name === "finite") return bits.slice(given[0], given[0] + 37);
  if (name !== "gaussianExpansion") return [];
  const [, , set, m, d] = given;
  return [bits[set + d * ceil4(m) + 2 * m]];
}

/** What the self-test itself calls each primitive with, before the learner's turn. */
function callsOf(): Map<string, number[][]> {
  const { range, f32 } = guarded(OPTIONS);
  const calls = new Map<string, number[][]>();
  let counting = true;
  let depth = 0;
  const learner = {
    ...OPTIONS.learner,
    create: (...given: Parameters<typeof OPTIONS.learner.create>) => {
      counting = false;
      return OPTIONS.learner.create(...given);
    },
  };
  for (const name of PRIMITIVES) {
    const called: number[][] = [];
    const primitive = (f32 as unknown as Record<string, (...given: number[]) => unknown>)[name].bind(f32);
    const seen = (...given: number[]) => {
      if (counting && depth === 0) called.push([...given, ...wordsRead(name, given, f32.bits)]);
      depth++;
      const result = primitive(...given);
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
  rowsAt.set("gaussianExpansion", 9);
  // A wave's numbers count as rows: a few hundred transforms are thousands of butterflies.
  for (const name of ["taper", "fourierTransform"]) rowsAt.set(name, 1);
  for (const [name, calls] of callsOf()) {
    const at = rowsAt.get(name);
    const vectors = at === undefined ? calls.length : calls.reduce((sum, given) => sum + given[at], 0);
    assert.ok(vectors >= 1000, `${name}: ${vectors}`);
  }
});

test("the vectors are different, of every length, and have numbers of every kind", () => {
  const calls = callsOf();
  // `finite` is also called for each batch of results, which lie where `copy` first writes.
  const [[results]] = calls.get("copy") as number[][];
  const given = (calls.get("finite") as number[][]).filter(([at]) => at < results);
  const vectors = given.map((words) => words.slice(2));
  assert.is(new Set(vectors.map((words) => words.join())).size, 1000);
  assert.is(new Set(given.map(([, n]) => n)).size, 13);
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
