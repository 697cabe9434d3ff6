/** A multiple of the polynomial of CRC-32, which is linear: it changes bytes and no sum. */
const POLYNOMIAL = [0x41, 0x06, 0x71, 0xdb, 0x01];

/** Other bytes of the same length and CRC-32: five of them differ, from byte `at` on. */
export function withSameCrc(bytes: Uint8Array, at: number): Uint8Array {
  const changed = bytes.slice();
  for (const [i, byte] of POLYNOMIAL.entries()) changed[at + i] ^= byte;
  return changed;
}
