/*
 * The self-test's calls of the primitives: the same vectors, calls and check sums on every engine. A board has this file, since a call takes
 * several times as many bytes and far more time as bytecode. `npm run build:wasm` translates it for every other engine, from where it says so,
 * into calls.ts: dev/translate-calls.mjs knows just the C that stands here. A result that is kept is rounded to float32, as words of the
 * memory are.
 */
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

#include "self-test.h"
#include "../math/f32.h"

/* A bit for each primitive that the firmware links: the file of a learner's firmware defines it. The linker drops what no test calls. */
#ifndef SELF_TEST_LINKED
#define SELF_TEST_LINKED (~0ull)
#endif
#define IS_LINKED(name) (SELF_TEST_LINKED >> (name) & 1)
#define IS(name) (IS_LINKED(name) && primitive == (name))
/* A case of a switch by primitives. */
#define TEST(name) case name: if (!IS_LINKED(name)) break;

/* What access.ts has in TypeScript. */

static double magnitude(double x) { return __builtin_fabs(x); }
static void set_bits(float *m, int32_t at, uint32_t bits) { __builtin_memcpy(m + at, &bits, 4); }

static uint32_t read_bits(const float *m, int32_t at) {
  uint32_t bits;
  __builtin_memcpy(&bits, m + at, 4);
  return bits;
}

static void move_words(float *m, int32_t to, int32_t from, int32_t n) { __builtin_memmove(m + to, m + from, 4 * n); }
static const uint8_t *bytes_from(const float *m, int32_t at) { return (const uint8_t *)(m + at); }

/* The word of an input that a primitive takes from outside the memory: in C it has been copied to where the primitive puts it. */
static int32_t taken(float *m, int32_t to, int32_t from, int32_t n) {
  f32_copy(m, to, from, n);
  return to;
}

static int32_t load_words(float *m, int32_t to, int32_t from, int32_t n) { return f32_finite(m, taken(m, to, from, n), n); }

/* Of doubles that no float32 is. */
static int32_t load_scaled(float *m, int32_t to, double s, int32_t from, int32_t n) {
  for (int32_t j = 0; j < n; j++) m[to + j] = (float)(s * m[from + j]);
  return f32_finite(m, to, n);
}

/* From here on also in TypeScript. */

enum {
  BATCH = 10, /* Vectors of a batch: all have the same sizes, and the results of a primitive on them have one check sum. */
  LONGEST = 13, /* Most numbers in a vector, rows of a matrix, components of a row. */
  ROWS = 6,
  COMPONENTS = 3,
  VECTOR = 8 * COMPONENTS, /* Words of a vector: a matrix and its operands. */
  NEW = 3, /* The next vector begins this many words later. */
  MATRICES = 4 * NEW, /* From one tried matrix to the next: each of a matrix's rows, 3.5 on average, counts as a vector. */
  DRAWN = VECTOR + 19,
  ALL_DRAWN = DRAWN + (BATCH - 1) * NEW, /* Words drawn for a batch. */
  LAST = DRAWN - COMPONENTS, /* Word of a vector at which its last components lie, which no set reaches. */
  COUNTS = 5, /* What `stepExpansion` counts. */
  PROTOTYPES = 2, /* Of a local model, before which lie the input and scratch. */
  SHARED_VECTORS = 2, /* Those a shared set has room for. */
  SET = COMPONENTS * 8 + 2 * ROWS + 2, /* Words of the largest support set. */
  /* Of a batch's results at most. Input and scratch of the last `stepExpansion` lie behind them; those of others are overwritten. */
  RESULTS = BATCH * (SET + COUNTS) + 2 * COMPONENTS + 8,
  GIVEN = RESULTS - LONGEST, /* Place of an input, which the results of primitives that take an input don't reach. */
  WORDS = ALL_DRAWN + RESULTS, /* The memory: a batch's drawn numbers, then the results. */
  VECTORS = 1000 /* On which each primitive runs. */
};
/* Of the decisions and of what leaves a full set: see primitives.ts. */
enum { DECISION_ROOT = 5, LEAVING_MERGE = -4 };
#define SPREAD 100.0 /* Brings numbers of at most 1 to where exp is subnormal, and the period of sine and cosine matters. */
#define GRID 4096.0 /* Turns numbers of about 1 into lanes. */
#define FRACTION 0.7 /* A float32 times this is a double that float32 can't hold. */
#define SMALL 0.1 /* The threshold, as a multiple of the scalar: half of the coefficients, once multiplied by the scalar, lie below it. */
#define ERRORS 64 /* Turn numbers of about 1 into errors of 240 labels, and sizes into numbers of labels. */
#define LABELS 12

/* The primitives in the order of their hashes, each behind those that it calls. */
enum {
  CRC32, COPY, FINITE, LOAD, DOT, ADD_SCALED, SCALE, ARGMIN, ARGMIN_MAGNITUDE, OLDEST, STALEST, NEAREST_BYTES, STORE_ROW, FETCH_ROW, STORE_COLUMN,
  ADD_SCALED_ROW, MOVE_ROW_TOWARDS, INNER_PRODUCTS, BLOCK_PRODUCTS, SQUARED_DISTANCES, GAUSSIAN_ROW, POLYNOMIAL_ROW, SYMMETRIC_PRODUCT,
  SYMMETRIC_RANK_ONE, CHOLESKY, SOLVE_LOWER, SOLVE_LOWER_TRANSPOSED, DELETE_FACTOR_ROW, SOLVE_UNIT_LOWER, SOLVE_UNIT_LOWER_TRANSPOSED,
  PIVOT_PRODUCT, DELETE_UNIT_FACTOR_ROW, EXP, LOG, COS, SIN, INSERT_VECTOR, REMOVE_VECTOR, REMOVE_VECTOR_IN_ORDER, STEP_EXPANSION,
  GAUSSIAN_EXPANSION, NEAREST_ROW, MERGE_NEAREST, FOURIER_FEATURES, HINGE_STEP, AGREEMENT_STEP, AGREE, LOCAL_DECISION, LOCAL_STEP,
  CLASS_SCORES, CLASS_STEP, WINDOW_STATISTICS, STANDARDISE, CENTRE, TAPER, FOURIER_TRANSFORM, GOERTZEL, DIAGONAL_PRODUCT,
  DIAGONAL_RANK_ONE, AGGRESSIVENESS, PRIMITIVES
};
_Static_assert(PRIMITIVES == F32_PRIMITIVES, "a primitive without a test");

/* What the primitives run on; sizes are for each vector of a batch. `scalar` is no float32, `given` where an input lies. */
typedef struct {
  int32_t at, out, given, n, rows, d, row, column;
  double scalar;
} Batch;

/* A batch, where a call of a primitive leaves its results, and what calls leave to the next one. */
typedef struct {
  const Batch *batch;
  int32_t v, k, r, did, way;
  uint32_t sum;
} Run;

static int32_t ceil4(int32_t n) { return (n + 3) & ~3; }
static int32_t packed(int32_t n) { return (n * (n + 1)) >> 1; }
static int32_t set_words(int32_t capacity, int32_t d) { return d * ceil4(capacity) + 2 * capacity + 2; }

/* The next number drawn, the same on every engine: xorshift (Marsaglia, J. Stat. Software 8(14), 2003). Its state lies behind the hashes. */
static uint32_t draw(uint32_t *hashes) {
  uint32_t s = hashes[PRIMITIVES];
  s ^= s << 13;
  s ^= s >> 17;
  s ^= s << 5;
  hashes[PRIMITIVES] = s;
  return hashes[PRIMITIVES];
}

static int32_t below(uint32_t *hashes, uint32_t n) { return draw(hashes) % n; }

/* Kinds of numbers: the bits of a drawn word that stay, and those that are set. */
static const uint32_t ABOUT_ONE[2] = { 0x83ffffff, 0x3c000000 };
/* Runs of others: 2^-95 to 2^-64, many of whose products are subnormal, as those of the inverses of 2^65 to 2^96; the largest; between them
   subnormal numbers and some below 2. */
static const uint32_t RUNS[8][2] = {
  { 0x8fffffff, 0x10000000 }, { 0x807fffff, 0 }, { 0xbfffffff, 0 },          { 0x807fffff, 0 },
  { 0x8fffffff, 0x60000000 }, { 0x807fffff, 0 }, { 0x80ffffff, 0x7e000000 }, { 0x807fffff, 0 },
};
enum { LARGEST = 6 };

/*
 * Numbers of a vector into words from..end-1; later vectors reuse them, shifted. Mostly they are about 1. In every other run of 16 vectors, long
 * enough to fill a vector, they are of another kind. Among the largest are infinities and zeros of a word's sign.
 */
static void numbers(float *m, int32_t from, int32_t end, int32_t vector, uint32_t *hashes) {
  const int32_t run = vector >> 5 & 7;
  const uint32_t *kind = vector & 16 ? ABOUT_ONE : RUNS[run];
  for (int32_t k = from; k < end; k++) {
    const uint32_t word = draw(hashes);
    const uint32_t is_special = run == LARGEST && !(vector & 16) && word & 1;
    set_bits(m, k, is_special ? (word & 0x80000000) | (word & 2 ? 0x7f800000 : 0) : (word & kind[0]) | kind[1]);
  }
}

/* Each vector's results of so many words begin as the words drawn, over and over. Returns `size`. */
static int32_t fill(float *m, const Batch *b, int32_t r, int32_t size) {
  if (r == b->out)
    for (int32_t k = 0; k < BATCH * size; k++) m[r + k] = m[b->at + k % ALL_DRAWN];
  return size;
}

/*
 * Rows of 16 bits, in a grid as drawn: 1/u about 4096 times the numbers, u about a 4096th, so that lanes and distances are neither 0 nor
 * clipped. Results are the kernel row, the squared distances and one row as it comes back; the rows lie behind them.
 */
static int32_t short_rows(float *m, const Batch *b, int32_t out) {
  const int32_t at = b->at, d = b->d, size = ceil4(b->rows), fetched = out + 2 * size, grid = fetched + d, lanes = grid + 2 + d;
  f32_copy(m, grid, at + NEW, 2 + d);
  m[grid] = (float)(m[grid] / GRID);
  m[grid + 1] = (float)(m[grid + 1] * GRID);
  for (int32_t i = 0; i < size; i++) f32_store_row(m, lanes, i, at + i * NEW, -d);
  f32_gaussian_row(m, out, lanes, at + VECTOR, b->rows, -d, magnitude(b->scalar));
  f32_squared_distances(m, out + size, lanes, at + VECTOR, b->rows, -d);
  f32_fetch_row(m, fetched, lanes, b->row, -d);
  return grid;
}

/* Words of a shared set of k classes before its labels. */
static int32_t shared_labels(int32_t k, int32_t d) { return set_words(SHARED_VECTORS, d) + ceil4(k) * SHARED_VECTORS; }

static int32_t is_of_matrices(int32_t primitive) {
  switch (primitive) {
    case INNER_PRODUCTS: case BLOCK_PRODUCTS: case SQUARED_DISTANCES: case GAUSSIAN_ROW: case POLYNOMIAL_ROW: case SYMMETRIC_PRODUCT:
    case GAUSSIAN_EXPANSION: case NEAREST_ROW: case MERGE_NEAREST: case FOURIER_FEATURES: case CLASS_SCORES: case CLASS_STEP:
    case TAPER: case FOURIER_TRANSFORM:
      return 1;
    default:
      return 0;
  }
}

static int32_t is_judging(int32_t primitive) {
  switch (primitive) {
    case FINITE: case LOAD: case ADD_SCALED: case ADD_SCALED_ROW: case MOVE_ROW_TOWARDS: case SYMMETRIC_RANK_ONE: case CHOLESKY:
    case WINDOW_STATISTICS: case STANDARDISE: case CENTRE: case DIAGONAL_RANK_ONE:
      return 1;
    default:
      return 0;
  }
}

/*
 * The plain primitives on one vector; returns the words of its results. One that writes where it reads works on copies of the drawn numbers. A
 * bit of an additional word records whether it did.
 */
static int32_t call_plain(float *m, int32_t primitive, Run *run) {
  const Batch *b = run->batch;
  const int32_t v = run->v, r = run->r, y = v + VECTOR, n = b->n, rows = b->rows, row = b->row, d = b->d;
  const double s = b->scalar;
  const int32_t less = rows < ROWS ? rows : ROWS - 1;
  int32_t size = 1;
  switch (primitive) {
    TEST(CRC32)
      run->sum = f32_crc32(bytes_from(m, b->at), v - b->at, v - b->at + 4 * n, run->sum);
      m[r] = (float)(run->sum & 0xffff);
      m[r + 1] = (float)(run->sum >> 16);
      return 2;
    TEST(COPY) f32_copy(m, r, v + 3, n); return n;
    TEST(FINITE) run->did = f32_finite(m, v, n); return 0;
    TEST(LOAD)
      size = run->k == 0 ? LONGEST : n;
      if (run->k > 0) f32_copy(m, b->given, v, n);
      run->did = run->k == 0 ? load_scaled(m, r, s, b->at, size) : load_words(m, r, b->given, size);
      return size;
    TEST(DOT) m[r] = f32_dot(m, v, y, n); break;
    TEST(ADD_SCALED) size = fill(m, b, r, n); run->did = f32_add_scaled(m, r, s, y, n); break;
    TEST(SCALE) size = fill(m, b, r, n); f32_scale(m, r, s, n); break;
    TEST(ARGMIN) m[r] = (float)f32_argmin(m, v, n); break;
    TEST(ARGMIN_MAGNITUDE) m[r] = (float)f32_argmin_magnitude(m, v, n); break;
    TEST(OLDEST) m[r] = (float)f32_oldest(m, v, read_bits(m, y), n); break;
    TEST(STALEST) m[r] = (float)f32_stalest(m, v, y, read_bits(m, v + n), 1 + row, n); break;
    TEST(NEAREST_BYTES) size = fill(m, b, r, 2 * row + 3); m[r + size - 1] = (float)f32_nearest_bytes(m, r, v, y, rows, d, 1 + row); break;
    TEST(STORE_ROW) size = fill(m, b, r, ceil4(rows) * d); f32_store_row(m, r, row, y, d); break;
    TEST(FETCH_ROW) f32_fetch_row(m, r, v, row, d); return d;
    TEST(STORE_COLUMN) size = fill(m, b, r, ceil4(rows) * d); f32_store_column(m, r, b->column, y, rows, d); break;
    TEST(ADD_SCALED_ROW) size = fill(m, b, r, ceil4(rows) * d); run->did = f32_add_scaled_row(m, r, row, s, y, d); break;
    TEST(MOVE_ROW_TOWARDS) size = fill(m, b, r, ceil4(rows) * d); run->did = f32_move_row_towards(m, r, row, s, y, d); break;
    TEST(INNER_PRODUCTS) f32_inner_products(m, r, v, y, rows, d); return ceil4(rows);
    TEST(BLOCK_PRODUCTS) /* Six vectors at most, more than C takes together. */
      size = fill(m, b, r, (row + 1) * ROWS);
      f32_block_products(m, r, v, y, row, rows, ROWS, d, row + 1);
      break;
    TEST(SQUARED_DISTANCES) f32_squared_distances(m, r, v, y, rows, d); return ceil4(rows);
    TEST(GAUSSIAN_ROW) f32_gaussian_row(m, r, v, y, rows, d, SPREAD * magnitude(s)); return ceil4(rows);
    TEST(POLYNOMIAL_ROW) f32_polynomial_row(m, r, v, y, rows, d, s, 1 + row); return ceil4(rows);
    TEST(SYMMETRIC_PRODUCT) f32_symmetric_product(m, r, v, y, rows); return rows;
    TEST(SYMMETRIC_RANK_ONE) size = fill(m, b, r, packed(rows)); run->did = f32_symmetric_rank_one(m, r, s, y, rows); break;
    TEST(CHOLESKY)
      size = fill(m, b, r, packed(rows));
      if (run->k & 1) /* Its diagonal outweighs its rows, so that it has a factor. */
        for (int32_t i = 0; i < rows; i++) m[r + packed(i + 1) - 1] = (float)(64 + i);
      run->did = f32_cholesky(m, r, rows);
      break;
    TEST(SOLVE_LOWER) size = fill(m, b, r, rows); f32_solve_lower(m, v, r, rows); break;
    TEST(SOLVE_LOWER_TRANSPOSED) size = fill(m, b, r, rows); f32_solve_lower_transposed(m, v, r, rows); break;
    TEST(DELETE_FACTOR_ROW) /* A factor, a vector and a matrix on its columns' basis. */
      size = fill(m, b, r, 2 * packed(less) + less);
      f32_delete_factor_row(m, r, less, row % less, r + packed(less), r + packed(less) + less);
      break;
    TEST(SOLVE_UNIT_LOWER) size = fill(m, b, r, 2 * rows); f32_solve_unit_lower(m, r, v, r + rows, rows, row); break;
    TEST(SOLVE_UNIT_LOWER_TRANSPOSED)
      size = fill(m, b, r, 3 * rows);
      for (int32_t i = 0; i < rows; i++) set_bits(m, r + 2 * rows + i, ((i + row) % rows));
      f32_solve_unit_lower_transposed(m, r, r + 2 * rows, v, r + rows, rows);
      break;
    TEST(PIVOT_PRODUCT) f32_pivot_product(m, r, v, y, rows); return rows;
    TEST(DELETE_UNIT_FACTOR_ROW) /* A factor, a vector that follows it, and what the update went by. */
      size = fill(m, b, r, packed(less) + 3 * less + 1);
      m[r + size - 1] = f32_delete_unit_factor_row(m, r, less, row % less, r + packed(less), r + packed(less) + less);
      break;
    TEST(EXP) m[r] = f32_exp(SPREAD * m[v]); break;
    TEST(LOG) m[r] = f32_log(m[v]); break;
    TEST(COS) m[r] = f32_cos(SPREAD * m[v]); break;
    TEST(SIN) m[r] = f32_sin(SPREAD * m[v]); break;
  }
  return size;
}

/* With as many components as leave the words of the model, and those before it, within a vector. */
static int32_t call_local(float *m, int32_t primitive, Run *run) {
  const Batch *b = run->batch;
  const int32_t v = run->v, r = run->r, odd = run->k & 1, k = 1 + (b->n & 1), d = k == 1 && b->d > 1 ? 2 : 1;
  const int32_t rows = ceil4(PROTOTYPES), across = k * d, set = d + k + rows + 1 + 2 * across;
  const int32_t size = set + rows * d + PROTOTYPES, behind = size + 1 + across + rows * across;
  const double share = magnitude(b->scalar);
  f32_copy(m, r, v, behind);
  if (IS(LOCAL_DECISION)) {
    f32_copy(m, b->given, v, d);
    set_bits(m, r + size, odd ? PROTOTYPES : b->row % PROTOTYPES);
    m[r + behind] = (float)f32_local_decision(m, taken(m, r, b->given, d), r + set, PROTOTYPES, d, k);
    return behind + 1;
  }
  if (!IS(LOCAL_STEP)) return 0;
  set_bits(m, r + set - 2 * across - 1, b->row % PROTOTYPES);
  set_bits(m, r + size - 1, odd + b->row);
  set_bits(m, r + size - 2, odd + b->row);
  set_bits(m, r + size, b->row % PROTOTYPES);
  m[r + behind] = (float)f32_local_step(m, r, r + set, PROTOTYPES, d, k, k == 1 ? 1 - 2 * odd : odd, share, share, (v >> 1) & 1);
  return behind + 1;
}

/* The scratch of each step lies where the next one's results will. Of every eight sets seven are full, and five merge. */
static int32_t call_classes(float *m, int32_t primitive, Run *run) {
  const Batch *b = run->batch;
  const int32_t v = run->v, r = run->r, k = 3 + (b->n & 1), d = primitive == CLASS_SCORES && b->d > 1 ? 2 : 1;
  const int32_t labels = shared_labels(k, d), size = labels - ceil4(k) * SHARED_VECTORS - 2, set = labels + SHARED_VECTORS + 2;
  if (IS(CLASS_SCORES)) {
    const int32_t behind = set + 2 * d + 2 * ceil4(k);
    f32_copy(m, r, v, behind);
    set_bits(m, r + size, (b->row % (SHARED_VECTORS + 1)));
    m[r + behind] = (float)f32_class_scores(m, r + set, r, SHARED_VECTORS, d, k, b->scalar);
    return behind + 1;
  }
  if (!IS(CLASS_STEP)) return 0;
  const int32_t x = r + set + COUNTS;
  const double positive = magnitude(b->scalar);
  if (run->k == 0) run->way = b->n & 7;
  f32_copy(m, r, v, set + COUNTS);
  f32_copy(m, x, v, 4 * d + 3 * ceil4(k) + 2 * ceil4(SHARED_VECTORS));
  const int32_t way = run->way = (run->way + 1) & 7;
  for (int32_t i = 0; i < SHARED_VECTORS; i++) {
    m[r + size - 4 + i] = (float)magnitude(m[r + size - 4 + i]);
    set_bits(m, r + labels + i, 0);
  }
  set_bits(m, r + size, way == 7 ? b->row % SHARED_VECTORS : SHARED_VECTORS);
  set_bits(m, r + set - 2, way);
  f32_class_step(m, x, r, SHARED_VECTORS, d, k, way & 1, positive, m[v + VECTOR], positive, b->scalar, positive, way & 1 ? positive : 0, way & 1,
                 way > 2 ? LEAVING_MERGE : -1 - way, way == 5 ? SMALL : 0, r + set);
  return set + COUNTS;
}

/*
 * The sets' primitives that take an expansion along. Of every two sets about one is full; which vector leaves that is chosen in each of the
 * four ways.
 */
static int32_t call_expansion(float *m, int32_t primitive, Run *run) {
  const Batch *b = run->batch;
  const int32_t v = run->v, r = run->r, y = v + VECTOR, rows = b->rows, row = b->row, d = b->d;
  const double gamma = magnitude(b->scalar);
  if (IS(STEP_EXPANSION)) {
    const int32_t size = set_words(rows, d), counts = r + size, x = counts + COUNTS;
    f32_copy(m, r, v, size + COUNTS);
    f32_copy(m, x, v + LAST, d);
    const int32_t way = run->way = run->way == 4 ? 0 : run->way + 1;
    set_bits(m, counts - 2, (rows - (((v - b->at) >> 2) & 1)));
    f32_step_expansion(m, r, rows, d, b->scalar, x, m[y], way == 4 ? row : -1 - way, SMALL * gamma, counts, gamma);
    return size + COUNTS;
  }
  if (!IS(GAUSSIAN_EXPANSION)) return 0;
  const int32_t size = set_words(ROWS, d), behind = size + d + ceil4(rows);
  if (run->k == 0) run->way = row;
  f32_copy(m, r, v, size);
  f32_copy(m, r + size, v, behind - size);
  set_bits(m, r + size - 2, rows);
  f32_copy(m, b->given, v + LAST, d);
  m[r + behind] =
    (float)f32_gaussian_expansion(m, taken(m, r + size, b->given, d), r, ROWS, d, gamma, run->way, v, b->scalar);
  run->way = run->way == DECISION_ROOT ? 0 : run->way + 1;
  return behind + 1;
}

/*
 * Of the C from errors the words that it updates, and C: errors from few to all of 240 labels, at every bound's number of labels; every other
 * decision is right.
 */
static void call_errors(float *m, const Run *run) {
  const Batch *b = run->batch;
  const int32_t r = run->r;
  m[r] = ERRORS * (float)magnitude(m[run->v]);
  set_bits(m, r + 1, (LABELS * b->n * (run->v - b->at)));
  const double y = m[run->v + VECTOR];
  m[r + 2] = (float)f32_aggressiveness(m, r, y, run->k & 1 ? y : b->scalar, b->n & 1 ? 1 : b->n);
}

/* The primitives that make a learner's or a feature's whole step, on one vector. Sets are as drawn, but for their size. */
static int32_t call_step(float *m, int32_t primitive, Run *run) {
  const Batch *b = run->batch;
  const int32_t v = run->v, r = run->r, y = v + VECTOR, n = b->n, rows = b->rows, row = b->row, d = b->d;
  const double s = b->scalar;
  const int32_t set = set_words(ROWS, d), matrix = ceil4(rows) * d, behind = matrix + rows + d;
  int32_t size = set;
  switch (primitive) {
    TEST(INSERT_VECTOR)
      fill(m, b, r, set);
      set_bits(m, r + set - 2, row);
      f32_insert_vector(m, r, ROWS, d, v + LAST, m[y]);
      break;
    TEST(REMOVE_VECTOR)
      fill(m, b, r, set);
      set_bits(m, r + set - 2, rows);
      f32_remove_vector(m, r, ROWS, d, row);
      break;
    TEST(REMOVE_VECTOR_IN_ORDER)
      fill(m, b, r, set);
      set_bits(m, r + set - 2, rows);
      f32_remove_vector_in_order(m, r, ROWS, d, row);
      break;
    case STEP_EXPANSION: case GAUSSIAN_EXPANSION: return call_expansion(m, primitive, run);
    TEST(NEAREST_ROW) size = ceil4(rows) + 1; m[r + size - 1] = (float)f32_nearest_row(m, r, v, y, rows, d); break;
    TEST(MERGE_NEAREST)
      f32_copy(m, r, v, behind);
      size = behind + ceil4(rows) + 1;
      m[r + size - 1] = (float)f32_merge_nearest(m, r + behind, r, r + matrix, rows, d, r + matrix + rows, m[v + LAST], magnitude(s));
      break;
    TEST(FOURIER_FEATURES) f32_fourier_features(m, r, v, y, rows, d); size = 2 * rows; break;
    TEST(HINGE_STEP) size = fill(m, b, r, ROWS); f32_hinge_step(m, r, v, v + ROWS, row, rows, ROWS, s, s); break;
    TEST(AGREEMENT_STEP)
      size = fill(m, b, r, ROWS);
      f32_agreement_step(m, r, v, v + ROWS, v + 2 * ROWS, row, rows, ROWS, s);
      break;
    TEST(AGREE)
      size = fill(m, b, r, rows * COMPONENTS + d);
      f32_agree(m, r + rows * COMPONENTS, r, v + rows * COMPONENTS, d, rows, COMPONENTS);
      break;
    case LOCAL_DECISION: case LOCAL_STEP: return call_local(m, primitive, run);
    case CLASS_SCORES: case CLASS_STEP: return call_classes(m, primitive, run);
    TEST(WINDOW_STATISTICS) size = fill(m, b, r, 4); run->did = f32_window_statistics(m, r, v, row, rows, ROWS); break;
    TEST(STANDARDISE) /* Counts before, in and after the warm-up, and runs of every length. */
      size = fill(m, b, r, 6 * d);
      for (int32_t j = 0, k = run->k * d + 1; j < d; j++, k++) {
        m[r + 3 * d + j] = (float)(k % 48);
        m[r + 4 * d + j] = (float)((k & 15) - 8);
      }
      run->did = f32_standardise(m, r, r + 5 * d, d, 32 + n, 8);
      break;
    TEST(CENTRE) size = fill(m, b, r, 3 + LONGEST); run->did = f32_centre(m, r, r + 3, n); break;
    TEST(TAPER) size = fill(m, b, r, 8 << n % 3); f32_taper(m, r, size); break;
    TEST(FOURIER_TRANSFORM) size = fill(m, b, r, 8 << n % 3); f32_fourier_transform(m, r, size); break;
    TEST(GOERTZEL) size = 1; m[r] = f32_goertzel(m, v, n, s); break;
    TEST(DIAGONAL_PRODUCT) f32_diagonal_product(m, r, v, y, n); return n;
    TEST(DIAGONAL_RANK_ONE) /* On products, beside which a square that is subnormal counts. */
      size = n;
      f32_diagonal_product(m, r, v, y, n);
      run->did = f32_diagonal_rank_one(m, r, m[v + DRAWN - 1], v, n);
      break;
    TEST(AGGRESSIVENESS) call_errors(m, run); return 3;
  }
  return size;
}

/* Runs a primitive on each vector of the batch; returns the word behind its results. */
static int32_t call(float *m, int32_t primitive, const Batch *b) {
  const int32_t step = is_of_matrices(primitive) ? MATRICES : NEW;
  Run run = { .batch = b, .v = b->at, .k = 0, .r = b->out, .did = 0, .way = 0, .sum = 0 };
  int32_t did = 0;
  for (; run.v < b->at + BATCH * NEW; run.v += step, run.k++) {
    run.r += primitive < INSERT_VECTOR ? call_plain(m, primitive, &run) : call_step(m, primitive, &run);
    did = 2 * did + run.did;
  }
  if (IS(GAUSSIAN_ROW)) return short_rows(m, b, run.r);
  if (!is_judging(primitive)) return run.r;
  m[run.r] = (float)did;
  return run.r + 1;
}

void self_test_batch(float *m, int32_t at, int32_t first, uint32_t *hashes) {
  Batch b = { .at = at, .out = at + ALL_DRAWN, .given = at + ALL_DRAWN + GIVEN, .n = 0, .rows = 0, .d = 0, .row = 0, .column = 0, .scalar = 0 };
  const int32_t fresh = b.out - BATCH * NEW;
  if (first == 0) {
    hashes[PRIMITIVES] = 1;
    numbers(m, at, b.out, 16, hashes);
  }
  move_words(m, at, at + BATCH * NEW, ALL_DRAWN - BATCH * NEW);
  for (int32_t k = 0; k < BATCH; k++) numbers(m, fresh + k * NEW, fresh + (k + 1) * NEW, first + k, hashes);
  b.n = 1 + below(hashes, LONGEST);
  b.rows = 1 + below(hashes, ROWS);
  b.d = 1 + below(hashes, COMPONENTS);
  b.row = below(hashes, b.rows);
  b.column = below(hashes, b.d);
  b.scalar = FRACTION * m[at];
  for (int32_t i = 0; i < PRIMITIVES; i++) {
    if (!IS_LINKED(i)) { hashes[i] = SELF_TEST_UNLINKED; continue; } /* A board's alone. */
    const int32_t end = call(m, i, &b);
    for (int32_t k = b.out; k < end; k++)
      if ((read_bits(m, k) & 0x7fffffff) > 0x7f800000) set_bits(m, k, 0x7fc00000); /* Engines differ in which NaN they give. */
    hashes[i] = f32_crc32(bytes_from(m, at), 4 * ALL_DRAWN, 4 * (ALL_DRAWN + end - b.out), hashes[i]);
  }
}
