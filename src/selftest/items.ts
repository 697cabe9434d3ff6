import { frozen } from "../memory/frozen.ts";
import { ALL_DRAWN, type Call, type Calls, PLAIN_CALLS } from "./calls.ts";
import { RESULTS_WORDS, STEP_CALLS } from "./steps.ts";

// Marked as pure, so that a board's bundle, which has the calls in C, is without them.
/** Every primitive, after those that it calls. */
const NAMED_CALLS: Calls = /* @__PURE__ */ (() => frozen([...PLAIN_CALLS, ...STEP_CALLS]))();
export const CALLS: readonly Call[] = /* @__PURE__ */ (() => frozen(NAMED_CALLS.map(([, call]) => call)))();

/** The item that each hash of a self-test covers, in order. */
export const SELF_TEST_ITEMS: readonly string[] = /* @__PURE__ */ (() =>
  frozen([...NAMED_CALLS.map(([name]) => name), "learner"]))();
/** In place of the hash of a primitive that a firmware doesn't have, since its learner doesn't call it. A test that didn't run leaves 0. */
export const UNLINKED = 0xffffffff;

export const ITEMS = PLAIN_CALLS.length + STEP_CALLS.length + 1;

/** The memory, in words: a batch's drawn numbers, then the results. */
export const WORDS = ALL_DRAWN + RESULTS_WORDS;
