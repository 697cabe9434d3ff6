import { test } from "uvu";
import * as assert from "uvu/assert";
import { Elementary } from "../../src/math/elementary.ts";

const math = new Elementary();
const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

const fromBits = (b: number): number => {
  bits[0] = b;
  return float[0];
};

const toBits = (x: number): number => {
  float[0] = x;
  return bits[0];
};

/** Distance between float32 neighbours in the binade of v. */
const ulp = (v: number): number => {
  const exponent = (toBits(Math.abs(v)) >>> 23) & 255;
  return 2 ** (Math.max(exponent, 1) - 150);
};

/** How many float32 steps lie between a and b. */
const steps = (a: number, b: number): number => {
  const rank = (x: number): number => {
    const u = toBits(x);
    return u >>> 31 ? -(u & 0x7fffffff) : u;
  };
  return Math.abs(rank(a) - rank(b));
};

/** xorshift32. */
const random = (seed: number) => (): number => {
  seed ^= seed << 13;
  seed ^= seed >>> 17;
  seed ^= seed << 5;
  return seed >>> 0;
};

/** Every exponent and sign with mantissas at the edges, the neighbourhood of each centre, and random bits. */
const inputs = (centres: number[], low: number, high: number, seed: number, count: number): number[] => {
  const list: number[] = [];
  for (let top = 0; top < 512; top++) {
    for (const mantissa of [0, 1, 2, 0x3504f2, 0x3504f3, 0x3504f4, 0x400000, 0x7ffffe, 0x7fffff]) {
      list.push(fromBits(top * 0x800000 + mantissa));
    }
  }
  for (const c of centres) {
    const b = toBits(c);
    for (let d = -50; d <= 50; d++) list.push(fromBits(b + d));
  }
  const next = random(seed);
  while (list.length < count) {
    list.push(fromBits(next()));
    list.push(Math.fround(low + (high - low) * (next() / 2 ** 32)));
  }
  return list;
};

const halves: number[] = [];
for (let n = -151; n <= 129; n++) halves.push((n + 0.5) * Math.LN2, n * Math.LN2);
const quarters: number[] = [];
for (let n = -400; n <= 400; n++) quarters.push((n * 13 * Math.PI) / 4, (n * Math.PI) / 4);
for (let n = 5100; n <= 5215; n++) quarters.push((n * Math.PI) / 2, -(n + 0.5) * (Math.PI / 2));

// Where the exhaustive run found the largest errors.
halves.push(fromBits(0x426ff444), fromBits(0xc2b00f05));
const logWorst = fromBits(0x3fb4e79f);
quarters.push(fromBits(0x45034e6f), fromBits(0x407a2519));

const COUNT = 300_000;
const expInputs = inputs(halves, -105, 90, 0x1234567, COUNT);
const logInputs = inputs(
  [1, 2, 0.5, Math.SQRT1_2, Math.SQRT2, 2 ** -126, Math.E, logWorst],
  0,
  4,
  0x2345678,
  COUNT,
);
const trigInputs = inputs(quarters, -8192, 8192, 0x3456789, COUNT);

const worstUlps = (xs: number[], f: (x: number) => number, reference: (x: number) => number): number => {
  let worst = 0;
  for (const x of xs) {
    const y = f(x);
    const exact = reference(x);
    const rounded = Math.fround(exact);
    if (!Number.isFinite(rounded)) {
      if (!Object.is(y, rounded)) throw new Error(`${x}: ${y} instead of ${rounded}`);
      continue;
    }
    if (!(steps(y, rounded) <= 1)) throw new Error(`${x}: ${y} instead of ${rounded}`);
    worst = Math.max(worst, Math.abs(y - exact) / ulp(exact));
  }
  return worst;
};

const worstError = (f: (x: number) => number, reference: (x: number) => number): number => {
  let worst = 0;
  for (const x of trigInputs) {
    const y = f(x);
    if (Math.abs(x) <= 8192) {
      const error = Math.abs(y - reference(x));
      if (!(error <= 1) || Math.abs(y) > 1) throw new Error(`${x}: ${y}`);
      worst = Math.max(worst, error);
    } else if (!Number.isNaN(y)) throw new Error(`${x} isn't refused`);
  }
  return worst;
};

/** FNV-1a, a word at a time, over the bits of the results; NaN, whose bits may differ, counts as 0x7fc00000. */
const hash = (xs: number[], f: (x: number) => number): string => {
  let h = 0x811c9dc5;
  for (const x of xs) {
    const y = f(x);
    h = Math.imul(h ^ (Number.isNaN(y) ? 0x7fc00000 : toBits(y)), 0x01000193);
  }
  return (h >>> 0).toString(16).padStart(8, "0");
};

/** 0x10000 bit patterns 65537 apart: all exponents and signs, none chosen with the help of an engine's Math. */
const fixed: number[] = [];
for (let i = 0; i < 0x10000; i++) fixed.push(fromBits(Math.imul(i, 0x10001)));
/** And 0x10000 between -8192 and 8192, where sin and cos have something to do. */
for (let i = 0; i < 0x10000; i++) fixed.push(i * 0.25 - 8192 + (i & 63) / 1024);
/** And 0x10000 between -104 and 88.8, for exp. */
for (let i = 0; i < 0x10000; i++) fixed.push(Math.fround(i * 0.00294189453125 - 104));

test("exp is within one float32 of the rounded exponential", () => {
  const worst = worstUlps(expInputs, (x) => math.exp(x), Math.exp);
  assert.ok(worst < 0.909, String(worst));
});

test("exp at its edges", () => {
  assert.is(math.exp(0), 1);
  assert.is(math.exp(-0), 1);
  assert.is(math.exp(Infinity), Infinity);
  assert.is(math.exp(-Infinity), 0);
  assert.ok(Number.isNaN(math.exp(NaN)));
  assert.is(math.exp(fromBits(0x42b17217)), Math.fround(Math.exp(fromBits(0x42b17217))));
  assert.is(math.exp(fromBits(0x42b17218)), Infinity);
  assert.is(math.exp(fromBits(0xc2cff1b4)), 2 ** -149);
  assert.is(math.exp(fromBits(0xc2cff1b5)), 0);
  assert.is(math.exp(1e300), Infinity);
  assert.is(math.exp(-1e300), 0);
});

test("exp never exceeds 1 where x <= 0, and never falls", () => {
  let last = 0;
  for (let b = 0xc3000000; b >= 0x80000000; b -= 4099) {
    const y = math.exp(fromBits(b));
    if (!(y >= last && y <= 1)) throw new Error(`${fromBits(b)}: ${y} after ${last}`);
    last = y;
  }
});

test("log is within one float32 of the rounded logarithm", () => {
  const worst = worstUlps(logInputs, (x) => math.log(x), Math.log);
  assert.ok(worst < 0.84, String(worst));
});

test("log at its edges", () => {
  assert.is(math.log(0), -Infinity);
  assert.is(math.log(-0), -Infinity);
  assert.ok(Object.is(math.log(1), 0));
  assert.is(math.log(Infinity), Infinity);
  for (const x of [-1, -(2 ** -149), -Infinity, NaN]) assert.ok(Number.isNaN(math.log(x)));
  assert.is(math.log(2 ** -149), Math.fround(Math.log(2 ** -149)));
  assert.is(math.log(fromBits(0x7f7fffff)), Math.fround(Math.log(fromBits(0x7f7fffff))));
});

test("sin and cos err by less than 9.4e-8 up to 8192, and refuse the rest", () => {
  const sin = worstError((x) => math.sin(x), Math.sin);
  const cos = worstError((x) => math.cos(x), Math.cos);
  assert.ok(sin < 9.39e-8, String(sin));
  assert.ok(cos < 9.3e-8, String(cos));
});

test("sin is odd and cos even, bit for bit", () => {
  assert.ok(Object.is(math.sin(-0), -0));
  assert.ok(Object.is(math.sin(0), 0));
  assert.is(math.cos(0), 1);
  assert.is(math.cos(-0), 1);
  for (let i = 0; i < trigInputs.length; i += 7) {
    const x = trigInputs[i];
    if (!Object.is(math.sin(-x), -math.sin(x))) throw new Error(`sin ${x}`);
    if (!Object.is(math.cos(-x), math.cos(x))) throw new Error(`cos ${x}`);
  }
});

test("every result is a float32, and doubles are rounded first", () => {
  for (const f of ["exp", "log", "sin", "cos"] as const) {
    for (const x of [0.1, 1.7, 33.3]) {
      const y = math[f](x);
      assert.is(y, Math.fround(y));
      assert.is(y, math[f](Math.fround(x)));
    }
  }
});

test("no bit has changed", () => {
  // The same four came out of a C program of the same sequences (gcc -ffp-contract=off).
  const pinned = { exp: "4a46fe76", log: "5f0d755e", sin: "4195f6fa", cos: "e6a7926e" };
  for (const f of ["exp", "log", "sin", "cos"] as const) {
    const found = hash(fixed, (x) => math[f](x));
    assert.is(found, pinned[f], f);
  }
});

test.run();
