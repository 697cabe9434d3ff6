/* The self-test's calls of the primitives in C: the same vectors, calls and check sums as calls.ts, steps.ts and portable-tests.ts have. */
#ifndef MOTELEARN_SELF_TEST_H
#define MOTELEARN_SELF_TEST_H

#include <stdint.h>

/* Primitives that are tested, each with a hash. */
#define SELF_TEST_PRIMITIVES 59
/* In place of the hash of a primitive that a firmware doesn't link: `UNLINKED` of self-test.ts. */
#define SELF_TEST_UNLINKED 0xffffffffu

/*
 * Runs every primitive on the batch of vectors from `first` on, in the memory from word `at`, and takes what it leaves into its hash. Batches
 * follow each other from vector 0; the hash behind the last one keeps how far numbers are drawn.
 */
void self_test_batch(float *memory, int32_t at, int32_t first, uint32_t *hashes);

#endif
