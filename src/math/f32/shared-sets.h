/* Shared sets: k coefficients a vector, whose norm is the set's coefficient. Part of f32.c. */

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
