import type { Primitives } from "../math/primitives.ts";
import { BATCH, selfTestBatch, VECTORS } from "./calls.ts";
import { testByC } from "./tests-in-c.ts";

/**
 * Runs each primitive on the same vectors, in the memory from word `at`, and hashes its results there: a hash
 * for each, with one more word for its own use. `feed` is called for every batch.
 */
export function testPrimitives(f32: Primitives, at: number, hashes: Uint32Array, feed: () => void): void {
  if (f32.testBatch) {
    testByC(f32, at, hashes, feed);
    return;
  }
  for (let first = 0; first < VECTORS; first += BATCH) {
    feed();
    selfTestBatch(f32, at, first, hashes);
  }
}
