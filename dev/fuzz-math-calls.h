/*
 * Random calls of every primitive, which follow from (seed, primitive, number of the call) by 32-bit integer arithmetic alone.
 * fuzz-math-calls.ts translates them, from where it says so, when it is loaded. fuzz-math.c has what they take beside the memory, in C.
 */
/* From here on also in TypeScript. */

/*
 * By what they work on: vectors, rows, matrices, a number, a set, then whole steps. What a call draws follows from the group, so a new name stands
 * within its own.
 */
enum {
  LOAD, FINITE, DOT, ADD_SCALED, SCALE, COPY, ARGMIN, ARGMIN_MAGNITUDE, OLDEST, STALEST, STORE_ROW, FETCH_ROW,
  STORE_COLUMN, NEAREST_BYTES, BLOCK_PRODUCTS, ADD_SCALED_ROW, MOVE_ROW_TOWARDS, INNER_PRODUCTS, SQUARED_DISTANCES,
  GAUSSIAN_ROW, POLYNOMIAL_ROW, SYMMETRIC_PRODUCT, SYMMETRIC_RANK_ONE, CHOLESKY, SOLVE_LOWER,
  SOLVE_LOWER_TRANSPOSED, DELETE_FACTOR_ROW, SOLVE_UNIT_LOWER, SOLVE_UNIT_LOWER_TRANSPOSED, PIVOT_PRODUCT,
  DELETE_UNIT_FACTOR_ROW, EXP, LOG, COS, SIN, GAUSSIAN_EXPANSION, INSERT_VECTOR, REMOVE_VECTOR,
  REMOVE_VECTOR_IN_ORDER, STEP_EXPANSION, NEAREST_ROW, HINGE_STEP, AGREEMENT_STEP, AGREE, AGGRESSIVENESS, LOCAL_DECISION,
  LOCAL_STEP, WINDOW_STATISTICS, STANDARDISE, DIAGONAL_PRODUCT, DIAGONAL_RANK_ONE, MERGE_NEAREST,
  FOURIER_FEATURES, CENTRE, TAPER, FOURIER_TRANSFORM, GOERTZEL, CRC32, CLASS_SCORES, CLASS_STEP,
  PRIMITIVES
};
_Static_assert(PRIMITIVES == F32_PRIMITIVES, "a primitive without calls");
enum {
  FIRST_ROW = STORE_ROW, FIRST_MATRIX = SYMMETRIC_PRODUCT, FIRST_SCALAR = EXP, FIRST_SET = GAUSSIAN_EXPANSION, FIRST_STEP = HINGE_STEP,
  FIRST_SHARED = CLASS_SCORES /* Of the primitives on shared sets, of at most 4 vectors and 5 classes. */
};
enum {
  LONGEST = 67,
  SHARED_WORDS = 96, /* What shared sets take besides the words of steps. */
  WORDS = 8192, /* Enough for any call's memory. */
  STEP = 0x9e3779b9
};

/* A call: its arguments, and the words of memory that it may access and some beyond. `form` is -d where rows are of 16 bits. The rows, matrix or
   first vector lies at `at`, the second vector at x. */
typedef struct {
  int32_t n, d, form, i, j, by, degree, at, x, out, end;
  uint32_t word;
  double s;
} Call;

static uint32_t state;

/* The finalizer of MurmurHash3. */
static uint32_t mix(uint32_t given) {
  uint32_t h = given;
  h = times(h ^ (h >> 16), 0x85ebca6b);
  h = times(h ^ (h >> 13), 0xc2b2ae35);
  return (h ^ (h >> 16)) >> 0; /* TypeScript's is unsigned thereby. */
}

static uint32_t next(void) {
  state = (state + STEP) >> 0;
  return mix(state);
}

static int32_t below(int32_t n) { return next() % n; }
static int32_t ceil4(int32_t n) { return (n + 3) & ~3; }
static int32_t packed(int32_t n) { return (n * (n + 1)) >> 1; }

static const uint32_t SPECIAL_DOUBLES[7] = { 0, 0x80000000, 0x7ff00000, 0xfff00000, 0x7ff80000, 0x48000000, 0x3ff00000 };
static const uint32_t SPECIAL[12] = {
  0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f7fffff, 0xff7fffff, 0x00800000, 0x80000001, 0x007fffff, 0x3f800000, 0xbf800000,
};
static const uint32_t LOWEST[8] = { 120, 1, 0, 180, 0, 0, 122, 122 };
static const uint32_t RANGE[8] = { 12, 253, 30, 75, 256, 256, 6, 6 };

/*
 * A double with more bits than a float32: between 2^-10 and 2^13, or 2^-8 and 1 as shares and widths are; else any float32's, or special.
 */
static void draw_double(int32_t at) {
  const int32_t kind = below(16);
  const uint32_t word = next();
  uint32_t high = (word & 0x800fffff) | ((1013 + below(23)) << 20);
  uint32_t low = next();
  if (kind < 4) {
    high = (word & 0x800fffff) | ((1023 - 151 + below(282)) << 20);
  } else if (kind == 4) {
    high = SPECIAL_DOUBLES[word % 7];
    low = 0;
  } else if (kind > 9) {
    high = (word & 0xfffff) | ((1015 + below(8)) << 20);
  }
  set_double(at, high, low);
}

/* Fills the memory: numbers about 1; of every magnitude; tiny; huge; any bits; many special. */
static void fill(float *m, int32_t end, int32_t kind) {
  const int32_t lowest = LOWEST[kind];
  const int32_t range = RANGE[kind];
  for (int32_t k = 0; k < end; k++) {
    const uint32_t word = next();
    const uint32_t exponent = lowest + ((word >> 23) & 0xff) % range;
    set_bits(m, k, kind == 5 && (word & 0x300) != 0 ? SPECIAL[word % 12] : (word & 0x807fffff) | (exponent << 23));
  }
}

/* Vectors in the support set of capacity n + 1: room for one, at least one, any number with full as often as not. */
static uint32_t size_of_set(Call *c, int32_t primitive) {
  if (primitive == INSERT_VECTOR) return c->by;
  if (primitive == REMOVE_VECTOR || primitive == REMOVE_VECTOR_IN_ORDER) return c->by + 1;
  return c->word & 1 ? c->n + 1 : c->by;
}

/* True if the primitive takes rows of 16 bits. */
static int32_t is_short(int32_t primitive) {
  switch (primitive) {
    case STORE_ROW: case FETCH_ROW: case MOVE_ROW_TOWARDS: case SQUARED_DISTANCES: case GAUSSIAN_ROW:
    case LOCAL_DECISION: case LOCAL_STEP: case MERGE_NEAREST: case CLASS_SCORES: case CLASS_STEP:
      return 1;
    default:
      return primitive >= FIRST_SET && primitive < FIRST_STEP ? 1 : 0;
  }
}

static int32_t row_words(Call *c) { return c->form < 0 ? (c->d + 1) >> 1 : c->d; }

/* A lane of 15 bits as one of 16. */
static uint32_t lane(uint32_t bits) { return bits | ((bits & 0x4000) << 1); }

/* Makes the words from..end-1 lanes, with a grid in front, sensible as often as not. */
static void shorten(float *m, Call *c, int32_t from, int32_t end) {
  for (int32_t k = from; k < end; k++) {
    const uint32_t bits = read_bits(m, k);
    const int32_t is_padded = c->d & 1 && ((k - from) >> 2) % row_words(c) == row_words(c) - 1;
    set_bits(m, k, (is_padded ? 0 : lane(bits >> 17) << 16) | lane((bits & 0xffff) >> 1));
  }
  if (c->word & 0x8000000) return;
  const uint32_t exponent = c->word >> 20 & 15;
  set_bits(m, from - c->d - 2, (127 - exponent) << 23);
  set_bits(m, from - c->d - 1, (127 + exponent) << 23);
  for (int32_t j = 0; j < c->d; j++) set_bits(m, from - c->d + j, j & 1 ? 0x42800000 : 0);
}

static void draw_sizes(Call *c, int32_t primitive) {
  c->n = below(LONGEST + 1);
  const int32_t wide = below(16);
  const int32_t p = below(LONGEST + 2);
  const int32_t q = below(LONGEST + 2);
  if (primitive >= FIRST_MATRIX && primitive < FIRST_SET && wide != 0) c->n = quotient(quotient(c->n * p, 68) * q, 68);
  c->d = 1 + below(wide == 0 ? LONGEST : 9);
  c->i = below(c->n + 1);
  c->j = below(c->d);
  c->by = below(c->n + 1);
  c->degree = 1 + below(16);
  c->word = next();
  c->form = is_short(primitive) && c->word >> 28 & 1 ? -c->d : c->d;
  if (primitive >= FIRST_SCALAR && primitive < FIRST_SET) c->n = 0;
}

/* Draws call number `index` of a primitive, and writes its memory. */
static void draw(float *m, Call *c, uint32_t seed, int32_t primitive, uint32_t index) {
  state = mix(mix(seed) + mix(index * 64 + primitive + 1));
  draw_sizes(c, primitive);
  const int32_t rows = primitive >= FIRST_ROW && primitive < FIRST_MATRIX, matrix = primitive >= FIRST_MATRIX && primitive < FIRST_SET;
  const int32_t set = primitive >= FIRST_SET && primitive < FIRST_STEP, step = primitive >= FIRST_STEP;
  const int32_t n = c->n;
  int32_t words = rows ? c->d * ceil4(n + 1) : matrix ? packed(n) : 2 * n;
  if (set) words = c->d * ceil4(n + 1) + 2 * (n + 1) + 2;
  if (step) words = 4 * (n + 1) + 15 * c->d + 8 + (primitive >= FIRST_SHARED ? SHARED_WORDS : 0);
  c->at = 1 + below(7) + (rows || set || step ? c->d + 2 : 0);
  c->x = c->at + words + 1 + below(7);
  const int32_t behind = set ? 2 * c->d + ceil4(n + 1) : rows && c->d > n ? c->d : n;
  c->out = c->x + behind + (step ? 5 * c->d + 1 : 0) + 1 + below(7);
  c->end = c->out + ceil4(n) + (matrix ? n : 0) + (set || step ? 8 : 4);
  draw_double(0);
  c->s = doubles[0];
  for (int32_t k = 1; (set || step) && k < 4; k++) draw_double(k);
  const int32_t kind = below(8);
  fill(m, c->end, kind);
  if (c->form < 0) shorten(m, c, c->at, c->at + row_words(c) * ceil4(n + 1));
  if (set) set_bits(m, c->at + row_words(c) * ceil4(n + 1) + 2 * (n + 1), size_of_set(c, primitive));
  if (matrix && kind >= 6) /* A diagonal that outweighs its rows. */
    for (int32_t i = 0; i < n; i++) set_bits(m, c->at + packed(i + 1) - 1, 0x42800000 + (i << 12));
  if (primitive == LOAD)
    for (int32_t k = 0; k < n; k++) draw_double(k);
}

/* A Gaussian's gamma: as often as not one at which the kernel of numbers about 1 is neither 0 nor 1. */
static double scaled_gamma(Call *c, double drawn) { return c->word & 0x2000000 ? drawn / 64.0 : drawn; }

static void step_expansion(float *m, Call *c) {
  const double a = (c->word >> 1) % 8 == 0 ? 0 : doubles[1];
  const int32_t way = (c->word >> 4) % 5;
  const int32_t leaving = way == 3 ? c->i : way == 4 ? -4 : -1 - way;
  f32_step_expansion(m, c->at, c->n + 1, c->form, c->s, c->x, a, leaving, doubles[2], c->out, scaled_gamma(c, doubles[3]));
}

/* Of few uses, and not long ago, as often as not. */
static int32_t stalest(float *m, Call *c) {
  for (int32_t j = 0; c->word & 1 && j < c->n; j++) {
    set_bits(m, c->at + j, (c->i + 29 * j) % 100);
    set_bits(m, c->x + j, (c->by + 7 * j) >> 2 & 3);
  }
  return f32_stalest(m, c->at, c->x, c->word & 1 ? c->word >> 1 & 63 : c->word, c->by, c->n);
}

/* Two matrices of half the rows lie in one. */
static void delete_factor_row(float *m, Call *c) {
  const int32_t rows = c->word & 2 ? c->n >> 1 : c->n;
  const int32_t other = c->word & 2 ? c->at + packed(rows) : -1;
  if (rows > 0) f32_delete_factor_row(m, c->at, rows, c->i % rows, c->word & 1 ? c->x : -1, other);
}

/* As many vectors as there are words of, and rows whose results there is room for. */
static void block_products(float *m, Call *c) {
  const int32_t most = c->n < c->d ? 1 : quotient(c->n, c->d), drawn = 1 + (c->word & 7);
  const int32_t k = drawn < most ? drawn : most, size = c->n < k ? 1 : quotient(c->n, k);
  f32_block_products(m, c->out, c->at, c->x, c->i % size, c->by % (size + 1), size, c->d, k);
}

/* The order is the other way round. */
static void solve_unit_lower_transposed(float *m, Call *c) {
  for (int32_t j = 0; j < c->n; j++) set_bits(m, c->out + c->n + j, c->n - 1 - j);
  f32_solve_unit_lower_transposed(m, c->out, c->out + c->n, c->at, c->x, c->n);
}

static int32_t standardise(float *m, Call *c) {
  for (int32_t j = 0; j < c->d; j++) {
    m[c->at + 3 * c->d + j] = (float)((c->by + 7 * j) % 80);
    m[c->at + 4 * c->d + j] = (float)((c->i + j) % 19 - 9);
  }
  return f32_standardise(m, c->at, c->x, c->d, c->by + 32, 8 + c->i % 3);
}

/* Numbers of labels about the bounds' and errors of up to 256 labels, as often as not. */
static double aggressiveness(float *m, Call *c) {
  if (c->word & 1) set_bits(m, c->at + 1, c->word >> 1 & 0xfff);
  if (c->word & 0x2000) m[c->at] = (float)((c->word >> 14) / 1024.0);
  return f32_aggressiveness(m, c->at, doubles[1], c->s, 1 + c->by);
}

/* A local model of at most four prototypes and k problems, behind its input and scratch: writes its unsigned words. */
static int32_t place_local(float *m, Call *c, int32_t k) {
  const int32_t most = 1 + c->by % 4, nearest = c->at + c->d + k + 4, set = nearest + 1 + 2 * k * c->d, counts = set + 4 * row_words(c);
  if (c->form < 0) shorten(m, c, set, counts);
  set_bits(m, nearest, c->i % most);
  for (int32_t j = 0; j < most; j++) set_bits(m, counts + j, c->word & (16 << j) ? (c->word & 8 ? 0xffffffff : 3) : 0);
  set_bits(m, counts + most, (c->word >> 8) % (most + 1));
  return set;
}

static double run_local(float *m, int32_t primitive, Call *c) {
  const int32_t k = 1 + (c->word & 1), most = 1 + c->by % 4, set = place_local(m, c, k), odd = c->by & 1;
  if (primitive == LOCAL_DECISION) return f32_local_decision(m, taken(m, c->at, c->at, c->d), set, most, c->form, k);
  return f32_local_step(m, c->at, set, most, c->form, k, k == 1 ? 1 - 2 * odd : odd, c->s, doubles[1], c->i & 1);
}

/* A shared set of at most four vectors and k classes: writes its unsigned words. Returns the word behind it. */
static int32_t place_shared(float *m, Call *c, int32_t k) {
  const int32_t most = 1 + c->by % 4, norms = c->at + 4 * row_words(c), labels = norms + 2 * most + 2 + ceil4(k) * most;
  if (c->form < 0) shorten(m, c, c->at, norms);
  for (int32_t j = 0; j < most; j++) {
    set_bits(m, norms + j, read_bits(m, norms + j) & 0x7fffffff);
    set_bits(m, labels + j, c->word >> (8 + j) & 1);
  }
  set_bits(m, norms + 2 * most, c->word & 16 ? most : c->i % (most + 1));
  set_bits(m, labels + most, c->word & 32 ? 0xffffffff : 5);
  if (c->word & 64) set_bits(m, labels + most + 1, c->word & 128 ? 0 : 0x3f800000);
  return labels + most + 2;
}

static double run_shared(float *m, int32_t primitive, Call *c) {
  const int32_t most = 1 + c->by % 4, k = 2 + (c->word >> 1 & 3), to = place_shared(m, c, k), counts = to + 4 * c->d + 8 + 3 * ceil4(k);
  if (primitive == CLASS_SCORES) return f32_class_scores(m, to, c->at, most, c->form, k, c->s);
  const double self = c->word & 0x80000 ? 1 : doubles[2], keep = c->word & 0x100000 ? 0.9 : doubles[3];
  const double size = c->word & 0x200000 ? 1 : doubles[2], limit = c->word & 0x400000 ? 0 : doubles[3];
  const int32_t way = c->word >> 16 & 7, leaving = way < 3 ? -1 - way : -4;
  f32_class_step(m, to, c->at, most, c->form, k, c->word & 1, scaled_gamma(c, doubles[1]), self, keep, size, c->s, limit, c->word >> 24 & 1, leaving,
                 c->word & 0x800000 ? 0 : 0.25, counts);
  return 0;
}

static double run_step(float *m, int32_t primitive, Call *c) {
  const int32_t at = c->at, x = c->x, out = c->out, n = c->n, d = c->d, i = c->i, by = c->by, ring = n + 1, rows = 1 + by % 5;
  const double s = c->s;
  int32_t wave = 4;
  while (2 * wave <= 4 * ring + 10 * d && wave < 512) wave *= 2;
  switch (primitive) {
    case HINGE_STEP: f32_hinge_step(m, x, at, at + ring, i, by, ring, s, doubles[1]); return 0;
    case AGREEMENT_STEP: f32_agreement_step(m, x, at, at + ring, at + 2 * ring, i, by, ring, s); return 0;
    case AGREE: f32_agree(m, x, at, at + ring, d, quotient(ring, d), d); return 0;
    case AGGRESSIVENESS: return aggressiveness(m, c);
    case LOCAL_DECISION: case LOCAL_STEP: return run_local(m, primitive, c);
    case WINDOW_STATISTICS: return f32_window_statistics(m, out, at, i, by + 1, ring);
    case STANDARDISE: return standardise(m, c);
    case DIAGONAL_PRODUCT: f32_diagonal_product(m, out, at, x, n); return 0;
    case DIAGONAL_RANK_ONE: return f32_diagonal_rank_one(m, at, s, x, n);
    case MERGE_NEAREST: return f32_merge_nearest(m, out, at, at + ceil4(rows) * row_words(c), rows, c->form, x, s, scaled_gamma(c, doubles[1]));
    case FOURIER_FEATURES: f32_fourier_features(m, out, at, x, rows, d); return 0;
    case CENTRE: return f32_centre(m, out, at, ring);
    case TAPER: f32_taper(m, at, wave); return 0;
    case FOURIER_TRANSFORM: f32_fourier_transform(m, at, wave); return 0;
    case GOERTZEL: return f32_goertzel(m, at, wave, s);
    case CRC32: return f32_crc32(bytes_from(m, 0), 4 * at + 1 + (c->word & 1), 4 * at + 1 + (c->word & 1) + by, c->word);
    default: return run_shared(m, primitive, c);
  }
}

/* Makes the call; returns its result, 0 if it has none. */
static double run(float *m, int32_t primitive, Call *c) {
  const int32_t at = c->at, x = c->x, out = c->out, n = c->n, d = c->d, form = c->form, i = c->i, by = c->by;
  const double s = c->s;
  switch (primitive) {
    case LOAD: return load_doubles(m, x, n);
    case FINITE: return f32_finite(m, at, n);
    case DOT: return f32_dot(m, at, c->word & 3 ? x : at, n);
    case ADD_SCALED: return f32_add_scaled(m, at, s, x, n);
    case SCALE: f32_scale(m, at, s, n); return 0;
    case COPY: f32_copy(m, c->word & 1 ? at : at + by, c->word & 1 ? at + by : at, n); return 0;
    case ARGMIN: return f32_argmin(m, at, n);
    case ARGMIN_MAGNITUDE: return f32_argmin_magnitude(m, at, n);
    case OLDEST: return f32_oldest(m, at, c->word, n);
    case STALEST: return stalest(m, c);
    case NEAREST_BYTES: return f32_nearest_bytes(m, out, at, x, n, d, 1 + by % (1 + (n >> 1)));
    case STORE_ROW: f32_store_row(m, at, i, x, form); return 0;
    case FETCH_ROW: f32_fetch_row(m, x, at, i, form); return 0;
    case STORE_COLUMN: f32_store_column(m, at, c->j, x, n, d); return 0;
    case BLOCK_PRODUCTS: block_products(m, c); return 0;
    case ADD_SCALED_ROW: return f32_add_scaled_row(m, at, i, s, x, d);
    case MOVE_ROW_TOWARDS: return f32_move_row_towards(m, at, i, s, x, form);
    case INNER_PRODUCTS: f32_inner_products(m, out, at, x, n, d); return 0;
    case SQUARED_DISTANCES: f32_squared_distances(m, out, at, x, n, form); return 0;
    case GAUSSIAN_ROW: f32_gaussian_row(m, out, at, x, n, form, scaled_gamma(c, s)); return 0;
    case POLYNOMIAL_ROW: f32_polynomial_row(m, out, at, x, n, d, s, c->degree); return 0;
    case SYMMETRIC_PRODUCT: f32_symmetric_product(m, out, at, x, n); return 0;
    case SYMMETRIC_RANK_ONE: return f32_symmetric_rank_one(m, at, s, x, n);
    case CHOLESKY: return f32_cholesky(m, at, n);
    case SOLVE_LOWER: f32_solve_lower(m, at, x, n); return 0;
    case SOLVE_LOWER_TRANSPOSED: f32_solve_lower_transposed(m, at, x, n); return 0;
    case DELETE_FACTOR_ROW: delete_factor_row(m, c); return 0;
    case SOLVE_UNIT_LOWER: f32_solve_unit_lower(m, out, at, x, n, i); return 0;
    case SOLVE_UNIT_LOWER_TRANSPOSED: solve_unit_lower_transposed(m, c); return 0;
    case PIVOT_PRODUCT: f32_pivot_product(m, out, at, x, n); return 0;
    case DELETE_UNIT_FACTOR_ROW: return n > 0 ? f32_delete_unit_factor_row(m, at, n, i % n, x, out) : 0;
    case EXP: return f32_exp(s);
    case LOG: return f32_log(s);
    case COS: return f32_cos(s);
    case SIN: return f32_sin(s);
    case GAUSSIAN_EXPANSION:
      return f32_gaussian_expansion(m, taken(m, x, x, d), at, n + 1, form, scaled_gamma(c, s), (c->word >> 1) % 6, out, doubles[1]);
    case INSERT_VECTOR: f32_insert_vector(m, at, n + 1, form, x, s); return 0;
    case REMOVE_VECTOR: f32_remove_vector(m, at, n + 1, form, i % (by + 1)); return 0;
    case REMOVE_VECTOR_IN_ORDER: f32_remove_vector_in_order(m, at, n + 1, form, i % (by + 1)); return 0;
    case STEP_EXPANSION: step_expansion(m, c); return 0;
    case NEAREST_ROW: return f32_nearest_row(m, out, at, x, n, form);
    default: return run_step(m, primitive, c);
  }
}
