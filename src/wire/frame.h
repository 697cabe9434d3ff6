/*
 * What is done to the bytes of a frame, in C: the same bytes as `PortableFrames` of frame-bytes.ts makes, which says what each
 * function does. No function reads or writes outside the bytes that it is given, whatever lies in them; indices and lengths out of
 * range are refused: -1, or 0 where that means no.
 */
#ifndef MOTELEARN_FRAME_H
#define MOTELEARN_FRAME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The letters of a field's type, as `Format.codes` has them. */
enum {
  FRAME_U8 = 'b',
  FRAME_U16 = 'h',
  FRAME_U32 = 'w',
  FRAME_F32 = 'f',
  FRAME_TEXT16 = 't', /* 16 bytes of text, filled up with zeros */
  FRAME_F32S = 'F',
  FRAME_U32S = 'W',
  FRAME_BYTES = 'B', /* the rest, as text */
  FRAME_U8S = 'U',
};

/* Words of a session of a keyed line, as `SESSION_WORD` has them behind the four of its key; other modules' words may follow. */
enum { SESSION_WAY = 4, SESSION_MADE, SESSION_SENT, SESSION_TAKEN, SESSION_WORDS };

/* What the check word of the frame with that counter is masked by, and the counter by the residue of a check word. */
uint32_t frame_mask(uint32_t counter);
uint32_t frame_counter(uint32_t residue);

/* Bytes of a field, or of a rest's element; 0 for no letter of these. */
int32_t frame_size(char code);
/* True if it takes the rest of its frame. */
int32_t frame_is_rest(char code);

/* A number to the bytes at `at` and back; the field lies within the bytes. */
void frame_put(uint8_t *bytes, int32_t at, char code, double value);
double frame_get(const uint8_t *bytes, int32_t at, char code);
/* `count` elements of an array likewise; false, for a text, if it isn't printable. */
void frame_put_array(uint8_t *bytes, int32_t at, char code, const void *elements, int32_t count);
int32_t frame_get_array(const uint8_t *bytes, int32_t at, char code, void *elements, int32_t count);

/* `size`: bytes of the frame. */
int32_t frame_close(uint8_t *frame, int32_t size, int32_t end, uint32_t seed, uint32_t mask);
int32_t frame_gather(uint8_t *frame, int32_t size, int32_t length, const uint8_t *bytes, int32_t from, int32_t to);
int32_t frame_unstuff(uint8_t *frame, int32_t size, int32_t length);
int32_t frame_residue(const uint8_t *frame, int32_t check, uint32_t seed);
/* SipHash-2-4 of two words and of bytes from..to-1. */
uint64_t frame_hash(const uint8_t *bytes, int32_t from, int32_t to, const uint32_t *key, uint32_t low, uint32_t high);

#ifdef __cplusplus
}
#endif
#endif
