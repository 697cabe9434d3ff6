/* Kernel rows of lanes: whole numbers throughout. Part of f32.c. */

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
