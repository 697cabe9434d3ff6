#include "ledger.h"
#include <stddef.h>
#include <string.h>

/* Words of a held label. */
#define HELD_WORDS 5

/* `LABEL_STATUS`. */
enum { APPLIED, DUPLICATE, HELD, EXPIRED, SESSION, UNKNOWN, REFUSED, AHEAD, STATUSES = 10 };
/* `NODE_COUNTERS`: labels by what became of them follow the first three. */
enum { SAMPLED, UNREADABLE, UNLABELLED, BY_STATUS, MISTAKEN = BY_STATUS + STATUSES, COUNTERS };
/* The cursors. */
enum { SID, SEQ, LABELLED, DURABLE, CURSORS };

/* True if `count` times `each` words from `at` on lie within `size`. */
static int32_t within(int32_t at, int32_t count, int32_t each, int32_t size) {
  return at >= 0 && count >= 0 && each >= 0 && at <= size && (int64_t)count * each <= size - at;
}

/* The ledger at that word, copied, as what it says could change with what is written. False if anything of it lies beyond the words. */
static int32_t read_ledger(const uint32_t *words, int32_t size, int32_t at, ledger_words *l) {
  if (!within(at, 1, sizeof *l / 4, size)) return 0;
  memcpy(l, words + at, sizeof *l);
  return l->capacity > 0 && l->window > 0 && within(l->cursors, CURSORS, 1, size) && within(l->counts, COUNTERS, 1, size) &&
         within(l->vector, l->dimension, 1, size) && within(l->sessions, l->capacity, 1, size) &&
         within(l->numbers, l->capacity, 1, size) && within(l->features, l->capacity, l->dimension, size) &&
         within(l->notes, l->capacity, l->note_words, size) && within(l->note, l->note_words, 1, size) &&
         within(l->held, l->window, HELD_WORDS, size);
}

/* A NaN's are those that engines write to a Float32Array. */
static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  return value != value ? 0x7fc00000u : bits;
}

static uint32_t *held_at(uint32_t *words, const ledger_words *l, uint32_t number) {
  return words + l->held + HELD_WORDS * (number % (uint32_t)l->window);
}

int32_t ledger_push(uint32_t *words, int32_t size, int32_t at, uint32_t *number) {
  ledger_words l;
  if (!read_ledger(words, size, at, &l)) return -1;
  uint32_t sid = words[l.cursors + SID], seq = ++words[l.cursors + SEQ];
  int32_t slot = (int32_t)(seq % (uint32_t)l.capacity);
  words[l.counts + SAMPLED]++;
  if (words[l.numbers + slot] != 0) words[l.counts + UNLABELLED]++;
  words[l.numbers + slot] = seq;
  words[l.sessions + slot] = sid;
  memmove(words + l.features + slot * l.dimension, words + l.vector, 4 * (size_t)l.dimension);
  memmove(words + l.notes + slot * l.note_words, words + l.note, 4 * (size_t)l.note_words);
  *number = seq;
  return 0;
}

/* Moves words, and leaves zeros. */
static void move(uint32_t *to, uint32_t *from, int32_t count) {
  memmove(to, from, 4 * (size_t)count);
  memset(from, 0, 4 * (size_t)count);
}

/* Takes a sample out of the pending ring; why it isn't there, otherwise. */
static int32_t reach(uint32_t *words, int32_t at, const ledger_words *l, uint32_t sid, uint32_t seq) {
  uint32_t last = words[l->cursors + SEQ];
  int32_t slot = (int32_t)(seq % (uint32_t)l->capacity);
  if (seq == 0 || words[l->numbers + slot] != seq || words[l->sessions + slot] != sid) {
    if (sid != words[l->cursors + SID]) return SESSION;
    return seq == 0 || seq > last ? UNKNOWN : EXPIRED;
  }
  words[l->numbers + slot] = words[l->sessions + slot] = 0;
  move(words + l->vector, words + l->features + slot * l->dimension, l->dimension);
  move(words + l->note, words + l->notes + slot * l->note_words, l->note_words);
  words[at + offsetof(ledger_words, lag) / 4] = last - seq;
  return APPLIED;
}

int32_t ledger_take(uint32_t *words, int32_t size, int32_t at, uint32_t number, uint32_t sid, uint32_t seq, float y, uint32_t origin) {
  ledger_words l;
  if (!read_ledger(words, size, at, &l)) return -1;
  uint64_t labelled = words[l.cursors + LABELLED];
  if (number == labelled + 1) return reach(words, at, &l, sid, seq);
  uint32_t *held = held_at(words, &l, number);
  int32_t status = HELD;
  if (number <= labelled || held[0] == number) status = DUPLICATE;
  else if (number > labelled + (uint32_t)l.window) status = AHEAD;
  else {
    held[0] = number;
    held[1] = sid;
    held[2] = seq;
    held[3] = bits_of(y);
    held[4] = origin;
  }
  words[l.counts + BY_STATUS + status]++;
  return LEDGER_OUT_OF_TURN + status;
}

int32_t ledger_finish(uint32_t *words, int32_t size, int32_t at, uint32_t number, int32_t status, int32_t mistaken) {
  ledger_words l;
  if (!read_ledger(words, size, at, &l) || status < 0 || status >= STATUSES) return -1;
  uint32_t *held = held_at(words, &l, number), *next = held_at(words, &l, number + 1);
  uint32_t *most = words + at + offsetof(ledger_words, lag_max) / 4;
  if (held[0] == number) memset(held, 0, 4 * HELD_WORDS);
  words[l.cursors + LABELLED] = number;
  words[l.counts + BY_STATUS + status]++;
  if (mistaken) words[l.counts + MISTAKEN]++;
  if ((status == APPLIED || status == REFUSED) && l.lag > *most) *most = l.lag;
  return number != 0xffffffffu && next[0] == number + 1;
}
