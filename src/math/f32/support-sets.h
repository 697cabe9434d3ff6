/* Support sets. Part of f32.c. */

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
