import { test } from "uvu";
import * as assert from "uvu/assert";
import { normalQuantile } from "../../src/math/normal-quantile.ts";

/** Computed with 60 digits and more, and rounded to double. */
const KNOWN = [
  [5e-324, -38.467405617144344],
  [1e-300, -37.0470962993612],
  [1e-50, -14.933337534788489],
  [1e-15, -7.941345326170997],
  [1e-10, -6.361340902404057],
  [1e-6, -4.753424308822899],
  [0.001, -3.0902323061678136],
  [0.01, -2.326347874040841],
  [0.025, -1.9599639845400543],
  [0.07, -1.4757910281791706],
  [0.0749999, -1.4395321773759007],
  [0.075, -1.439531470938456],
  [0.1, -1.2815515655446004],
  [0.3, -0.5244005127080408],
  [0.499999, -2.5066282745665593e-6],
  [0.5000001, 2.506628273311648e-7],
  [0.55, 0.12566134685507416],
  [0.7, 0.5244005127080407],
  [0.8, 0.8416212335729144],
  [0.9, 1.2815515655446006],
  [0.925, 1.4395314709384561],
  [0.9250001, 1.4395321773759004],
  [0.95, 1.6448536269514722],
  [0.99, 2.3263478740408408],
  [0.999999, 4.753424308817087],
  [0.9999999999999999, 8.209536151601387],
] as const;

test("known quantiles come out to 1e-15 of their size", () => {
  for (const [p, z] of KNOWN) {
    const got = normalQuantile(p);
    assert.ok(Math.abs(got - z) <= 1e-15 * Math.abs(z), `p = ${p}: got ${got}, should be ${z}`);
  }
});

/** P(Z <= z), by Simpson's rule over the density from 0. */
function distribution(z: number): number {
  const intervals = 2000;
  let sum = 0;
  for (let i = 0; i <= intervals; i++) {
    const x = (z * i) / intervals;
    const weight = i === 0 || i === intervals ? 1 : 2 + 2 * (i % 2);
    sum += weight * Math.exp((-x * x) / 2);
  }
  return 0.5 + ((sum / 3) * (z / intervals)) / Math.sqrt(2 * Math.PI);
}

test("a normal variable is below the quantile with that probability", () => {
  for (let k = 1; k < 1000; k++) {
    const p = k / 1000;
    const got = distribution(normalQuantile(p));
    assert.ok(Math.abs(got - p) < 1e-12, `p = ${p}: below with probability ${got}`);
  }
});

test("the quantile is 0 at a half, odd about it, and rises, over the seams of its three pieces too", () => {
  assert.is(normalQuantile(0.5), 0);
  let last = -Infinity;
  for (let k = 1; k < 1 << 14; k++) {
    const p = k / (1 << 14);
    const z = normalQuantile(p);
    assert.is(z, -normalQuantile(1 - p) || 0, `odd at ${p}`);
    assert.ok(z > last, `rises at ${p}`);
    last = z;
  }
  // exp(-25), where the tail's function takes over.
  const seam = 1.3887943864964021e-11;
  for (let k = -1000; k < 1000; k++) {
    const [below, above] = [
      normalQuantile(seam * (1 + k * 1e-9)),
      normalQuantile(seam * (1 + (k + 1) * 1e-9)),
    ];
    assert.ok(above > below, `rises near exp(-25), ${k}`);
  }
});

test.run();
