import type { Family, UserOptions } from "../learn/family.ts";
import type { Learner, Task } from "../learn/learner.ts";
import type { MemoryRange } from "../memory/layout.ts";
import { PRIMITIVES, SELF_TEST_ITEMS, WORDS } from "./calls.ts";
import { Draw } from "./draw.ts";
import { testPrimitives } from "./portable-tests.ts";

export { SELF_TEST_ITEMS } from "./calls.ts";

/** In place of the hash of a primitive that a firmware doesn't have, since its learner doesn't call it. A test that didn't run leaves 0. */
export const UNLINKED = 0xffffffff;

/** Steps that the learner takes. */
const STEPS = 100;

/** A learner to be tested: its family, and all its options, `dimension` included. */
export interface TestedLearner {
  /** Its family. */
  readonly learner: Family;
  /** Its options, `dimension` included. */
  readonly options: UserOptions;
}

/**
 * Bytes of memory that a self-test with that learner needs; a node's own range, before it is made,
 * mostly has them.
 */
export function selfTestBytes({ learner, options }: TestedLearner): number {
  return Math.max(4 * WORDS, learner.layout(options).bytes);
}

function mix(hash: number, word: number): number {
  const h = Math.imul(hash ^ word, 0x01000193);
  return h ^ (h >>> 15);
}

/** A label of the task for a score. */
function scoreLabel(task: Task, score: number): number {
  if (task === "regression") return score;
  if (task === "multiclass") return score < 0 ? 0 : 1;
  if (task === "novelty") return score < 0 ? 0 : 1;
  return score < 0 ? -1 : 1;
}

/** Lets a learner take its steps, and hashes its state. Components are multiples of 1/64 in [-2, 2). */
function testLearner(learner: Learner, feed: () => void): number {
  const draw = new Draw();
  const x = new Float32Array(learner.dimension);
  for (let step = 0; step < STEPS; step++) {
    feed();
    for (let j = 0; j < x.length; j++) x[j] = ((draw.next() & 255) - 128) / 64;
    learner.learn(x, scoreLabel(learner.task, x[0] * x[1 % x.length] + x[2 % x.length]));
  }
  const { range, layout } = learner;
  const { words } = range.f32;
  const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
  return range.f32.crc32(bytes, 4 * range.state, 4 * (range.state + layout.state), 0);
}

/**
 * Tries the arithmetic before a node starts: each primitive on 1,000 fixed vectors, then 100 steps of the
 * node's own learner. Returns one hash for each of `SELF_TEST_ITEMS`, so that a comparison names the first primitive that differs. The
 * hashes are 4 bytes each, and it makes a learner, one input of `4 * dimension` bytes and some views, which the engine may
 * collect when it returns; it is called at boot only. Works in `selfTestBytes(tested)` bytes from `memory.state` on, whose contents it
 * spoils: make the node there afterwards.
 * @param feed called for every ten vectors and for each step of the learner: a microcontroller takes seconds, and its watchdog may wait for
 * less.
 */
export function selfTest(tested: TestedLearner, memory: MemoryRange, feed = () => {}): Uint32Array {
  const hashes = new Uint32Array(PRIMITIVES + 1);
  testPrimitives(memory.f32, memory.state, hashes, feed);
  const { learner: family, options } = tested;
  const range = family.layout(options).range(memory.f32, 4 * memory.state);
  const learner = family.create({ ...options, memory: range });
  hashes[hashes.length - 1] = testLearner(learner, feed);
  return hashes;
}

/** One hash of a self-test's hashes. */
export function combinedHash(hashes: Uint32Array): number {
  let hash = 0;
  for (let i = 0; i < hashes.length; i++) hash = mix(hash, hashes[i]);
  return hash >>> 0;
}

/** The first item on which two self-tests differ; undefined if they agree. */
export function firstDifference(one: ArrayLike<number>, other: ArrayLike<number>): string | undefined {
  return SELF_TEST_ITEMS.find((_, i) => one[i] !== other[i]);
}
