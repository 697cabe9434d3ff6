import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { gaussianGamma, type KernelOption, kernelFault, makeKernel } from "../../src/kernel/kernel.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { ceil4 } from "../../src/math/primitives.ts";

const DIMENSION = 5;
const ROWS = 7;

/** k(row i, x) for each row, k(x, x), and the vectors they are of. */
function evaluated(option: KernelOption, spread: number) {
  const f32 = new PortableF32(new ArrayBuffer(4096));
  const rows = 8;
  const x = rows + DIMENSION * ceil4(ROWS);
  const out = x + DIMENSION;
  const random = new Random(1, "kernel");
  const vector = () => Array.from({ length: DIMENSION }, () => Math.fround(spread * random.normal()));
  const stored = Array.from({ length: ROWS }, vector);
  stored.forEach((row, i) => {
    f32.load(x, row, DIMENSION);
    f32.storeRow(rows, i, x, DIMENSION);
  });
  const input = vector();
  f32.load(x, input, DIMENSION);
  const kernel = makeKernel(f32, DIMENSION, option);
  kernel.row(out, rows, x, ROWS);
  return { stored, input, values: [...f32.words.subarray(out, out + ROWS)], self: kernel.self(x) };
}

const dot = (u: number[], v: number[]) => u.reduce((sum, value, j) => sum + value * v[j], 0);
const squaredDistance = (u: number[], v: number[]) =>
  u.reduce((sum, value, j) => sum + (value - v[j]) ** 2, 0);

const WIDTH = 1.7;
const KERNELS: [KernelOption, (u: number[], v: number[]) => number][] = [
  [{ type: "gaussian", p: WIDTH }, (u, v) => Math.exp(-squaredDistance(u, v) / WIDTH ** 2)],
  [{ type: "gaussian", sigma: WIDTH }, (u, v) => Math.exp(-squaredDistance(u, v) / (2 * WIDTH ** 2))],
  [{ type: "gaussian", gamma: WIDTH }, (u, v) => Math.exp(-WIDTH * squaredDistance(u, v))],
  [{ type: "polynomial", degree: 1 }, (u, v) => 1 + dot(u, v)],
  [{ type: "polynomial", degree: 5, offset: 0.5 }, (u, v) => (0.5 + dot(u, v)) ** 5],
  [{ type: "polynomial", degree: 2, offset: 0 }, (u, v) => dot(u, v) ** 2],
  [{ type: "linear" }, dot],
];

for (const [option, exact] of KERNELS) {
  test(`${JSON.stringify(option)} agrees with double precision`, () => {
    const { stored, input, values, self } = evaluated(option, 0.6);
    values.forEach((value, i) => {
      const wanted = exact(stored[i], input);
      assert.ok(Math.abs(value - wanted) <= 2e-6 * Math.max(1, Math.abs(wanted)), `${value}, ${wanted}`);
    });
    const wanted = exact(input, input);
    assert.ok(Math.abs(self - wanted) <= 2e-6 * Math.max(1, wanted), `k(x,x) ${self}, ${wanted}`);
  });
}

test("k(x,x) is what a row that holds x gives", () => {
  for (const [option] of KERNELS.slice(0, 3)) assert.is(evaluated(option, 1).self, 1);
});

test("gamma follows from p and sigma as the papers define them", () => {
  assert.is(gaussianGamma({ p: 2 }), 0.25);
  assert.is(gaussianGamma({ sigma: 2 }), 0.125);
  assert.is(gaussianGamma({ gamma: 2 }), 2);
  assert.ok(Number.isNaN(gaussianGamma({})));
  assert.ok(Number.isNaN(gaussianGamma({ p: 1, gamma: 1 })));
});

test("far apart is 0, never NaN", () => {
  const { values } = evaluated({ type: "gaussian", p: 1 }, 1e30);
  assert.ok(values.every((value) => value === 0));
});

test("a good option has no fault", () => {
  for (const [option] of KERNELS) assert.is(kernelFault(option), undefined, JSON.stringify(option));
  assert.is(kernelFault({ type: "polynomial", degree: 16, offset: -1e6 }), undefined);
  assert.is(kernelFault({ type: "gaussian", p: 1, sigma: undefined }), undefined);
});

const FAULTY: unknown[] = [
  undefined,
  null,
  "gaussian",
  7,
  [],
  {},
  { type: "rbf" },
  { type: ["gaussian"], p: 1 },
  { type: "toString" },
  { type: "gaussian" },
  { type: "gaussian", p: 1, sigma: 1 },
  { type: "gaussian", p: 0 },
  { type: "gaussian", p: -1 },
  { type: "gaussian", p: "1" },
  { type: "gaussian", gamma: Number.NaN },
  { type: "gaussian", gamma: Infinity },
  { type: "gaussian", p: 1e30 },
  { type: "gaussian", p: 1e-30 },
  { type: "gaussian", gamma: 1e-46 },
  { type: "gaussian", p: 1, degree: 2 },
  { type: "polynomial" },
  { type: "polynomial", degree: 0 },
  { type: "polynomial", degree: 17 },
  { type: "polynomial", degree: 2.5 },
  { type: "polynomial", degree: "2" },
  { type: "polynomial", degree: 2, offset: Number.NaN },
  { type: "polynomial", degree: 2, offset: 1e7 },
  { type: "polynomial", degree: 2, offset: "1" },
  { type: "linear", p: 1 },
];

for (const option of FAULTY) {
  test(`the fault of ${JSON.stringify(option)} says what would be right`, () => {
    const fault = kernelFault(option);
    for (const form of ["gaussian", "sigma", "polynomial", "degree", "linear"])
      assert.ok(fault?.includes(form));
  });
}

test.run();
