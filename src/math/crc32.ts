/** The polynomial of ISO 3309 (zlib, Ethernet), low bit first. */
const POLYNOMIAL = 0xedb88320;

/** Computes a CRC-32. An implementation of the primitives does it the fastest way it has. */
export interface Checksum {
  /**
   * CRC-32 of ISO 3309 of bytes `from` to `to` (exclusive), continuing from the CRC of the bytes before; 0 at
   * the start.
   */
  crc32(bytes: Uint8Array, from: number, to: number, before: number): number;
}

/** CRC-32 of ISO 3309: reflected, all ones before and after. Of the ASCII digits 1 to 9 it is 0xcbf43926. */
export class Crc32 implements Checksum {
  /** The change of the register by each byte: 1024 bytes, made here since a module has no buffers. */
  private readonly table = new Int32Array(256);

  constructor() {
    for (let byte = 0; byte < 256; byte++) {
      let register = byte;
      for (let bit = 0; bit < 8; bit++) register = (register >>> 1) ^ (register & 1 ? POLYNOMIAL : 0);
      this.table[byte] = register;
    }
  }

  crc32(bytes: Uint8Array, from: number, to: number, before: number): number {
    const { table } = this;
    let register = ~before;
    for (let i = from; i < to; i++) register = table[(register ^ bytes[i]) & 255] ^ (register >>> 8);
    return ~register >>> 0;
  }
}
