/*
 * A prediction in plain C, with the primitives of f32.c and no engine: checks the input, decides, checks the
 * decision. states.ts writes the learner's memory and its offsets, and QEMU's loader puts them at IMAGE.
 * Prints the decision's bits and the instructions of the call.
 */
#include <stdio.h>

#include "f32.h"

enum { EXPANSION, LOCAL };

/* The header from states.ts; offsets are in words of the memory, which follows. */
typedef struct {
  double gamma;
  double constant;
  int32_t form, d, sample, input;
  /* f(x) = sum_i a_i k(c_i, x) + constant + sign memory[term], of n rows; sign 0: no term */
  int32_t n, rows, coefficients, row, term, sign;
  /* f(x) = (w + u_i).x, i the nearest of n prototypes, which are `rows`; `row` takes their distances */
  int32_t w, u, nextU, padding;
} image;

#define IMAGE ((image *)0x80f00000)

static double expansion(const image *c, float *m) {
  f32_gaussian_row(m, c->row, c->rows, c->input, c->n, c->d, c->gamma);
  double f = f32_dot(m, c->coefficients, c->row, c->n);
  if (c->constant != 0) f += c->constant;
  return c->sign ? f + c->sign * (double)m[c->term] : f;
}

static double local(const image *c, float *m) {
  f32_squared_distances(m, c->row, c->rows, c->input, c->n, c->d);
  int32_t i = f32_argmin(m, c->row, c->n);
  f32_fetch_row(m, c->nextU, c->u, i, c->d);
  return f32_dot(m, c->w, c->input, c->d) + f32_dot(m, c->nextU, c->input, c->d);
}

static __attribute__((noinline)) double predict(const image *c, float *m) {
  f32_copy(m, c->input, c->sample, c->d);
  if (!f32_finite(m, c->input, c->d)) return __builtin_nan("");
  double decision = c->form == EXPANSION ? expansion(c, m) : local(c, m);
  return __builtin_isfinite(decision) ? decision : __builtin_nan("");
}

static uint32_t instructions(void) {
  uint32_t low;
  __asm__ volatile(".option push\n.option arch, +zicsr\ncsrr %0, minstret\n.option pop" : "=r"(low)::"memory");
  return low;
}

int main(void) {
  union {
    double value;
    uint64_t bits;
  } decision;
  float *memory = (float *)(IMAGE + 1);
  uint32_t before = instructions(), between = instructions();
  decision.value = predict(IMAGE, memory);
  uint32_t after = instructions();
  printf("%08x%08x %u\n", (unsigned)(decision.bits >> 32), (unsigned)decision.bits,
         (unsigned)(after - between - (between - before)));
  return 0;
}
