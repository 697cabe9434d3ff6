/*
 * What a node does with its words at each sample and label, in C: the same words as `PortableLedger` of ledger.ts leaves, which says what
 * each function does. No function reads or writes outside the words that it is given: what lies beyond them is refused by -1.
 */
#ifndef MOTELEARN_LEDGER_H
#define MOTELEARN_LEDGER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where it all lies, in words, and how many; in the order of `LEDGER`. It is some of the words itself. */
typedef struct {
  int32_t cursors, counts, vector, dimension;
  int32_t capacity, sessions, numbers, features;
  int32_t note_words, notes, note;
  int32_t held, window;
  uint32_t lag, lag_max;
} ledger_words;

enum { LEDGER_OUT_OF_TURN = 16 };

/* `at`: the word at which the ledger lies. `number`: what the sample's is. */
int32_t ledger_push(uint32_t *words, int32_t size, int32_t at, uint32_t *number);
int32_t ledger_take(uint32_t *words, int32_t size, int32_t at, uint32_t number, uint32_t sid, uint32_t seq, float y, uint32_t origin);
int32_t ledger_finish(uint32_t *words, int32_t size, int32_t at, uint32_t number, int32_t status, int32_t mistaken);

#ifdef __cplusplus
}
#endif
#endif
