/* Waves. Part of f32.c. */

enum { POINTS = 512, HALF = POINTS / 2, QUARTER = POINTS / 4 };

/* sin(2 pi k / 512), k = 0..128, each the float nearest to it. */
static const float sines[QUARTER + 1] = {
    0.0f, 0.012271538f, 0.024541229f, 0.036807224f, 0.049067676f, 0.061320737f, 0.07356457f, 0.08579731f, 0.09801714f,
    0.110222206f, 0.12241068f, 0.1345807f, 0.14673047f, 0.15885815f, 0.17096189f, 0.18303989f, 0.19509032f, 0.20711137f,
    0.21910124f, 0.2310581f, 0.24298018f, 0.25486565f, 0.26671275f, 0.2785197f, 0.29028466f, 0.30200595f, 0.31368175f,
    0.3253103f, 0.33688986f, 0.34841868f, 0.35989505f, 0.3713172f, 0.38268343f, 0.39399204f, 0.4052413f, 0.41642955f,
    0.42755508f, 0.43861625f, 0.44961134f, 0.46053872f, 0.47139674f, 0.48218378f, 0.4928982f, 0.50353837f, 0.51410276f,
    0.52458966f, 0.53499764f, 0.545325f, 0.55557024f, 0.5657318f, 0.57580817f, 0.58579785f, 0.5956993f, 0.60551107f,
    0.6152316f, 0.6248595f, 0.6343933f, 0.64383155f, 0.65317285f, 0.6624158f, 0.671559f, 0.680601f, 0.68954057f,
    0.69837624f, 0.70710677f, 0.71573085f, 0.7242471f, 0.7326543f, 0.7409511f, 0.7491364f, 0.7572088f, 0.76516724f,
    0.77301043f, 0.7807372f, 0.7883464f, 0.7958369f, 0.8032075f, 0.81045717f, 0.8175848f, 0.8245893f, 0.8314696f,
    0.8382247f, 0.8448536f, 0.8513552f, 0.8577286f, 0.86397284f, 0.87008697f, 0.8760701f, 0.8819213f, 0.88763964f,
    0.8932243f, 0.8986745f, 0.9039893f, 0.909168f, 0.9142098f, 0.9191139f, 0.9238795f, 0.9285061f, 0.9329928f,
    0.937339f, 0.94154406f, 0.9456073f, 0.94952816f, 0.953306f, 0.95694035f, 0.9604305f, 0.96377605f, 0.96697646f,
    0.97003126f, 0.97293997f, 0.9757021f, 0.9783174f, 0.98078525f, 0.9831055f, 0.98527765f, 0.9873014f, 0.9891765f,
    0.99090266f, 0.99247956f, 0.993907f, 0.9951847f, 0.9963126f, 0.99729043f, 0.9981181f, 0.99879545f, 0.99932235f,
    0.9996988f, 0.9999247f, 1.0f};

/* Sine and cosine of k = 0..256 parts of 512 of a turn. */
INLINE float sine(int32_t k) {
  return k <= QUARTER ? sines[k] : sines[HALF - k];
}

INLINE float cosine(int32_t k) {
  return k <= QUARTER ? sines[QUARTER - k] : -sines[k - QUARTER];
}

int32_t f32_centre(float *m, int32_t to, int32_t x, int32_t n) {
  float *w = m + x, peak = 0, sign = 0;
  int32_t crossings = 0;
  double total = 0, squares = 0;
  for (int32_t i = 0; i < n; i++) total = total + w[i];
  double mean = total / n;
  for (int32_t i = 0; i < n; i++) {
    float v = (float)(w[i] - mean), size = v < 0 ? -v : v;
    w[i] = v;
    squares = squares + (double)v * v;
    if (size > peak) peak = size;
    if (v * sign < 0) crossings++;
    if (v != 0) sign = v > 0 ? 1 : -1;
  }
  if (beyond(peak)) return 0;
  m[to] = peak;
  m[to + 1] = (float)__builtin_sqrt(squares / n);
  m[to + 2] = (float)crossings;
  return 1;
}

void f32_taper(float *m, int32_t x, int32_t n) {
  float *w = m + x;
  int32_t step = POINTS / n;
  for (int32_t i = 0, k = 0; i < n; i++, k += step) w[i] = w[i] - w[i] * cosine(k <= HALF ? k : POINTS - k);
}

float f32_goertzel(const float *m, int32_t x, int32_t n, double c) {
  double s = 0, last = 0;
  for (const float *w = m + x, *end = w + n; w < end; w++) {
    double next = *w + (c * s - last);
    last = s;
    s = next;
  }
  return (float)(s * s + last * last - c * s * last);
}

/* Puts h pairs in the order of their numbers' bits read backwards. */
static void reverse_bits(float *w, int32_t h) {
  for (int32_t i = 1, j = 0; i < h; i++) {
    int32_t bit = h >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j |= bit;
    if (i >= j) continue;
    float re = w[2 * i], im = w[2 * i + 1];
    w[2 * i] = w[2 * j];
    w[2 * i + 1] = w[2 * j + 1];
    w[2 * j] = re;
    w[2 * j + 1] = im;
  }
}

/* The transform of h complex numbers, in pairs, in place. */
static void transform_pairs(float *w, int32_t h) {
  reverse_bits(w, h);
  for (int32_t half = 1; half < h; half *= 2) {
    for (int32_t j = 0, k = 0; j < half; j++, k += HALF / half) {
      float c = cosine(k), s = sine(k);
      for (float *a = w + 2 * j; a < w + 2 * h; a += 4 * half) {
        float *b = a + 2 * half;
        float re = c * b[0] + s * b[1], im = c * b[1] - s * b[0];
        b[0] = a[0] - re;
        b[1] = a[1] - im;
        a[0] = a[0] + re;
        a[1] = a[1] + im;
      }
    }
  }
}

void f32_fourier_transform(float *m, int32_t x, int32_t n) {
  float *w = m + x, first;
  int32_t step = POINTS / n;
  transform_pairs(w, n / 2);
  first = w[0];
  w[0] = first + w[1];
  w[1] = first - w[1];
  for (int32_t i = 2, k = step; 2 * i <= n; i += 2, k += step) {
    float c = cosine(k), s = sine(k), *a = w + i, *b = w + n - i;
    float p = a[0] + b[0], q = a[1] - b[1], u = a[1] + b[1], v = b[0] - a[0];
    float re = c * u + s * v, im = c * v - s * u;
    b[0] = 0.5f * (p - re);
    b[1] = 0.5f * (im - q);
    a[0] = 0.5f * (p + re);
    a[1] = 0.5f * (q + im);
  }
}
