/** 64 bits over words, as two 32-bit lanes of FNV-1a with different bases. */
export class WordHash {
  private a = 0x811c9dc5;
  private b = 0x050c5d1f;

  /** Takes the low 32 bits of a word. */
  take(word: number): void {
    this.a = Math.imul(this.a ^ (word & 0xffff), 0x01000193);
    this.a = Math.imul(this.a ^ (word >>> 16), 0x01000193);
    this.b = Math.imul(this.b ^ word, 0x01000193);
    this.b ^= this.b >>> 15;
  }

  /** 16 lower-case hex digits. */
  get digits(): string {
    return hex(this.a) + hex(this.b);
  }
}

/** The `WordHash` of that many words from word `from` on. */
export function hashWords(bits: Uint32Array, from: number, words: number): string {
  const hash = new WordHash();
  for (let i = from; i < from + words; i++) hash.take(bits[i]);
  return hash.digits;
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0");
}
