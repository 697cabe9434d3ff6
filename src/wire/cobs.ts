/**
 * Consistent overhead byte stuffing (Cheshire and Baker, IEEE/ACM Trans. Networking 7(2), 1999) of fewer than
 * 254 bytes, in place: one byte more, and no zero among them, so that zero delimits frames.
 */

/** Stuffs bytes from+1..to-1; the result lies at from..to-1. */
export function stuff(bytes: Uint8Array, from: number, to: number): void {
  let code = from;
  for (let i = from + 1; i < to; i++) {
    if (bytes[i] !== 0) continue;
    bytes[code] = i - code;
    code = i;
  }
  bytes[code] = to - code;
}

/**
 * Undoes `stuff`: the result lies at from+1..to-1. Returns false, and leaves the bytes undefined, if `stuff` can't have
 * written from..to-1.
 */
export function unstuff(bytes: Uint8Array, from: number, to: number): boolean {
  let at = from;
  while (at < to) {
    const code = bytes[at];
    bytes[at] = 0;
    if (code === 0) return false;
    at += code;
  }
  return at === to && to > from;
}
