/*
 * Times primitives compiled for this machine. Link with src/math/f32.c and -lm. Arguments: rows and
 * components, in pairs; prints for each pair the nanoseconds of one squared_distances and of one
 * gaussian_row: medians over rounds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "f32.h"

enum { ROUNDS = 9, ROUND_NS = 12000000 };

static double nanoseconds(float *m, int32_t n, int32_t d, int gaussian, long calls) {
  struct timespec start, end;
  int32_t x = 0, out = d, rows = d + ((n + 3) & ~3);
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (long i = 0; i < calls; i++) {
    if (gaussian)
      f32_gaussian_row(m, out, rows, x, n, d, 0.01);
    else
      f32_squared_distances(m, out, rows, x, n, d);
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  return (double)(end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec);
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(float *m, int32_t n, int32_t d, int gaussian) {
  double costs[ROUNDS];
  long calls = 16;
  while (nanoseconds(m, n, d, gaussian, calls) < ROUND_NS) calls *= 2;
  for (int i = 0; i < ROUNDS; i++) costs[i] = nanoseconds(m, n, d, gaussian, calls) / (double)calls;
  qsort(costs, ROUNDS, sizeof costs[0], ascending);
  return costs[ROUNDS / 2];
}

int main(int count, char **given) {
  for (int i = 1; i + 1 < count; i += 2) {
    int32_t n = atoi(given[i]), d = atoi(given[i + 1]);
    int32_t words = d + (d + 1) * ((n + 3) & ~3);
    float *m = malloc((size_t)words * sizeof(float));
    if (!m) return 1;
    for (int32_t k = 0; k < words; k++) m[k] = (float)(k % 17) / 17.0f;
    printf("%f %f\n", median(m, n, d, 0), median(m, n, d, 1));
    free(m);
  }
  return 0;
}
