/** What `Primitives` states of waves: n numbers in a row, at most `POINTS` where they meet a sine. */
const round = Math.fround;
const LARGEST = 3.4028234663852886e38;

/** Points of the longest transform, and a quarter of them. */
const POINTS = 512;
const HALF = POINTS / 2;
const QUARTER = POINTS / 4;

/** sin(2 pi k / 512), k = 0..128, each the float32 nearest to it. */
// biome-ignore format: a table
const SINES: readonly number[] = Object.freeze([
  0, 0.012271538, 0.024541229, 0.036807224, 0.049067676, 0.061320737, 0.07356457, 0.08579731, 0.09801714,
  0.110222206, 0.12241068, 0.1345807, 0.14673047, 0.15885815, 0.17096189, 0.18303989, 0.19509032,
  0.20711137, 0.21910124, 0.2310581, 0.24298018, 0.25486565, 0.26671275, 0.2785197, 0.29028466, 0.30200595,
  0.31368175, 0.3253103, 0.33688986, 0.34841868, 0.35989505, 0.3713172, 0.38268343, 0.39399204, 0.4052413,
  0.41642955, 0.42755508, 0.43861625, 0.44961134, 0.46053872, 0.47139674, 0.48218378, 0.4928982,
  0.50353837, 0.51410276, 0.52458966, 0.53499764, 0.545325, 0.55557024, 0.5657318, 0.57580817, 0.58579785,
  0.5956993, 0.60551107, 0.6152316, 0.6248595, 0.6343933, 0.64383155, 0.65317285, 0.6624158, 0.671559,
  0.680601, 0.68954057, 0.69837624, 0.70710677, 0.71573085, 0.7242471, 0.7326543, 0.7409511, 0.7491364,
  0.7572088, 0.76516724, 0.77301043, 0.7807372, 0.7883464, 0.7958369, 0.8032075, 0.81045717, 0.8175848,
  0.8245893, 0.8314696, 0.8382247, 0.8448536, 0.8513552, 0.8577286, 0.86397284, 0.87008697, 0.8760701,
  0.8819213, 0.88763964, 0.8932243, 0.8986745, 0.9039893, 0.909168, 0.9142098, 0.9191139, 0.9238795,
  0.9285061, 0.9329928, 0.937339, 0.94154406, 0.9456073, 0.94952816, 0.953306, 0.95694035, 0.9604305,
  0.96377605, 0.96697646, 0.97003126, 0.97293997, 0.9757021, 0.9783174, 0.98078525, 0.9831055, 0.98527765,
  0.9873014, 0.9891765, 0.99090266, 0.99247956, 0.993907, 0.9951847, 0.9963126, 0.99729043, 0.9981181,
  0.99879545, 0.99932235, 0.9996988, 0.9999247, 1,
].map(round));

/** sin(2 pi k / 512), k = 0..256. */
function sine(k: number): number {
  return k <= QUARTER ? SINES[k] : SINES[HALF - k];
}

/** cos(2 pi k / 512), k = 0..256. */
function cosine(k: number): number {
  return k <= QUARTER ? SINES[QUARTER - k] : -SINES[k - QUARTER];
}

export function centreWave(m: Float32Array, to: number, x: number, n: number): boolean {
  let total = 0;
  for (let i = x; i < x + n; i++) total += m[i];
  const mean = total / n;
  let squares = 0;
  let peak = 0;
  let sign = 0;
  let crossings = 0;
  for (let i = x; i < x + n; i++) {
    m[i] = m[i] - mean;
    const v = m[i];
    const size = v < 0 ? -v : v;
    squares += v * v;
    if (size > peak) peak = size;
    if (v * sign < 0) crossings++;
    if (v !== 0) sign = v > 0 ? 1 : -1;
  }
  if (!(peak <= LARGEST)) return false;
  m[to] = peak;
  m[to + 1] = Math.sqrt(squares / n);
  m[to + 2] = crossings;
  return true;
}

export function taperWave(m: Float32Array, x: number, n: number): void {
  const step = POINTS / n;
  for (let i = 0; i < n; i++) {
    const k = i * step;
    const v = m[x + i];
    m[x + i] = v - round(v * cosine(k <= HALF ? k : POINTS - k));
  }
}

export function lineOfWave(m: Float32Array, x: number, n: number, c: number): number {
  let s = 0;
  let last = 0;
  for (let i = x; i < x + n; i++) {
    const next = m[i] + (c * s - last);
    last = s;
    s = next;
  }
  return round(s * s + last * last - c * s * last);
}

/** Puts the h pairs at x into bit-reversed order. */
function reverseBits(m: Float32Array, x: number, h: number): void {
  for (let i = 1, j = 0; i < h; i++) {
    let bit = h >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j |= bit;
    if (i >= j) continue;
    for (let part = 0; part < 2; part++) {
      const v = m[x + 2 * i + part];
      m[x + 2 * i + part] = m[x + 2 * j + part];
      m[x + 2 * j + part] = v;
    }
  }
}

/** The transform of h complex numbers: pairs at x, in place. */
function transformPairs(m: Float32Array, x: number, h: number): void {
  reverseBits(m, x, h);
  for (let half = 1; half < h; half *= 2) {
    for (let j = 0; j < half; j++) {
      const c = cosine((j * HALF) / half);
      const s = sine((j * HALF) / half);
      for (let a = x + 2 * j; a < x + 2 * h; a += 4 * half) {
        const b = a + 2 * half;
        const re = round(round(c * m[b]) + round(s * m[b + 1]));
        const im = round(round(c * m[b + 1]) - round(s * m[b]));
        m[b] = m[a] - re;
        m[b + 1] = m[a + 1] - im;
        m[a] = m[a] + re;
        m[a + 1] = m[a + 1] + im;
      }
    }
  }
}

export function transformWave(m: Float32Array, x: number, n: number): void {
  const h = n / 2;
  transformPairs(m, x, h);
  const first = m[x];
  m[x] = first + m[x + 1];
  m[x + 1] = first - m[x + 1];
  for (let k = 1; 2 * k <= h; k++) {
    const c = cosine((k * POINTS) / n);
    const s = sine((k * POINTS) / n);
    const a = x + 2 * k;
    const b = x + 2 * (h - k);
    const p = round(m[a] + m[b]);
    const q = round(m[a + 1] - m[b + 1]);
    const u = round(m[a + 1] + m[b + 1]);
    const v = round(m[b] - m[a]);
    const re = round(round(c * u) + round(s * v));
    const im = round(round(c * v) - round(s * u));
    m[b] = 0.5 * round(p - re);
    m[b + 1] = 0.5 * round(im - q);
    m[a] = 0.5 * round(p + re);
    m[a + 1] = 0.5 * round(q + im);
  }
}
