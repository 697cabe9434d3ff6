/*
 * The primitives in C float: see f32.h. One source for the device (XS native module), for WebAssembly (f32-wasm.ts, by
 * dev/build-wasm.mjs) and for tests on the host. Bit for bit what f32.ts and elementary.ts do, in the same order.
 * Contraction is switched off in here, since a Moddable manifest can't add a compiler flag; gcc ignores the STDC pragma.
 */
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

#include "f32.h"

#ifdef __FAST_MATH__
#error "f32.c: -ffast-math changes the results"
#endif
#if !defined(__FLT_EVAL_METHOD__) || __FLT_EVAL_METHOD__ != 0
#error "f32.c: float must be evaluated as float (on 32-bit x86: -msse2 -mfpmath=sse)"
#endif

#define INLINE static inline __attribute__((always_inline))

INLINE uint32_t bits_of(float x) {
  uint32_t b;
  __builtin_memcpy(&b, &x, 4);
  return b;
}

INLINE float float_of(uint32_t b) {
  float x;
  __builtin_memcpy(&x, &b, 4);
  return x;
}

/* 1 if x is an infinity or NaN: in integers, which an FPU-less core does fast and a compiler turns into vectors. */
INLINE uint32_t beyond(float x) {
  return (bits_of(x) & 0x7f800000u) == 0x7f800000u;
}

/* ---- exp, log, sin, cos: the sequences that stand in elementary.ts ---- */

#define ROUND 0x1.8p+23f
#define LOG2E 0x1.715476p+0f
#define LN2_HI 0x1.62e4p-1f
#define LN2_LO 0x1.7f7d1cp-20f
#define EXP_MAX 0x1.62e42ep+6f
#define EXP_MIN -0x1.9fe368p+6f
#define E0 0.5f
#define E1 0x1.555466p-3f
#define E2 0x1.5552fep-5f
#define E3 0x1.125854p-7f
#define E4 0x1.6ffc82p-10f
#define SQRT_HALF 0x3f3504f3u
#define L0 0x1.55557ap-1f
#define L1 0x1.995ed4p-2f
#define L2 0x1.31e0d8p-2f
#define TRIG_MAX 8192.0f
#define TWO_OVER_PI 0x1.45f306p-1f
#define PI_2A 0x1.92p+0f
#define PI_2B 0x1.fb4p-12f
#define PI_2C 0x1.4442d2p-24f
#define S0 -0x1.55554p-3f
#define S1 0x1.1105bcp-7f
#define S2 -0x1.98dc0ap-13f
#define C0 0x1.55554ap-5f
#define C1 -0x1.6c0c1ap-10f
#define C2 0x1.99e0eep-16f

static float exp_of(float x) {
  if (x != x) return x;
  if (x > EXP_MAX) return __builtin_inff();
  if (x < EXP_MIN) return 0;
  float n = (x * LOG2E + ROUND) - ROUND;
  float hi = x - n * LN2_HI;
  float lo = n * LN2_LO;
  float r = hi - lo;
  float q = E0 + r * (E1 + r * (E2 + r * (E3 + r * E4)));
  float y = 1.0f + (hi + ((r * r) * q - lo));
  int32_t k = (int32_t)n;
  int32_t h = k >> 1;
  return (y * float_of((uint32_t)(h + 127) << 23)) * float_of((uint32_t)(k - h + 127) << 23);
}

float f32_exp(double input) {
  return exp_of((float)input);
}

float f32_log(double input) {
  float x = (float)input;
  if (!(x >= 0)) return __builtin_nanf("");
  if (x == 0) return -__builtin_inff();
  if (x == __builtin_inff()) return x;
  int32_t e = 0;
  if (x < 0x1p-126f) {
    x = x * 33554432.0f;
    e = -25;
  }
  uint32_t b = bits_of(x) + 0x3f800000u - SQRT_HALF;
  float k = (float)(e + (int32_t)(b >> 23) - 127);
  float f = float_of((b & 0x7fffffu) + SQRT_HALF) - 1.0f;
  float s = f / (2.0f + f);
  float z = s * s;
  float t = z * (L0 + z * (L1 + z * L2));
  float h = (0.5f * f) * f;
  float low = s * (h + t) + k * LN2_LO;
  return k * LN2_HI - ((h - low) - f);
}

static float wave(float x, int32_t j) {
  if (!(x >= -TRIG_MAX && x <= TRIG_MAX)) return __builtin_nanf("");
  float n = (x * TWO_OVER_PI + ROUND) - ROUND;
  float r = ((x - n * PI_2A) - n * PI_2B) - n * PI_2C;
  float z = r * r;
  int32_t quadrant = (int32_t)n + j;
  float y = quadrant & 1 ? (1.0f - 0.5f * z) + (z * z) * (C0 + z * (C1 + z * C2))
                         : r + (r * z) * (S0 + z * (S1 + z * S2));
  return quadrant & 2 ? -y : y;
}

float f32_sin(double input) {
  float x = (float)input;
  return x == 0 ? x : wave(x, 0);
}

float f32_cos(double input) {
  return wave((float)input, 1);
}

/* ---- four lanes: a vector register where there is one, else four floats in registers of their own ---- */

#if defined(__wasm_simd128__) || defined(__SSE2__)
#define WIDE 1
typedef float v4 __attribute__((vector_size(16)));
typedef int32_t i4 __attribute__((vector_size(16)));

INLINE v4 splat(float a) { return (v4){a, a, a, a}; }
INLINE v4 add4(v4 a, v4 b) { return a + b; }
INLINE v4 sub4(v4 a, v4 b) { return a - b; }
INLINE v4 mul4(v4 a, v4 b) { return a * b; }
INLINE v4 neg4(v4 a) { return -a; }
INLINE v4 make4(float a, float b, float c, float d) { return (v4){a, b, c, d}; }

INLINE v4 choose4(i4 mask, v4 a, v4 b) { return (v4)((mask & (i4)a) | (~mask & (i4)b)); }

/* exp_of in every lane; out of its domain a lane computes with 0, and its result is replaced. */
INLINE v4 exp4(v4 given) {
  i4 over = given > splat(EXP_MAX), under = given < splat(EXP_MIN), unordered = given != given;
  v4 x = choose4(over | under | unordered, splat(0), given);
  v4 n = (x * LOG2E + ROUND) - ROUND;
  v4 hi = x - n * LN2_HI;
  v4 lo = n * LN2_LO;
  v4 r = hi - lo;
  v4 q = E0 + r * (E1 + r * (E2 + r * (E3 + r * E4)));
  v4 y = 1.0f + (hi + ((r * r) * q - lo));
  i4 k = __builtin_convertvector(n, i4);
  i4 h = k >> 1;
  v4 value = (y * (v4)((h + 127) << 23)) * (v4)((k - h + 127) << 23);
  value = choose4(over, splat(__builtin_inff()), choose4(under, splat(0), value));
  return choose4(unordered, given, value);
}
#else
#define WIDE 0
typedef struct {
  float a, b, c, d;
} v4;

INLINE v4 splat(float a) { return (v4){a, a, a, a}; }
INLINE v4 add4(v4 x, v4 y) { return (v4){x.a + y.a, x.b + y.b, x.c + y.c, x.d + y.d}; }
INLINE v4 sub4(v4 x, v4 y) { return (v4){x.a - y.a, x.b - y.b, x.c - y.c, x.d - y.d}; }
INLINE v4 mul4(v4 x, v4 y) { return (v4){x.a * y.a, x.b * y.b, x.c * y.c, x.d * y.d}; }
INLINE v4 neg4(v4 x) { return (v4){-x.a, -x.b, -x.c, -x.d}; }
INLINE v4 make4(float a, float b, float c, float d) { return (v4){a, b, c, d}; }
INLINE v4 exp4(v4 x) { return (v4){exp_of(x.a), exp_of(x.b), exp_of(x.c), exp_of(x.d)}; }
#endif

INLINE v4 load4(const float *p) {
#if WIDE
  v4 v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
#else
  return (v4){p[0], p[1], p[2], p[3]};
#endif
}

INLINE void store4(float *p, v4 v) {
#if WIDE
  __builtin_memcpy(p, &v, sizeof v);
#else
  p[0] = v.a;
  p[1] = v.b;
  p[2] = v.c;
  p[3] = v.d;
#endif
}

/* ---- vectors ---- */

int32_t f32_finite(const float *m, int32_t a, int32_t n) {
  uint32_t bad = 0;
  for (int32_t j = 0; j < n; j++) bad |= beyond(m[a + j]);
  return !bad;
}

float f32_dot(const float *m, int32_t a, int32_t b, int32_t n) {
  const float *p = m + a, *q = m + b;
  int32_t rest = n & 3;
  v4 l = splat(0);
  for (const float *end = p + (n - rest); p < end; p += 4, q += 4) l = add4(l, mul4(load4(p), load4(q)));
  float s[4];
  store4(s, l);
  for (int32_t j = 0; j < rest; j++) s[j] = s[j] + p[j] * q[j];
  return (s[0] + s[2]) + (s[1] + s[3]);
}

/* Bits of the largest magnitude of n words: those of a NaN are above an infinity's. */
INLINE uint32_t largest_magnitude(const float *p, int32_t n) {
  uint32_t most = 0;
  for (int32_t j = 0; j < n; j++) {
    uint32_t magnitude = bits_of(p[j]) & 0x7fffffffu;
    if (magnitude > most) most = magnitude;
  }
  return most;
}

/* 1 if a number of that magnitude takes no finite one beyond the largest: it is below half of what that is rounded to. */
INLINE int32_t is_slight(float x) {
  return __builtin_fabsf(x) < 0x1p+102f;
}

int32_t f32_add_scaled(float *m, int32_t y, double s, int32_t x, int32_t n) {
  float t = (float)s;
  float *p = m + y;
  const float *q = m + x;
  uint32_t bad = 0, most = largest_magnitude(q, n);
  if (most < 0x7f800000u && is_slight(t * float_of(most))) bad = !f32_finite(m, y, n);
  else
    for (int32_t j = 0; j < n; j++) bad |= beyond(p[j] + t * q[j]);
  if (bad) return 0;
  for (int32_t j = 0; j < n; j++) p[j] = p[j] + t * q[j];
  return 1;
}

void f32_scale(float *m, int32_t x, double s, int32_t n) {
  float t = (float)s;
  float *p = m + x;
  for (int32_t j = 0; j < n; j++) p[j] = t * p[j];
}

void f32_copy(float *m, int32_t to, int32_t from, int32_t n) {
  __builtin_memmove(m + to, m + from, (uint32_t)n * sizeof(float));
}

int32_t f32_argmin(const float *m, int32_t a, int32_t n) {
  const float *p = m + a;
  int32_t best = 0;
  for (int32_t j = 1; j < n; j++)
    if (p[j] < p[best]) best = j;
  return best;
}

int32_t f32_argmin_magnitude(const float *m, int32_t a, int32_t n) {
  const float *p = m + a;
  int32_t best = 0;
  for (int32_t j = 1; j < n; j++)
    if (__builtin_fabsf(p[j]) < __builtin_fabsf(p[best])) best = j;
  return best;
}

int32_t f32_oldest(const float *m, int32_t b, uint32_t now, int32_t n) {
  const float *p = m + b;
  int32_t best = 0;
  for (int32_t j = 1; j < n; j++)
    if (now - bits_of(p[j]) > now - bits_of(p[best])) best = j;
  return best;
}

int32_t f32_stalest(const float *m, int32_t last, int32_t uses, uint32_t now, uint32_t after, int32_t n) {
  int32_t best = -1;
  uint32_t most = 0;
  for (int32_t j = 0; j < n; j++) {
    uint32_t idle = now - bits_of(m[last + j]);
    if (idle <= most || idle <= after * bits_of(m[uses + j])) continue;
    best = j;
    most = idle;
  }
  return best;
}

/* ---- check sum ---- */

uint32_t f32_crc32(const uint8_t *bytes, int32_t from, int32_t to, uint32_t before) {
  /* What half a byte does to the register: 64 bytes, where a whole byte would take 1024. */
  static const uint32_t half[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                    0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                    0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
  uint32_t r = ~before;
  for (int32_t i = from; i < to; i++) {
    r ^= bytes[i];
    r = half[r & 15] ^ r >> 4;
    r = half[r & 15] ^ r >> 4;
  }
  return ~r;
}

/* ---- stored rows, in interleaved blocks of four: of d float32, or, where d is negative, of -d lanes of 16 bits ---- */

INLINE int32_t components(int32_t d) {
  return d < 0 ? -d : d;
}

/* Words of a row. */
INLINE int32_t row_words(int32_t d) {
  return d < 0 ? (1 - d) >> 1 : d;
}

/* Word 0 of row i of so many words, from the word at which the rows begin; the others follow at steps of four. */
INLINE int32_t row_at(int32_t rows, int32_t i, int32_t words) {
  return rows + 4 * words * (i >> 2) + (i & 3);
}

INLINE uint32_t word(const float *m, int32_t at) {
  return bits_of(m[at]);
}

INLINE void set_word(float *m, int32_t at, uint32_t value) {
  __builtin_memcpy(m + at, &value, 4);
}

typedef int16_t __attribute__((may_alias)) lane;

enum { LEAST_LANE = -16384, LARGEST_LANE = 16383 };

/* The grid of lanes: u, 1/u and an offset for each component, which lie in front of the rows. */
INLINE const float *grid_of(const float *m, int32_t rows, int32_t n) {
  return m + rows - n - 2;
}

/* The lane of component j. */
INLINE int32_t to_lane(const float *grid, int32_t j, float x) {
  float q = x * grid[1] - grid[2 + j];
  if (!(q > LEAST_LANE)) return LEAST_LANE;
  if (q >= LARGEST_LANE) return LARGEST_LANE;
  return (int32_t)(bits_of(q + ROUND) - bits_of(ROUND));
}

INLINE float of_lane(const float *grid, int32_t j, int32_t q) {
  return ((float)q + grid[2 + j]) * grid[0];
}

/* Lane j of the row whose word 0 is r. */
INLINE lane *lane_at(float *r, int32_t j) {
  return (lane *)(r + 4 * (j >> 1)) + (j & 1);
}

static void store_lanes(float *m, int32_t rows, int32_t i, int32_t x, int32_t n) {
  int32_t at = row_at(rows, i, (n + 1) >> 1);
  const float *grid = grid_of(m, rows, n);
  for (int32_t j = 0; j < n; j += 2) {
    uint32_t high = j + 1 < n ? (uint32_t)to_lane(grid, j + 1, m[x + j + 1]) << 16 : 0;
    set_word(m, at + 2 * j, high | ((uint32_t)to_lane(grid, j, m[x + j]) & 0xffff));
  }
}

static void fetch_lanes(float *m, int32_t x, int32_t rows, int32_t i, int32_t n) {
  float *r = m + row_at(rows, i, (n + 1) >> 1);
  const float *grid = grid_of(m, rows, n);
  for (int32_t j = 0; j < n; j++) m[x + j] = of_lane(grid, j, *lane_at(r, j));
}

void f32_store_row(float *m, int32_t rows, int32_t i, int32_t x, int32_t d) {
  if (d < 0) {
    store_lanes(m, rows, i, x, -d);
    return;
  }
  float *r = m + row_at(rows, i, d);
  for (int32_t j = 0; j < d; j++) r[4 * j] = m[x + j];
}

void f32_fetch_row(float *m, int32_t x, int32_t rows, int32_t i, int32_t d) {
  if (d < 0) {
    fetch_lanes(m, x, rows, i, -d);
    return;
  }
  const float *r = m + row_at(rows, i, d);
  for (int32_t j = 0; j < d; j++) m[x + j] = r[4 * j];
}

void f32_store_column(float *m, int32_t rows, int32_t j, int32_t x, int32_t n, int32_t d) {
  for (int32_t i = 0; i < n; i++) m[row_at(rows, i, d) + 4 * j] = m[x + i];
}

int32_t f32_add_scaled_row(float *m, int32_t rows, int32_t i, double s, int32_t x, int32_t d) {
  float t = (float)s;
  float *r = m + row_at(rows, i, d);
  const float *q = m + x;
  uint32_t bad = 0;
  for (int32_t j = 0; j < d; j++) bad |= beyond(r[4 * j] + t * q[j]);
  if (bad) return 0;
  for (int32_t j = 0; j < d; j++) r[4 * j] = r[4 * j] + t * q[j];
  return 1;
}

/* f32_move_row_towards for a row of n lanes. */
static int32_t move_lanes_towards(float *m, int32_t rows, int32_t i, float t, int32_t x, int32_t n) {
  float *r = m + row_at(rows, i, (n + 1) >> 1);
  const float *grid = grid_of(m, rows, n);
  uint32_t bad = 0;
  for (int32_t j = 0; j < n; j++) {
    float c = of_lane(grid, j, *lane_at(r, j));
    bad |= beyond(c + t * (m[x + j] - c));
  }
  if (bad) return 0;
  for (int32_t j = 0; j < n; j++) {
    lane *q = lane_at(r, j);
    float c = of_lane(grid, j, *q);
    *q = (lane)to_lane(grid, j, c + t * (m[x + j] - c));
  }
  return 1;
}

int32_t f32_move_row_towards(float *m, int32_t rows, int32_t i, double s, int32_t x, int32_t d) {
  float t = (float)s;
  if (d < 0) return move_lanes_towards(m, rows, i, t, x, -d);
  float *r = m + row_at(rows, i, d);
  const float *q = m + x;
  uint32_t bad = 0;
  for (int32_t j = 0; j < d; j++) bad |= beyond(r[4 * j] + t * (q[j] - r[4 * j]));
  if (bad) return 0;
  for (int32_t j = 0; j < d; j++) r[4 * j] = r[4 * j] + t * (q[j] - r[4 * j]);
  return 1;
}

/* ---- kernel rows ---- */

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

/* ---- weighted sums where there is no floating point: the bits of C's own, whose arithmetic takes 200 instructions a term ---- */

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

/* ---- kernel rows of lanes: whole numbers throughout ---- */

/* Lanes of an input at a time, which lie on the stack. */
enum { PIECE = 64 };

/* Lanes from..to-1 of the input, and a 0 where they are odd. */
static void pack(lane *lanes, const float *x, const float *grid, int32_t from, int32_t to) {
  for (int32_t j = from; j < to; j++) lanes[j - from] = (lane)to_lane(grid, j, x[j]);
  if ((to - from) & 1) lanes[to - from] = 0;
}

/* Adds the squared distances of four rows' words to an input's lanes. A pair's is below 2^31, two of them below 2^32. */
INLINE void add_squares(uint64_t *sum, const float *r, const lane *x, int32_t words) {
#ifdef __wasm_simd128__
  typedef int16_t v8 __attribute__((vector_size(16)));
  typedef uint32_t u4 __attribute__((vector_size(16)));
  typedef uint64_t u2 __attribute__((vector_size(16)));
  u2 low = {sum[0], sum[1]}, high = {sum[2], sum[3]};
  for (int32_t p = 0; p < words; p++, r += 4, x += 2) {
    v8 v;
    __builtin_memcpy(&v, r, sizeof v);
    v8 t = v - (v8){x[0], x[1], x[0], x[1], x[0], x[1], x[0], x[1]};
    u4 s = (u4)__builtin_wasm_dot_s_i32x4_i16x8(t, t);
    low += (u2){s[0], s[1]};
    high += (u2){s[2], s[3]};
  }
  sum[0] = low[0];
  sum[1] = low[1];
  sum[2] = high[0];
  sum[3] = high[1];
#else
  for (int32_t k = 0; k < 4; k++) {
    const lane *v = (const lane *)(r + k), *y = x;
    uint64_t s = sum[k];
    for (const lane *end = x + 2 * words; y < end; v += 8, y += 2) {
      int32_t a = v[0] - y[0], b = v[1] - y[1];
      s += (uint32_t)(a * a) + (uint32_t)(b * b);
    }
    sum[k] = s;
  }
#endif
}

/* 2^(-j/64), in parts of 2^31. */
static const uint32_t halvings[64] = {
    0x80000000, 0x7e9f0606, 0x7d41d96e, 0x7be86fba, 0x7a92be8b, 0x7940bb9e, 0x77f25cce, 0x76a7980f,
    0x75606374, 0x741cb528, 0x72dc8374, 0x719fc4b9, 0x70666f76, 0x6f307a41, 0x6dfddbcc, 0x6cce8ae1,
    0x6ba27e65, 0x6a79ad56, 0x69540ec9, 0x683199ed, 0x6712460b, 0x65f60a7f, 0x64dcdec3, 0x63c6ba64,
    0x62b39509, 0x61a3666d, 0x60962665, 0x5f8bccdb, 0x5e8451d0, 0x5d7fad59, 0x5c7dd7a4, 0x5b7ec8f2,
    0x5a82799a, 0x5988e209, 0x5891fac1, 0x579dbc57, 0x56ac1f75, 0x55bd1cdb, 0x54d0ad5a, 0x53e6c9da,
    0x52ff6b55, 0x521a8ad7, 0x51382182, 0x50582888, 0x4f7a9930, 0x4e9f6cd4, 0x4dc69cdd, 0x4cf022ca,
    0x4c1bf829, 0x4b4a169c, 0x4a7a77d4, 0x49ad1598, 0x48e1e9ba, 0x4818ee22, 0x47521cc6, 0x468d6fae,
    0x45cae0f2, 0x450a6abb, 0x444c0740, 0x438fb0cb, 0x42d561b4, 0x421d1462, 0x4166c34c, 0x40b268fa};

INLINE uint32_t high_product(uint32_t a, uint32_t b) {
  return (uint32_t)(((uint64_t)a * b) >> 32);
}

/* gamma u^2 / ln 2 = factor * 2^-(56 + shift). */
typedef struct {
  uint32_t factor;
  int32_t shift;
} lane_rate;

INLINE lane_rate rate_of(float gamma, float u) {
  uint32_t c = bits_of((gamma * (u * u)) * LOG2E) & 0x7fffffffu;
  return (lane_rate){c << 8 | 0x80000000u, 102 - (int32_t)(c >> 23)};
}

/* The Gaussian of s < 2^43 squared units: see `gaussianRow` of lanes in primitives.ts. */
INLINE float lane_gaussian(uint64_t s, lane_rate rate) {
  if (rate.shift >= 0) {
    s = rate.shift < 43 ? s >> rate.shift : 0;
  } else {
    if (s == 0) return 1;
    if (rate.shift < -31 || s >> (32 + rate.shift)) return 0;
    s <<= -rate.shift;
  }
  if (s >> 32) return 0;
  uint32_t t = high_product((uint32_t)s, rate.factor), whole = t >> 24;
  if (whole >= 126) return 0;
  uint32_t z = high_product((t & 0x3ffff) << 8, 0xb17217f8u), square = high_product(z, z);
  uint32_t falls = z - (square >> 1) + high_product(high_product(square, z), 0x2aaaaaabu);
  uint32_t power = halvings[t >> 18 & 63];
  power -= high_product(power, falls);
  return float_of(((126 - whole) << 23) + ((power + 64) >> 7) - 0x800000u);
}

/* The nearest float: most are below 2^32, which less code converts, or an instruction. */
INLINE float float_of_sum(uint64_t sum) {
  return sum >> 32 ? (float)sum : (float)(uint32_t)sum;
}

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

/* ---- products in block floating point: 32 components that have one exponent are whole numbers below 2^24 ---- */

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

/* ---- support sets ---- */

/* Words at which the parts of a set begin; the births so far lie behind the size. And how many vectors it has room for. */
typedef struct {
  int32_t rows, coefficients, births, size, capacity;
} support;

INLINE support support_at(int32_t set, int32_t capacity, int32_t d) {
  int32_t coefficients = set + row_words(d) * ((capacity + 3) & ~3);
  return (support){set, coefficients, coefficients + capacity, coefficients + 2 * capacity, capacity};
}

/* Vectors of a set, no more than it has room for, whatever its size says. */
INLINE int32_t held(const float *m, support s) {
  uint32_t n = word(m, s.size);
  return n < (uint32_t)s.capacity ? (int32_t)n : s.capacity;
}

INLINE void raise_word(float *m, int32_t at) {
  set_word(m, at, word(m, at) + 1);
}

/* Moves a word, which may be any bits; what it leaves is 0. */
INLINE void move_word(float *m, int32_t to, int32_t from) {
  uint32_t value = word(m, from);
  set_word(m, to, value);
  set_word(m, from, 0);
}

enum { SUM, PLUS, MINUS, LEVEL, MEAN, ROOT };

/* The decision that follows from f(x) = sum. */
INLINE double decision_of(const float *m, double sum, int32_t rule, int32_t term, double scale) {
  if (rule == PLUS) return sum + m[term];
  if (rule == MINUS) return sum - m[term];
  if (rule == LEVEL) return sum - 1 - m[term];
  if (rule == SUM || word(m, term) == 0) return sum;
  double t = word(m, term);
  return sum / (scale * (rule == ROOT ? __builtin_sqrt(t) : t));
}

double f32_gaussian_expansion(float *m, int32_t x, int32_t set, int32_t capacity, int32_t d, double gamma, int32_t rule,
                              int32_t term, double scale) {
  support s = support_at(set, capacity, d);
  int32_t n = held(m, s), row = x + components(d);
  if (!f32_finite(m, x, components(d))) return __builtin_nan("");
  f32_gaussian_row(m, row, set, x, n, d, gamma);
  float f = f32_dot(m, s.coefficients, row, n);
  return beyond(f) ? __builtin_nan("") : decision_of(m, f, rule, term, scale);
}

void f32_insert_vector(float *m, int32_t set, int32_t capacity, int32_t d, int32_t x, double a) {
  support s = support_at(set, capacity, d);
  int32_t i = held(m, s);
  if (i == capacity) return;
  f32_store_row(m, set, i, x, d);
  m[s.coefficients + i] = (float)a;
  set_word(m, s.births + i, word(m, s.size + 1));
  raise_word(m, s.size);
  raise_word(m, s.size + 1);
}

void f32_remove_vector(float *m, int32_t set, int32_t capacity, int32_t d, int32_t i) {
  support s = support_at(set, capacity, d);
  int32_t last = held(m, s) - 1;
  if (i < 0 || i > last) return;
  int32_t words = row_words(d), to = row_at(set, i, words), from = row_at(set, last, words);
  set_word(m, s.size, (uint32_t)last);
  for (int32_t j = 0; j < 4 * words; j += 4) move_word(m, to + j, from + j);
  move_word(m, s.coefficients + i, s.coefficients + last);
  move_word(m, s.births + i, s.births + last);
}

void f32_remove_vector_in_order(float *m, int32_t set, int32_t capacity, int32_t d, int32_t i) {
  support s = support_at(set, capacity, d);
  int32_t last = held(m, s) - 1, words = row_words(d);
  if (i < 0 || i > last) return;
  for (int32_t k = i; k < last; k++) {
    int32_t to = row_at(set, k, words), from = row_at(set, k + 1, words);
    for (int32_t j = 0; j < 4 * words; j += 4) set_word(m, to + j, word(m, from + j));
  }
  f32_copy(m, s.coefficients + i, s.coefficients + i + 1, last - i);
  f32_copy(m, s.births + i, s.births + i + 1, last - i);
  f32_remove_vector(m, set, capacity, d, last);
}

enum { OLDEST = -1, SMALLEST = -2, REFUSE = -3, MERGE = -4 };
enum { OVERFLOWED, INSERTED, DROPPED, EVICTED, DECLINED };

/* Makes room in a full set. Returns 0 if x is to be declined. */
static int32_t make_room(float *m, support s, int32_t capacity, int32_t d, int32_t leaving) {
  if (leaving == REFUSE) return 0;
  if (leaving == OLDEST) leaving = f32_oldest(m, s.births, word(m, s.size + 1), capacity);
  if (leaving == SMALLEST) leaving = f32_argmin_magnitude(m, s.coefficients, capacity);
  f32_remove_vector(m, s.rows, capacity, d, leaving);
  return 1;
}

/* The full set takes x as `merge` says. */
static void merge_in(float *m, support s, int32_t capacity, int32_t d, int32_t x, float a, double gamma) {
  int32_t row = x + components(d), spare = row + ((capacity + 3) & ~3);
  int32_t least = f32_argmin_magnitude(m, s.coefficients, capacity);
  float stored = m[s.coefficients + least];
  if (__builtin_fabsf(a) < __builtin_fabsf(stored)) {
    f32_copy(m, spare, x, components(d));
  } else {
    f32_fetch_row(m, spare, s.rows, least, d);
    f32_remove_vector(m, s.rows, capacity, d, least);
    f32_insert_vector(m, s.rows, capacity, d, x, a);
    a = stored;
  }
  f32_merge_nearest(m, row, s.rows, s.coefficients, capacity, d, spare, a, gamma);
}

void f32_step_expansion(float *m, int32_t set, int32_t capacity, int32_t d, double keep, int32_t x, double a,
                        int32_t leaving, double threshold, int32_t counts, double gamma) {
  support s = support_at(set, capacity, d);
  f32_scale(m, s.coefficients, keep, held(m, s));
  if (a != 0) {
    int full = held(m, s) == capacity;
    if (beyond((float)a)) {
      raise_word(m, counts + OVERFLOWED);
    } else if (full && leaving == MERGE) {
      merge_in(m, s, capacity, d, x, (float)a, gamma);
      raise_word(m, counts + INSERTED);
      raise_word(m, counts + EVICTED);
    } else if (full && !make_room(m, s, capacity, d, leaving)) {
      raise_word(m, counts + DECLINED);
    } else {
      if (full) raise_word(m, counts + EVICTED);
      f32_insert_vector(m, set, capacity, d, x, a);
      raise_word(m, counts + INSERTED);
    }
  }
  for (int32_t n; threshold > 0 && (n = held(m, s)) > 0;) {
    int32_t least = f32_argmin_magnitude(m, s.coefficients, n);
    if (!(__builtin_fabsf(m[s.coefficients + least]) < threshold)) return;
    f32_remove_vector(m, set, capacity, d, least);
    raise_word(m, counts + DROPPED);
  }
}

/* ---- shared sets: k coefficients a vector, whose norm is the set's coefficient ---- */

/* Below it, the factor is multiplied into the coefficients. */
#define LEAST_FACTOR 0.001f

/* Words at which the parts behind the set begin, and of the scratch behind the vector at `to`. */
typedef struct {
  support s;
  int32_t classes, labels, steps, factor, row, spare, scores, changes, leaving, norms, merged;
} shared;

INLINE shared shared_at(int32_t to, int32_t set, int32_t capacity, int32_t d, int32_t k) {
  int32_t n = components(d), across = (k + 3) & ~3, rows = (capacity + 3) & ~3;
  support s = support_at(set, capacity, d);
  int32_t classes = s.size + 2, labels = classes + across * capacity, row = to + n, spare = row + rows, scores = spare + n;
  return (shared){s, classes, labels, labels + capacity, labels + capacity + 1, row, spare, scores, scores + across, scores + 2 * across,
                  scores + 3 * across, scores + 3 * across + rows};
}

/* Word of a_ic, c being the first of four classes. */
INLINE int32_t classes_at(const shared *h, int32_t capacity, int32_t i, int32_t c) {
  return h->classes + c * capacity + 4 * i;
}

INLINE float factor_of(const float *m, const shared *h) {
  return word(m, h->factor) ? m[h->factor] : 1.0f;
}

double f32_class_scores(float *m, int32_t to, int32_t set, int32_t capacity, int32_t d, int32_t k, double scale) {
  shared h = shared_at(to, set, capacity, d, k);
  float factor = factor_of(m, &h) * (float)scale;
  int32_t n = held(m, h.s), best = 0;
  class_sums(m, h.scores, h.classes, h.row, k, n, capacity);
  for (int32_t c = 0; c < k; c++) {
    m[h.scores + c] = m[h.scores + c] * factor;
    if (m[h.scores + c] > m[h.scores + best]) best = c;
  }
  return f32_finite(m, h.scores, k) ? best : __builtin_nan("");
}

static void fetch_classes(float *m, const shared *h, int32_t capacity, int32_t k, int32_t to, int32_t i) {
  for (int32_t c = 0; c < k; c += 4) store4(m + to + c, load4(m + classes_at(h, capacity, i, c)));
}

static void insert_classes(float *m, const shared *h, int32_t capacity, int32_t d, int32_t k, int32_t x, int32_t y, float norm) {
  int32_t n = held(m, h->s);
  if (n == capacity) return;
  for (int32_t c = 0; c < k; c += 4) store4(m + classes_at(h, capacity, n, c), load4(m + h->changes + c));
  set_word(m, h->labels + n, (uint32_t)y);
  f32_insert_vector(m, h->s.rows, capacity, d, x, norm);
}

static void remove_classes(float *m, const shared *h, int32_t capacity, int32_t d, int32_t k, int32_t i) {
  int32_t last = held(m, h->s) - 1;
  f32_remove_vector(m, h->s.rows, capacity, d, i);
  move_word(m, h->labels + i, h->labels + last);
  for (int32_t c = 0; c < k; c += 4) {
    store4(m + classes_at(h, capacity, i, c), load4(m + classes_at(h, capacity, last, c)));
    store4(m + classes_at(h, capacity, last, c), splat(0));
  }
}

/* k of the vectors of n components at x and z; x is lost. */
static float likeness(float *m, int32_t x, int32_t z, int32_t n, float gamma) {
  f32_add_scaled(m, x, -1, z, n);
  return exp_of(-(gamma * f32_dot(m, x, x, n)));
}

/* The vector at `spare`, of that label and norm, and of the coefficients at `leaving`, joins the nearest of its label. */
static void merge_classes(float *m, const shared *h, int32_t capacity, int32_t d, int32_t k, uint32_t label, float norm, float gamma) {
  int32_t n = components(d), size = held(m, h->s), z = h->merged + n;
  for (int32_t j = 0; j < size; j++) m[h->norms + j] = word(m, h->labels + j) == label ? m[h->s.coefficients + j] : 0;
  f32_copy(m, h->merged, h->spare, n);
  int32_t j = f32_merge_nearest(m, h->row, h->s.rows, h->norms, size, d, h->spare, norm, gamma);
  if (j < 0) return;
  f32_fetch_row(m, z, h->s.rows, j, d);
  float near = likeness(m, h->spare, z, n, gamma), far = likeness(m, h->merged, z, n, gamma);
  for (int32_t c = 0; c < k; c += 4) {
    float *a = m + classes_at(h, capacity, j, c), *other = m + h->leaving + c;
    v4 sum = add4(mul4(load4(a), splat(near)), mul4(load4(other), splat(far)));
    store4(a, sum);
    store4(other, sum);
  }
  float grown = __builtin_sqrtf(f32_dot(m, h->leaving, h->leaving, k));
  if (beyond(grown)) remove_classes(m, h, capacity, d, k, j);
  else m[h->s.coefficients + j] = grown;
}

/* Takes x with the coefficients at `changes`, of that norm. */
static void take_classes(float *m, const shared *h, int32_t capacity, int32_t d, int32_t k, int32_t x, int32_t y, float norm, int32_t leaving,
                         int32_t counts, float gamma) {
  if (held(m, h->s) == capacity) {
    if (leaving == REFUSE) {
      raise_word(m, counts + DECLINED);
      return;
    }
    int32_t i = leaving == OLDEST ? f32_oldest(m, h->s.births, word(m, h->s.size + 1), capacity)
                                  : f32_argmin_magnitude(m, h->s.coefficients, capacity);
    float least = m[h->s.coefficients + i];
    uint32_t label = word(m, h->labels + i);
    raise_word(m, counts + EVICTED);
    raise_word(m, counts + INSERTED);
    if (leaving == MERGE && least > norm) {
      f32_copy(m, h->leaving, h->changes, (k + 3) & ~3);
      f32_copy(m, h->spare, x, components(d));
      merge_classes(m, h, capacity, d, k, (uint32_t)y, norm, gamma);
      return;
    }
    if (leaving == MERGE) {
      fetch_classes(m, h, capacity, k, h->leaving, i);
      f32_fetch_row(m, h->spare, h->s.rows, i, d);
    }
    remove_classes(m, h, capacity, d, k, i);
    insert_classes(m, h, capacity, d, k, x, y, norm);
    if (leaving == MERGE) merge_classes(m, h, capacity, d, k, label, least, gamma);
    return;
  }
  insert_classes(m, h, capacity, d, k, x, y, norm);
  raise_word(m, counts + INSERTED);
}

/* What every class's step is made from. */
typedef struct {
  float self, unit, level, most;
  int32_t ties;
} class_rule;

/* True if a class whose f falls short of the level by gap takes a step; how long it is. */
INLINE int32_t takes_step(const class_rule *r, float gap) {
  return gap > 0 || (r->ties && gap == 0);
}

INLINE float class_step(const class_rule *r, float gap) {
  if (r->most == 0) return r->unit;
  float share = r->self == 1.0f ? gap : gap / r->self;
  return (share < r->most ? share : r->most) * r->unit;
}

/* The coefficients of x for classes that it isn't of, four at once: the same without a branch, which nothing foretells. */
INLINE void other_changes(float *to, const float *scores, const class_rule *r) {
#if WIDE
  v4 gap = splat(r->level) + load4(scores), zero = splat(0), most = splat(r->most), a = splat(r->unit);
  if (r->most != 0) {
    v4 share = r->self == 1.0f ? gap : gap / splat(r->self);
    a = choose4(share < most, share, most) * a;
  }
  store4(to, choose4(r->ties ? gap >= zero : gap > zero, -a, zero));
#else
  for (int32_t c = 0; c < 4; c++) {
    float gap = r->level + scores[c];
    to[c] = takes_step(r, gap) ? -class_step(r, gap) : 0;
  }
#endif
}

/* The coefficients of x, to `changes`; returns their norm, which is beyond the finite if one is. */
INLINE float class_changes(float *m, const shared *h, int32_t k, int32_t y, const class_rule *r) {
  float *to = m + h->changes, gap = r->level - m[h->scores + y];
  for (int32_t c = 0; c < k; c += 4) other_changes(to + c, m + h->scores + c, r);
  to[y] = takes_step(r, gap) ? class_step(r, gap) : 0;
  for (int32_t c = k; c & 3; c++) to[c] = 0;
  return f32_finite(m, h->changes, k) ? __builtin_sqrtf(f32_dot(m, h->changes, h->changes, k)) : __builtin_inff();
}

void f32_class_step(float *m, int32_t to, int32_t set, int32_t capacity, int32_t d, int32_t k, int32_t y, double gamma, double self,
                    double keep, double size, double level, double most, int32_t ties, int32_t leaving, double threshold,
                    int32_t counts) {
  shared h = shared_at(to, set, capacity, d, k);
  float factor = factor_of(m, &h) * (float)keep;
  class_rule rule = {(float)self, (float)size / factor, (float)level, (float)most, ties};
  float norm = class_changes(m, &h, k, y, &rule);
  if (beyond(norm)) {
    raise_word(m, counts + OVERFLOWED);
    return;
  }
  if (word(m, h.steps) < 0xffffffffu) raise_word(m, h.steps);
  m[h.factor] = factor;
  if (norm > 0) take_classes(m, &h, capacity, d, k, to, y, norm, leaving, counts, (float)gamma);
  float least = (float)threshold;
  for (int32_t n; least > 0 && (n = held(m, h.s)) > 0;) {
    int32_t i = f32_argmin_magnitude(m, h.s.coefficients, n);
    if (!(m[h.s.coefficients + i] * factor < least)) break;
    remove_classes(m, &h, capacity, d, k, i);
    raise_word(m, counts + DROPPED);
  }
  if (factor < LEAST_FACTOR) {
    f32_scale(m, h.s.coefficients, factor, capacity);
    f32_scale(m, h.classes, factor, ((k + 3) & ~3) * capacity);
    m[h.factor] = 1.0f;
  }
}

/* ---- steps in double precision, each result rounded once ---- */

enum { CONSTANT_COUNT = 3, WARM_COUNT = 32, WARM_RUN = 8, ESCAPE_COUNT = 8 };

/* One component of `standardise` begins at s: its mean, and d words on each the mean's rest, the variance, the count and the run. */
static void start_again(float *s, int32_t d, float value, float run) {
  s[0] = value;
  s[d] = 0;
  s[2 * d] = 0;
  s[3 * d] = 1;
  s[4 * d] = run;
}

static void observe(float *s, int32_t d, float value, double mean, double delta, double n) {
  double share = 1 / n, after = mean + delta * share, variance = s[2 * d];
  double spread = variance + share * (delta * (delta - delta * share) - variance);
  if (beyond((float)after) || beyond((float)spread)) {
    start_again(s, d, value, 0);
    return;
  }
  s[0] = (float)after;
  s[d] = (float)(after - s[0]);
  s[2 * d] = (float)spread;
  s[3 * d] = spread >= 0x1p-126 || n < CONSTANT_COUNT ? (float)n : CONSTANT_COUNT;
}

static void standardise_one(float *s, float *x, int32_t d, int32_t horizon, int32_t stepAfter) {
  float value = *x, run = s[4 * d];
  double variance = s[2 * d], count = s[3 * d];
  double mean = (double)s[0] + s[d], delta = value - mean, n = count < horizon ? count + 1 : horizon;
  *x = 0;
  if (!(variance >= 0x1p-126)) {
    observe(s, d, value, mean, delta, n);
    return;
  }
  double deviation = __builtin_sqrt(variance), far = delta < 0 ? -delta : delta;
  double limit = 4 * deviation * (count < WARM_COUNT ? 1 + 20 / count : 1);
  if (count < WARM_COUNT && far > limit) {
    double refused = run >= 0 ? (double)run + 1 : 1;
    s[4 * d] = (float)refused;
    if (refused >= WARM_RUN) start_again(s, d, value, 0);
    return;
  }
  if (count == 2 && run == 0 && far > 0.9 * deviation && far < 1.1 * deviation) {
    start_again(s, d, value, -1);
    return;
  }
  double z = delta / deviation;
  *x = !(z > -5) ? -5 : z < 5 ? (float)z : 5;
  int32_t side = delta > limit ? 1 : delta < -limit ? -1 : 0;
  double out = side == 0 ? 0 : run * side > 0 ? (double)run + side : side;
  int32_t step = out >= stepAfter || out <= -stepAfter;
  s[4 * d] = step ? 0 : (float)out;
  if (step) observe(s, d, value, value, 0, ESCAPE_COUNT + 1);
  else observe(s, d, value, mean, side == 0 ? delta : side * limit, n);
}

void f32_hinge_step(float *m, int32_t to, int32_t y, int32_t f, int32_t slot, int32_t n, int32_t size, double margin, double step) {
  int32_t at = place_in(slot, size);
  for (int32_t k = 0; k < n; k++, at = at == 0 ? size - 1 : at - 1)
    if ((double)m[y + at] * m[f + at] < margin) m[to + at] = (float)(m[to + at] + step * m[y + at]);
}

void f32_agreement_step(float *m, int32_t to, int32_t p, int32_t v, int32_t u, int32_t slot, int32_t n, int32_t size, double step) {
  int32_t at = place_in(slot, size);
  for (int32_t i = 0; i < n; i++, at = at == 0 ? size - 1 : at - 1)
    m[to + at] = (float)(m[to + at] - step * ((double)m[p + i] - m[v + i] + m[u + i]));
}

void f32_agree(float *m, int32_t v, int32_t u, int32_t p, int32_t n, int32_t agents, int32_t stride) {
  int32_t end = agents * stride;
  for (int32_t i = 0; i < n; i++) {
    double sum = 0;
    for (int32_t ji = i; ji < end; ji += stride) sum = sum + ((double)m[p + ji] + m[u + ji]);
    m[v + i] = (float)(sum / agents);
    for (int32_t ji = i; ji < end; ji += stride) m[u + ji] = (float)(m[u + ji] + ((double)m[p + ji] - m[v + i]));
  }
}

double f32_aggressiveness(float *m, int32_t at, double y, double f, int32_t k) {
  uint32_t n = word(m, at + 1) < 3200 ? word(m, at + 1) + 1 : 3200, labels = n < 240 ? n : 240;
  float M = m[at], e = 0;
  set_word(m, at + 1, n);
  if (k == 1) e = (f < 0) != (y < 0);
  else if (f != y) e = 2.0f / (float)k;
  if (n > labels) M = M - M * (1.0f / 240);
  m[at] = M + e;
  float C = 0.05f * (float)(labels + 16) / (m[at] + 2.4f);
  if (C < 0.4f) { /* else it is above every lower bound, and needs no square root, which is dear without an FPU */
    float least = n <= 200 ? 0.4f : n < 3200 ? 0.4f * __builtin_sqrtf(200 / (float)n) : 0.1f;
    return C < least ? least : C;
  }
  return C < 2 ? C : 2;
}

/* Words at which the parts of a local model begin, and of its scratch, which follows the input. */
typedef struct {
  int32_t prototypes, counts, size, w, u, scores, distances, nearest, next;
} local;

INLINE local local_at(int32_t to, int32_t set, int32_t most, int32_t form, int32_t k) {
  int32_t d = components(form), rows = (most + 3) & ~3, counts = set + row_words(form) * rows, size = counts + most, scores = to + d, distances = scores + k;
  return (local){set, counts, size, size + 1, size + 1 + k * d, scores, distances, distances + rows, distances + rows + 1};
}

double f32_local_decision(float *m, int32_t to, int32_t set, int32_t most, int32_t form, int32_t k) {
  int32_t d = components(form);
  if (!f32_finite(m, to, d)) return __builtin_nan("");
  local l = local_at(to, set, most, form, k);
  int32_t i = (int32_t)word(m, l.size), across = k * d, best = 0;
  if (i < 0 || i >= most) i = f32_nearest_row(m, l.distances, set, to, most, form);
  set_word(m, l.nearest, (uint32_t)i);
  f32_fetch_row(m, l.next + across, l.u, i, across);
  for (int32_t c = 0; c < k; c++) {
    float f = (float)((double)f32_dot(m, l.w + c * d, to, d) + f32_dot(m, l.next + across + c * d, to, d));
    m[l.scores + c] = f;
    if (f > m[l.scores + best]) best = c;
  }
  if (!f32_finite(m, l.scores, k)) return __builtin_nan("");
  return k == 1 ? m[l.scores] : best;
}

/* The step of one binary problem, on w and u_i. */
INLINE int32_t local_step(float *m, int32_t w, int32_t u, int32_t x, int32_t d, double y, double f, double share, double C) {
  double loss = 1 - y * f;
  if (!(loss > 0)) return 1;
  double e = loss / ((1 + share) * f32_dot(m, x, x, d));
  if (e > C) e = C;
  return f32_add_scaled(m, w, e * share * y, x, d) && f32_add_scaled(m, u, e * y, x, d);
}

int32_t f32_local_step(float *m, int32_t to, int32_t set, int32_t most, int32_t form, int32_t k, double y, double share, double C,
                       int32_t before) {
  local l = local_at(to, set, most, form, k);
  int32_t d = components(form), i = (int32_t)word(m, l.nearest), across = k * d;
  f32_copy(m, l.next, l.w, across);
  for (int32_t c = 0, w = l.next; c < k; c++, w += d) {
    double label = k == 1 ? y : y == c ? 1 : -1;
    if (!local_step(m, w, w + across, to, d, label, m[l.scores + c], share, C)) return 0;
  }
  uint32_t counted = word(m, l.counts + i);
  if (counted > 0) {
    if (!f32_move_row_towards(m, set, i, 1 / ((double)counted + before), to, form)) return 0;
  } else {
    f32_store_row(m, set, i, to, form);
    set_word(m, l.size, (uint32_t)i + 1);
  }
  if (counted < 0xffffffffu) set_word(m, l.counts + i, counted + 1);
  f32_copy(m, l.w, l.next, across);
  f32_store_row(m, l.u, i, l.next + across, across);
  return counted > 0 ? 1 : 2;
}

/* ---- whole learners, for engines where a call is dear: what Learner.learn and the families' update do, in the same order ---- */

/* Counters, from that of updates refused on. */
enum { LEARNED = -2, REFUSED = -1, PASSED = 7 };

INLINE support set_of(const f32_bound *b) {
  return support_at(b->set, b->capacity, b->d);
}

INLINE void step_to(float *m, const f32_bound *b, double keep, double a, int32_t leaving, double threshold) {
  f32_step_expansion(m, b->set, b->capacity, b->d, keep, b->x, a, leaving, threshold, b->counts, b->gamma);
}

/* (33) of OLK: a is C, b 1 + r. */
static void olk_step(float *m, const f32_bound *b, double y, double f) {
  double alpha = b->b - y * f;
  alpha = alpha < 0 ? 0 : alpha > b->a ? b->a : alpha;
  step_to(m, b, b->keep, alpha > 0 ? y * alpha / b->b : 0, b->leaving, b->threshold);
}

/* NORMA: a is eta, b nu, threshold lambda; word is that of rho or epsilon, term of the bias. */
static void norma_step(float *m, const f32_bound *b, double y, double f) {
  int32_t hit = b->step == F32_NORMA_C ? y * f <= m[b->word] : b->step == F32_NORMA_N ? f < 0 : 0;
  double coefficient = hit ? (b->step == F32_NORMA_C ? b->a * y : b->a) : 0, rise = b->b - (hit ? 1 : 0);
  if (b->step == F32_NORMA_R) {
    double error = (float)y - f;
    hit = (error < 0 ? -error : error) > m[b->word];
    coefficient = hit ? (error > 0 ? b->a : -b->a) : 0;
    rise = (hit ? 1 : 0) - b->b;
  }
  float level = b->b > 0 ? (float)(m[b->word] + b->a * rise) : m[b->word];
  int32_t biased = b->step == F32_NORMA_C && b->flags & F32_BIAS;
  float bias = biased ? (float)(m[b->term] + (hit ? b->a * y : 0)) : 0;
  if (beyond(level) || beyond(bias)) {
    raise_word(m, b->counts + OVERFLOWED);
    return;
  }
  m[b->word] = level;
  if (biased) m[b->term] = bias;
  step_to(m, b, b->keep, coefficient, b->leaving, 0);
}

static void bsgd_step(float *m, const f32_bound *b, double y, double f) {
  if (word(m, b->word) < 0xffffffffu) raise_word(m, b->word);
  if (!(y * f >= 1)) step_to(m, b, 1, y, b->leaving, 0);
}

/* Dual ascent: a is rho, b is C, c what of S a sum of alphas of that C is; word is that of W, before S; more that of the last step. */
typedef struct {
  double alpha, keep, gain;
} dual_choice;

INLINE double unit(double value) {
  return value >= 1 ? 1 : value > 0 ? value : 0;
}

static dual_choice gradient_choice(const float *m, const f32_bound *b, double margin, int32_t storable) {
  double C = b->b, W = m[b->word], excess = W - C * (m[b->word + 1] / b->c), rate = b->a;
  double ga = storable && margin < 1 ? C * (1 - margin) : 0, ge = b->flags & F32_FORGET && excess > 0 ? excess : 0;
  if (ga == 0 && ge == 0) return (dual_choice){0, 1, 0};
  if (b->flags & F32_BOUNDED) {
    double curvature = C * C * ga * ga - 2 * C * margin * ga * ge + W * ge * ge;
    double best = (ga * ga + ge * ge) / curvature;
    if (curvature > 0 && best < rate) rate = best;
    if (1 / ga < rate) rate = 1 / ga;
    if (1 / ge < rate) rate = 1 / ge;
  }
  return (dual_choice){unit(rate * ga), 1 - unit(rate * ge), 0};
}

static void consider(dual_choice *c, double C, double alpha, double keep, double margin, double W, double S) {
  double added = C * alpha, quadratic = (keep * keep - 1) * W + 2 * keep * added * margin + added * added;
  double gain = C * (keep - 1) * S + added - quadratic / 2;
  if (gain > c->gain) *c = (dual_choice){alpha, keep, gain};
}

static dual_choice greedy_choice(const float *m, const f32_bound *b, double margin, int32_t storable) {
  dual_choice c = {0, 1, 0};
  double C = b->b, W = m[b->word], S = m[b->word + 1] / b->c;
  if (storable) consider(&c, C, unit((1 - margin) / C), 1, margin, W, S);
  if (!(b->flags & F32_FORGET) || W == 0) return c;
  consider(&c, C, 0, unit(C * S / W), margin, W, S);
  if (!storable) return c;
  consider(&c, C, 1, unit(C * (S - margin) / W), margin, W, S);
  consider(&c, C, unit(1 / C), 0, margin, W, S);
  double det = W - margin * margin, alpha = (W - margin * C * S) / (C * det), keep = (C * S - margin) / det;
  if (det > 0 && alpha >= 0 && alpha <= 1 && keep >= 0 && keep <= 1) consider(&c, C, alpha, keep, margin, W, S);
  return c;
}

static int32_t store_dual(float *m, const f32_bound *b, double W, double S, double coefficient) {
  double alphas = S * b->c, sum = (double)(float)W + (float)alphas + coefficient;
  if (sum - sum != 0) return 0;
  m[b->word] = W < 0 ? 0 : (float)W;
  m[b->word + 1] = alphas < 0 ? 0 : (float)alphas;
  return 1;
}

/* f of the vector at word `at`, whose kernel row is left behind the input. */
static float value_at(float *m, const f32_bound *b, int32_t at) {
  support s = set_of(b);
  int32_t n = held(m, s), row = b->x + components(b->d);
  f32_gaussian_row(m, row, b->set, at, n, b->d, b->gamma);
  return f32_dot(m, s.coefficients, row, n);
}

static void merge_dual(float *m, const f32_bound *b, int32_t row, int32_t spare, double odd) {
  support s = set_of(b);
  double norm = m[b->word], S = m[b->word + 1] / b->c, W = norm - odd * (2 * (double)value_at(m, b, spare) + odd);
  int32_t j = f32_merge_nearest(m, row, b->set, s.coefficients, held(m, s), b->d, spare, odd, b->gamma);
  if (j < 0) {
    store_dual(m, b, W, S - __builtin_fabs(odd) / b->b, 0);
    return;
  }
  double before = m[row], after = m[s.coefficients + j], fBefore = value_at(m, b, spare), across = m[row + j];
  f32_fetch_row(m, spare, b->set, j, b->d);
  double fAfter = value_at(m, b, spare);
  W += 2 * (after * fAfter - before * fBefore) - (after * (after - 2 * before * across) + before * before);
  store_dual(m, b, W, S, 0);
}

static void merge_dual_to(float *m, const f32_bound *b, int32_t row, int32_t spare, double keep, double a) {
  support s = set_of(b);
  f32_scale(m, s.coefficients, keep, b->capacity);
  int32_t least = f32_argmin_magnitude(m, s.coefficients, b->capacity);
  double stored = m[s.coefficients + least];
  if (__builtin_fabs(a) < __builtin_fabs(stored)) {
    f32_copy(m, spare, b->x, components(b->d));
    raise_word(m, b->counts + INSERTED);
    raise_word(m, b->counts + EVICTED);
    merge_dual(m, b, row, spare, a);
  } else {
    f32_fetch_row(m, spare, b->set, least, b->d);
    step_to(m, b, 1, a, least, 0);
    merge_dual(m, b, row, spare, stored);
  }
}

static int32_t take_dual(float *m, const f32_bound *b, const dual_choice *c, double y, double margin) {
  support s = set_of(b);
  int32_t row = b->x + components(b->d), spare = row + ((b->capacity + 3) & ~3), n = held(m, s), leaving = b->leaving;
  int32_t full = n == b->capacity;
  double C = b->b, keep = (float)c->keep, added = (float)(C * c->alpha), norm = m[b->word], sum = m[b->word + 1] / b->c;
  double W = keep * keep * norm + 2 * keep * added * margin + added * added, S = keep * sum + added / C;
  double change = C * S - W / 2 - (C * sum - norm / 2);
  if (added > 0 && full && (leaving == OLDEST || leaving == SMALLEST)) {
    leaving = leaving == SMALLEST ? f32_argmin_magnitude(m, s.coefficients, n) : f32_oldest(m, s.births, word(m, s.size + 1), n);
    double a = (float)(keep * m[s.coefficients + leaving]), across = m[row + leaving];
    f32_fetch_row(m, spare, b->set, leaving, b->d);
    double f = keep * value_at(m, b, spare) + y * added * across;
    W += a * (a * m[row + leaving] - 2 * f);
    S -= __builtin_fabs(a) / C;
  }
  if (!store_dual(m, b, W, S, added)) return 0;
  if (added > 0 && full && leaving == MERGE) merge_dual_to(m, b, row, spare, keep, y * added);
  else step_to(m, b, keep, added > 0 ? y * added : 0, leaving, 0);
  m[b->more] = (float)(added / C);
  m[b->more + 1] = (float)(1 - keep);
  m[b->more + 2] = (float)change;
  return 1;
}

static void dual_step(float *m, const f32_bound *b, double y, double f) {
  double margin = y * f;
  dual_choice (*choose)(const float *, const f32_bound *, double, int32_t) = b->flags & F32_GREEDY ? greedy_choice : gradient_choice;
  dual_choice c = choose(m, b, margin, 1);
  support s = set_of(b);
  int32_t declined = c.alpha > 0 && held(m, s) == b->capacity && b->leaving == REFUSE;
  if (declined) c = choose(m, b, margin, 0);
  if (!take_dual(m, b, &c, y, margin)) raise_word(m, b->counts + OVERFLOWED);
  else if (declined) raise_word(m, b->counts + DECLINED);
}

/* 0 if the label or the decision is to be refused, and counted as such; else it counts as learned. */
INLINE int32_t admits(float *m, const f32_bound *b, int32_t taken, double f, int32_t is_label) {
  if (f - f != 0) {
    raise_word(m, b->counts + (taken && f32_finite(m, b->x, components(b->d)) ? OVERFLOWED : REFUSED));
    return 0;
  }
  raise_word(m, b->counts + (is_label ? LEARNED : REFUSED));
  return is_label;
}

/* Words behind sigma of a found width: see WidthProbe. */
enum { LABELS = 1, MEDIAN = 3, PERIOD = 8, TRIALS = 64, FEW_VECTORS = 4 };

int32_t f32_is_routine(const float *m, const f32_bound *b) {
  if (b->gamma > 0) return 1;
  uint32_t labels = word(m, b->width + LABELS) + 1, apart = 1;
  if (!(m[b->width] > 0) || labels <= 1 || labels % PERIOD == 0) return 0;
  /* W is being taken anew: see DualAscent.renew. */
  if (b->step == F32_DUAL && word(m, b->word + 2) > 0) return 0;
  /* Up to 2^25, behind which the product has no room, and no number of labels lies. */
  while (apart < 1u << 25 && labels > 2 * TRIALS * apart) apart *= 2;
  return !(b->flags & F32_CLASSES) || labels < TRIALS || labels % apart != 0;
}

/* True if a component of x lies more than a step beyond the lanes of the grid in front of the rows: isOutsideGrid of grid.ts. */
static int32_t is_outside(const float *m, int32_t rows, int32_t x, int32_t n) {
  const float *grid = grid_of(m, rows, n);
  for (int32_t j = 0; j < n; j++) {
    float q = m[x + j] * grid[1] - grid[2 + j];
    if (!(q >= LEAST_LANE - 1 && q <= LARGEST_LANE + 2)) return 1;
  }
  return 0;
}

/* What WidthProbe.isLost does with most labels. */
static void watch(float *m, const f32_bound *b) {
  int32_t d = components(b->d), spare = b->x + d + ((b->capacity + 3) & ~3);
  raise_word(m, b->width + LABELS);
  uint32_t size = (uint32_t)held(m, set_of(b));
  if (size < FEW_VECTORS) return;
  f32_fetch_row(m, spare, b->set, (int32_t)((word(m, b->width + LABELS) * 0x9e3779b1u >> 8) % size), b->d);
  float squared = f32_add_scaled(m, spare, -1, b->x, d) ? f32_dot(m, spare, spare, d) : __builtin_inff();
  float median = m[b->width + MEDIAN];
  if (squared > 1048576.0f * median) return;
  float next = (float)(squared > median ? median * 1.03125 : median / 1.03125);
  if (squared > 0 && next > 0 && !beyond(next)) m[b->width + MEDIAN] = next;
}

/* The step's C or eta from the errors. */
static void follow_errors(float *m, f32_bound *b, double y, double f) {
  double C = f32_aggressiveness(m, b->errors, y, f, 1);
  if (b->step == F32_DUAL) b->b = b->c = C;
  else b->a = C;
  if (b->step == F32_NORMA_C) b->keep = 1 - C * b->threshold;
}

double f32_learn_expansion(float *m, const f32_bound *given, int32_t taken, double y) {
  f32_bound found = *given, *b = &found;
  double sigma = m[b->width];
  int32_t finds = !(b->gamma > 0);
  if (finds) b->gamma = 1 / (2 * sigma * sigma);
  double f = taken ? f32_bound_expansion(m, b) : __builtin_nan("");
  int32_t novelty = b->step == F32_NORMA_N;
  int32_t is_label = b->step == F32_NORMA_R ? !beyond((float)y) : y == 1 || y == -1 || (novelty && y == 0);
  if (!admits(m, b, taken, f, is_label)) return f;
  if (novelty && y < 0) {
    raise_word(m, b->counts + PASSED);
    return f;
  }
  if (finds && b->d < 0 && is_outside(m, b->set, b->x, -b->d)) {
    raise_word(m, b->counts + DECLINED);
    return f;
  }
  if (finds) watch(m, b);
  if (b->errors) follow_errors(m, b, y, f);
  if (b->step == F32_OLK_C) olk_step(m, b, y, f);
  else if (b->step == F32_BSGD) bsgd_step(m, b, y, f);
  else if (b->step == F32_DUAL) dual_step(m, b, y, f);
  else norma_step(m, b, y, f);
  return f;
}

double f32_learn_classes(float *m, const f32_bound *given, int32_t taken, double y) {
  f32_bound found = *given, *b = &found;
  double sigma = m[b->width];
  int32_t finds = !(b->gamma > 0), k = b->more, is_label = y >= 0 && y < k && y == (int32_t)y;
  if (finds) b->gamma = 1 / (2 * sigma * sigma);
  double f = taken ? f32_bound_classes(m, b) : __builtin_nan("");
  if (!admits(m, b, taken, f, is_label)) return f;
  if (finds && b->d < 0 && is_outside(m, b->set, b->x, -b->d)) {
    raise_word(m, b->counts + DECLINED);
    return f;
  }
  if (finds) watch(m, b);
  if (b->errors) b->c = f32_aggressiveness(m, b->errors, y, f, k);
  f32_class_step(m, b->x, b->set, b->capacity, b->d, k, (int32_t)y, b->gamma, 1, b->keep, b->a, b->b, b->c, b->flags, b->leaving,
                 b->threshold, b->counts);
  return f;
}

double f32_learn_local(float *m, const f32_bound *b, int32_t taken, double y) {
  int32_t k = b->flags, whole = y >= 0 && y < k && y == (int32_t)y;
  double f = taken ? f32_bound_local(m, b) : __builtin_nan("");
  if (!admits(m, b, taken, f, k == 1 ? y == 1 || y == -1 : whole)) return f;
  double C = b->errors ? f32_aggressiveness(m, b->errors, y, f, k) / components(b->d) : b->b;
  int32_t done = f32_local_step(m, b->x, b->set, b->capacity, b->d, k, y, b->a, C, b->word);
  if (done != 1) raise_word(m, b->counts + (done == 0 ? OVERFLOWED : INSERTED));
  return f;
}

int32_t f32_is_ready(const float *m, const f32_bound *b) {
  return b->gamma > 0 || m[b->width] > 0;
}

double f32_bound_expansion(float *m, const f32_bound *b) {
  double sigma = m[b->width], gamma = b->gamma > 0 ? b->gamma : 1 / (2 * sigma * sigma);
  return f32_gaussian_expansion(m, b->x, b->set, b->capacity, b->d, gamma, b->rule, b->term, b->scale);
}

double f32_bound_classes(float *m, const f32_bound *b) {
  double sigma = m[b->width], gamma = b->gamma > 0 ? b->gamma : 1 / (2 * sigma * sigma);
  int32_t d = components(b->d);
  if (!f32_finite(m, b->x, d)) return __builtin_nan("");
  f32_gaussian_row(m, b->x + d, b->set, b->x, held(m, set_of(b)), b->d, gamma);
  return f32_class_scores(m, b->x, b->set, b->capacity, b->d, b->more,
                          decision_of(m, 1, b->rule, b->term, b->scale));
}

double f32_bound_local(float *m, const f32_bound *b) {
  return f32_local_decision(m, b->x, b->set, b->capacity, b->d, b->flags);
}

/* ---- features ---- */

int32_t f32_window_statistics(float *m, int32_t to, int32_t ring, int32_t place, int32_t n, int32_t size) {
  int32_t at = place_in(place, size), crossings = 0;
  float least = m[ring + at], largest = least, sign = 0;
  double sum = 0, squares = 0;
  for (int32_t i = 0; i < n; i++) {
    float x = m[ring + at];
    at = at + 1 == size ? 0 : at + 1;
    sum = sum + x;
    squares = squares + (double)x * x;
    if (x < least) least = x;
    if (x > largest) largest = x;
    if (x * sign < 0) crossings++;
    if (x != 0) sign = x > 0 ? 1 : -1;
  }
  float range = largest - least;
  if (beyond(range)) return 0;
  m[to] = (float)(sum / n);
  m[to + 1] = (float)__builtin_sqrt(squares / n);
  m[to + 2] = range;
  m[to + 3] = (float)crossings;
  return 1;
}

int32_t f32_standardise(float *m, int32_t s, int32_t x, int32_t d, int32_t horizon, int32_t stepAfter) {
  if (!f32_finite(m, x, d)) return 0;
  for (int32_t j = 0; j < d; j++) standardise_one(m + s + j, m + x + j, d, horizon, stepAfter);
  return 1;
}

/* ---- waves ---- */

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

/* ---- packed symmetric matrices ---- */

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

/* ---- square-root free factors ---- */

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
