import { PortableF32 } from "../../src/math/f32.ts";
import { type NodeOptions, nodeLayout, nodeLearner } from "../../src/node/node.ts";
import { SELF_TEST_ITEMS, selfTest, selfTestBytes } from "../../src/selftest/self-test.ts";
import type { Message } from "../../src/wire/messages.ts";

/** The result of comparing two self-tests. */
export type Bits =
  | { readonly verdict: "same bits"; readonly primitives: number; readonly learner: boolean }
  | { readonly verdict: "different bits"; readonly first: string }
  | { readonly verdict: "no self-test" };

/** In words. */
export function bitsText(bits: Bits): string {
  if (bits.verdict === "no self-test") return "ran no self-test";
  if (bits.verdict === "different bits") return `different bits: the first that differs is ${bits.first}`;
  const learner = bits.learner
    ? " and the learner's steps"
    : "; the learner wasn't compared: its options aren't known";
  return `same bits: ${bits.primitives} primitives${learner}`;
}

/** The learner for the test when a node's options are unknown: any one, since its hash isn't compared. */
function anyNode(learner: NodeOptions["learner"]): NodeOptions {
  return { sid: 1, channels: 1, learner, options: { budget: 1 } };
}

/** The self-test's hashes for a node with those options. */
export function selfTestOf(node: NodeOptions): Uint32Array {
  const bytes = Math.max(selfTestBytes(nodeLearner(node)), nodeLayout(node).bytes);
  return selfTest(nodeLearner(node), nodeLayout(node).range(new PortableF32(new ArrayBuffer(bytes))));
}

/**
 * The hashes of `anyNode`: computed once, as a gateway compares a thousand nodes with them each time it
 * starts.
 */
let anyNodes: Uint32Array | undefined;

function selfTestOfAny(learner: NodeOptions["learner"]): Uint32Array {
  anyNodes ??= selfTestOf(anyNode(learner));
  return anyNodes;
}

/**
 * Compares a node's hashes with this machine's. With `node`, the options that the node ought to have, it also
 * compares the learner's hash. `learner`: any one, for the test's memory.
 */
export function compareBits(
  theirs: Uint32Array,
  node: NodeOptions | undefined,
  learner: NodeOptions["learner"],
): Bits {
  if (theirs.length === 0) return { verdict: "no self-test" };
  const ours = node ? selfTestOf(node) : selfTestOfAny(learner);
  const primitives = SELF_TEST_ITEMS.length - 1;
  const first = SELF_TEST_ITEMS.slice(0, node ? primitives + 1 : primitives).find(
    (_, i) => ours[i] !== theirs[i],
  );
  if (first !== undefined) return { verdict: "different bits", first };
  return { verdict: "same bits", primitives, learner: node !== undefined };
}

/** Assembles the parts of message self-test. */
export class SelfTestParts {
  private hashes = new Uint32Array(0);
  private have = 0;

  /** The node's hashes once all have come. */
  take({ first, total, hashes, length }: Message<"self-test">): Uint32Array | undefined {
    if (first === 0) {
      this.hashes = new Uint32Array(total);
      this.have = 0;
    }
    if (first !== this.have || total !== this.hashes.length || first + length > total) return undefined;
    this.hashes.set(hashes.subarray(0, length), first);
    this.have += length;
    return this.have === total ? this.hashes : undefined;
  }
}
