/* Exp, log, sin, cos: the sequences that stand in elementary.ts. Part of f32.c. */

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
