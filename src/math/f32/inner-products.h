/* Kernel rows. Part of f32.c. */

/* One component's term, added to the sums of four rows: their distances where `distance`, else their products. */
INLINE v4 term(v4 sum, const float *r, v4 x, int distance) {
  v4 v = load4(r);
  if (!distance) return add4(sum, mul4(v, x));
  v4 t = sub4(v, x);
  return add4(sum, mul4(t, t));
}

/* The sums of so many blocks of four rows, `stride` words from one to the next, at once: with several none waits for another. */
INLINE void block_sums(float *to, const float *r, const float *x, int32_t d, int32_t stride, int distance, int blocks) {
  v4 s[4];
  for (int b = 0; b < blocks; b++) s[b] = splat(0);
  for (int32_t j = 0; j < d; j++, r += 4)
    for (int b = 0; b < blocks; b++) s[b] = term(s[b], r + b * stride, splat(x[j]), distance);
  for (int b = 0; b < blocks; b++) store4(to + 4 * b, s[b]);
}

/* Of n rows the sums over d components of those that lie there, of which there are `width`. */
INLINE void sums(float *m, int32_t out, int32_t rows, int32_t at, int32_t n, int32_t d, int32_t width, int distance) {
  const float *x = m + at, *r = m + rows;
  float *to = m + out;
  int32_t i = 0, stride = 4 * width;
#if WIDE
  for (; i + 12 < n; i += 16, to += 16, r += 4 * stride) block_sums(to, r, x, d, stride, distance, 4);
  if (i + 8 < n) {
    block_sums(to, r, x, d, stride, distance, 3);
  } else if (i + 4 < n) {
    block_sums(to, r, x, d, stride, distance, 2);
  } else if (i < n) {
    block_sums(to, r, x, d, stride, distance, 1);
  }
#else
  for (; i < n; i += 4, to += 4, r += stride) block_sums(to, r, x, d, stride, distance, 1);
#endif
}

void f32_inner_products(float *m, int32_t out, int32_t rows, int32_t x, int32_t n, int32_t d) {
  sums(m, out, rows, x, n, d, d, 0);
}
