import type { Primitives } from "../math/primitives.ts";
import { BATCH, VECTORS } from "./calls.ts";

/** `testPrimitives` where an engine has it in C, of the same hashes: see `Primitives.testBatch`. */
export function testByC(f32: Primitives, at: number, hashes: Uint32Array, feed: () => void): void {
  for (let first = 0; first < VECTORS; first += BATCH) {
    feed();
    f32.testBatch?.(at, first, hashes);
  }
}
