/* Vectors. Part of f32.c. */

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

/* The check sum. */

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
