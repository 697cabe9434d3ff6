/* Features. Part of f32.c. */

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
