/* Steps in double precision, each result rounded once. Part of f32.c. */

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
