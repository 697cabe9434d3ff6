/*
 * The random calls of fuzz-math-calls.h as a program: it prints a line for each primitive, with the digest of each `block` calls. Link with
 * src/math/f32.c and -lm. Arguments: seed, number of the first call, calls, block.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "f32.h"

/* What the calls take beside the memory; fuzz-math-calls.ts has it in TypeScript. */

static double doubles[68];

static uint32_t times(uint32_t a, uint32_t b) { return a * b; }
static int32_t quotient(int32_t a, int32_t b) { return a / b; }
static void set_bits(float *m, int32_t at, uint32_t bits) { memcpy(m + at, &bits, 4); }

static uint32_t read_bits(const float *m, int32_t at) {
  uint32_t bits;
  memcpy(&bits, m + at, 4);
  return bits;
}

static void set_double(int32_t at, uint32_t high, uint32_t low) {
  uint64_t bits = (uint64_t)high << 32 | low;
  memcpy(doubles + at, &bits, 8);
}

static const uint8_t *bytes_from(const float *m, int32_t at) { return (const uint8_t *)(m + at); }

/* The word of an input that a primitive takes from outside the memory: it lies where the primitive puts it. */
static int32_t taken(float *m, int32_t to, int32_t from, int32_t n) {
  f32_copy(m, to, from, n);
  return to;
}

static int32_t load_doubles(float *m, int32_t to, int32_t n) {
  for (int32_t j = 0; j < n; j++) m[to + j] = (float)doubles[j];
  return f32_finite(m, to, n);
}

#include "fuzz-math-calls.h"

static uint32_t canonical(uint32_t word) { return (word & 0x7fffffffu) > 0x7f800000u ? 0x7fc00000u : word; }

int main(int count, char **given) {
  static float memory[WORDS];
  if (count < 5) return 2;
  uint32_t seed = (uint32_t)strtoul(given[1], 0, 10), first = (uint32_t)strtoul(given[2], 0, 10);
  uint32_t calls = (uint32_t)strtoul(given[3], 0, 10), block = (uint32_t)strtoul(given[4], 0, 10);
  for (int32_t primitive = 0; primitive < PRIMITIVES; primitive++) {
    uint32_t hash = 0x811c9dc5u;
    for (uint32_t k = 0; k < calls; k++) {
      Call c;
      draw(memory, &c, seed, primitive, first + k);
      float result = (float)run(memory, primitive, &c);
      hash = (hash ^ canonical(read_bits(&result, 0))) * 0x01000193u;
      for (int32_t at = 0; at < c.end; at++) hash = (hash << 13 ^ hash >> 19 ^ canonical(read_bits(memory, at))) * 0x01000193u;
      if ((k + 1) % block != 0 && k + 1 < calls) continue;
      printf("%08x ", (unsigned)hash);
      hash = 0x811c9dc5u;
    }
    printf("\n");
  }
  return 0;
}
