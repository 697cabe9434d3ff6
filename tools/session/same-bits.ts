import { FAMILIES } from "../../src/learn/registry.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import { type NodeOptions, nodeLearner } from "../../src/node/node-options.ts";
import { SELF_TEST_ITEMS, selfTest, selfTestBytes, UNLINKED } from "../../src/selftest/self-test.ts";
import type { Message } from "../../src/wire/messages.ts";
import { LINKED } from "./linked-primitives.ts";

/** Two self-tests agree in so many primitives, and, where it was compared, in the learner's steps. */
interface SameBits {
  readonly verdict: "same bits";
  readonly primitives: number;
  readonly learner: boolean;
}

/** The result of comparing two self-tests: of so many primitives, and whether of the learner's steps. */
export type Bits =
  | SameBits
  | { readonly verdict: "different bits"; readonly first: string }
  | { readonly verdict: "no self-test" };

const PRIMITIVES = SELF_TEST_ITEMS.slice(0, -1);

/** So much of a learner's name is in hello: those that begin alike link the same. */
const shortName = (learner: string) => learner.slice(0, 16);
const LINKED_BY_TOLD = new Map([...LINKED].map(([learner, linked]) => [shortName(learner), linked]));

/** True if a firmware with that learner links primitive i. One whose learner we don't know links all. */
function isLinked(learner: string, i: number): boolean {
  return ((LINKED_BY_TOLD.get(shortName(learner)) ?? -1n) & (1n << BigInt(i))) !== 0n;
}

export function bitsText(bits: Bits): string {
  if (bits.verdict === "no self-test") return "ran no self-test";
  if (bits.verdict === "different bits") return `different bits: the first that differs is ${bits.first}`;
  const what = comparedText(bits);
  return bits.learner
    ? `same bits: ${what}`
    : `not compared: the learner, whose options aren't known; ${what} agree`;
}

/** Of what two self-tests agree. */
export function comparedText({ primitives, learner }: SameBits): string {
  const unlinked = PRIMITIVES.length - primitives;
  const others = unlinked > 0 ? ` of ${PRIMITIVES.length}, all that its learner calls,` : "";
  return `${primitives} primitives${others}${learner ? " and the learner's steps" : ""}`;
}

/** The node for the test when a node's options are unknown: with any learner, since its hash isn't compared. */
const ANY_NODE: NodeOptions = { sid: 1, channels: 1, learner: FAMILIES[0], options: { budget: 1 } };

/** The self-test's hashes for a node with those options. */
export function runSelfTest(node: NodeOptions): Uint32Array {
  const bytes = Math.max(selfTestBytes(nodeLearner(node)), nodeLayout(node).bytes);
  return selfTest(nodeLearner(node), nodeLayout(node).range(new PortableF32(new ArrayBuffer(bytes))));
}

/** The self-test's hashes for that node's firmware, which links what its learner calls. */
export function runFirmwareTest(node: NodeOptions): Uint32Array {
  const { name } = node.learner;
  return runSelfTest(node).map((hash, i) => (i < PRIMITIVES.length && !isLinked(name, i) ? UNLINKED : hash));
}

/** Its hashes, computed once: a gateway compares a thousand nodes with them each time it starts. */
let ofAnyNode: Uint32Array | undefined;

function selfTestOfAny(): Uint32Array {
  ofAnyNode ??= runSelfTest(ANY_NODE);
  return ofAnyNode;
}

/**
 * Compares the hashes of a node, whose hello named that learner, with this machine's. A primitive may be missing that the learner's firmware
 * doesn't link, and no other. With `node`, the options that the node ought to have, it also compares the learner's hash.
 */
export function compareBits(theirs: Uint32Array, learner: string, node?: NodeOptions): Bits {
  if (theirs.length === 0) return { verdict: "no self-test" };
  const ours = node ? runSelfTest(node) : selfTestOfAny();
  const isMissing = (i: number) => theirs[i] === UNLINKED && i < PRIMITIVES.length && !isLinked(learner, i);
  const first = SELF_TEST_ITEMS.slice(0, node ? undefined : -1).find(
    (_, i) => ours[i] !== theirs[i] && !isMissing(i),
  );
  if (first !== undefined) return { verdict: "different bits", first };
  const primitives = PRIMITIVES.filter((_, i) => !isMissing(i)).length;
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
