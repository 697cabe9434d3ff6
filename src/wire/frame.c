#include "frame.h"
#include "../math/f32.h"
#include <math.h>
#include <string.h>

#define NAN_BITS 0x7fc00000u /* whatever the engine's own are */
#define TEXT_BYTES 16

static uint32_t word_at(const uint8_t *bytes) {
  return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void put_word(uint8_t *bytes, uint32_t word) {
  bytes[0] = (uint8_t)word;
  bytes[1] = (uint8_t)(word >> 8);
  bytes[2] = (uint8_t)(word >> 16);
  bytes[3] = (uint8_t)(word >> 24);
}

/* ---- fields ---- */

int32_t frame_size(char code) {
  switch (code) {
    case FRAME_U8:
    case FRAME_BYTES:
    case FRAME_U8S: return 1;
    case FRAME_U16: return 2;
    case FRAME_U32:
    case FRAME_F32:
    case FRAME_F32S:
    case FRAME_U32S: return 4;
    case FRAME_TEXT16: return TEXT_BYTES;
  }
  return 0;
}

int32_t frame_is_rest(char code) {
  return code == FRAME_F32S || code == FRAME_U32S || code == FRAME_BYTES || code == FRAME_U8S;
}

/* ECMAScript's ToUint32. */
static uint32_t whole(double value) {
  if (value >= 0 && value <= 4294967295.0) return (uint32_t)value;
  if (value > -9e15 && value < 9e15) return (uint32_t)(int64_t)value;
  return isfinite(value) ? (uint32_t)(int64_t)fmod(value, 4294967296.0) : 0;
}

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  return isnan(value) ? NAN_BITS : bits;
}

void frame_put(uint8_t *bytes, int32_t at, char code, double value) {
  if (code == FRAME_F32) {
    put_word(bytes + at, bits_of((float)value));
    return;
  }
  uint32_t word = whole(value);
  if (code == FRAME_U32) {
    put_word(bytes + at, word);
    return;
  }
  bytes[at] = (uint8_t)word;
  if (code == FRAME_U16) bytes[at + 1] = (uint8_t)(word >> 8);
}

double frame_get(const uint8_t *bytes, int32_t at, char code) {
  if (code == FRAME_U8) return bytes[at];
  if (code == FRAME_U16) return bytes[at] | bytes[at + 1] << 8;
  uint32_t word = word_at(bytes + at);
  if (code == FRAME_U32) return word;
  float value;
  memcpy(&value, &word, 4);
  return isnan(value) ? NAN : value;
}

void frame_put_array(uint8_t *bytes, int32_t at, char code, const void *elements, int32_t count) {
  int32_t size = code == FRAME_TEXT16 ? 1 : frame_size(code);
  if (size == 1) {
    memcpy(bytes + at, elements, (size_t)count);
    return;
  }
  for (int32_t i = 0; i < count; i++) {
    uint32_t word;
    memcpy(&word, (const uint8_t *)elements + 4 * i, 4);
    if (code == FRAME_F32S && (word & 0x7fffffff) > 0x7f800000) word = NAN_BITS;
    put_word(bytes + at + 4 * i, word);
  }
}

static int32_t printable(const uint8_t *text, int32_t length, int32_t filled) {
  if (filled)
    while (length > 0 && text[length - 1] == 0) length--;
  for (int32_t i = 0; i < length; i++)
    if (text[i] < 0x20 || text[i] > 0x7e) return 0;
  return 1;
}

int32_t frame_get_array(const uint8_t *bytes, int32_t at, char code, void *elements, int32_t count) {
  int32_t size = code == FRAME_TEXT16 ? 1 : frame_size(code);
  if (size == 1) {
    memcpy(elements, bytes + at, (size_t)count);
    if (code == FRAME_U8S) return 1;
    return printable(elements, count, code == FRAME_TEXT16);
  }
  for (int32_t i = 0; i < count; i++) {
    uint32_t word = word_at(bytes + at + 4 * i);
    if (code == FRAME_F32S && (word & 0x7fffffff) > 0x7f800000) word = NAN_BITS;
    memcpy((uint8_t *)elements + 4 * i, &word, 4);
  }
  return 1;
}

/* ---- frames ---- */

int32_t frame_close(uint8_t *frame, int32_t size, int32_t end, uint32_t seed, uint32_t mask) {
  if (end < 2 || size < 7 || end > size - 5) return -1;
  int32_t delimiter = end + 4, code = 1;
  put_word(frame + end, f32_crc32(frame, 2, end, seed) ^ mask);
  for (int32_t i = 2; i < delimiter; i++) {
    if (frame[i] != 0) continue;
    frame[code] = (uint8_t)(i - code);
    code = i;
  }
  frame[code] = (uint8_t)(delimiter - code);
  frame[0] = frame[delimiter] = 0;
  return delimiter + 1;
}

int32_t frame_gather(uint8_t *frame, int32_t size, int32_t length, const uint8_t *bytes, int32_t from, int32_t to) {
  const uint8_t *end = memchr(bytes + from, 0, (size_t)(to - from));
  int32_t come = end ? (int32_t)(end - (bytes + from)) : to - from;
  if (length >= 0 && length < size) memcpy(frame + length, bytes + from, (size_t)(come < size - length ? come : size - length));
  return from + come;
}

int32_t frame_unstuff(uint8_t *frame, int32_t size, int32_t length) {
  int32_t at = 0;
  if (length < 1 || length > size) return 0;
  while (at < length) {
    uint8_t code = frame[at];
    frame[at] = 0;
    if (code == 0) return 0;
    at += code;
  }
  return at == length;
}

int32_t frame_residue(const uint8_t *frame, int32_t check, uint32_t seed) {
  return (int32_t)(word_at(frame + check) ^ f32_crc32(frame, 1, check, seed));
}

uint32_t frame_mask(uint32_t counter) {
  return ~(counter * 0x9e3779b1u);
}

uint32_t frame_counter(uint32_t residue) {
  return ~residue * 0x0e8b2f51u;
}

/* ---- SipHash-2-4 (Aumasson and Bernstein, INDOCRYPT 2012) ---- */

#define ROTATED(x, by) ((x) << (by) | (x) >> (64 - (by)))

static void rounds(uint64_t v[4], int count) {
  while (count-- > 0) {
    v[0] += v[1];
    v[1] = ROTATED(v[1], 13) ^ v[0];
    v[0] = ROTATED(v[0], 32);
    v[2] += v[3];
    v[3] = ROTATED(v[3], 16) ^ v[2];
    v[0] += v[3];
    v[3] = ROTATED(v[3], 21) ^ v[0];
    v[2] += v[1];
    v[1] = ROTATED(v[1], 17) ^ v[2];
    v[2] = ROTATED(v[2], 32);
  }
}

static void block(uint64_t v[4], uint64_t m) {
  v[3] ^= m;
  rounds(v, 2);
  v[0] ^= m;
}

uint64_t frame_hash(const uint8_t *bytes, int32_t from, int32_t to, const uint32_t *key, uint32_t low, uint32_t high) {
  uint64_t k0 = key[0] | (uint64_t)key[1] << 32, k1 = key[2] | (uint64_t)key[3] << 32;
  uint64_t v[4] = {k0 ^ 0x736f6d6570736575u, k1 ^ 0x646f72616e646f6du, k0 ^ 0x6c7967656e657261u, k1 ^ 0x7465646279746573u};
  uint64_t last = (uint64_t)(uint8_t)(8 + to - from) << 56;
  block(v, low | (uint64_t)high << 32);
  for (; from + 8 <= to; from += 8) block(v, word_at(bytes + from) | (uint64_t)word_at(bytes + from + 4) << 32);
  for (int32_t i = 0; from + i < to; i++) last |= (uint64_t)bytes[from + i] << 8 * i;
  block(v, last);
  v[2] ^= 0xff;
  rounds(v, 4);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}
