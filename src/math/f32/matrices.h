/* Packed symmetric matrices. Part of f32.c. */

/* Words before row i. */
INLINE int32_t before(int32_t i) {
  return (i * (i + 1)) >> 1;
}

/* Entry (i, j) of the symmetric matrix at s. */
INLINE float entry(const float *s, int32_t i, int32_t j) {
  return j <= i ? s[before(i) + j] : s[before(j) + i];
}

#if WIDE
/* Four rows of four turned into columns. */
INLINE void turn4(v4 *p, v4 *q, v4 *r, v4 *s) {
  v4 a = __builtin_shufflevector(*p, *q, 0, 4, 1, 5), b = __builtin_shufflevector(*p, *q, 2, 6, 3, 7);
  v4 c = __builtin_shufflevector(*r, *s, 0, 4, 1, 5), d = __builtin_shufflevector(*r, *s, 2, 6, 3, 7);
  *p = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  *q = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  *r = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  *s = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}
#endif

/*
 * Of packed row i and the three below, the products with x in their first i columns: added to four sums, or taken off them, each
 * in the order j = 0, 1, ...
 */
INLINE v4 packed_rows(v4 sum, const float *s, const float *x, int32_t i, int less) {
  const float *r0 = s + before(i), *r1 = r0 + i + 1, *r2 = r1 + i + 2, *r3 = r2 + i + 3;
  int32_t j = 0;
#if WIDE
  for (; j + 4 <= i; j += 4) {
    v4 y = load4(x + j), a = mul4(load4(r0 + j), y), b = mul4(load4(r1 + j), y), c = mul4(load4(r2 + j), y), d = mul4(load4(r3 + j), y);
    turn4(&a, &b, &c, &d);
    sum = less ? sub4(sub4(sub4(sub4(sum, a), b), c), d) : add4(add4(add4(add4(sum, a), b), c), d);
  }
#endif
  for (; j < i; j++) {
    v4 product = mul4(make4(r0[j], r1[j], r2[j], r3[j]), splat(x[j]));
    sum = less ? sub4(sum, product) : add4(sum, product);
  }
  return sum;
}

/* Four rows of a symmetric product at once, each sum still in the order j = 0, 1, ... */
INLINE v4 symmetric_rows(const float *s, const float *x, int32_t i, int32_t n) {
  v4 sum = packed_rows(splat(0), s, x, i, 0);
  int32_t j = i;
  for (; j < i + 4; j++) {
    v4 column = make4(entry(s, i, j), entry(s, i + 1, j), entry(s, i + 2, j), entry(s, i + 3, j));
    sum = add4(sum, mul4(column, splat(x[j])));
  }
  for (const float *c = s + before(j) + i; j < n; j++, c += j) sum = add4(sum, mul4(load4(c), splat(x[j])));
  return sum;
}

void f32_symmetric_product(float *m, int32_t out, int32_t s, int32_t x, int32_t n) {
  int32_t i = 0;
  for (; i + 4 <= n; i += 4) store4(m + out + i, symmetric_rows(m + s, m + x, i, n));
  for (; i < n; i++) {
    float sum = 0;
    for (int32_t j = 0; j < n; j++) sum = sum + entry(m + s, i, j) * m[x + j];
    m[out + i] = sum;
  }
}

/* True if each t * (q_i * q_j) is slight. */
INLINE int32_t slight_products(float t, const float *q, int32_t n) {
  uint32_t most = largest_magnitude(q, n);
  if (most >= 0x7f800000u) return 0;
  float square = float_of(most) * float_of(most);
  return !beyond(square) && is_slight(t * square);
}

int32_t f32_symmetric_rank_one(float *m, int32_t s, double b, int32_t v, int32_t n) {
  float t = (float)b;
  const float *q = m + v;
  uint32_t bad = 0;
  if (slight_products(t, q, n)) bad = !f32_finite(m, s, before(n));
  else
    for (int32_t i = 0; i < n; i++) {
      const float *r = m + s + before(i);
      for (int32_t j = 0; j <= i; j++) bad |= beyond(r[j] + t * (q[i] * q[j]));
    }
  if (bad) return 0;
  for (int32_t i = 0; i < n; i++) {
    float *r = m + s + before(i);
    for (int32_t j = 0; j <= i; j++) r[j] = r[j] + t * (q[i] * q[j]);
  }
  return 1;
}

void f32_diagonal_product(float *m, int32_t out, int32_t s, int32_t x, int32_t n) {
  for (int32_t i = 0; i < n; i++) m[out + i] = m[s + i] * m[x + i];
}

int32_t f32_diagonal_rank_one(float *m, int32_t s, double b, int32_t v, int32_t n) {
  float t = (float)b, *r = m + s;
  const float *q = m + v;
  uint32_t bad = 0;
  for (int32_t i = 0; i < n; i++) bad |= beyond(r[i] + t * (q[i] * q[i]));
  if (bad) return 0;
  for (int32_t i = 0; i < n; i++) r[i] = r[i] + t * (q[i] * q[i]);
  return 1;
}

/* Row i left of column j: ri_j = (ri_j - sum ri_k rj_k over k < j) / rj_j, `from` terms of the sum being done. */
INLINE void divide_entry(float *ri, const float *a, int32_t j, int32_t from) {
  const float *rj = a + before(j);
  float s = ri[j];
  for (int32_t k = from; k < j; k++) s = s - ri[k] * rj[k];
  ri[j] = s / rj[j];
}

/* Row i, left of the diagonal: four columns at once, whose sums don't wait for one another. */
INLINE void factor_row(float *ri, const float *a, int32_t i) {
  int32_t j = 0;
  for (; j + 4 <= i; j += 4) {
    const float *r0 = a + before(j), *r1 = r0 + j + 1, *r2 = r1 + j + 2, *r3 = r2 + j + 3;
    float s0 = ri[j], s1 = ri[j + 1], s2 = ri[j + 2], s3 = ri[j + 3];
    for (int32_t k = 0; k < j; k++) {
      float v = ri[k];
      s0 = s0 - v * r0[k];
      s1 = s1 - v * r1[k];
      s2 = s2 - v * r2[k];
      s3 = s3 - v * r3[k];
    }
    store4(ri + j, make4(s0, s1, s2, s3));
    for (int32_t k = 0; k < 4; k++) divide_entry(ri, a, j + k, j);
  }
  for (; j < i; j++) divide_entry(ri, a, j, 0);
}

int32_t f32_cholesky(float *m, int32_t a, int32_t n) {
  for (int32_t i = 0; i < n; i++) {
    float *ri = m + a + before(i);
    factor_row(ri, m + a, i);
    float s = ri[i];
    for (int32_t k = 0; k < i; k++) s = s - ri[k] * ri[k];
    if (!(s > 0) || beyond(s)) return 0;
    ri[i] = __builtin_sqrtf(s);
  }
  return 1;
}

/* One row of `solve_lower`, of whose sum the first `from` terms are done. */
INLINE float solve_row(const float *r, const float *y, int32_t i, int32_t from) {
  float s = y[i];
  for (int32_t j = from; j < i; j++) s = s - r[j] * y[j];
  return s;
}

/* Four rows from i on: what the columns before them take off is done for all four at once. */
INLINE void begin_rows(const float *l, float *y, int32_t i) {
  store4(y + i, packed_rows(load4(y + i), l, y, i, 1));
}

void f32_solve_lower(float *m, int32_t l, int32_t x, int32_t n) {
  float *y = m + x;
  for (int32_t i = 0, from = 0; i < n; i++) {
    const float *r = m + l + before(i);
    if (i == from + 4) from = i;
    if (i == from && i + 4 <= n) begin_rows(m + l, y, i);
    y[i] = solve_row(r, y, i, from + 4 <= n ? from : 0) / r[i];
  }
}

void f32_solve_lower_transposed(float *m, int32_t l, int32_t x, int32_t n) {
  float *y = m + x;
  for (int32_t i = n - 1; i >= 0; i--) {
    const float *r = m + l + before(i);
    float t = y[i] / r[i];
    y[i] = t;
    for (int32_t j = 0; j < i; j++) y[j] = y[j] - r[j] * t;
  }
}

/* (p, q) <- (c p + s q, c q - s p). */
INLINE void turn(float *p, float *q, float c, float s) {
  float x = *p, y = *q;
  *p = c * x + s * y;
  *q = c * y - s * x;
}

/* Columns and rows k and k + 1 of a packed symmetric matrix, turned. */
static void turn_form(float *r, int32_t n, int32_t k, float c, float s) {
  float *upper = r + before(k), *lower = r + before(k + 1), *column = r + before(k + 2) + k;
  for (int32_t j = 0; j < k; j++) turn(upper + j, lower + j, c, s);
  for (int32_t j = k + 2; j < n; j++, column += j) turn(column, column + 1, c, s);
  float p = upper[k], o = lower[k], q = lower[k + 1];
  float po = c * p + s * o, op = c * o - s * p, oq = c * o + s * q, qo = c * q - s * o;
  upper[k] = c * po + s * oq;
  lower[k] = c * oq - s * po;
  lower[k + 1] = c * qo - s * op;
}

void f32_delete_factor_row(float *m, int32_t l, int32_t n, int32_t i, int32_t b, int32_t r) {
  for (int32_t k = i; k + 1 < n; k++) {
    float *column = m + l + before(k + 1) + k;
    float p = column[0], q = column[1];
    int steep = __builtin_fabsf(q) > __builtin_fabsf(p);
    float t = steep ? p / q : q / p;
    float along = (steep || p > 0 ? 1.0f : -1.0f) / __builtin_sqrtf(1.0f + t * t), across = along * t;
    float c = steep ? across : along, s = steep ? along : across;
    for (int32_t j = k + 1; j < n; j++, column += j) turn(column, column + 1, c, s);
    if (b >= 0) turn(m + b + k, m + b + k + 1, c, s);
    if (r >= 0) turn_form(m + r, n, k, c, s);
  }
  for (int32_t j = i; j + 1 < n; j++) f32_copy(m, l + before(j), l + before(j + 1), j + 1);
  for (int32_t j = 0; j < n; j++) set_word(m, l + before(n - 1) + j, 0);
  if (b >= 0) set_word(m, b + n - 1, 0);
  for (int32_t j = 0; r >= 0 && j < n; j++) set_word(m, r + before(n - 1) + j, 0);
}
