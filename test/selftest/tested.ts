import * as assert from "uvu/assert";
import { type Family, withBudget } from "../../src/learn/family.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { compileWasm, WasmF32 } from "../../src/math/wasm.ts";
import {
  combinedHash,
  firstDifference,
  SELF_TEST_ITEMS,
  selfTest,
  selfTestBytes,
  type TestedLearner,
} from "../../src/selftest/self-test.ts";

export const OPTIONS: TestedLearner = {
  learner: familyNamed("olk-c")!,
  options: { dimension: 3, budget: 8 },
};

export const PRIMITIVES = SELF_TEST_ITEMS.slice(0, -1);

/** A range that begins behind guard words, of exactly the bytes that a self-test says it needs. */
export function guarded(options: TestedLearner) {
  const bytes = selfTestBytes(options);
  const f32 = new PortableF32(new ArrayBuffer(bytes + 32));
  f32.bits.fill(0x12345678);
  return { range: { f32, state: 4, counters: 0, scratch: 0 }, f32, end: 4 + bytes / 4 };
}

/** TypeScript and WebAssembly give the same hashes of those learners. */
export function checkSameHashes(learners: readonly Family[]): void {
  const wasm = compileWasm();
  for (const learner of learners) {
    const options = { learner, options: withBudget(learner, { dimension: 3 }, 32) };
    const { range, f32, end } = guarded(options);
    const portable = selfTest(options, range);
    const other = new WasmF32(wasm, 4 * end + 16);
    const hashes = selfTest(options, { f32: other, state: 4, counters: 0, scratch: 0 });
    assert.is(firstDifference(portable, hashes), undefined, learner.name);
    assert.is(combinedHash(portable), combinedHash(hashes));
    for (const k of [0, 1, 2, 3, end, end + 1, end + 2, end + 3]) assert.is(f32.bits[k], 0x12345678);
  }
}

/** Of a fault in each of those primitives the self-test names that one. */
export function checkFaultIsNamed(names: readonly string[]): void {
  const right = selfTest(OPTIONS, guarded(OPTIONS).range);
  for (const name of names) {
    const { range, f32 } = guarded(OPTIONS);
    const primitive = (f32 as unknown as Record<string, (...options: number[]) => unknown>)[name].bind(f32);
    let calls = 0;
    // A primitive that errs from its 100th call on, in the last bit of one word that it writes, or of what it returns.
    // A set's size and its indices stay within it: else a step wouldn't end.
    const wrong = (...options: number[]) => {
      const before = f32.bits.slice();
      const result = primitive(...options);
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
}
