import { nodeLearner } from "../../../src/node/node-options.ts";
import { combinedHash, selfTest, selfTestBytes } from "../../../src/selftest/self-test.ts";
import type { Host } from "./host.ts";
import { type Arithmetic, nodeOptions } from "./loops.ts";

/** Measures a node's boot, and prints it as JSON. */
export interface Boot {
  /** Of the self-test's hashes, 8 hex digits. */
  readonly hash: string;
  /** Of the self-test; 0 where they aren't counted. */
  readonly instructions: number;
}

/** Runs a board's self-test of the arithmetic at boot, with the usual node's learner. */
export function boot(host: Host, budget: number, arithmetic: Arithmetic): Boot {
  const node = nodeOptions({}, budget);
  const memory = { f32: arithmetic(selfTestBytes(nodeLearner(node))), state: 0, counters: 0, scratch: 0 };
  const before = host.instructions();
  const hashes = selfTest(nodeLearner(node), memory, () => host.feed());
  const instructions = host.instructions() - before;
  return { hash: combinedHash(hashes).toString(16).padStart(8, "0"), instructions };
}
