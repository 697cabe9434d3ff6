import { test } from "uvu";
import * as assert from "uvu/assert";
import { PortableF32 } from "../../src/math/f32.ts";
import { WAVELETS, type Wavelet, waveletBands } from "../../src/signal/wavelet.ts";
import * as fc from "../properties.ts";

/** High-pass analysis filters as tables give them, applied by convolution, so from the back; the low-pass is Haar's, 1/sqrt 2 twice. */
const HIGH_PASS: { readonly [name in Wavelet]: readonly number[] } = {
  haar: [-Math.SQRT1_2, Math.SQRT1_2],
  "rbio1.3": [
    0.08838834764831845,
    0.08838834764831845,
    -Math.SQRT1_2,
    Math.SQRT1_2,
    -0.08838834764831845,
    -0.08838834764831845,
  ],
};

function computeBands(x: readonly number[], wavelet: Wavelet): number[] | undefined {
  const n = x.length;
  const f32 = new PortableF32(new ArrayBuffer(8 * n));
  f32.words.set(x, n);
  if (!waveletBands(f32, 0, n, n, wavelet)) return undefined;
  return Array.from(f32.words.subarray(0, n));
}

/** x at any place, mirrored at its ends: x_(-1) = x_0, x_(-2) = x_1. */
function mirrored(x: readonly number[], t: number): number {
  if (t < 0) return x[-1 - t];
  return t < x.length ? x[t] : x[2 * x.length - 1 - t];
}

function filtered(x: readonly number[], taps: readonly number[], l: number): number {
  const first = 2 * l - (taps.length - 2) / 2;
  const { length } = taps;
  return taps.reduce((sum, tap, k) => sum + tap * mirrored(x, first + length - 1 - k), 0);
}

const samples = fc
  .integer({ min: 1, max: 40 })
  .chain((h) => fc.array(fc.float({ min: -8, max: 8, noNaN: true }), { minLength: 2 * h, maxLength: 2 * h }));

for (const wavelet of WAVELETS) {
  test(`${wavelet}: the bands are the samples filtered by the table's filters, every second one kept`, () => {
    fc.assert(
      fc.property(samples, (x) => {
        const bands = computeBands(x, wavelet) as number[];
        const h = x.length / 2;
        for (let l = 0; l < h; l++) {
          const wanted = [filtered(x, [Math.SQRT1_2, Math.SQRT1_2], l), filtered(x, HIGH_PASS[wavelet], l)];
          assert.ok(Math.abs(bands[l] - wanted[0]) < 1e-5, `s_${l}: ${bands[l]}, not ${wanted[0]}`);
          assert.ok(Math.abs(bands[h + l] - wanted[1]) < 1e-5, `d_${l}: ${bands[h + l]}, not ${wanted[1]}`);
        }
      }),
      { numRuns: 300, seed: 11 },
    );
  });

  test(`${wavelet}: the samples follow from the bands`, () => {
    fc.assert(
      fc.property(samples, (x) => {
        const bands = computeBands(x, wavelet) as number[];
        const h = x.length / 2;
        const s = bands.slice(0, h);
        for (let l = 0; l < h; l++) {
          const lifted = wavelet === "haar" ? 0 : (s[Math.min(l + 1, h - 1)] - s[Math.max(l - 1, 0)]) / 8;
          const d = bands[h + l] - lifted;
          assert.ok(Math.abs((s[l] + d) * Math.SQRT1_2 - x[2 * l]) < 1e-5);
          assert.ok(Math.abs((s[l] - d) * Math.SQRT1_2 - x[2 * l + 1]) < 1e-5);
        }
      }),
      { numRuns: 300, seed: 12 },
    );
  });
}

test("PyWavelets says the same: dwt, mode symmetric, without what its longer output has beyond the ends", () => {
  const x = Array.from({ length: 16 }, (_, t) => t ** 3 % 7);
  const approximations = [
    Math.SQRT1_2,
    4.94975,
    4.94975,
    4.24264,
    Math.SQRT2,
    4.94975,
    8.48528,
    Math.SQRT1_2,
  ];
  const details = {
    haar: [-Math.SQRT1_2, -3.53553, -3.53553, 4.24264, 0, 3.53553, 0, -Math.SQRT1_2],
    "rbio1.3": [-0.176777, -3.0052, -3.62392, 3.8007, 0.0883883, 4.41942, -0.53033, -1.67938],
  };
  for (const wavelet of WAVELETS) {
    const bands = computeBands(x, wavelet) as number[];
    [...approximations, ...details[wavelet]].forEach((wanted, i) => {
      assert.ok(Math.abs(bands[i] - wanted) < 2e-5, `${wavelet}[${i}]: ${bands[i]}, not ${wanted}`);
    });
  }
});

test("Haar keeps the energy", () => {
  const x = Array.from({ length: 16 }, (_, t) => ((t * 7) % 5) - 2);
  const energy = (v: readonly number[]) => v.reduce((sum, e) => sum + e * e, 0);
  assert.ok(Math.abs(energy(computeBands(x, "haar") as number[]) - energy(x)) < 1e-4);
});

test("inside, a parabola has no details by rbio1.3; by Haar a constant has none", () => {
  const parabola = Array.from({ length: 20 }, (_, t) => 1 - 0.5 * t + 0.25 * t * t);
  const details = (computeBands(parabola, "rbio1.3") as number[]).slice(11, 19);
  assert.ok(
    details.every((d) => Math.abs(d) < 1e-4),
    `${details}`,
  );
  assert.equal((computeBands(new Array(8).fill(3), "haar") as number[]).slice(4), [0, 0, 0, 0]);
});

test("what float32 can't hold is refused", () => {
  assert.is(computeBands([3e38, 3e38], "haar"), undefined);
  assert.is(computeBands([3e38, -3e38], "haar"), undefined);
  assert.is(computeBands([2.4e38, 2.4e38, 0, 0, -2.4e38, -2.4e38], "rbio1.3")?.length, 6);
  assert.is(computeBands([2.4e38, 2.4e38, -2.2e38, 2.2e38, -2.4e38, -2.4e38], "rbio1.3"), undefined);
});

test.run();
