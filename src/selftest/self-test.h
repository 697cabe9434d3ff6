/* The self-test of the primitives as C: see self-test.c. */
#ifndef MOTELEARN_SELF_TEST_H
#define MOTELEARN_SELF_TEST_H

#include <stdint.h>

/* In place of the hash of a primitive that a firmware doesn't link: `UNLINKED` of self-test.ts. */
#define SELF_TEST_UNLINKED 0xffffffffu

/*
 * Runs every primitive on the batch of vectors from `first` on, in the memory from word `at`, and takes what it leaves into its hash. Batches
 * follow each other from vector 0; the hash behind the last one keeps how far numbers are drawn.
 */
void self_test_batch(float *memory, int32_t at, int32_t first, uint32_t *hashes);

#endif
