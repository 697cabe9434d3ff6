/*
 * Draws the random calls of fuzz-math-vectors.ts and makes them in C: prints a line for each primitive, with the digest of
 * each `block` calls. Link with src/math/f32.c and -lm. Arguments: seed, number of the first call, calls, block.
 */
#include <stdio.h>
#include <stdlib.h>

#include "f32.h"

enum { PRIMITIVES = 29, FIRST_ROW = 9, FIRST_MATRIX = 19, FIRST_SCALAR = 25, LONGEST = 67, WORDS = 8192 };

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
  int32_t n, d, i, j, by, degree, m, x, out, end;
  uint32_t word;
  double s;
} call;

static void draw(call *c, uint32_t seed, int32_t primitive, uint32_t index) {
  state = mix(mix(seed) + mix(index * 32 + (uint32_t)primitive + 1));
  int rows = primitive >= FIRST_ROW && primitive < FIRST_MATRIX, matrix = primitive >= FIRST_MATRIX;
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
  if (primitive >= FIRST_SCALAR) c->n = 0;
  int32_t n = c->n, words = rows ? c->d * ceil4(n + 1) : matrix ? n * (n + 1) / 2 : 2 * n;
  c->m = 1 + below(7);
  c->x = c->m + words + 1 + below(7);
  c->out = c->x + (rows && c->d > n ? c->d : n) + 1 + below(7);
  c->end = c->out + ceil4(n) + 4;
  draw_double(0);
  c->s = doubles[0].value;
  int32_t kind = below(8);
  fill(c->end, kind);
  if (matrix && kind >= 6)
    for (int32_t i = 0, at = c->m; i < n; i++, at += i + 1) memory[at].bits = 0x42800000u + ((uint32_t)i << 12);
  if (primitive == 0)
    for (int32_t k = 0; k < n; k++) draw_double(k);
}

static float run(int32_t primitive, const call *c) {
  float *w = &memory[0].word;
  int32_t m = c->m, x = c->x, out = c->out, n = c->n, d = c->d, i = c->i, up = !(c->word & 1);
  double s = c->s;
  switch (primitive) {
    case 0: return load(w, x, n);
    case 1: return f32_finite(w, m, n);
    case 2: return f32_dot(w, m, x, n);
    case 3: return f32_add_scaled(w, m, s, x, n);
    case 4: return f32_scale(w, m, s, n), 0;
    case 5: return f32_copy(w, up ? m + c->by : m, up ? m : m + c->by, n), 0;
    case 6: return f32_argmin(w, m, n);
    case 7: return f32_argmin_magnitude(w, m, n);
    case 8: return f32_oldest(w, m, c->word, n);
    case 9: return f32_store_row(w, m, i, x, d), 0;
    case 10: return f32_fetch_row(w, x, m, i, d), 0;
    case 11: return f32_store_column(w, m, c->j, x, n, d), 0;
    case 12: return f32_dot_row(w, m, i, x, d);
    case 13: return f32_add_scaled_row(w, m, i, s, x, d);
    case 14: return f32_move_row_towards(w, m, i, s, x, d);
    case 15: return f32_inner_products(w, out, m, x, n, d), 0;
    case 16: return f32_squared_distances(w, out, m, x, n, d), 0;
    case 17: return f32_gaussian_row(w, out, m, x, n, d, s), 0;
    case 18: return f32_polynomial_row(w, out, m, x, n, d, s, c->degree), 0;
    case 19: return f32_symmetric_product(w, out, m, x, n), 0;
    case 20: return f32_symmetric_rank_one(w, m, s, x, n);
    case 21: return f32_cholesky(w, m, n);
    case 22: return f32_solve_lower(w, m, x, n), 0;
    case 23: return f32_solve_lower_transposed(w, m, x, n), 0;
    case 24: return f32_invert_factor(w, m, n), 0;
    case 25: return f32_exp(s);
    case 26: return f32_log(s);
    case 27: return f32_cos(s);
    default: return f32_sin(s);
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
