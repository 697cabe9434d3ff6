import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { eigenScratch, SymmetricEigen, tridiagonalWords } from "../../src/math/eigen.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { packedWords } from "../../src/math/primitives.ts";

const random = new Random(1, "eigen");

/** Rows of an orthonormal basis, by Gram and Schmidt. */
function basis(n: number): number[][] {
  const rows: number[][] = [];
  while (rows.length < n) {
    let v = Array.from({ length: n }, () => random.normal());
    for (const u of [...rows, ...rows]) {
      const along = v.reduce((sum, value, j) => sum + value * u[j], 0);
      v = v.map((value, j) => value - along * u[j]);
    }
    const norm = Math.sqrt(v.reduce((sum, value) => sum + value * value, 0));
    rows.push(v.map((value) => value / norm));
  }
  return rows;
}

/** Decomposes sum_i lambda_i v_i v_i': eigenvalues times eigenvectors, the k largest. */
function decomposed(lambdas: number[], V: number[][], k = lambdas.length): number[][] {
  const n = lambdas.length;
  const [values, vectors] = [packedWords(n), packedWords(n) + k];
  const tridiagonal = vectors + k * n;
  const scratch = tridiagonal + tridiagonalWords(n);
  const f32 = new PortableF32(new ArrayBuffer(4 * (scratch + eigenScratch(n))));
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      f32.words[packedWords(i) + j] = lambdas.reduce((sum, l, r) => sum + l * V[r][i] * V[r][j], 0);
    }
  }
  const eigen = new SymmetricEigen(f32, n, 0, tridiagonal, k, values, vectors, scratch);
  for (let i = 0; i < eigen.steps; i++) {
    // No step needs another step's scratch.
    f32.words.fill(Number.NaN, scratch);
    eigen.take(i);
  }
  return Array.from({ length: k }, (_, r) =>
    [...f32.words.subarray(vectors + r * n, vectors + r * n + n)].map((v) => v * f32.words[values + r]),
  );
}

for (const n of [1, 2, 3, 12, 64]) {
  test(`the largest eigenvalues and their vectors come out, ${n} x ${n}`, () => {
    const lambdas = Array.from({ length: n }, (_, i) => 2 * 0.8 ** i);
    const V = basis(n);
    decomposed(lambdas, V, Math.ceil(n / 2)).forEach((row, i) => {
      const sign = row.reduce((sum, value, j) => sum + value * V[i][j], 0) < 0 ? -1 : 1;
      row.forEach((value, j) => {
        const wanted = sign * lambdas[i] * V[i][j];
        assert.ok(Math.abs(value - wanted) < 2e-5, `row ${i}, ${j}: ${value}, should be ${wanted}`);
      });
    });
  });
}

for (const [what, lambdas] of [
  ["equal eigenvalues and zeros", [1, 1, 1, 0.5, 0, 0]],
  ["a unit matrix", new Array(20).fill(1)],
  ["a matrix of rank 1", [1, ...new Array(15).fill(0)]],
  ["a cluster that float32 can't tell apart", Array.from({ length: 32 }, (_, i) => 1 - 1e-7 * i)],
  ["nothing but zeros", [0, 0, 0]],
] as const) {
  test(`${what}: the vectors are orthogonal, and make the matrix up`, () => {
    const n = lambdas.length;
    const V = basis(n);
    const rows = decomposed([...lambdas], V);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        const wanted = lambdas.reduce((sum, l, r) => sum + l * l * V[r][i] * V[r][j], 0);
        const got = rows.reduce((sum, row) => sum + row[i] * row[j], 0);
        assert.ok(Math.abs(got - wanted) < 2e-5, `${i}, ${j}: ${got}, should be ${wanted}`);
      }
    }
  });
}

test.run();
