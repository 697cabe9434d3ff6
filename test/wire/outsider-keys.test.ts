// An outsider's implementation from docs/spec/wire.md alone: recomputes the keyed frames and the tags of its examples
// from its text. Nothing of src/ is used.
import { readFileSync } from "node:fs";
import { crc32 } from "node:zlib";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { byDefinition } from "./by-definition.ts";
import { unpackPayload } from "./unpacked.ts";

const SPEC = readFileSync("docs/spec/wire.md", "utf8");
const PART = SPEC.split(" writes keys from here -->")[1].split("<!-- to here -->")[0];

function told(pattern: RegExp, text = PART): Uint8Array {
  const found = pattern.exec(text)?.[1];
  assert.ok(found, `docs/spec/wire.md has ${pattern}`);
  return Uint8Array.from(Buffer.from(found as string, "hex"));
}

const bytes = (...parts: (Uint8Array | readonly number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => [...part]));
const words = (...list: number[]) => new Uint8Array(Uint32Array.from(list).buffer);
const hash = (key: Uint8Array, ...parts: Uint8Array[]) =>
  Uint8Array.from(Buffer.from(byDefinition(key, bytes(...parts)), "hex"));

const key = told(/The key is `([0-9a-f]{32})`/);
const boot = words(Number.parseInt(/`boot` `(\w+)`/.exec(PART)?.[1] as string, 16));
const peer = words(Number.parseInt(/`peer` `(\w+)`/.exec(PART)?.[1] as string, 16));
const nonces = [told(/hello's nonce is `(\w+)`/), told(/welcome's `(\w+)`/)];
const sessionKey = bytes(...[1, 2].map((half) => hash(key, words(0, half), boot, peer, ...nonces)));

const COUNTERS = { request: 0, hello: 0, welcome: 1, credit: 1, label: 2 };

for (const [name, counter] of Object.entries(COUNTERS)) {
  test(`the ${name} of docs/spec/wire.md is what its text makes`, () => {
    const [, way, text] = new RegExp(`\\| ${name} \\| (up|down) \\| [^|]+\\| \`(\\w+)\``).exec(
      PART,
    ) as RegExpExecArray;
    const payload = unpackPayload(Uint8Array.from(Buffer.from(text, "hex")));
    const end = payload.length - 12;
    const seed = Number.parseInt(
      new RegExp(`### \\d+ ${name}\\n[\\s\\S]*?seed \`(\\w+)\``).exec(SPEC)?.[1] as string,
      16,
    );
    if (name === "hello") assert.equal(payload.slice(end - 8, end), nonces[0]);
    if (name === "welcome") assert.equal(payload.slice(end - 8, end), nonces[1]);
    const direction = Uint8Array.of(way === "up" ? 1 : 0);
    const tag = hash(
      counter === 0 ? key : sessionKey,
      words(seed, counter),
      direction,
      payload.slice(0, end),
    );
    assert.equal(payload.slice(end, end + 8), tag);
    const check = ~crc32(payload.slice(0, -4), seed) ^ Math.imul(counter, 0x9e3779b1);
    assert.equal(payload.slice(-4), words(check >>> 0));
  });
}

test("the label key and the tag of docs/spec/wire.md are what its text makes", () => {
  const name = new TextEncoder().encode(/of node `([^`]+)`/.exec(PART)?.[1]);
  const labelKey = bytes(...[4, 5].map((half) => hash(key, words(0, half), name)));
  assert.equal(labelKey, told(/centre's key `\w+`: `(\w+)`/));
  const numbers = /sid (\d+), seq (\d+), y (-?\d+), source (\d+), confidence (\d+)/
    .exec(PART)
    ?.slice(1)
    .map(Number);
  const [sid, seq, y, source, confidence] = numbers as number[];
  const value = new Uint8Array(Float32Array.of(y).buffer);
  const tag = hash(labelKey, words(0, 3), words(sid, seq), value, Uint8Array.of(source, confidence));
  assert.equal(tag, told(/confidence \d+: `(\w+)`/));
});

test.run();
