import type { KernelOption } from "../../../../src/kernel/kernel.ts";
import { BatchExpansion } from "./expansion.ts";
import { checkSamples } from "./samples.ts";

/**
 * In place: the lower triangle A, row by row, to L with A = L L'. Throws a RangeError at a pivot that isn't
 * positive.
 */
function cholesky(a: Float64Array[]): void {
  a.forEach((row, i) => {
    for (let j = 0; j <= i; j++) {
      const other = a[j];
      let sum = row[j];
      for (let k = 0; k < j; k++) sum -= row[k] * other[k];
      if (j < i) row[j] = sum / other[j];
      else if (sum > 0 && sum < Infinity) row[i] = Math.sqrt(sum);
      else
        throw new RangeError(
          `gamma: the kernel matrix with 1/gamma added is singular at row ${i}; take a smaller gamma`,
        );
    }
  });
}

/** x with L L' x = y. */
function solve(l: readonly Float64Array[], y: ArrayLike<number>): Float64Array {
  const x = Float64Array.from(y);
  l.forEach((row, i) => {
    for (let j = 0; j < i; j++) x[i] -= row[j] * x[j];
    x[i] /= row[i];
  });
  for (let i = l.length - 1; i >= 0; i--) {
    x[i] /= l[i][i];
    for (let j = 0; j < i; j++) x[j] -= l[i][j] * x[i];
  }
  return x;
}

function total(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/**
 * LS-SVM, the least squares support vector machine: min |w|^2 / 2 + gamma/2 sum_i (y_i - f(x_i))^2, which is
 * the linear system
 *
 *     [ 0  1'           ] [ b ]   [ 0 ]
 *     [ 1  K + I/gamma  ] [ a ] = [ y ]
 *
 * solved in double by one Cholesky factorisation of H = K + I/gamma: H e = 1, H v = y, b = 1'v / 1'e, a = v -
 * b e. Labels -1 and +1 make it a classifier, other numbers a regression. Time n^3 / 6, memory 4 n^2 bytes.
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
  const h = x.map((row, i) => Float64Array.from(all.kernelRow(row).subarray(0, i + 1)));
  h.forEach((row, i) => {
    row[i] += 1 / gamma;
  });
  cholesky(h);
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
