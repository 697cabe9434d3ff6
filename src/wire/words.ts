/** The word at `at`, little-endian, signed. */
export function wordAt(bytes: Uint8Array, at: number): number {
  return bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
}

/** Writes it. */
export function putWord(bytes: Uint8Array, at: number, word: number): void {
  bytes[at] = word;
  bytes[at + 1] = word >>> 8;
  bytes[at + 2] = word >>> 16;
  bytes[at + 3] = word >>> 24;
}

/** Words of a session of a keyed line that are used here, as frame.h has them: the key's words come first. */
export const SESSION_WORD = Object.freeze({ way: 4, made: 5, sent: 6, taken: 7 } as const);
/** Bytes of a tag, and of a check word. */
export const TAG = 8;
export const CHECK = 4;
/** Factors that spread a counter over its word, and gather it again. A flipped bit thus gives a far-off counter. */
const SPREAD = 0x9e3779b1;
const GATHER = 0x0e8b2f51;

/** The mask of the check word of the frame with that counter. */
export function maskCounter(counter: number): number {
  return ~Math.imul(counter, SPREAD);
}

/** The counter of an undamaged frame, from the residue of its check word. */
export function unmaskCounter(residue: number): number {
  return Math.imul(~residue, GATHER) >>> 0;
}
