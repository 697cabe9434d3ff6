/*
 * Calls frame.c for dev/fuzz-frame-bytes.ts: reads calls from standard input, and writes each one's
 * result to standard output. Every buffer has exactly its stated length, so that a sanitizer sees any access
 * beyond it.
 */
#include "../src/wire/frame.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void take(void *to, size_t bytes) {
  if (bytes > 0 && fread(to, bytes, 1, stdin) != 1) exit(1);
}
static int32_t word(void) {
  int32_t value;
  take(&value, 4);
  return value;
}
/* A new buffer, which the caller frees. */
static uint8_t *buffer(int32_t *size) {
  *size = word();
  uint8_t *bytes = malloc((size_t)*size);
  take(bytes, (size_t)*size);
  return bytes;
}
static void give(const void *from, size_t bytes) { fwrite(from, 1, bytes, stdout); }
static void giveWord(int32_t value) { give(&value, 4); }

static void call(int kind, uint8_t *frame, int32_t size, uint8_t *other, int32_t length, const int32_t *given) {
  char code = (char)given[1];
  double value;
  uint64_t hash;
  switch (kind) {
    case 'c': giveWord(frame_close(frame, size, given[0], (uint32_t)given[1], (uint32_t)given[2])); break;
    case 'g': giveWord(frame_gather(frame, size, given[0], other, given[1], length)); break;
    case 'u': giveWord(frame_unstuff(frame, size, given[0])); break;
    case 'r': giveWord(frame_residue(frame, given[0], (uint32_t)given[1])); break;
    case 'h':
      hash = frame_hash(frame, given[0], size, (const uint32_t *)other, (uint32_t)given[1], (uint32_t)given[2]);
      give(&hash, 8);
      break;
    case 'p':
      memcpy(&value, other, 8);
      frame_put(frame, given[0], code, value);
      break;
    case 't':
      value = frame_get(frame, given[0], code);
      give(&value, 8);
      break;
    case 'P': frame_put_array(frame, given[0], code, other, given[2]); break;
    case 'T':
      giveWord(frame_get_array(frame, given[0], code, other, given[2]));
      give(other, (size_t)length);
      break;
  }
}

int main(void) {
  for (int kind = getchar(); kind != EOF; kind = getchar()) {
    int32_t size, length, given[3];
    uint8_t *frame = buffer(&size), *other = buffer(&length);
    for (int i = 0; i < 3; i++) given[i] = word();
    call(kind, frame, size, other, length, given);
    give(frame, (size_t)size);
    free(frame);
    free(other);
  }
  return 0;
}
