import { total } from "../../../../host/statistics.ts";
import { solveLower, solveUpper } from "../../../../host/training/symmetric.ts";
import type { KernelOption } from "../../../../src/kernel/kernel.ts";
import { BatchExpansion, checkSamples } from "./expansion.ts";

/**
 * In place: the lower triangle A of n rows to L with A = L L'. Throws a RangeError at a pivot that isn't
 * positive.
 */
function cholesky(a: Float64Array, n: number): void {
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = a[i * n + j];
      for (let k = 0; k < j; k++) sum -= a[i * n + k] * a[j * n + k];
      if (j < i) a[i * n + j] = sum / a[j * n + j];
      else if (sum > 0 && sum < Infinity) a[i * n + i] = Math.sqrt(sum);
      else
        throw new RangeError(
          `gamma: the kernel matrix with 1/gamma added is singular at row ${i}; take a smaller gamma`,
        );
    }
  }
}

/** x with L L' x = y. */
function solve(l: Float64Array, y: ArrayLike<number>): Float64Array {
  const x = Float64Array.from(y);
  solveLower(l, x.length, x);
  solveUpper(l, x.length, x);
  return x;
}

/**
 * LS-SVM, the least squares support vector machine: min |w|^2 / 2 + gamma/2 sum_i (y_i - f(x_i))^2, which is
 * the linear system
 *
 *     [ 0  1'           ] [ b ]   [ 0 ]
 *     [ 1  K + I/gamma  ] [ a ] = [ y ]
 *
 * solved in double by one Cholesky factorisation of H = K + I/gamma: H e = 1, H v = y, b = 1'v / 1'e, a = v -
 * b e. Labels -1 and +1 make it a classifier, other numbers a regression. Time n^3 / 6, memory 8 n^2 bytes.
 * Throws a RangeError that names what can't be used. (Suykens, Vandewalle: Least squares support vector
 * machine classifiers, Neural Processing Letters 9, 1999.)
 */
export function trainLsSvm(
  x: readonly ArrayLike<number>[],
  y: ArrayLike<number>,
  { gamma, kernel }: { readonly gamma: number; readonly kernel: KernelOption },
): BatchExpansion {
  if (!(gamma > 0 && gamma < Infinity)) throw new RangeError(`gamma: got ${gamma}; takes a number > 0`);
  checkSamples(x, y);
  const n = x.length;
  const all = new BatchExpansion(x, new Float64Array(n), 0, kernel);
  const h = new Float64Array(n * n);
  x.forEach((row, i) => {
    h.set(all.kernelRow(row), i * n);
    h[i * n + i] += 1 / gamma;
  });
  cholesky(h, n);
  const e = solve(h, new Float64Array(n).fill(1));
  const v = solve(h, y);
  const bias = total(v) / total(e);
  return new BatchExpansion(
    x,
    v.map((value, i) => value - bias * e[i]),
    bias,
    kernel,
  );
}
