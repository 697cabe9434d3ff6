import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { primitivesC } from "../../dev/firmware/primitives-c.mjs";
import { WORDS } from "../../dev/fuzz-math-calls.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { compileWasm, WasmF32 } from "../../src/math/wasm.ts";
import { checkLearners, checkPrimitives } from "./both-paths.ts";

test("the WebAssembly module was compiled from f32.c as it is", () => {
  const hash = createHash("sha256").update(readFileSync("src/math/f32.h")).update(primitivesC(process.cwd()));
  const isCompiled = readFileSync("src/math/f32.wasm").includes(hash.digest("hex"));
  assert.ok(isCompiled, "f32.c or f32.h has changed since: npm run build:wasm");
});

const wasm = new WasmF32(compileWasm(), 4 * WORDS);
const portable = new PortableF32(new ArrayBuffer(4 * WORDS));

test("a WebAssembly memory views exactly the bytes asked for, zeroed", () => {
  assert.is(wasm.words.length, WORDS);
  assert.is(wasm.bits.byteOffset, wasm.words.byteOffset);
  const { words } = new WasmF32(compileWasm(), 4 * 70_000);
  assert.ok(words.length === 70_000 && words.every((word) => word === 0));
});

checkPrimitives(portable, wasm, 1000);
checkLearners(200);

test("a learner too large for a WebAssembly memory is refused in one line", () => {
  const module = compileWasm();
  assert.throws(() => new WasmF32(module, 2 ** 31), /^memory: allocation failed: 2147483648 bytes/);
});

test.run();
