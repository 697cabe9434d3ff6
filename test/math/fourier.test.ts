import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { compileWasm, WasmF32 } from "../../src/math/wasm.ts";
import * as fc from "../properties.ts";

const SIZES = [4, 8, 16, 32, 64, 128, 256, 512];
const UNIT = 2 ** -24;
const f32 = new PortableF32(new ArrayBuffer(4096));
/** Where the wave lies, and where `centre` finds it. */
const [X, TO] = [5, 600];

type Complex = readonly [re: number, im: number];

/** sum x_i e^(-jwi), in double precision, by its definition. */
function sumAt(x: ArrayLike<number>, w: number): Complex {
  let [re, im] = [0, 0];
  for (let i = 0; i < x.length; i++) {
    re += x[i] * Math.cos(w * i);
    im -= x[i] * Math.sin(w * i);
  }
  return [re, im];
}

function place(wave: ArrayLike<number>): Float32Array {
  f32.words.set(wave, X);
  return f32.words.slice(X, X + wave.length);
}

/** The transform of the wave that lies at X, bin by bin: 0..n/2. */
function transformed(n: number): Complex[] {
  f32.fourierTransform(X, n);
  const m = f32.words;
  const inner = Array.from({ length: n / 2 - 1 }, (_, k): Complex => [m[X + 2 * k + 2], m[X + 2 * k + 3]]);
  return [[m[X], 0], ...inner, [m[X + 1], 0]];
}

const norm = (x: ArrayLike<number>) => Math.sqrt(Array.from(x).reduce((sum, v) => sum + v * v, 0));
const distance = ([a, b]: Complex, [c, d]: Complex) => Math.hypot(a - c, b - d);

/** Waves of so many numbers: normal ones, and lines at, between and beside bins. */
function drawWaves(n: number): Float32Array[] {
  const random = new Random(n, "waves");
  const line = (cycles: number) =>
    Float32Array.from({ length: n }, (_, i) => Math.sin(2 * Math.PI * cycles * i + 1));
  const noise = Array.from({ length: 6 }, () => Float32Array.from({ length: n }, () => random.normal()));
  return [
    ...noise,
    line(1 / n),
    line(1.5 / n),
    line(0.25),
    line(0.37),
    line(0.5 - 1 / n),
    new Float32Array(n).fill(3),
  ];
}

/** Largest error of any bin of any wave of n numbers, in units of 2^-24 of the root of n times the sum of squares. */
function largestError(n: number): number {
  const errors = drawWaves(n).flatMap((wave) => {
    const x = place(wave);
    const scale = UNIT * Math.sqrt(n) * norm(x);
    return transformed(n).map((bin, k) => distance(bin, sumAt(x, (2 * Math.PI * k) / n)) / scale);
  });
  return Math.max(...errors);
}

test("the transform is the sum by which it is defined, within its stated error", () => {
  for (const n of SIZES) {
    const error = largestError(n);
    assert.ok(error <= 2, `${n} points: ${error} units`);
  }
});

test("each of the 512 cosines of taper and transform is the float32 nearest to it, in TypeScript and in C", () => {
  for (const m of [f32, new WasmF32(compileWasm(), 4096)]) {
    m.words.fill(1, X, X + 512);
    m.taper(X, 512);
    for (let i = 0; i < 512; i++) {
      const exact = i % 256 === 128 ? 0 : Math.cos((2 * Math.PI * i) / 512);
      assert.is(m.words[X + i], Math.fround(1 - Math.fround(exact)), `cosine ${i}`);
    }
  }
});

const numbers = (n: number) =>
  fc.array(fc.float({ min: -1000, max: 1000, noNaN: true }), { minLength: n, maxLength: n });
const size = fc.constantFrom(...SIZES);
const wave = size.chain(numbers);

test("Parseval: the squares of a wave and of its transform have the same sum", () => {
  const property = fc.property(wave, (options) => {
    const x = place(options);
    const bins = transformed(x.length);
    const sum = bins.reduce(
      (sum, [re, im], k) => sum + (k % (x.length / 2) === 0 ? 1 : 2) * (re * re + im * im),
      0,
    );
    assert.ok(Math.abs(sum / x.length - norm(x) ** 2) <= 40 * UNIT * norm(x) ** 2);
  });
  fc.assert(property, { seed: 1, numRuns: 200 });
});

test("the transform of a sum is the sum of the transforms, and a wave that comes later turns each bin", () => {
  const pair = size.chain((n) => fc.tuple(numbers(n), numbers(n), fc.nat(n - 1)));
  const property = fc.property(pair, ([one, other, by]) => {
    const n = one.length;
    const [x, y] = [place(one), Float32Array.from(other)];
    const bound = 30 * UNIT * Math.sqrt(n) * (norm(x) + norm(y));
    const first = transformed(n);
    place(y);
    const second = transformed(n);
    place(x.map((v, i) => v + y[i]));
    transformed(n).forEach((bin, k) => {
      assert.ok(distance(bin, [first[k][0] + second[k][0], first[k][1] + second[k][1]]) <= bound);
    });
    place(x.map((_, i) => x[(i - by + n) % n]));
    transformed(n).forEach(([re, im], k) => {
      const [c, s] = [Math.cos((2 * Math.PI * k * by) / n), -Math.sin((2 * Math.PI * k * by) / n)];
      const [a, b] = first[k];
      assert.ok(distance([re, im], [a * c - b * s, a * s + b * c]) <= bound);
    });
  });
  fc.assert(property, { seed: 2, numRuns: 100 });
});

test("Goertzel's power equals the direct sum's at any frequency, low ones included", () => {
  for (const n of SIZES) {
    for (const wave of drawWaves(n)) {
      const x = place(wave);
      for (const cycles of [0.0005, 0.002, 1 / n, 0.05, 0.123, 0.25, 0.37, 0.4999]) {
        const c = 2 * Math.cos(2 * Math.PI * cycles);
        const [re, im] = sumAt(x, 2 * Math.PI * cycles);
        const power = f32.goertzel(X, n, c);
        const scale = n * norm(x) ** 2;
        assert.ok(
          Math.abs(power - (re * re + im * im)) <= UNIT * (re * re + im * im) + 1e-9 * scale,
          `${n}, ${cycles}`,
        );
      }
    }
  }
});

test("Goertzel's power at a bin is the transform's", () => {
  const property = fc.property(wave, fc.nat(1000), (options, which) => {
    const x = place(options);
    const n = x.length;
    const k = which % (n / 2);
    const power = f32.goertzel(X, n, 2 * Math.cos((2 * Math.PI * k) / n));
    const [re, im] = transformed(n)[k];
    assert.ok(Math.abs(power - (re * re + im * im)) <= 40 * UNIT * n * norm(x) ** 2);
  });
  fc.assert(property, { seed: 3, numRuns: 200 });
});

test("taper multiplies by twice Hann's window", () => {
  for (const n of SIZES) {
    const x = place(drawWaves(n)[0]);
    f32.taper(X, n);
    x.forEach((v, i) => {
      const wanted = v * 2 * Math.sin((Math.PI * i) / n) ** 2;
      assert.ok(Math.abs(f32.words[X + i] - wanted) <= 3 * UNIT * Math.abs(v), `${i} of ${n}`);
    });
  }
});

test("centre takes the mean off; peak, root mean square and changes of sign are of what is left", () => {
  const property = fc.property(wave, (options) => {
    const x = place(options);
    const n = x.length;
    const mean = x.reduce((sum, v) => sum + v, 0) / n;
    assert.ok(f32.centre(TO, X, n));
    const centred = f32.words.slice(X, X + n);
    assert.equal(
      [...centred],
      Array.from(x, (v) => Math.fround(v - mean)),
    );
    const signs = Array.from(centred, Math.sign).filter((sign) => sign !== 0);
    const crossings = signs.filter((sign, i) => i > 0 && sign !== signs[i - 1]).length;
    const [peak, rms, changes] = f32.words.slice(TO, TO + 3);
    assert.is(peak, Math.max(...centred.map(Math.abs)));
    assert.ok(Math.abs(rms - norm(centred) / Math.sqrt(n)) <= 2 * UNIT * rms + 2 ** -149);
    assert.is(changes, crossings);
  });
  fc.assert(property, { seed: 4, numRuns: 200 });
});

test("a wave whose distance from its mean float32 can't hold is refused", () => {
  place([3e38, -3e38, -3e38, -3e38, -3e38]);
  assert.not(f32.centre(TO, X, 5));
  place([3e38, 3e38, 3e38, 3e38, 3e38]);
  assert.ok(f32.centre(TO, X, 5));
  assert.equal([...f32.words.subarray(TO, TO + 3)], [0, 0, 0]);
});

test.run();
