/**
 * SipHash-2-4 (Aumasson and Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012), a keyed hash of 64 bits. Each
 * 64-bit word is two 32-bit halves, added in limbs of 16 bits: no sum leaves the integers of an engine, whose other
 * numbers a chip without floating point computes slowly. Nothing is allocated after construction.
 *
 *     const sip = new SipHash();
 *     sip.start(key);
 *     sip.finish(bytes, 0, bytes.length);
 *     sip.low, sip.high // the hash's first and last four bytes
 */
export class SipHash {
  /** The last hash, little-endian: its first and last 32 bits, signed. */
  low = 0;
  high = 0;
  /** v0..v3 of the paper: low halves, then, in capitals, high ones. */
  private v0 = 0;
  private V0 = 0;
  private v1 = 0;
  private V1 = 0;
  private v2 = 0;
  private V2 = 0;
  private v3 = 0;
  private V3 = 0;
  private blocks = 0;

  /** Begins a hash. @param key four words, little-endian. */
  start(key: Int32Array): void {
    this.v0 = key[0] ^ 0x70736575;
    this.V0 = key[1] ^ 0x736f6d65;
    this.v1 = key[2] ^ 0x6e646f6d;
    this.V1 = key[3] ^ 0x646f7261;
    this.v2 = key[0] ^ 0x6e657261;
    this.V2 = key[1] ^ 0x6c796765;
    this.v3 = key[2] ^ 0x79746573;
    this.V3 = key[3] ^ 0x74656462;
    this.blocks = 0;
  }

  /** Hashes two words and bytes from..to-1. */
  hash(bytes: Uint8Array, from: number, to: number, key: Int32Array, low: number, high: number): void {
    this.start(key);
    this.block(low | 0, high | 0);
    this.finish(bytes, from, to);
  }

  /** Takes eight bytes of the input: two words, little-endian. */
  block(low: number, high: number): void {
    this.v3 ^= low;
    this.V3 ^= high;
    this.rounds(2);
    this.v0 ^= low;
    this.V0 ^= high;
    this.blocks++;
  }

  /** Takes the input's last bytes, from..to-1, and leaves the hash in `low` and `high`. */
  finish(bytes: Uint8Array, from: number, to: number): void {
    let at = from;
    for (; at + 8 <= to; at += 8) this.block(wordAt(bytes, at, to), wordAt(bytes, at + 4, to));
    const length = 8 * this.blocks + to - at;
    this.close(wordAt(bytes, at, to), wordAt(bytes, at + 4, to) | (length << 24));
  }

  /** Ends an input of whole blocks. */
  end(): void {
    this.close(0, (8 * this.blocks) << 24);
  }

  private close(low: number, high: number): void {
    this.block(low, high);
    this.v2 ^= 0xff;
    this.rounds(4);
    this.low = this.v0 ^ this.v1 ^ this.v2 ^ this.v3;
    this.high = this.V0 ^ this.V1 ^ this.V2 ^ this.V3;
  }

  private rounds(count: number): void {
    let { v0, V0, v1, V1, v2, V2, v3, V3 } = this;
    let s = 0;
    let t = 0;
    for (let i = 0; i < count; i++) {
      // v0 += v1; v1 <<<= 13; v1 ^= v0; v0 <<<= 32
      s = (v0 & 0xffff) + (v1 & 0xffff);
      t = (v0 >>> 16) + (v1 >>> 16) + (s >>> 16);
      v0 = (t << 16) | (s & 0xffff);
      s = (V0 & 0xffff) + (V1 & 0xffff) + (t >>> 16);
      V0 = (((V0 >>> 16) + (V1 >>> 16) + (s >>> 16)) << 16) | (s & 0xffff);
      s = ((v1 << 13) | (V1 >>> 19)) ^ v0;
      V1 = ((V1 << 13) | (v1 >>> 19)) ^ V0;
      v1 = s;
      s = v0;
      v0 = V0;
      V0 = s;
      // v2 += v3; v3 <<<= 16; v3 ^= v2
      s = (v2 & 0xffff) + (v3 & 0xffff);
      t = (v2 >>> 16) + (v3 >>> 16) + (s >>> 16);
      v2 = (t << 16) | (s & 0xffff);
      s = (V2 & 0xffff) + (V3 & 0xffff) + (t >>> 16);
      V2 = (((V2 >>> 16) + (V3 >>> 16) + (s >>> 16)) << 16) | (s & 0xffff);
      s = ((v3 << 16) | (V3 >>> 16)) ^ v2;
      V3 = ((V3 << 16) | (v3 >>> 16)) ^ V2;
      v3 = s;
      // v0 += v3; v3 <<<= 21; v3 ^= v0
      s = (v0 & 0xffff) + (v3 & 0xffff);
      t = (v0 >>> 16) + (v3 >>> 16) + (s >>> 16);
      v0 = (t << 16) | (s & 0xffff);
      s = (V0 & 0xffff) + (V3 & 0xffff) + (t >>> 16);
      V0 = (((V0 >>> 16) + (V3 >>> 16) + (s >>> 16)) << 16) | (s & 0xffff);
      s = ((v3 << 21) | (V3 >>> 11)) ^ v0;
      V3 = ((V3 << 21) | (v3 >>> 11)) ^ V0;
      v3 = s;
      // v2 += v1; v1 <<<= 17; v1 ^= v2; v2 <<<= 32
      s = (v2 & 0xffff) + (v1 & 0xffff);
      t = (v2 >>> 16) + (v1 >>> 16) + (s >>> 16);
      v2 = (t << 16) | (s & 0xffff);
      s = (V2 & 0xffff) + (V1 & 0xffff) + (t >>> 16);
      V2 = (((V2 >>> 16) + (V1 >>> 16) + (s >>> 16)) << 16) | (s & 0xffff);
      s = ((v1 << 17) | (V1 >>> 15)) ^ v2;
      V1 = ((V1 << 17) | (v1 >>> 15)) ^ V2;
      v1 = s;
      s = v2;
      v2 = V2;
      V2 = s;
    }
    this.v0 = v0;
    this.V0 = V0;
    this.v1 = v1;
    this.V1 = V1;
    this.v2 = v2;
    this.V2 = V2;
    this.v3 = v3;
    this.V3 = V3;
  }
}

/** Four bytes at `at` as a word, little-endian; bytes from `to` on count as zeros. */
function wordAt(bytes: Uint8Array, at: number, to: number): number {
  if (at + 4 <= to) return bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
  let word = 0;
  for (let i = 0; at + i < to; i++) word |= bytes[at + i] << (8 * i);
  return word;
}
