/* Whole learners, for engines where a call is dear: what Learner.learn and the families' update do, in the same order. Part of f32.c. */

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
