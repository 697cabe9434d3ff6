/** SipHash-2-4 as the paper defines it, on 64-bit integers: hex digits of the hash's bytes. */
export function byDefinition(key: Uint8Array, input: Uint8Array): string {
  const u64 = (value: bigint) => BigInt.asUintN(64, value);
  const rotl = (value: bigint, by: bigint) => u64((value << by) | (value >> (64n - by)));
  const padded = new Uint8Array(8 * Math.floor(input.length / 8) + 8);
  padded.set(input);
  padded[padded.length - 1] = input.length;
  const [k0, k1] = new BigUint64Array(key.slice().buffer);
  const v = [
    0x736f6d6570736575n ^ k0,
    0x646f72616e646f6dn ^ k1,
    0x6c7967656e657261n ^ k0,
    0x7465646279746573n ^ k1,
  ];
  const mix = (a: number, b: number, by: bigint) => {
    v[a] = u64(v[a] + v[b]);
    v[b] = rotl(v[b], by) ^ v[a];
  };
  const round = () => {
    mix(0, 1, 13n);
    v[0] = rotl(v[0], 32n);
    mix(2, 3, 16n);
    mix(0, 3, 21n);
    mix(2, 1, 17n);
    v[2] = rotl(v[2], 32n);
  };
  for (const m of new BigUint64Array(padded.buffer)) {
    v[3] ^= m;
    round();
    round();
    v[0] ^= m;
  }
  v[2] ^= 0xffn;
  for (let i = 0; i < 4; i++) round();
  return Buffer.from(BigUint64Array.of(v[0] ^ v[1] ^ v[2] ^ v[3]).buffer).toString("hex");
}
