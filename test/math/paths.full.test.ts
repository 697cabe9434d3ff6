import { test } from "uvu";
import { WORDS } from "../../dev/fuzz-math-calls.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { compileWasm, WasmF32 } from "../../src/math/wasm.ts";
import { checkLearners, checkPrimitives } from "./both-paths.ts";

/** `npm run test:device` compares 100,000, with C on both chips too. */
const VECTORS = 10_000;
const portable = new PortableF32(new ArrayBuffer(4 * WORDS));

checkPrimitives(portable, new WasmF32(compileWasm(), 4 * WORDS), VECTORS);
checkLearners(1000);

test.run();
