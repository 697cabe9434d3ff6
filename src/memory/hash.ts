/** 64 bits over words, as two 32-bit lanes of FNV-1a with different bases: 16 lower-case hex digits. */
export function hashWords(bits: Uint32Array, from: number, words: number): string {
  let a = 0x811c9dc5;
  let b = 0x050c5d1f;
  for (let i = from; i < from + words; i++) {
    const word = bits[i];
    a = Math.imul(a ^ (word & 0xffff), 0x01000193);
    a = Math.imul(a ^ (word >>> 16), 0x01000193);
    b = Math.imul(b ^ word, 0x01000193);
    b ^= b >>> 15;
  }
  return hex(a) + hex(b);
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}
