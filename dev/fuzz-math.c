/*
 * Draws the random calls of fuzz-math-vectors.ts and makes them in C: prints a line for each primitive, with
 * the digest of each `block` calls. Link with src/math/f32.c and -lm. Arguments: seed, number of the first
 * call, calls, block.
 */
#include <stdio.h>
#include <stdlib.h>

#include "f32.h"

/* In the order of NAMES in fuzz-math-vectors.ts. */
enum {
  LOAD, FINITE, DOT, ADD_SCALED, SCALE, COPY, ARGMIN, ARGMIN_MAGNITUDE, OLDEST, STALEST, STORE_ROW, FETCH_ROW,
  STORE_COLUMN, BLOCK_PRODUCTS, ADD_SCALED_ROW, MOVE_ROW_TOWARDS, INNER_PRODUCTS, SQUARED_DISTANCES,
  GAUSSIAN_ROW, POLYNOMIAL_ROW, SYMMETRIC_PRODUCT, SYMMETRIC_RANK_ONE, CHOLESKY, SOLVE_LOWER,
  SOLVE_LOWER_TRANSPOSED, DELETE_FACTOR_ROW, SOLVE_UNIT_LOWER, SOLVE_UNIT_LOWER_TRANSPOSED, PIVOT_PRODUCT,
  DELETE_UNIT_FACTOR_ROW, EXP, LOG, COS, SIN, GAUSSIAN_EXPANSION, INSERT_VECTOR, REMOVE_VECTOR,
  REMOVE_VECTOR_IN_ORDER, STEP_EXPANSION, NEAREST_ROW, HINGE_STEP, AGREEMENT_STEP, AGREE, AGGRESSIVENESS, LOCAL_DECISION,
  LOCAL_STEP, WINDOW_STATISTICS, STANDARDISE, DIAGONAL_PRODUCT, DIAGONAL_RANK_ONE, MERGE_NEAREST,
  FOURIER_FEATURES, CENTRE, TAPER, FOURIER_TRANSFORM, GOERTZEL, CRC32, CLASS_SCORES, CLASS_STEP,
  PRIMITIVES,
  FIRST_ROW = STORE_ROW, FIRST_MATRIX = SYMMETRIC_PRODUCT, FIRST_SCALAR = EXP, FIRST_SET = GAUSSIAN_EXPANSION, FIRST_STEP = HINGE_STEP,
  FIRST_SHARED = CLASS_SCORES
};
enum { LONGEST = 67, WORDS = 8192 };

typedef union {
  float word;
  uint32_t bits;
} cell;

static cell memory[WORDS];
static union {
  double value;
  uint64_t bits;
} doubles[LONGEST + 1];
static uint32_t state;

static uint32_t mix(uint32_t h) {
  h = (h ^ (h >> 16)) * 0x85ebca6bu;
  h = (h ^ (h >> 13)) * 0xc2b2ae35u;
  return h ^ (h >> 16);
}

static uint32_t next(void) {
  state += 0x9e3779b9u;
  return mix(state);
}

static int32_t below(int32_t n) {
  return (int32_t)(next() % (uint32_t)n);
}

static int32_t ceil4(int32_t n) {
  return (n + 3) & ~3;
}

static void draw_double(int32_t at) {
  static const uint32_t special[] = {0, 0x80000000, 0x7ff00000, 0xfff00000, 0x7ff80000, 0x48000000, 0x3ff00000};
  int32_t kind = below(16);
  uint32_t word = next();
  uint32_t high = (word & 0x800fffffu) | (uint32_t)(1013 + below(23)) << 20;
  uint32_t low = next();
  if (kind < 4) {
    high = (word & 0x800fffffu) | (uint32_t)(1023 - 151 + below(282)) << 20;
  } else if (kind == 4) {
    high = special[word % 7];
    low = 0;
  }
  doubles[at].bits = (uint64_t)high << 32 | low;
}

static void fill(int32_t end, int32_t kind) {
  static const uint32_t special[] = {0,          0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f7fffff,
                                     0xff7fffff, 0x00800000, 0x80000001, 0x007fffff, 0x3f800000, 0xbf800000};
  static const uint32_t lowest[] = {120, 1, 0, 180, 0, 0, 122, 122};
  static const uint32_t range[] = {12, 253, 30, 75, 256, 256, 6, 6};
  for (int32_t k = 0; k < end; k++) {
    uint32_t word = next();
    uint32_t exponent = lowest[kind] + ((word >> 23) & 0xff) % range[kind];
    memory[k].bits = (word & 0x807fffffu) | exponent << 23;
    if (kind == 5 && (word & 0x300) != 0) memory[k].bits = special[word % 12];
  }
}

static uint32_t canonical(uint32_t word) {
  return (word & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : word;
}

static float load(float *m, int32_t to, int32_t n) {
  for (int32_t j = 0; j < n; j++) m[to + j] = (float)doubles[j].value;
  return f32_finite(m, to, n);
}

typedef struct {
  int32_t n, d, form, i, j, by, degree, m, x, out, end; /* form: -d where rows are of 16 bits */
  uint32_t word;
  double s;
} call;

static uint32_t size_of_set(const call *c, int32_t primitive) {
  if (primitive == INSERT_VECTOR) return c->by;
  if (primitive == REMOVE_VECTOR || primitive == REMOVE_VECTOR_IN_ORDER) return c->by + 1;
  return c->word & 1 ? c->n + 1 : c->by;
}

static void step_expansion(float *w, const call *c) {
  double a = (c->word >> 1) % 8 == 0 ? 0 : doubles[1].value;
  int32_t leaving[] = {-1, -2, -3, c->i, -4};
  f32_step_expansion(w, c->m, c->n + 1, c->form, c->s, c->x, a, leaving[(c->word >> 4) % 5], doubles[2].value, c->out,
                     doubles[3].value);
}

/* Two matrices of half the rows lie in one. */
static void delete_factor_row(float *w, const call *c) {
  int32_t rows = c->word & 2 ? c->n >> 1 : c->n, form = c->word & 2 ? c->m + rows * (rows + 1) / 2 : -1;
  if (rows > 0) f32_delete_factor_row(w, c->m, rows, c->i % rows, c->word & 1 ? c->x : -1, form);
}

/* As many vectors as there are words of, and rows whose results there is room for. */
static int32_t block_products(float *w, const call *c) {
  int32_t most = c->n / c->d > 1 ? c->n / c->d : 1, k = 1 + (int32_t)(c->word & 7);
  if (k > most) k = most;
  int32_t size = c->n / k > 1 ? c->n / k : 1;
  f32_block_products(w, c->out, c->m, c->x, c->i % size, c->by % (size + 1), size, c->d, k);
  return 0;
}

/* The order is the other way round. */
static void solve_unit_lower_transposed(float *w, const call *c) {
  for (int32_t j = 0; j < c->n; j++) memory[c->out + c->n + j].bits = (uint32_t)(c->n - 1 - j);
  f32_solve_unit_lower_transposed(w, c->out, c->out + c->n, c->m, c->x, c->n);
}

/* Whether the primitive takes rows of 16 bits. */
static int is_short(int32_t primitive) {
  switch (primitive) {
    case STORE_ROW: case FETCH_ROW: case MOVE_ROW_TOWARDS: case SQUARED_DISTANCES: case GAUSSIAN_ROW:
    case LOCAL_DECISION: case LOCAL_STEP: case MERGE_NEAREST: case CLASS_SCORES: case CLASS_STEP:
      return 1;
    default: return primitive >= FIRST_SET && primitive < FIRST_STEP;
  }
}

static int32_t row_words(const call *c) {
  return c->form < 0 ? (c->d + 1) / 2 : c->d;
}

/* Makes the words from..end-1 lanes, with a grid in front, sensible as often as not. */
static void shorten(const call *c, int32_t from, int32_t end) {
  for (int32_t k = from; k < end; k++) {
    int32_t is_last = (k - from) / 4 % row_words(c) == row_words(c) - 1;
    int32_t high = c->d & 1 && is_last ? 0 : (int32_t)memory[k].bits >> 17, low = (int32_t)(memory[k].bits << 16) >> 17;
    memory[k].bits = (uint32_t)high << 16 | ((uint32_t)low & 0xffff);
  }
  if (c->word & 0x8000000) return;
  uint32_t exponent = c->word >> 20 & 15;
  memory[from - c->d - 2].bits = (127 - exponent) << 23;
  memory[from - c->d - 1].bits = (127 + exponent) << 23;
  for (int32_t j = 0; j < c->d; j++) memory[from - c->d + j].bits = j & 1 ? 0x42800000 : 0;
}

static void draw(call *c, uint32_t seed, int32_t primitive, uint32_t index) {
  state = mix(mix(seed) + mix(index * 64 + (uint32_t)primitive + 1));
  int rows = primitive >= FIRST_ROW && primitive < FIRST_MATRIX, matrix = primitive >= FIRST_MATRIX && primitive < FIRST_SET;
  int step = primitive >= FIRST_STEP, set = primitive >= FIRST_SET && !step;
  c->n = below(LONGEST + 1);
  int wide = below(16) == 0;
  int32_t p = below(LONGEST + 2), q = 0;
  q = below(LONGEST + 2);
  if (matrix && !wide) c->n = c->n * p / 68 * q / 68;
  c->d = 1 + below(wide ? LONGEST : 9);
  c->i = below(c->n + 1);
  c->j = below(c->d);
  c->by = below(c->n + 1);
  c->degree = 1 + below(16);
  c->word = next();
  c->form = is_short(primitive) && c->word >> 28 & 1 ? -c->d : c->d;
  if (primitive >= FIRST_SCALAR && !set && !step) c->n = 0;
  int32_t n = c->n, words = rows ? c->d * ceil4(n + 1) : matrix ? n * (n + 1) / 2 : 2 * n;
  if (set) words = c->d * ceil4(n + 1) + 2 * (n + 1) + 2;
  if (step) words = 4 * (n + 1) + 15 * c->d + 8 + (primitive >= FIRST_SHARED ? 96 : 0);
  c->m = 1 + below(7) + (rows || set || step ? c->d + 2 : 0);
  c->x = c->m + words + 1 + below(7);
  int32_t behind = set ? 2 * c->d + ceil4(n + 1) : rows && c->d > n ? c->d : n;
  c->out = c->x + behind + (step ? 5 * c->d + 1 : 0) + 1 + below(7);
  c->end = c->out + ceil4(n) + (matrix ? n : 0) + (set || step ? 8 : 4);
  draw_double(0);
  c->s = doubles[0].value;
  for (int32_t k = 1; (set || step) && k < 4; k++) draw_double(k);
  int32_t kind = below(8);
  fill(c->end, kind);
  if (c->form < 0) shorten(c, c->m, c->m + row_words(c) * ceil4(n + 1));
  if (set) memory[c->m + row_words(c) * ceil4(n + 1) + 2 * (n + 1)].bits = size_of_set(c, primitive);
  if (matrix && kind >= 6)
    for (int32_t i = 0, at = c->m; i < n; i++, at += i + 1) memory[at].bits = 0x42800000u + ((uint32_t)i << 12);
  if (primitive == LOAD)
    for (int32_t k = 0; k < n; k++) draw_double(k);
}

static int32_t standardise(float *w, const call *c) {
  for (int32_t j = 0; j < c->d; j++) {
    w[c->m + 3 * c->d + j] = (float)((c->by + 7 * j) % 80);
    w[c->m + 4 * c->d + j] = (float)((c->i + j) % 19 - 9);
  }
  return f32_standardise(w, c->m, c->x, c->d, c->by + 32, 8 + c->i % 3);
}

/* Numbers of labels about the bounds' and errors of up to 256 labels, as often as not. */
static float aggressiveness(float *w, const call *c) {
  if (c->word & 1) memory[c->m + 1].bits = c->word >> 1 & 0xfff;
  if (c->word & 0x2000) w[c->m] = (float)((c->word >> 14) / 1024.0);
  return (float)f32_aggressiveness(w, c->m, doubles[1].value, c->s, 1 + c->by);
}

/*
 * A local model of at most four prototypes and k problems, behind its input and scratch at m: writes its
 * unsigned words.
 */
static int32_t place_local(const call *c, int32_t k) {
  int32_t most = 1 + c->by % 4, nearest = c->m + c->d + k + 4, set = nearest + 1 + 2 * k * c->d, counts = set + 4 * row_words(c);
  if (c->form < 0) shorten(c, set, counts);
  memory[nearest].bits = c->i % most;
  for (int32_t j = 0; j < most; j++) memory[counts + j].bits = c->word & (16u << j) ? (c->word & 8 ? 0xffffffffu : 3) : 0;
  memory[counts + most].bits = (c->word >> 8) % (most + 1);
  return set;
}

/*
 * A shared set of at most four vectors and k classes at m: writes its unsigned words. Returns the word behind
 * it.
 */
static int32_t place_shared(const call *c, int32_t k) {
  int32_t most = 1 + c->by % 4, norms = c->m + 4 * row_words(c), labels = norms + 2 * most + 2 + ceil4(k) * most;
  if (c->form < 0) shorten(c, c->m, norms);
  for (int32_t j = 0; j < most; j++) {
    memory[norms + j].bits &= 0x7fffffff;
    memory[labels + j].bits = c->word >> (8 + j) & 1;
  }
  memory[norms + 2 * most].bits = c->word & 16 ? most : c->i % (most + 1);
  memory[labels + most].bits = c->word & 32 ? 0xffffffffu : 5;
  if (c->word & 64) memory[labels + most + 1].bits = c->word & 128 ? 0 : 0x3f800000;
  return labels + most + 2;
}

static float run_shared(float *w, int32_t primitive, const call *c) {
  static const int32_t leaving[] = {-1, -2, -3, -4, -4, -4, -4, -4};
  int32_t most = 1 + c->by % 4, k = 2 + (int32_t)(c->word >> 1 & 3), to = place_shared(c, k), counts = to + 4 * c->d + 8 + 3 * ceil4(k);
  if (primitive == CLASS_SCORES) return (float)f32_class_scores(w, to, c->m, most, c->form, k, c->s);
  double self = c->word & 0x80000 ? 1 : doubles[2].value, keep = c->word & 0x100000 ? 0.9 : doubles[3].value;
  double size = c->word & 0x200000 ? 1 : doubles[2].value, limit = c->word & 0x400000 ? 0 : doubles[3].value;
  f32_class_step(w, to, c->m, most, c->form, k, (int32_t)(c->word & 1), doubles[1].value, self, keep, size, c->s, limit,
                 (int32_t)(c->word >> 24 & 1), leaving[c->word >> 16 & 7], c->word & 0x800000 ? 0 : 0.25, counts);
  return 0;
}

static float run_step(float *w, int32_t primitive, const call *c) {
  int32_t m = c->m, x = c->x, out = c->out, d = c->d, i = c->i, by = c->by, ring = c->n + 1, k = 1 + (int32_t)(c->word & 1);
  int32_t rows = 1 + by % 5, wave = 4;
  while (2 * wave <= 4 * ring + 10 * d && wave < 512) wave *= 2;
  switch (primitive) {
    case HINGE_STEP: return f32_hinge_step(w, x, m, m + ring, i, by, ring, c->s, doubles[1].value), 0;
    case AGREEMENT_STEP: return f32_agreement_step(w, x, m, m + ring, m + 2 * ring, i, by, ring, c->s), 0;
    case AGREE: return f32_agree(w, x, m, m + ring, d, ring / d, d), 0;
    case AGGRESSIVENESS: return aggressiveness(w, c);
    case LOCAL_DECISION: return f32_local_decision(w, m, place_local(c, k), 1 + by % 4, c->form, k);
    case LOCAL_STEP: return f32_local_step(w, m, place_local(c, k), 1 + by % 4, c->form, k, k == 1 ? 1 - 2 * (by & 1) : by & 1, c->s, doubles[1].value, i & 1);
    case WINDOW_STATISTICS: return f32_window_statistics(w, out, m, i, by + 1, ring);
    case STANDARDISE: return standardise(w, c);
    case DIAGONAL_PRODUCT: return f32_diagonal_product(w, out, m, x, c->n), 0;
    case DIAGONAL_RANK_ONE: return f32_diagonal_rank_one(w, m, c->s, x, c->n);
    case MERGE_NEAREST: return f32_merge_nearest(w, out, m, m + ceil4(rows) * row_words(c), rows, c->form, x, c->s, doubles[1].value);
    case FOURIER_FEATURES: return f32_fourier_features(w, out, m, x, rows, d), 0;
    case CENTRE: return f32_centre(w, out, m, ring);
    case TAPER: return f32_taper(w, m, wave), 0;
    case FOURIER_TRANSFORM: return f32_fourier_transform(w, m, wave), 0;
    case GOERTZEL: return f32_goertzel(w, m, wave, c->s);
    case CRC32: return f32_crc32((const uint8_t *)memory, 4 * m + k, 4 * m + k + by, c->word);
    default: return run_shared(w, primitive, c);
  }
}

static float run(int32_t primitive, const call *c) {
  float *w = &memory[0].word;
  int32_t m = c->m, x = c->x, out = c->out, n = c->n, d = c->d, i = c->i, up = !(c->word & 1);
  double s = c->s;
  switch (primitive) {
    case LOAD: return load(w, x, n);
    case FINITE: return f32_finite(w, m, n);
    case DOT: return f32_dot(w, m, x, n);
    case ADD_SCALED: return f32_add_scaled(w, m, s, x, n);
    case SCALE: return f32_scale(w, m, s, n), 0;
    case COPY: return f32_copy(w, up ? m + c->by : m, up ? m : m + c->by, n), 0;
    case ARGMIN: return f32_argmin(w, m, n);
    case ARGMIN_MAGNITUDE: return f32_argmin_magnitude(w, m, n);
    case OLDEST: return f32_oldest(w, m, c->word, n);
    case STALEST: return f32_stalest(w, m, x, c->word, c->by, n);
    case STORE_ROW: return f32_store_row(w, m, i, x, c->form), 0;
    case FETCH_ROW: return f32_fetch_row(w, x, m, i, c->form), 0;
    case STORE_COLUMN: return f32_store_column(w, m, c->j, x, n, d), 0;
    case BLOCK_PRODUCTS: return block_products(w, c);
    case ADD_SCALED_ROW: return f32_add_scaled_row(w, m, i, s, x, d);
    case MOVE_ROW_TOWARDS: return f32_move_row_towards(w, m, i, s, x, c->form);
    case INNER_PRODUCTS: return f32_inner_products(w, out, m, x, n, d), 0;
    case SQUARED_DISTANCES: return f32_squared_distances(w, out, m, x, n, c->form), 0;
    case GAUSSIAN_ROW: return f32_gaussian_row(w, out, m, x, n, c->form, s), 0;
    case POLYNOMIAL_ROW: return f32_polynomial_row(w, out, m, x, n, d, s, c->degree), 0;
    case SYMMETRIC_PRODUCT: return f32_symmetric_product(w, out, m, x, n), 0;
    case SYMMETRIC_RANK_ONE: return f32_symmetric_rank_one(w, m, s, x, n);
    case CHOLESKY: return f32_cholesky(w, m, n);
    case SOLVE_LOWER: return f32_solve_lower(w, m, x, n), 0;
    case SOLVE_LOWER_TRANSPOSED: return f32_solve_lower_transposed(w, m, x, n), 0;
    case DELETE_FACTOR_ROW: return delete_factor_row(w, c), 0;
    case SOLVE_UNIT_LOWER: return f32_solve_unit_lower(w, out, m, x, n, i), 0;
    case SOLVE_UNIT_LOWER_TRANSPOSED: return solve_unit_lower_transposed(w, c), 0;
    case PIVOT_PRODUCT: return f32_pivot_product(w, out, m, x, n), 0;
    case DELETE_UNIT_FACTOR_ROW: return n > 0 ? f32_delete_unit_factor_row(w, m, n, i % n, x, out) : 0;
    case EXP: return f32_exp(s);
    case LOG: return f32_log(s);
    case COS: return f32_cos(s);
    case SIN: return f32_sin(s);
    case GAUSSIAN_EXPANSION: return (float)f32_gaussian_expansion(w, x, m, n + 1, c->form, s, (c->word >> 1) % 6, c->out, doubles[1].value);
    case INSERT_VECTOR: return f32_insert_vector(w, m, n + 1, c->form, x, s), 0;
    case REMOVE_VECTOR: return f32_remove_vector(w, m, n + 1, c->form, i % (c->by + 1)), 0;
    case REMOVE_VECTOR_IN_ORDER: return f32_remove_vector_in_order(w, m, n + 1, c->form, i % (c->by + 1)), 0;
    case STEP_EXPANSION: return step_expansion(w, c), 0;
    case NEAREST_ROW: return f32_nearest_row(w, out, m, x, n, c->form);
    default: return run_step(w, primitive, c);
  }
}

int main(int count, char **given) {
  if (count < 5) return 2;
  uint32_t seed = (uint32_t)strtoul(given[1], 0, 10), first = (uint32_t)strtoul(given[2], 0, 10);
  uint32_t calls = (uint32_t)strtoul(given[3], 0, 10), block = (uint32_t)strtoul(given[4], 0, 10);
  for (int32_t primitive = 0; primitive < PRIMITIVES; primitive++) {
    uint32_t hash = 0x811c9dc5u;
    for (uint32_t k = 0; k < calls; k++) {
      call c;
      cell result;
      draw(&c, seed, primitive, first + k);
      result.word = run(primitive, &c);
      hash = (hash ^ canonical(result.bits)) * 0x01000193u;
      for (int32_t at = 0; at < c.end; at++)
        hash = (hash << 13 ^ hash >> 19 ^ canonical(memory[at].bits)) * 0x01000193u;
      if ((k + 1) % block != 0 && k + 1 < calls) continue;
      printf("%08x ", (unsigned)hash);
      hash = 0x811c9dc5u;
    }
    printf("\n");
  }
  return 0;
}
