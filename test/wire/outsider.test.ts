// An outsider's implementation from docs/spec/wire.md alone: recomputes each hash from its text. Nothing of src/ is
// used but to compare with.
import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { loneNode } from "../../host-sim/state/lone-node.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { nodeSchema, schemaValue } from "../../src/node/schema.ts";
import { combinedHash, SELF_TEST_ITEMS } from "../../src/selftest/self-test.ts";
import { tableHash } from "../../src/wire/messages.ts";
import { Disk, NODE } from "./ends.ts";

const SPEC = readFileSync("docs/spec/wire.md", "utf8");
const P = 0x01000193n;
const MASK = 0xffffffffn;

/** The text's first group, as it stands in docs/spec/wire.md. */
function told(pattern: RegExp): string {
  const found = pattern.exec(SPEC);
  assert.ok(found, `docs/spec/wire.md has ${pattern}`);
  return found?.[1] as string;
}

const digits = (word: bigint) => word.toString(16).padStart(8, "0");

function fnv(text: string, begin = 0x811c9dc5n): bigint {
  let h = begin;
  for (const character of text) h = ((h ^ BigInt(character.charCodeAt(0))) * P) & MASK;
  return h;
}

function hashSerial(words: readonly bigint[]): string {
  let [a, b] = [0x811c9dc5n, 0x050c5d1fn];
  for (const w of words) {
    a = ((a ^ (w & 0xffffn)) * P) & MASK;
    a = ((a ^ (w >> 16n)) * P) & MASK;
    b = ((b ^ w) * P) & MASK;
    b ^= b >> 15n;
  }
  return digits(a) + digits(b);
}

function toWords(value: unknown): bigint[] {
  if (typeof value === "number") {
    const view = new DataView(new ArrayBuffer(8));
    view.setFloat64(0, value);
    return [2n, BigInt(view.getUint32(4)), BigInt(view.getUint32(0))];
  }
  if (typeof value !== "object" || value === null) {
    const text = String(value);
    return [3n, BigInt(text.length), ...Array.from(text, (one) => BigInt(one.charCodeAt(0)))];
  }
  const names = Object.keys(value).sort((one, other) => (one < other ? -1 : 1));
  const parts = names.flatMap((name) => [...toWords(name), ...toWords(value[name as keyof typeof value])]);
  return [1n, BigInt(names.length), ...parts];
}

/** Every message of docs/spec/wire.md: its id, name, fields and the seed that it has there. */
function messages() {
  return [...SPEC.matchAll(/^### (\d+) (\S+)\n([\s\S]*?)(?=\n###? |\n<!--)/gm)].map(([, id, name, text]) => ({
    id: Number(id),
    name,
    seed: /seed `([0-9a-f]{8})`/.exec(text)?.[1] as string,
    lasting: /the same in every version/.test(text),
    fields: [...text.matchAll(/^\| \d+ \| (\S+) \| (\S+) \|/gm)].map(([, field, type]) => `${field}:${type}`),
  }));
}

test("each message's seed follows from its table, or from its name where it is the same in every version", () => {
  assert.ok(messages().length >= 18);
  for (const { name, seed, lasting, fields } of messages()) {
    assert.is(digits(fnv(lasting ? name : `${name}(${fields.join(",")})`)), seed, name);
  }
});

test("the table's hash follows from the seeds by id, id 0 first", () => {
  const seeds = new Map(messages().map(({ id, seed }) => [id, seed]));
  const last = Math.max(...seeds.keys());
  let h = 0x811c9dc5n;
  const after = Array.from({ length: last + 1 }, (_, id) => {
    h = fnv(seeds.get(id) ?? "00000000", h);
    return digits(h);
  });
  const [, zero, one, all, number] =
    /`(\w{8})` after id 0, `(\w{8})` after id 1, `(\w{8})` after id (\d+), the last/.exec(SPEC) ?? [];
  assert.equal([after[0], after[1], after[last], last], [zero, one, all, Number(number)]);
  assert.is(all, told(/The table's hash: `(\w{8})`/));
  assert.is(Number.parseInt(all, 16), tableHash());
});

test("the hash of words is that of docs/spec/wire.md's example, and a node's and its learner's are so hashed", () => {
  const words = told(/The words (.*): `\w{16}`/).match(/\w{8}/g) as string[];
  assert.is(hashSerial(words.map((word) => BigInt(`0x${word}`))), told(/The words .*: `(\w{16})`/));
  const node = loneNode(NODE, undefined, new Disk());
  for (let k = 1; k <= 12; k++) {
    node.sample([k, 1, -k]);
    node.label({ number: k, sid: NODE.sid, seq: k, y: k % 2 ? 1 : -1 });
  }
  const { bits } = node.range.f32;
  const state = schemaValue(NODE)[2].filter(({ kind }) => kind === "state");
  const take = (regions: typeof state) =>
    regions.flatMap(({ offset, words }) =>
      Array.from(bits.subarray(node.range.state + offset, node.range.state + offset + words), BigInt),
    );
  assert.is(hashSerial(take(state)), node.stateHash());
  assert.is(
    hashSerial(take(state.filter(({ name }) => name.startsWith("learner.")))),
    node.learner.stateHash(),
  );
});

test("the schema hash is that of docs/spec/wire.md's example, and of a node with more", () => {
  const value = JSON.parse(told(/```json\n(\["perceptron",[\s\S]*?)```/));
  assert.is(hashSerial(toWords(value)), told(/The value below: `(\w{16})`/));
  const learner = familyNamed("rls-hmm");
  const node = { ...NODE, learner: learner as typeof NODE.learner, options: {} };
  assert.is(
    hashSerial(toWords(schemaValue(node))),
    nodeSchema(node),
    "more than ten regions, options of every kind",
  );
});

test("the self-test's list is docs/spec/wire.md's, and its hashes are summed up so", () => {
  const list = [...told(/items of the self-test: (.*)\./).matchAll(/(\d+) `(\S+)`/g)];
  assert.equal(
    list.map(([, place]) => Number(place)),
    list.map((_, i) => i + 1),
  );
  assert.equal(
    list.map(([, , name]) => name),
    SELF_TEST_ITEMS,
  );
  const hashes = told(/A self-test of the hashes (.*): `/).match(/\w{8}/g) as string[];
  let h = 0n;
  for (const hash of hashes) {
    h = ((h ^ BigInt(`0x${hash}`)) * P) & MASK;
    h ^= h >> 15n;
  }
  assert.is(digits(h), told(/A self-test of the hashes .*: `(\w{8})`\./));
  assert.is(Number(h), combinedHash(Uint32Array.from(hashes, (hash) => Number.parseInt(hash, 16))));
});

test.run();
