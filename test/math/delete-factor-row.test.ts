import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { packedWords } from "../../src/math/primitives.ts";

const N = 7;
const at = (i: number, j: number) => packedWords(Math.max(i, j)) + Math.min(i, j);

/** A packed matrix A'A + I of random numbers. */
function definite(random: Random): number[] {
  const a = Array.from({ length: N }, () => Array.from({ length: N }, () => random.normal()));
  return Array.from({ length: N }, (_, i) =>
    Array.from({ length: i + 1 }, (_, j) => a.reduce((sum, row) => sum + row[i] * row[j], i === j ? 1 : 0)),
  ).flat();
}

/** The packed matrix without row and column i. */
function without(matrix: number[], i: number): number[] {
  const kept = Array.from({ length: N }, (_, k) => k).filter((k) => k !== i);
  return kept.flatMap((p, m) => kept.slice(0, m + 1).map((q) => matrix[at(p, q)]));
}

for (let i = 0; i < N; i++) {
  test(`row ${i} of ${N} leaves the factor, and what is held on its basis is turned along`, () => {
    const random = new Random(i, "downdate");
    const f32 = new PortableF32(new ArrayBuffer(4096));
    const [l, b, r] = [0, 100, 200];
    const [words, gram] = [f32.words, definite(random)];
    words.set(gram, l);
    assert.ok(f32.cholesky(l, N));
    const L = Array.from({ length: N }, (_, p) =>
      Array.from({ length: N }, (_, q) => (q > p ? 0 : words[at(p, q)])),
    );
    const a = Array.from({ length: N }, () => random.normal());
    a[i] = 0; // then f lies in the span of the others, and loses nothing
    const coordinates = L.map((_, q) => L.reduce((sum, row, p) => sum + row[q] * a[p], 0));
    words.set(coordinates, b);
    const R = definite(random);
    words.set(R, r);
    // P = L R L' doesn't depend on the basis.
    const P = (factor: number[][], form: (p: number, q: number) => number, n: number) =>
      Array.from({ length: n }, (_, p) =>
        Array.from({ length: p + 1 }, (_, q) => {
          let sum = 0;
          for (let s = 0; s < N; s++)
            for (let t = 0; t < N; t++) sum += factor[p][s] * form(s, t) * factor[q][t];
          return sum;
        }),
      ).flat();
    const wantedP = without(
      P(L, (s, t) => R[at(s, t)], N),
      i,
    );

    // The last of the turned basis, which leaves, holds nothing of the others' rows.
    f32.deleteFactorRow(l, N, i, b, r);
    const m = N - 1;
    const D = Array.from({ length: m }, (_, p) =>
      Array.from({ length: N }, (_, q) => (q > p ? 0 : words[at(p, q)])),
    );
    const wanted = without(gram, i);
    for (let p = 0; p < m; p++)
      for (let q = 0; q <= p; q++) {
        const got = D[p].reduce((sum, value, k) => sum + value * D[q][k], 0);
        assert.ok(
          Math.abs(got - wanted[at(p, q)]) < 1e-4,
          `L L' at ${p}, ${q}: ${got}, not ${wanted[at(p, q)]}`,
        );
      }
    const gotP = P(D, (s, t) => words[r + at(s, t)], m);
    gotP.forEach((value, k) => {
      assert.ok(
        Math.abs(value - wantedP[k]) < 2e-2 * Math.max(1, Math.abs(wantedP[k])),
        `P[${k}]: ${value}, not ${wantedP[k]}`,
      );
    });
    const kept = a.filter((_, k) => k !== i);
    D[0].slice(0, m).forEach((_, q) => {
      const wantedB = D.reduce((sum, row, p) => sum + row[q] * kept[p], 0);
      assert.ok(Math.abs(words[b + q] - wantedB) < 1e-4, `b[${q}]: ${words[b + q]}, not ${wantedB}`);
    });
    assert.is(words[b + m], 0);
    for (let q = 0; q <= m; q++) assert.is(words[at(m, q)], 0);
  });
}

/** The oldest of a full dictionary leaves for a new vector, `turns` times; returns how far L L' is off the kernel matrix then. */
function errorAfter(turns: number, size: number, regularization: number): number {
  const random = new Random(1, "turnover");
  const f32 = new PortableF32(new ArrayBuffer(1 << 16));
  const { words } = f32;
  const [l, row] = [0, packedWords(size + 1)];
  const vectors: number[][] = [];
  const kernel = (x: number[], y: number[]) =>
    Math.exp(-0.5 * x.reduce((sum, value, j) => sum + (value - y[j]) ** 2, 0));
  for (let t = 0; t < size + turns; t++) {
    if (vectors.length === size) {
      f32.deleteFactorRow(l, size, 0, -1, -1);
      vectors.shift();
    }
    const n = vectors.length;
    const x = [random.normal(), random.normal(), random.normal()];
    f32.load(
      row,
      vectors.map((c) => kernel(c, x)),
      n,
    );
    f32.solveLower(l, row, n);
    words.copyWithin(l + packedWords(n), row, row + n);
    words[l + packedWords(n) + n] = Math.sqrt(1 + regularization - f32.dot(row, row, n));
    vectors.push(x);
  }
  let most = 0;
  for (let p = 0; p < size; p++)
    for (let q = 0; q <= p; q++) {
      let sum = 0;
      for (let k = 0; k <= q; k++) sum += words[l + at(p, k)] * words[l + at(q, k)];
      const wanted = kernel(vectors[p], vectors[q]) + (p === q ? regularization : 0);
      most = Math.max(most, Math.abs(sum - wanted));
    }
  return most;
}

test("a factor stays its kernel matrix's, however often a vector leaves and another comes", () => {
  for (const turns of [0, 100, 2000]) {
    const error = errorAfter(turns, 24, 0.01);
    assert.ok(error < 4e-6, `after ${turns}: ${error}`);
  }
});

test.run();
