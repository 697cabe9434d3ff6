import { test } from "uvu";
import * as assert from "uvu/assert";
import { FAMILIES, familyNamed } from "../../src/learn/registry.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { compileWasm, WasmF32 } from "../../src/math/wasm.ts";
import type { NodeOptions } from "../../src/node/node.ts";
import {
  combinedHash,
  firstDifference,
  SELF_TEST_ITEMS,
  selfTest,
  selfTestBytes,
} from "../../src/node/self-test.ts";

const OPTIONS: NodeOptions = { sid: 1, channels: 3, learner: familyNamed("olk-c")!, options: { budget: 8 } };

/** A range that begins behind guard words, of exactly the bytes that a self-test says it needs. */
function guarded(options: NodeOptions) {
  const bytes = selfTestBytes(options);
  const f32 = new PortableF32(new ArrayBuffer(bytes + 32));
  f32.bits.fill(0x12345678);
  return { range: { f32, state: 4, counters: 0, scratch: 0 }, f32, end: 4 + bytes / 4 };
}

test("two implementations of the arithmetic give the same hashes, for every learner", () => {
  const wasm = compileWasm();
  for (const learner of FAMILIES) {
    const options = { ...OPTIONS, learner, options: { budget: 32 } };
    const { range, f32, end } = guarded(options);
    const portable = selfTest(options, range);
    const other = new WasmF32(wasm, 4 * end + 16);
    const hashes = selfTest(options, { f32: other, state: 4, counters: 0, scratch: 0 });
    assert.is(firstDifference(portable, hashes), undefined, learner.name);
    assert.is(combinedHash(portable), combinedHash(hashes));
    for (const k of [0, 1, 2, 3, end, end + 1, end + 2, end + 3]) assert.is(f32.bits[k], 0x12345678);
  }
});

test("the first primitive that differs is named", () => {
  const right = selfTest(OPTIONS, guarded(OPTIONS).range);
  for (const name of SELF_TEST_ITEMS.slice(0, -1)) {
    const { range, f32 } = guarded(OPTIONS);
    const primitive = (f32 as unknown as Record<string, (...given: number[]) => unknown>)[name].bind(f32);
    let calls = 0;
    // A primitive that errs from its 100th call on, in the last bit of one word that it writes, or of what it returns.
    const wrong = (...given: number[]) => {
      const before = f32.bits.slice();
      const result = primitive(...given);
      if (++calls < 100) return result;
      const word = before.findIndex((bits, k) => bits !== f32.bits[k]);
      if (word >= 0) f32.bits[word] ^= 1;
      return word >= 0 ? result : typeof result === "boolean" ? !result : (result as number) + 1;
    };
    Object.assign(f32, { [name]: wrong });
    assert.is(firstDifference(right, selfTest(OPTIONS, range)), name);
  }
});

test("a learner with other options has another hash", () => {
  const one = selfTest(OPTIONS, guarded(OPTIONS).range);
  const options = { ...OPTIONS, options: { budget: 8, C: 0.25 } };
  assert.is(firstDifference(one, selfTest(options, guarded(options).range)), "learner");
  assert.is.not(new Set(one).size, 1);
});

test.run();
