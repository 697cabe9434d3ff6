import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { PortableF32 } from "../../src/math/f32.ts";

/** Vectors of 64 normal numbers, rows of 64: what the docstrings of `Primitives` state their errors for. */
const N = 64;
const VECTORS = 2000;
const UNIT = 5.9604644775390625e-8; // 2^-24
const f32 = new PortableF32(new ArrayBuffer(4 * 32768));
const m = f32.words;
const [A, B, OUT, ROWS] = [0, 64, 128, 256];

/** The largest error of `vectors` draws, in units of 2^-24 of the scale that `drawError` divides by. */
function largest(label: string, vectors: number, drawError: () => number): number {
  const random = new Random(1, label);
  let worst = 0;
  for (let v = 0; v < vectors; v++) {
    for (let i = 0; i < ROWS + N * N; i++) m[i] = random.normal();
    worst = Math.max(worst, drawError() / UNIT);
  }
  return worst;
}

function within(name: string, stated: number, measured: number): void {
  assert.ok(measured <= stated, `${name}: ${measured.toFixed(2)}, stated ${stated}`);
  assert.ok(
    measured >= stated / 1.5,
    `${name}: ${measured.toFixed(2)}, stated ${stated}: state what is measured`,
  );
}

function sums(term: (j: number) => number): { exact: number; magnitude: number } {
  let exact = 0;
  let magnitude = 0;
  for (let j = 0; j < N; j++) {
    exact += term(j);
    magnitude += Math.abs(term(j));
  }
  return { exact, magnitude };
}

test("dot is within its stated error of double precision", () => {
  const measured = largest("dot", VECTORS, () => {
    const { exact, magnitude } = sums((j) => m[A + j] * m[B + j]);
    return Math.abs(f32.dot(A, B, N) - exact) / magnitude;
  });
  within("dot", 1.5, measured);
});

test("rows against a vector are within their stated errors", () => {
  const rowTerm = (i: number, j: number) => m[ROWS + 4 * N * (i >> 2) + 4 * j + (i & 3)];
  const over =
    (
      run: () => void,
      term: (i: number, j: number) => number,
      value: (exact: number) => number,
      scale: (magnitude: number) => number,
    ) =>
    () => {
      run();
      let worst = 0;
      for (let i = 0; i < 8; i++) {
        const { exact, magnitude } = sums((j) => term(i, j));
        worst = Math.max(worst, Math.abs(m[OUT + i] - value(exact)) / scale(magnitude));
      }
      return worst;
    };
  const same = (x: number) => x;
  const product = (i: number, j: number) => rowTerm(i, j) * m[B + j];
  const square = (i: number, j: number) => (rowTerm(i, j) - m[B + j]) ** 2;
  within(
    "innerProducts",
    4,
    largest(
      "rows",
      VECTORS,
      over(() => f32.innerProducts(OUT, ROWS, B, 8, N), product, same, same),
    ),
  );
  within(
    "squaredDistances",
    9,
    largest(
      "rows",
      VECTORS,
      over(() => f32.squaredDistances(OUT, ROWS, B, 8, N), square, same, same),
    ),
  );
  const gamma = Math.fround(0.01);
  const gaussian = over(
    () => f32.gaussianRow(OUT, ROWS, B, 8, N, gamma),
    square,
    (d) => Math.exp(-gamma * d),
    () => 1,
  );
  within("gaussianRow", 4, largest("rows", VECTORS, gaussian));
});

test("products in block floating point are within their stated error of double precision", () => {
  const size = 8;
  const measured = largest("blocks", VECTORS, () => {
    f32.blockProducts(OUT, ROWS, B, size - 1, size, size, N, 1);
    let worst = 0;
    for (let i = 0; i < size; i++) {
      const row = (j: number) => m[ROWS + 4 * N * (i >> 2) + 4 * j + (i & 3)];
      const { exact } = sums((j) => row(j) * m[B + j]);
      const norms = sums((j) => row(j) ** 2).exact * sums((j) => m[B + j] ** 2).exact;
      worst = Math.max(worst, Math.abs(m[OUT + i] - exact) / Math.sqrt(norms));
    }
    return worst;
  });
  within("blockProducts", 1.3, measured);
});

test("a Gaussian row of lanes is within its stated error of double precision, on vectors of the grid", () => {
  const gamma = Math.fround(0.01);
  const u = 2 ** -11;
  const [lanes, fetched] = [16384, 30000];
  const measured = largest("lanes", VECTORS, () => {
    m.fill(0, lanes - N - 2, lanes);
    m[lanes - N - 2] = u;
    m[lanes - N - 1] = 1 / u;
    for (let i = 0; i < 8; i++) f32.storeRow(lanes, i, i === 0 ? B : ROWS + N * i, -N);
    f32.fetchRow(B, lanes, 0, -N);
    f32.gaussianRow(OUT, lanes, B, 8, -N, gamma);
    let worst = 0;
    for (let i = 0; i < 8; i++) {
      f32.fetchRow(fetched, lanes, i, -N);
      const { exact } = sums((j) => (m[fetched + j] - m[B + j]) ** 2);
      worst = Math.max(worst, Math.abs(m[OUT + i] - Math.exp(-gamma * exact)));
    }
    return worst;
  });
  within("gaussianRow of 16 bits", 1.5, measured);
});

test.run();
