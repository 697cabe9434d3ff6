import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { arithmeticNamed } from "../../host-sim/arithmetic.ts";
import { Random } from "../../host-sim/random.ts";
import { type Family, withBudget } from "../../src/learn/family.ts";
import { oneVsAllFamily } from "../../src/learn/one-vs-all.ts";
import { FAMILIES } from "../../src/learn/registry.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { SOURCE_HASH } from "../../src/math/f32-wasm.ts";
import { compileWasm, WasmF32 } from "../../src/math/wasm.ts";
import { Comparison, NAMES, WORDS } from "../../tools/dev/fuzz-math-vectors.ts";

/** `npm run test:device` compares 100,000, with C on both chips too. */
const VECTORS = 10_000;
const SEED = 1;
const STEPS = 1000;

test("the WebAssembly module was compiled from f32.c as it is", () => {
  const hash = createHash("sha256");
  for (const file of ["f32.h", "f32.c"]) hash.update(readFileSync(`src/math/${file}`));
  assert.is(SOURCE_HASH, hash.digest("hex"), "f32.c or f32.h has changed since: npm run build:wasm");
});

const wasm = new WasmF32(compileWasm(), 4 * WORDS);
const portable = new PortableF32(new ArrayBuffer(4 * WORDS));

test("a WebAssembly memory views exactly the bytes asked for, zeroed", () => {
  assert.is(wasm.words.length, WORDS);
  assert.is(wasm.bits.byteOffset, wasm.words.byteOffset);
  const { words } = new WasmF32(compileWasm(), 4 * 70_000);
  assert.ok(words.length === 70_000 && words.every((word) => word === 0));
});

NAMES.forEach((name, primitive) => {
  test(`${name}: TypeScript and WebAssembly agree to the bit`, () => {
    const differs = new Comparison(portable, wasm, SEED).run(primitive, 0, VECTORS);
    assert.is(differs, -1, `call ${differs} of ${name}, seed ${SEED}`);
  });
});

function hashAfter(family: Family, path: "webassembly" | "typescript"): string {
  const arithmetic = arithmeticNamed(path);
  assert.ok(arithmetic, path);
  const given = { dimension: 5, ...(family.task === "multiclass" && { classes: 3 }) };
  const options = withBudget(family, given, 61);
  const learner = family.create({ ...options, memory: arithmetic!.allocate(family.layout(options)) });
  const random = new Random(1, "paths");
  const x = new Float32Array(given.dimension);
  const told: number[] = [];
  for (let step = 0; step < STEPS; step++) {
    for (let j = 0; j < x.length; j++) x[j] = random.normal();
    const value = x[0] * x[1] + Math.abs(x[2]) - 0.5;
    const sign = value < 0 ? -1 : 1;
    const label = { multiclass: step % 3, regression: value, novelty: 1, classification: sign };
    told.push(learner.learn(x, label[family.task]));
  }
  return `${learner.stateHash()} ${learner.size} ${createHash("sha256").update(Float64Array.from(told)).digest("hex")}`;
}

for (const family of [...FAMILIES, oneVsAllFamily(FAMILIES.find(({ name }) => name === "pa") as Family)]) {
  test(`${family.name}: the same state and the same predictions on both paths`, () => {
    assert.is(hashAfter(family, "webassembly"), hashAfter(family, "typescript"));
  });
}

test("a learner too large for a WebAssembly memory is refused in one line", () => {
  const module = compileWasm();
  assert.throws(() => new WasmF32(module, 2 ** 31), /^memory: allocation failed: 2147483648 bytes/);
});

test.run();
