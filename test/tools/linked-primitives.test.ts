import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { callsIn, linkedPrimitives, selfTestText } from "../../dev/firmware/linked.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { SELF_TEST_ITEMS, UNLINKED } from "../../src/selftest/self-test.ts";
import { LINKED } from "../../tools/session/linked-primitives.ts";
import { bitsText, compareBits, runFirmwareTest, runSelfTest } from "../../tools/session/same-bits.ts";

const PRIMITIVES = SELF_TEST_ITEMS.slice(0, -1);
const PA = familyNamed("pa")!;
const NODE: NodeOptions = { sid: 1, channels: 2, learner: PA, options: {} };
/** PA stores no vectors: it calls dot, and no stepExpansion. */
const CALLED = PRIMITIVES.indexOf("dot");
const UNCALLED = PRIMITIVES.indexOf("stepExpansion");

/** A node's hashes with another one at that place. */
function withHash(hashes: Uint32Array, i: number, hash: number): Uint32Array {
  const other = hashes.slice();
  other[i] = hash;
  return other;
}

test("a module links what it calls in C, and what that calls, and no more", () => {
  const calls = callsIn(process.cwd());
  const of = (...names: string[]) =>
    linkedPrimitives(calls, PRIMITIVES, names.map((name) => `native("motelearn_${name}")`).join());
  assert.equal(of("dot"), ["dot"]);
  assert.equal(of("load"), ["finite", "load"]);
  assert.equal(of("frame_close"), ["crc32"]);
  assert.ok(of("bindExpansion").includes("gaussianExpansion"));
  assert.not.ok(of("bindExpansion").includes("stepExpansion"));
  assert.ok(of("bindExpansionStep").includes("stepExpansion"));
  const header = readFileSync("src/math/f32.h", "utf8");
  const all = [...header.matchAll(/\bf32_(\w+)\(/g)].map(([, name]) =>
    name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase()),
  );
  assert.equal(of("load", ...all), PRIMITIVES);
});

test("the file of a firmware's self-test has a bit for each primitive that is linked", () => {
  const names = Array.from({ length: 58 }, (_, i) => `primitive ${i}`);
  const text = selfTestText("some", names, [names[0], names[3], names[57]]);
  assert.match(text, /^#define SELF_TEST_LINKED 0x0200000000000009ull$/m);
});

test("a node passes without primitives that its learner doesn't call, and says so", () => {
  const hashes = runFirmwareTest(NODE);
  assert.is(hashes[UNCALLED], UNLINKED);
  const bits = compareBits(hashes, "pa", NODE);
  const called = PRIMITIVES.filter((_, i) => hashes[i] !== UNLINKED).length;
  assert.ok(called > 10 && called < 25, `${called}`);
  assert.equal(bits, { verdict: "same bits", primitives: called, learner: true });
  assert.is(
    bitsText(bits),
    `same bits: ${called} primitives of ${PRIMITIVES.length}, all that its learner calls, and the learner's steps`,
  );
  assert.is(compareBits(runSelfTest(NODE), "pa", NODE).verdict, "same bits");
});

test("a learner is known by as much of its name as hello has", () => {
  const node = { ...NODE, learner: familyNamed("kernel-perceptron")!, options: {} };
  const hashes = runFirmwareTest(node);
  assert.is(compareBits(hashes, "kernel-perceptro", node).verdict, "same bits");
  const begins = new Map([...LINKED].map(([learner, linked]) => [learner.slice(0, 16), linked]));
  for (const [learner, linked] of LINKED) assert.is(begins.get(learner.slice(0, 16)), linked, learner);
});

test("a hash of 0 never passes, nor a missing primitive that the learner calls", () => {
  const hashes = runFirmwareTest(NODE);
  const verdict = (i: number, hash: number, learner = "pa") =>
    compareBits(withHash(hashes, i, hash), learner, NODE);
  assert.equal(verdict(UNCALLED, 0), { verdict: "different bits", first: "stepExpansion" });
  assert.equal(verdict(CALLED, 0), { verdict: "different bits", first: "dot" });
  assert.equal(verdict(CALLED, UNLINKED), { verdict: "different bits", first: "dot" });
  const last = SELF_TEST_ITEMS.length - 1;
  assert.equal(verdict(last, UNLINKED), { verdict: "different bits", first: "learner" });
  assert.is(compareBits(new Uint32Array(SELF_TEST_ITEMS.length), "pa", NODE).verdict, "different bits");
});

test("a node with a learner that no firmware of ours has must have every primitive", () => {
  assert.is(compareBits(runFirmwareTest(NODE), "mine", NODE).verdict, "different bits");
  assert.is(compareBits(runSelfTest(NODE), "mine", NODE).verdict, "same bits");
});

test.run();
