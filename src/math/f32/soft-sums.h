/* Weighted sums where there is no floating point: the bits of C's own, whose arithmetic takes 200 instructions a term. Part of f32.c. */

/* F32_SOFT: for tests on a machine that has floating point. */
#if defined(__SOFTFP__) || (defined(__riscv) && !defined(__riscv_flen)) || defined(F32_SOFT)
#define SOFT 1

/* A sum that is 0 or normal: its significand in bits 30..7, the exponent as float32 has it, and the sign in bit 31. */
typedef struct {
  uint32_t significand, sign;
  int32_t exponent;
} soft;

/* The exponent of 0: below that of any product, so that none counts as too small for it. */
enum { NO_EXPONENT = -1000 };

/* x, if it is 0 or normal. */
INLINE int32_t to_soft(soft *s, float x) {
  uint32_t b = bits_of(x);
  int32_t exponent = (int32_t)(b >> 23 & 255);
  *s = (soft){0, 0, NO_EXPONENT};
  if (exponent == 0) return b << 1 == 0;
  *s = (soft){(b & 0x7fffff) << 7 | 0x40000000u, b & 0x80000000u, exponent};
  return exponent < 255;
}

INLINE float of_soft(soft s) {
  return s.significand == 0 ? 0 : float_of(s.sign | (uint32_t)s.exponent << 23 | (s.significand >> 7 & 0x7fffff));
}

/* value * 2^-7 rounded to nearest even, times 2^7; a significand that grows by a bit raises the exponent. */
INLINE void round_soft(soft *s, uint32_t value) {
  uint32_t kept = value >> 7;
  kept += (value & 127) + (kept & 1) > 64;
  uint32_t grown = kept >> 24;
  s->significand = kept >> grown << 7;
  s->exponent += (int32_t)grown;
}

/* The product of two normal numbers, by their bits. */
INLINE soft soft_product(uint32_t a, uint32_t x) {
  uint64_t exact = (uint64_t)(a << 8 | 0x80000000u) * (x << 8 | 0x80000000u);
  uint32_t high = (uint32_t)(exact >> 32), low = (uint32_t)exact, grown = high >> 31;
  soft p = {0, (a ^ x) & 0x80000000u, (int32_t)((a >> 23 & 255) + (x >> 23 & 255)) - 127 + (int32_t)grown};
  round_soft(&p, high >> grown | (((high & grown) | low) != 0));
  return p;
}

/* s + p. Their exponents are no farther apart than 27, unless one is 0. */
INLINE soft soft_sum(soft s, soft p) {
  if (p.exponent > s.exponent) {
    soft larger = p;
    p = s;
    s = larger;
  }
  int32_t d = s.exponent - p.exponent;
  uint32_t least = p.significand;
  if (d > 30) least = least != 0;
  else if (d > 0) least = least >> d | (least << (32 - d) != 0);
  if (s.sign == p.sign) {
    uint32_t sum = s.significand + least, grown = sum >> 31;
    s.exponent += (int32_t)grown;
    round_soft(&s, sum >> grown | (sum & grown));
    return s;
  }
  uint32_t rest = s.significand - least;
  if (rest >> 31) {
    rest = -rest;
    s.sign = p.sign;
  }
  if (rest == 0) return (soft){0, 0, NO_EXPONENT};
  while (!(rest & 0x40000000u)) {
    rest <<= 1;
    s.exponent--;
  }
  round_soft(&s, rest);
  return s;
}

/* sum a_i x_i, in the order i = 0, 1, ..., a_i four words apart. */
static float soft_weighted(const float *a, const float *x, int32_t n) {
  soft s = {0, 0, NO_EXPONENT};
  for (const float *end = x + n; x < end; x++, a += 4) {
    uint32_t p = bits_of(*a), q = bits_of(*x);
    int32_t i = (int32_t)(p >> 23 & 255), k = (int32_t)(q >> 23 & 255);
    if (i < 255 && k < 255) {
      if (p << 1 == 0 || q << 1 == 0) continue;
      if (s.exponent - (i + k - 127) >= 27) continue; /* less than a quarter of the sum's last bit */
      if (i > 0 && k > 0 && i + k > 128 && i + k < 380) {
        soft sum = soft_sum(s, soft_product(p, q));
        if (sum.significand == 0 || (uint32_t)(sum.exponent - 1) < 254) {
          s = sum;
          continue;
        }
      }
    }
    float next = of_soft(s) + *a * *x;
    if (to_soft(&s, next)) continue;
    for (x++, a += 4; x < end; x++, a += 4) next = next + *a * *x;
    return next;
  }
  return of_soft(s);
}
#else
#define SOFT 0
#endif

/* Of n classes the sums of what so many vectors weigh, of `capacity` coefficients each, times x. */
INLINE void class_sums(float *m, int32_t out, int32_t rows, int32_t x, int32_t n, int32_t size, int32_t capacity) {
#if SOFT
  for (int32_t c = 0; c < ((n + 3) & ~3); c++) m[out + c] = soft_weighted(m + row_at(rows, c, capacity), m + x, size);
#else
  sums(m, out, rows, x, n, size, capacity, 0);
#endif
}
