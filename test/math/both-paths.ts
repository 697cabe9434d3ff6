import { createHash } from "node:crypto";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { NAMES } from "../../dev/fuzz-math-calls.ts";
import { Comparison } from "../../dev/fuzz-math-comparison.ts";
import { arithmeticNamed } from "../../host/arithmetic.ts";
import { Random } from "../../host/random.ts";
import { type Family, withBudget } from "../../src/learn/family.ts";
import { oneVsAllFamily } from "../../src/learn/one-vs-all.ts";
import { FAMILIES } from "../../src/learn/registry.ts";
import type { Primitives } from "../../src/math/primitives.ts";

const SEED = 1;

/** A test of each primitive, on so many vectors. */
export function checkPrimitives(portable: Primitives, wasm: Primitives, vectors: number): void {
  NAMES.forEach((name, primitive) => {
    test(`${name}: TypeScript and WebAssembly agree to the bit`, () => {
      const differs = new Comparison(portable, wasm, SEED).run(primitive, 0, vectors);
      assert.is(differs, -1, `call ${differs} of ${name}, seed ${SEED}`);
    });
  });
}

function hashAfter(family: Family, path: "webassembly" | "typescript", steps: number): string {
  const arithmetic = arithmeticNamed(path);
  assert.ok(arithmetic, path);
  const given = { dimension: 5, ...(family.task === "multiclass" && { classes: 3 }) };
  const options = withBudget(family, given, 61);
  const learner = family.create({ ...options, memory: arithmetic!.allocate(family.layout(options)) });
  const random = new Random(1, "paths");
  const x = new Float32Array(given.dimension);
  const told: number[] = [];
  for (let step = 0; step < steps; step++) {
    for (let j = 0; j < x.length; j++) x[j] = random.normal();
    const value = x[0] * x[1] + Math.abs(x[2]) - 0.5;
    const sign = value < 0 ? -1 : 1;
    const label = { multiclass: step % 3, regression: value, novelty: 1, classification: sign };
    told.push(learner.learn(x, label[family.task]));
  }
  return `${learner.stateHash()} ${learner.size} ${createHash("sha256").update(Float64Array.from(told)).digest("hex")}`;
}

/** A test of each learner, over so many labels. */
export function checkLearners(steps: number): void {
  for (const family of [...FAMILIES, oneVsAllFamily(FAMILIES.find(({ name }) => name === "pa") as Family)]) {
    test(`${family.name}: the same state and the same predictions on both paths`, () => {
      assert.is(hashAfter(family, "webassembly", steps), hashAfter(family, "typescript", steps));
    });
  }
}
