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
    const r = row(l, i);
    m[x + i] = m[x + i] / m[r + i];
    const t = m[x + i];
    for (let j = 0; j < i; j++) m[x + j] = m[x + j] - round(m[r + j] * t);
  }
}

export function deletePackedFactorRow(
  m: Float32Array,
  l: number,
  n: number,
  i: number,
  b: number,
  r: number,
): void {
  for (let k = i; k + 1 < n; k++) {
    const at = row(l, k + 1) + k;
    const p = m[at];
    const q = m[at + 1];
    const steep = Math.abs(q) > Math.abs(p);
    const t = round(steep ? p / q : q / p);
    const root = round(Math.sqrt(round(1 + round(t * t))));
    const along = round((steep || p > 0 ? 1 : -1) / root);
    const across = round(along * t);
    const c = steep ? across : along;
    const s = steep ? along : across;
    for (let j = k + 1; j < n; j++) turn(m, row(l, j) + k, row(l, j) + k + 1, c, s);
    if (b >= 0) turn(m, b + k, b + k + 1, c, s);
    if (r >= 0) turnForm(m, r, n, k, c, s);
  }
  for (let j = i; j + 1 < n; j++) {
    const to = row(l, j);
    m.copyWithin(to, to + j + 1, to + 2 * j + 2);
  }
  m.fill(0, row(l, n - 1), row(l, n));
  if (b >= 0) m[b + n - 1] = 0;
  if (r >= 0) m.fill(0, row(r, n - 1), row(r, n));
}

/** (p, q) <- (c p + s q, c q - s p). */
function turn(m: Float32Array, p: number, q: number, c: number, s: number): void {
  const x = m[p];
  const y = m[q];
  m[p] = round(c * x) + round(s * y);
  m[q] = round(c * y) - round(s * x);
}

/** Columns and rows k and k + 1 of a packed symmetric matrix, turned. */
function turnForm(m: Float32Array, r: number, n: number, k: number, c: number, s: number): void {
  const upper = row(r, k);
  const lower = row(r, k + 1);
  for (let j = 0; j < k; j++) turn(m, upper + j, lower + j, c, s);
  for (let j = k + 2; j < n; j++) turn(m, row(r, j) + k, row(r, j) + k + 1, c, s);
  const p = m[upper + k];
  const o = m[lower + k];
  const q = m[lower + k + 1];
  const po = round(round(c * p) + round(s * o));
  const op = round(round(c * o) - round(s * p));
  const oq = round(round(c * o) + round(s * q));
  const qo = round(round(c * q) - round(s * o));
  m[upper + k] = round(c * po) + round(s * oq);
  m[lower + k] = round(c * oq) - round(s * po);
  m[lower + k + 1] = round(c * qo) - round(s * op);
}

export function solvePackedUnitLower(
  m: Float32Array,
  to: number,
  l: number,
  x: number,
  n: number,
  from: number,
): void {
  for (let i = from, r = row(l, from); i < n; r += ++i) {
    let s = m[x + i];
    for (let j = 0; j < i; j++) s = round(s - round(m[r + j] * m[x + j]));
    m[x + i] = s;
    m[to + i] = s / m[r + i];
  }
}

export function solvePackedUnitLowerTransposed(m: Float32Array, l: number, x: number, n: number): void {
  for (let i = n - 1; i > 0; i--) {
    const r = row(l, i);
    const t = m[x + i];
    for (let j = 0; j < i; j++) m[x + j] = m[x + j] - round(m[r + j] * t);
  }
}

export function packedPivotProduct(m: Float32Array, out: number, l: number, x: number, n: number): void {
  for (let i = 0, d = l; i < n; i++, d += i + 1) m[out + i] = m[x + i] * m[d];
}

export function deletePackedUnitFactorRow(
  m: Float32Array,
  l: number,
  n: number,
  p: number,
  b: number,
  s: number,
): number {
  let left = m[row(l, p) + p];
  for (let i = p + 1; i < n; i++) {
    const r = row(l, i);
    const to = row(l, i - 1);
    const pivot = m[r + i];
    m.copyWithin(to, r, r + p);
    const x = carry(m, to, r, p, i, s, n);
    const weight = round(left * x);
    const grown = round(pivot + round(weight * x));
    m[s + i] = x;
    m[s + n + i] = weight / grown;
    m[to + i - 1] = grown;
    left = round(left * round(pivot / grown));
  }
  carry(m, b, b, p, n, s, n);
  m.fill(0, row(l, n - 1), row(l, n));
  m[b + n - 1] = 0;
  return left;
}

/** One row of it: its entries p+1..end-1 move a place to the left. Returns the entry of the column that leaves. */
function carry(m: Float32Array, to: number, r: number, p: number, end: number, s: number, n: number): number {
  let x = m[r + p];
  for (let k = p + 1; k < end; k++) {
    const e = m[r + k];
    x = round(x - round(m[s + k] * e));
    m[to + k - 1] = e + round(m[s + n + k] * x);
  }
  return x;
}
