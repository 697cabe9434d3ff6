/* Products in block floating point: 32 components that have one exponent are whole numbers below 2^24. Part of f32.c. */

enum { BLOCK = 32, TOGETHER = 5, INFINITE = 255 };

INLINE int32_t exponent_of(float x) {
  return (int32_t)(bits_of(x) >> 23 & INFINITE);
}

/* Makes a block's components, `step` words apart, whole numbers, and noughts up to a multiple of four; returns its exponent. */
static int32_t to_whole(int32_t *q, const float *x, int32_t step, int32_t width) {
  int32_t most = 1, j = 0;
  for (; j < width; j++)
    if (exponent_of(x[j * step]) > most) most = exponent_of(x[j * step]);
  for (j = 0; j < width; j++) {
    uint32_t b = bits_of(x[j * step]), magnitude = b & 0x7fffffu;
    int32_t shift = most - 1, exponent = exponent_of(x[j * step]);
    if (exponent > 0) {
      magnitude |= 0x800000u;
      shift = most - exponent;
    }
    magnitude = shift > 24 ? 0 : (magnitude + (1u << shift >> 1)) >> shift;
    q[j] = b >> 31 ? -(int32_t)magnitude : (int32_t)magnitude;
  }
  for (; j & 3; j++) q[j] = 0;
  return most;
}

/* x 2^k: 0, or a float of a whole number, whose exponent is all that changes where the result is normal. */
INLINE float scaled(float x, int32_t k) {
  int32_t exponent = exponent_of(x) + k;
  if (bits_of(x) == 0) return x;
  if (exponent > 0 && exponent < INFINITE) return float_of(bits_of(x) + ((uint32_t)k << 23));
  double power;
  uint64_t bits = (uint64_t)(k + 1023) << 52;
  __builtin_memcpy(&power, &bits, 8);
  return (float)(x * power);
}

INLINE float block_product(const int32_t *p, const int32_t *q, int32_t width, int32_t p_exponent, int32_t q_exponent) {
  if (p_exponent == INFINITE || q_exponent == INFINITE) return __builtin_nanf("");
  int64_t sum = 0; /* exact, and so is a double's */
  for (int32_t j = 0; j < width; j += 4) {
    sum += (int64_t)p[j] * q[j];
    sum += (int64_t)p[j + 1] * q[j + 1];
    sum += (int64_t)p[j + 2] * q[j + 2];
    sum += (int64_t)p[j + 3] * q[j + 3];
  }
  return scaled((float)sum, p_exponent + q_exponent - 300);
}

/* A place of a ring of so many, 0 for one that it lacks. */
INLINE int32_t place_in(int32_t place, int32_t size) {
  return place >= 0 && place < size ? place : 0;
}

void f32_block_products(float *m, int32_t out, int32_t rows, int32_t x, int32_t slot, int32_t n, int32_t size, int32_t d, int32_t k) {
  int32_t vectors[TOGETHER][BLOCK], row[BLOCK], exponents[TOGETHER];
  for (int32_t v = 0; v < k; v += TOGETHER) {
    int32_t together = k - v < TOGETHER ? k - v : TOGETHER;
    for (int32_t j = 0; j < d; j += BLOCK) {
      int32_t width = d - j < BLOCK ? d - j : BLOCK;
      for (int32_t t = 0; t < together; t++) exponents[t] = to_whole(vectors[t], m + x + (v + t) * d + j, 1, width);
      for (int32_t i = 0, at = place_in(slot, size); i < n; i++, at = at == 0 ? size - 1 : at - 1) {
        int32_t exponent = to_whole(row, m + row_at(rows, at, d) + 4 * j, 4, width);
        float *o = m + out + v * size + at;
        for (int32_t t = 0; t < together; t++, o += size) {
          float product = block_product(row, vectors[t], width, exponent, exponents[t]);
          *o = j == 0 ? product : *o + product;
        }
      }
    }
  }
}
