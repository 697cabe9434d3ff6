/* Stored rows, in interleaved blocks of four: of d float32, or, where d is negative, of -d lanes of 16 bits. Part of f32.c. */

INLINE int32_t components(int32_t d) {
  return d < 0 ? -d : d;
}

/* Words of a row. */
INLINE int32_t row_words(int32_t d) {
  return d < 0 ? (1 - d) >> 1 : d;
}

/* Word 0 of row i of so many words, from the word at which the rows begin; the others follow at steps of four. */
INLINE int32_t row_at(int32_t rows, int32_t i, int32_t words) {
  return rows + 4 * words * (i >> 2) + (i & 3);
}

INLINE uint32_t word(const float *m, int32_t at) {
  return bits_of(m[at]);
}

INLINE void set_word(float *m, int32_t at, uint32_t value) {
  __builtin_memcpy(m + at, &value, 4);
}

typedef int16_t __attribute__((may_alias)) lane;

enum { LEAST_LANE = -16384, LARGEST_LANE = 16383 };

/* The grid of lanes: u, 1/u and an offset for each component, which lie in front of the rows. */
INLINE const float *grid_of(const float *m, int32_t rows, int32_t n) {
  return m + rows - n - 2;
}

/* The lane of component j. */
INLINE int32_t to_lane(const float *grid, int32_t j, float x) {
  float q = x * grid[1] - grid[2 + j];
  if (!(q > LEAST_LANE)) return LEAST_LANE;
  if (q >= LARGEST_LANE) return LARGEST_LANE;
  return (int32_t)(bits_of(q + ROUND) - bits_of(ROUND));
}

INLINE float of_lane(const float *grid, int32_t j, int32_t q) {
  return ((float)q + grid[2 + j]) * grid[0];
}

/* Lane j of the row whose word 0 is r. */
INLINE lane *lane_at(float *r, int32_t j) {
  return (lane *)(r + 4 * (j >> 1)) + (j & 1);
}

static void store_lanes(float *m, int32_t rows, int32_t i, int32_t x, int32_t n) {
  int32_t at = row_at(rows, i, (n + 1) >> 1);
  const float *grid = grid_of(m, rows, n);
  for (int32_t j = 0; j < n; j += 2) {
    uint32_t high = j + 1 < n ? (uint32_t)to_lane(grid, j + 1, m[x + j + 1]) << 16 : 0;
    set_word(m, at + 2 * j, high | ((uint32_t)to_lane(grid, j, m[x + j]) & 0xffff));
  }
}

static void fetch_lanes(float *m, int32_t x, int32_t rows, int32_t i, int32_t n) {
  float *r = m + row_at(rows, i, (n + 1) >> 1);
  const float *grid = grid_of(m, rows, n);
  for (int32_t j = 0; j < n; j++) m[x + j] = of_lane(grid, j, *lane_at(r, j));
}

void f32_store_row(float *m, int32_t rows, int32_t i, int32_t x, int32_t d) {
  if (d < 0) {
    store_lanes(m, rows, i, x, -d);
    return;
  }
  float *r = m + row_at(rows, i, d);
  for (int32_t j = 0; j < d; j++) r[4 * j] = m[x + j];
}

void f32_fetch_row(float *m, int32_t x, int32_t rows, int32_t i, int32_t d) {
  if (d < 0) {
    fetch_lanes(m, x, rows, i, -d);
    return;
  }
  const float *r = m + row_at(rows, i, d);
  for (int32_t j = 0; j < d; j++) m[x + j] = r[4 * j];
}

void f32_store_column(float *m, int32_t rows, int32_t j, int32_t x, int32_t n, int32_t d) {
  for (int32_t i = 0; i < n; i++) m[row_at(rows, i, d) + 4 * j] = m[x + i];
}

int32_t f32_add_scaled_row(float *m, int32_t rows, int32_t i, double s, int32_t x, int32_t d) {
  float t = (float)s;
  float *r = m + row_at(rows, i, d);
  const float *q = m + x;
  uint32_t bad = 0;
  for (int32_t j = 0; j < d; j++) bad |= beyond(r[4 * j] + t * q[j]);
  if (bad) return 0;
  for (int32_t j = 0; j < d; j++) r[4 * j] = r[4 * j] + t * q[j];
  return 1;
}

/* f32_move_row_towards for a row of n lanes. */
static int32_t move_lanes_towards(float *m, int32_t rows, int32_t i, float t, int32_t x, int32_t n) {
  float *r = m + row_at(rows, i, (n + 1) >> 1);
  const float *grid = grid_of(m, rows, n);
  uint32_t bad = 0;
  for (int32_t j = 0; j < n; j++) {
    float c = of_lane(grid, j, *lane_at(r, j));
    bad |= beyond(c + t * (m[x + j] - c));
  }
  if (bad) return 0;
  for (int32_t j = 0; j < n; j++) {
    lane *q = lane_at(r, j);
    float c = of_lane(grid, j, *q);
    *q = (lane)to_lane(grid, j, c + t * (m[x + j] - c));
  }
  return 1;
}

int32_t f32_move_row_towards(float *m, int32_t rows, int32_t i, double s, int32_t x, int32_t d) {
  float t = (float)s;
  if (d < 0) return move_lanes_towards(m, rows, i, t, x, -d);
  float *r = m + row_at(rows, i, d);
  const float *q = m + x;
  uint32_t bad = 0;
  for (int32_t j = 0; j < d; j++) bad |= beyond(r[4 * j] + t * (q[j] - r[4 * j]));
  if (bad) return 0;
  for (int32_t j = 0; j < d; j++) r[4 * j] = r[4 * j] + t * (q[j] - r[4 * j]);
  return 1;
}
