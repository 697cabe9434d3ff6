/** Factorisations of packed symmetric matrices, in the order of operations that `Primitives` states. */
const round = Math.fround;
const LARGEST = 3.4028234663852886e38;

/** The word at which row i begins. */
function row(a: number, i: number): number {
  return a + ((i * (i + 1)) >> 1);
}

export function packedCholesky(m: Float32Array, a: number, n: number): boolean {
  for (let i = 0, ri = a; i < n; ri += ++i) {
    for (let j = 0, rj = a; j <= i; rj += ++j) {
      let s = m[ri + j];
      for (let k = 0; k < j; k++) s = round(s - round(m[ri + k] * m[rj + k]));
      if (j < i) {
        m[ri + j] = s / m[rj + j];
      } else {
        if (!(s > 0 && s <= LARGEST)) return false;
        m[ri + i] = Math.sqrt(s);
      }
    }
  }
  return true;
}

export function solvePackedLower(m: Float32Array, l: number, x: number, n: number): void {
  for (let i = 0, r = l; i < n; r += ++i) {
    let s = m[x + i];
    for (let j = 0; j < i; j++) s = round(s - round(m[r + j] * m[x + j]));
    m[x + i] = s / m[r + i];
  }
}

export function solvePackedLowerTransposed(m: Float32Array, l: number, x: number, n: number): void {
  for (let i = n - 1; i >= 0; i--) {
    let s = m[x + i];
    for (let j = i + 1; j < n; j++) s = round(s - round(m[l + ((j * (j + 1)) >> 1) + i] * m[x + j]));
    m[x + i] = s / m[l + ((i * (i + 1)) >> 1) + i];
  }
}

export function invertPackedFactor(m: Float32Array, l: number, n: number): void {
  for (let j = 0; j < n; j++) {
    m[row(l, j) + j] = 1 / m[row(l, j) + j];
    for (let i = j + 1; i < n; i++) {
      const ri = row(l, i);
      let s = 0;
      for (let k = j; k < i; k++) s = round(s - round(m[ri + k] * m[row(l, k) + j]));
      m[ri + j] = s / m[ri + i];
    }
  }
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let s = 0;
      for (let k = i; k < n; k++) s = round(s + round(m[row(l, k) + i] * m[row(l, k) + j]));
      m[row(l, i) + j] = s;
    }
  }
}
