/* Four lanes: a vector register where there is one, else four floats in registers of their own. Part of f32.c. */

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
