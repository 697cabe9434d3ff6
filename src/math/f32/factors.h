/* Square-root free factors. Part of f32.c. */

void f32_solve_unit_lower(float *m, int32_t to, int32_t l, int32_t x, int32_t n, int32_t from) {
  float *y = m + x;
  for (int32_t i = from, done = 0; i < n; i++) {
    const float *r = m + l + before(i);
    if (i == from || i == done + 4) {
      done = i;
      if (i + 4 <= n) begin_rows(m + l, y, i);
    }
    y[i] = solve_row(r, y, i, done + 4 <= n ? done : 0);
    m[to + i] = y[i] / r[i];
  }
}

void f32_solve_unit_lower_transposed(float *m, int32_t to, int32_t order, int32_t l, int32_t x, int32_t n) {
  float *y = m + x;
  for (int32_t i = n - 1; i > 0; i--) {
    const float *r = m + l + before(i);
    float t = y[i];
    for (int32_t j = 0; j < i; j++) y[j] = y[j] - r[j] * t;
  }
  for (int32_t i = 0; i < n; i++)
    if (word(m, order + i) < (uint32_t)n) m[to + (int32_t)word(m, order + i)] = y[i];
}

void f32_pivot_product(float *m, int32_t out, int32_t l, int32_t x, int32_t n) {
  const float *d = m + l;
  for (int32_t i = 0; i < n; i++, d += i + 1) m[out + i] = m[x + i] * *d;
}

/* Entries p+1..end-1 of a row at r move a place to the left, to `to`; returns what the column that leaves is then. */
INLINE float carry(float *to, const float *r, int32_t p, int32_t end, const float *x, const float *w) {
  float left = r[p];
  for (int32_t k = p + 1; k < end; k++) {
    float e = r[k];
    left = left - x[k] * e;
    to[k - 1] = e + w[k] * left;
  }
  return left;
}

float f32_delete_unit_factor_row(float *m, int32_t l, int32_t n, int32_t p, int32_t b, int32_t s) {
  float *x = m + s, *w = x + n, left = m[l + before(p) + p];
  for (int32_t i = p + 1; i < n; i++) {
    const float *r = m + l + before(i);
    float *to = m + l + before(i - 1), pivot = r[i];
    f32_copy(m, l + before(i - 1), l + before(i), p);
    x[i] = carry(to, r, p, i, x, w);
    float weight = left * x[i], grown = pivot + weight * x[i];
    w[i] = weight / grown;
    to[i - 1] = grown;
    left = left * (pivot / grown);
  }
  carry(m + b, m + b, p, n, x, w);
  for (int32_t j = 0; j < n; j++) set_word(m, l + before(n - 1) + j, 0);
  set_word(m, b + n - 1, 0);
  return left;
}
