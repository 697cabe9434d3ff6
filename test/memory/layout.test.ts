import { test } from "uvu";
import * as assert from "uvu/assert";
import { PortableF32 } from "../../src/math/f32.ts";
import { hashWords } from "../../src/memory/hash.ts";
import { ANY, faultIn, LANES, Layout, TO_ONE } from "../../src/memory/layout.ts";
import { OptionError } from "../../src/memory/option-error.ts";

const LAYOUT = new Layout([
  { name: "row", kind: "scratch", words: 5 },
  { name: "weights", kind: "state", words: 3 },
  { name: "counters", kind: "counters", words: 2 },
  { name: "bias", kind: "state", words: 1 },
]);

test("regions lie by kind, state, counters, scratch, and within a kind in the order given", () => {
  const placed = LAYOUT.regions.map((region) => [region.name, LAYOUT.byteOffset(region), region.words]);
  assert.equal(placed, [
    ["weights", 0, 3],
    ["bias", 12, 1],
    ["counters", 16, 2],
    ["row", 24, 5],
  ]);
  assert.is(LAYOUT.bytes, 44);
  assert.equal([LAYOUT.state, LAYOUT.counters, LAYOUT.scratch], [4, 2, 5]);
});

test("a region is found by its whole name", () => {
  assert.is(LAYOUT.regionWords("weights"), 3);
  for (const name of ["weight", "eights", "", "rho"]) assert.is(LAYOUT.regionWords(name), 0);
  assert.equal(LAYOUT.regions[1], { name: "bias", kind: "state", words: 1, offset: 3 });
  const odd = new Layout([{ name: "w ☃ 1", kind: "state", words: 2 }]);
  assert.is(odd.regionWords("w ☃ 1"), 2);
  for (const name of ["a\tb", "a\n"])
    assert.throws(() => new Layout([{ name, kind: "state", words: 1 }]), /no such name/);
});

test("a range of its own is of exactly the layout's bytes", () => {
  const range = LAYOUT.ownRange();
  assert.is(range.f32.words.buffer.byteLength, 44);
  assert.equal([range.state, range.counters, range.scratch], [0, 4, 6]);
  assert.is(LAYOUT.at("bias", range), 3);
  assert.is(LAYOUT.at("row", range), 6);
  assert.throws(() => LAYOUT.at("rho", range), /no region rho/);
});

test("a range begins at the given offset, and must fit", () => {
  const f32 = new PortableF32(new ArrayBuffer(64));
  assert.is(LAYOUT.range(f32, 20).state, 5);
  assert.is(LAYOUT.at("row", LAYOUT.range(f32, 20)), 11);
  for (const offset of [24, 18, -4, 1e9]) {
    assert.throws(
      () => LAYOUT.range(f32, offset),
      (error: unknown) => error instanceof OptionError && error.message.includes("takes 44"),
    );
  }
});

test("the three kinds may begin anywhere", () => {
  const range = { f32: new PortableF32(new ArrayBuffer(400)), state: 50, counters: 7, scratch: 20 };
  assert.is(LAYOUT.at("weights", range), 50);
  assert.is(LAYOUT.at("counters", range), 7);
  assert.is(LAYOUT.at("row", range), 20);
});

test("the regions of a part keep their kinds under the part's name", () => {
  const whole = new Layout([...LAYOUT.parts("a"), ...LAYOUT.parts("b", ["state"])]);
  assert.equal([whole.state, whole.counters, whole.scratch], [8, 2, 5]);
  assert.equal(
    whole.regions.map(({ name }) => name),
    ["a.weights", "a.bias", "b.weights", "b.bias", "a.counters", "a.row"],
  );
});

test("the hash covers the words asked for, each bit of them, and no others", () => {
  const bits = Uint32Array.from({ length: 40 }, (_, i) => Math.imul(i + 1, 0x9e3779b9));
  const hash = hashWords(bits, 4, 30);
  assert.match(hash, /^[0-9a-f]{16}$/);
  for (const outside of [3, 34]) {
    bits[outside] ^= 1;
    assert.is(hashWords(bits, 4, 30), hash);
  }
  const seen = new Set([hash]);
  for (let word = 4; word < 34; word++) {
    for (let bit = 0; bit < 32; bit++) {
      bits[word] ^= 1 << bit;
      seen.add(hashWords(bits, 4, 30));
      bits[word] ^= 1 << bit;
    }
  }
  assert.is(seen.size, 1 + 30 * 32);
});

test("the hash of given words never changes", () => {
  assert.is(hashWords(new Uint32Array(0), 0, 0), "811c9dc5050c5d1f");
  assert.is(hashWords(Uint32Array.of(1, 2, 0xffffffff), 0, 3), "8b8a869c644df093");
});

const HELD = new Layout([
  { name: "numbers", kind: "state", words: 2 },
  { name: "more", kind: "state", words: 1 },
  { name: "count", kind: "state", words: 2, holds: [3, ANY] },
  { name: "pairs", kind: "state", words: 4, holds: [TO_ONE, 7] },
  { name: "lanes", kind: "state", words: 1, holds: [LANES] },
  { name: "counters", kind: "counters", words: 1 },
]);

test("a state's words hold what their regions say, and the first that doesn't is found", () => {
  const { f32, state } = HELD.range(new PortableF32(new ArrayBuffer(HELD.bytes + 16)), 16);
  const { bits } = f32;
  const { rules } = HELD;
  const faultWith = (word: number, value: number) => {
    bits.fill(0);
    bits[state + word] = value;
    return faultIn(f32, state, rules);
  };
  for (let word = 0; word < HELD.state; word++) assert.is(faultWith(word, 0), -1);
  for (const word of [0, 1, 2]) {
    for (const value of [0x7f7fffff, 0xff7fffff, 0x80000000, 1]) assert.is(faultWith(word, value), -1);
    for (const value of [0x7f800000, 0xff800000, 0x7fc00000, 0xffffffff])
      assert.is(faultWith(word, value), word);
  }
  assert.equal([faultWith(3, 3), faultWith(3, 4), faultWith(3, 0xffffffff)], [-1, 3, 3]);
  assert.is(faultWith(4, 0xffffffff), -1);
  for (const word of [5, 7]) {
    assert.is(faultWith(word, 0x3f800000), -1, "1");
    for (const value of [0x3f800001, 0x80000001, 0x7fc00000]) assert.is(faultWith(word, value), word);
  }
  for (const word of [6, 8]) assert.equal([faultWith(word, 7), faultWith(word, 8)], [-1, word]);
  for (const value of [0x3fff3fff, 0xc000c000, 0xffff0001]) assert.is(faultWith(9, value), -1);
  for (const value of [0x4000, 0x40000000, 0xbfff, 0x80000000]) assert.is(faultWith(9, value), 9);
  assert.is(faultWith(10, 0xffffffff), -1, "counters may hold anything");
});

test("a part's words hold the same within a whole", () => {
  const whole = new Layout([...HELD.parts("a", ["state"]), ...HELD.parts("b")]);
  assert.equal([...whole.rules], [...HELD.rules, ...HELD.rules]);
});

test.run();
