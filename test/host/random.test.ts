import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import * as fc from "../properties.ts";

const DRAWS = 100000;

function draws<T>(count: number, draw: () => T): T[] {
  return Array.from({ length: count }, draw);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

test("the same seed and label draw the same numbers, another seed or label others", () => {
  fc.assert(
    fc.property(fc.integer(), fc.string(), (seed, label) => {
      const first = draws(8, () => new Random(seed, label).uint32());
      assert.equal(
        draws(8, () => new Random(seed, label).uint32()),
        first,
      );
      assert.not.equal(new Random(seed + 1, label).uint32(), first[0]);
      assert.not.equal(new Random(seed, `${label}x`).uint32(), first[0]);
    }),
  );
});

test("seeds beyond 32 bits and fractions are streams of their own; NaN is refused", () => {
  const seeds = [0, 1, -1, 2 ** 32, 2 ** 32 + 1, 2 ** 53 - 1, 0.5];
  assert.is(new Set(seeds.map((seed) => new Random(seed).uint32())).size, seeds.length);
  assert.is(new Random(-0).uint32(), new Random(0).uint32());
  assert.throws(() => new Random(NaN), /seed: got NaN/);
});

test("uint32 is xoshiro128** as published", () => {
  const random = new Random(7, "reference");
  const mask = 0xffffffffn;
  const rotl = (x: bigint, k: bigint) => ((x << k) | (x >> (32n - k))) & mask;
  const s = [...(random as unknown as { state: Uint32Array }).state].map(BigInt);
  for (let i = 0; i < 1000; i++) {
    assert.is(random.uint32(), Number((rotl((s[1] * 5n) & mask, 7n) * 9n) & mask));
    const t = (s[1] << 9n) & mask;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 11n);
  }
});

test("uniform is a float32 in [0, 1) with the mean and variance of a uniform", () => {
  const random = new Random(1);
  const values = draws(DRAWS, () => random.uniform());
  assert.ok(values.every((value) => value >= 0 && value < 1 && Math.fround(value) === value));
  assert.ok(Math.abs(mean(values) - 0.5) < 5 * Math.sqrt(1 / 12 / DRAWS));
  assert.ok(Math.abs(mean(values.map((value) => (value - 0.5) ** 2)) - 1 / 12) < 0.002);
});

test("below(n) stays below n, hits every value, and is even by a chi-square test", () => {
  const random = new Random(2);
  const counts = new Array(7).fill(0);
  for (let i = 0; i < DRAWS; i++) counts[random.below(7)]++;
  const expected = DRAWS / 7;
  const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  assert.ok(chiSquare < 27.9, `chi-square ${chiSquare} of 6 degrees of freedom (p = 1e-4)`);
  assert.is(random.below(1), 0);
  assert.ok(random.below(2 ** 32) < 2 ** 32);
  for (const n of [0, -1, 1.5, NaN, 2 ** 32 + 1]) assert.throws(() => random.below(n), /below: got/);
});

test("below(n) doesn't favour small values where 2^32 isn't a multiple of n", () => {
  const random = new Random(3);
  const n = 3 * 2 ** 30; // a plain remainder would put half of all draws in the lowest third
  const low = draws(30000, () => random.below(n)).filter((value) => value < 2 ** 30).length;
  assert.ok(Math.abs(low - 10000) < 5 * Math.sqrt(30000 * (1 / 3) * (2 / 3)), `${low} of 30000`);
});

test("normal has mean 0, variance 1, kurtosis 3, and no correlation with the draw before", () => {
  const random = new Random(4);
  const values = draws(DRAWS, () => random.normal());
  assert.ok(values.every((value) => Math.fround(value) === value && Math.abs(value) < 5.8));
  assert.ok(Math.abs(mean(values)) < 5 / Math.sqrt(DRAWS));
  assert.ok(Math.abs(mean(values.map((value) => value ** 2)) - 1) < 5 * Math.sqrt(2 / DRAWS));
  assert.ok(Math.abs(mean(values.map((value) => value ** 4)) - 3) < 5 * Math.sqrt(96 / DRAWS));
  assert.ok(Math.abs(mean(values.slice(1).map((value, i) => value * values[i]))) < 5 / Math.sqrt(DRAWS));
});

test("exponential has its mean, and its tail falls as exp(-x / mean)", () => {
  const random = new Random(5);
  const values = draws(DRAWS, () => random.exponential(3));
  assert.ok(values.every((value) => value >= 0 && Number.isFinite(value)));
  assert.ok(Math.abs(mean(values) - 3) < (5 * 3) / Math.sqrt(DRAWS));
  const tail = values.filter((value) => value > 6).length / DRAWS;
  assert.ok(Math.abs(tail - Math.exp(-2)) < 0.006, `${tail}`);
});

test("shuffle keeps the elements, and every order of three is as likely", () => {
  const random = new Random(6);
  const counts = new Map<string, number>();
  for (let i = 0; i < 60000; i++) {
    const order = [0, 1, 2];
    random.shuffle(order);
    const key = order.join("");
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  assert.is(counts.size, 6);
  for (const count of counts.values()) assert.ok(Math.abs(count - 10000) < 500, `${count}`);
  const typed = Uint32Array.of(1, 2, 3, 4, 5);
  random.shuffle(typed);
  assert.equal([...typed].sort(), [1, 2, 3, 4, 5]);
});

test.run();
