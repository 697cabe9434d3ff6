/*
 * Calls ledger.c for compiled-ledger.ts: reads memories with their calls from standard input, and
 * writes each call's result and the final memory to standard output. A memory has exactly its stated length,
 * so that a sanitizer sees any access beyond it.
 */
#include "../../src/node/ledger.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t word(void) {
  uint32_t value = 0;
  if (fread(&value, 4, 1, stdin) != 1) exit(0);
  return value;
}

static void give(uint32_t value) { fwrite(&value, 4, 1, stdout); }

static int32_t call(uint32_t *words, int32_t size, int32_t at, const uint32_t *given) {
  uint32_t number = 0;
  float y;
  switch (given[0]) {
    case 0: return ledger_push(words, size, at, &number) < 0 ? -1 : (int32_t)number;
    case 1:
      memcpy(&y, &given[4], 4);
      return ledger_take(words, size, at, given[1], given[2], given[3], y, given[5]);
    default: return ledger_finish(words, size, at, given[1], (int32_t)given[2], (int32_t)given[3]);
  }
}

int main(void) {
  for (;;) {
    int32_t size = (int32_t)word(), at = (int32_t)word();
    uint32_t count = word(), given[6];
    uint32_t *words = malloc(4 * (size_t)size);
    for (int32_t i = 0; i < size; i++) words[i] = word();
    for (; count > 0; count--) {
      for (int i = 0; i < 6; i++) given[i] = word();
      give((uint32_t)call(words, size, at, given));
    }
    for (int32_t i = 0; i < size; i++) give(words[i]);
    free(words);
  }
}
