/*
 * A learn in plain C, with f32.c and no engine. Its input is a learner's bound call (see bound.ts), its
 * memory, and the next samples; states.ts writes it, QEMU's loader puts it at HOST. Prints the check sum of
 * the final state, and the mean instructions of a call.
 */
#include <stdio.h>

#include "f32.h"

/* The header from states.ts. The memory follows, then the samples, d components and a label each. */
typedef struct {
  f32_bound bound;
  int32_t local, words, samples, state, stateWords, padding;
} image;

#define IMAGE ((const image *)HOST)

static uint32_t instructions(void) {
  uint32_t low;
  __asm__ volatile(".option push\n.option arch, +zicsr\ncsrr %0, minstret\n.option pop" : "=r"(low)::"memory");
  return low;
}

static __attribute__((noinline)) double learn(float *m, const float *x, double y) {
  f32_copy(m, IMAGE->bound.x, (int32_t)(x - m), IMAGE->bound.d);
  return (IMAGE->local ? f32_learn_local : f32_learn_expansion)(m, &IMAGE->bound, 1, y);
}

int main(void) {
  float *m = (float *)(IMAGE + 1), *sample = m + IMAGE->words;
  int32_t d = IMAGE->bound.d;
  uint32_t spent = 0, before = instructions(), reading = instructions() - before;
  for (int32_t i = 0; i < IMAGE->samples; i++, sample += d + 1) {
    before = instructions();
    learn(m, sample, sample[d]);
    spent += instructions() - before - reading;
  }
  uint32_t sum = f32_crc32((const uint8_t *)(m + IMAGE->state), 0, 4 * IMAGE->stateWords, 0);
  printf("%08x %u\n", (unsigned)sum, (unsigned)(spent / (uint32_t)IMAGE->samples));
  return 0;
}
