/* Rows of kernel values, and the nearest of stored rows. Part of f32.c. */

/* Squared distances, or the Gaussian of `rate`. */
INLINE void lane_rows(float *m, int32_t out, int32_t rows, int32_t at, int32_t n, int32_t d, const lane_rate *rate) {
  const float *x = m + at, *r = m + rows, *grid = grid_of(m, rows, d);
  float *to = m + out, unit = grid[0] * grid[0];
  lane lanes[PIECE];
  if (d <= PIECE) pack(lanes, x, grid, 0, d);
  for (int32_t i = 0; i < n; i += 4, to += 4) {
    uint64_t sum[4] = {0, 0, 0, 0};
    for (int32_t from = 0; from < d; from += PIECE) {
      int32_t end = d - from > PIECE ? from + PIECE : d, words = (end - from + 1) >> 1;
      if (d > PIECE) pack(lanes, x, grid, from, end);
      add_squares(sum, r, lanes, words);
      r += 4 * words;
    }
    for (int32_t k = 0; k < 4; k++) to[k] = rate ? lane_gaussian(sum[k], *rate) : float_of_sum(sum[k]) * unit;
  }
}

void f32_squared_distances(float *m, int32_t out, int32_t rows, int32_t x, int32_t n, int32_t d) {
  if (d < 0) lane_rows(m, out, rows, x, n, -d, 0);
  else sums(m, out, rows, x, n, d, d, 1);
}

void f32_gaussian_row(float *m, int32_t out, int32_t rows, int32_t x, int32_t n, int32_t d, double gamma) {
  if (d < 0) {
    lane_rate rate = rate_of((float)gamma, *grid_of(m, rows, -d));
    lane_rows(m, out, rows, x, n, -d, &rate);
    return;
  }
  v4 g = splat((float)gamma);
  f32_squared_distances(m, out, rows, x, n, d);
  for (float *p = m + out, *end = p + n; p < end; p += 4) store4(p, exp4(neg4(mul4(g, load4(p)))));
}

void f32_polynomial_row(float *m, int32_t out, int32_t rows, int32_t x, int32_t n, int32_t d, double offset,
                        int32_t degree) {
  v4 c = splat((float)offset);
  f32_inner_products(m, out, rows, x, n, d);
  for (float *p = m + out, *end = p + n; p < end; p += 4) {
    v4 b = add4(c, load4(p));
    v4 power = b;
    for (int32_t k = 1; k < degree; k++) power = mul4(power, b);
    store4(p, power);
  }
}

int32_t f32_nearest_row(float *m, int32_t out, int32_t rows, int32_t x, int32_t n, int32_t d) {
  f32_squared_distances(m, out, rows, x, n, d);
  return f32_argmin(m, out, n);
}

INLINE uint32_t byte_distance(const uint8_t *row, const uint8_t *x, int32_t bytes) {
  uint32_t s = 0;
  for (int32_t j = 0; j < bytes; j++) {
    int32_t t = row[j] - x[j];
    s += (uint32_t)(t * t);
  }
  return s;
}

int32_t f32_nearest_bytes(float *m, int32_t out, int32_t rows, int32_t x, int32_t n, int32_t w, int32_t k) {
  int32_t found = 0;
  for (int32_t i = 0; i < n; i++) {
    uint32_t s = byte_distance((const uint8_t *)(m + rows + i * w), (const uint8_t *)(m + x), 4 * w);
    if (found == k && s >= word(m, out + 2 * k - 1)) continue;
    int32_t j = found < k ? found++ : k - 1;
    for (; j > 0 && word(m, out + k + j - 1) > s; j--) {
      set_word(m, out + j, word(m, out + j - 1));
      set_word(m, out + k + j, word(m, out + k + j - 1));
    }
    set_word(m, out + j, (uint32_t)i);
    set_word(m, out + k + j, s);
  }
  return found;
}

/* The nearest of the rows whose coefficients have the sign of `own`, by the distances at out; -1 if there is none. */
INLINE int32_t nearest_of_sign(const float *m, int32_t out, int32_t coefficients, int32_t n, float own) {
  int32_t best = -1;
  for (int32_t j = 0; j < n; j++)
    if (own * m[coefficients + j] > 0 && (best < 0 || m[out + j] < m[out + best])) best = j;
  return best;
}

/* h of f32_merge_nearest. */
INLINE float merge_share(float share, float L, float k) {
  float rest = 1.0f - share, e = share * k, h = e / (e + rest);
  for (int32_t step = 0; step < 5; step++) {
    e = share * exp_of(-(L * (1.0f - (h + h))));
    float T = e / (e + rest);
    float slope = 1.0f - ((L + L) * T) * (1.0f - T);
    h = slope > 0 ? h + (T - h) / slope : T;
    if (!(h <= 0.5f)) h = 0.5f;
  }
  return h;
}

/* Row j of n lanes moves the share h of the way to x, which takes its place. */
static void merge_lanes(float *m, int32_t rows, int32_t j, int32_t x, int32_t n, float h) {
  float *r = m + row_at(rows, j, (n + 1) >> 1);
  const float *grid = grid_of(m, rows, n);
  for (int32_t i = 0; i < n; i++) {
    lane *q = lane_at(r, i);
    float before = of_lane(grid, i, *q);
    *q = (lane)to_lane(grid, i, before + h * (m[x + i] - before));
    m[x + i] = before;
  }
}

int32_t f32_merge_nearest(float *m, int32_t out, int32_t rows, int32_t coefficients, int32_t n, int32_t d, int32_t x, double a,
                          double gamma) {
  float own = (float)a;
  f32_squared_distances(m, out, rows, x, n, d);
  int32_t j = nearest_of_sign(m, out, coefficients, n, own);
  if (j < 0) return -1;
  float other = m[coefficients + j], L = (float)gamma * m[out + j], k = exp_of(-L);
  if (!(k > 0)) return -1;
  float h = merge_share(own / (own + other), L, k), q = 1.0f - h;
  float merged = own * exp_of(-(L * (q * q))) + other * exp_of(-(L * (h * h)));
  if (beyond(merged)) return -1;
  if (d < 0) {
    merge_lanes(m, rows, j, x, -d, h);
  } else {
    float *r = m + row_at(rows, j, d);
    for (int32_t i = 0; i < d; i++) {
      float before = r[4 * i];
      r[4 * i] = before + h * (m[x + i] - before);
      m[x + i] = before;
    }
  }
  m[coefficients + j] = merged;
  m[out] = other;
  return j;
}

void f32_fourier_features(float *m, int32_t out, int32_t rows, int32_t x, int32_t n, int32_t d) {
  f32_inner_products(m, out, rows, x, n, d);
  for (int32_t i = n - 1; i >= 0; i--) {
    float s = m[out + i];
    m[out + 2 * i + 1] = s == 0 ? s : wave(s, 0);
    m[out + 2 * i] = wave(s, 1);
  }
}
