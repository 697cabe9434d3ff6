/** The eight words of an IPv6 address; undefined if it isn't one. */
function parseIpv6(address: string): readonly number[] | undefined {
  const [plain] = address.split("%"); // a zone, the interface of a link-local address, follows it
  const numbers = plain.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes) => {
    const [a, b, c, d] = bytes.map(Number);
    return `${(256 * a + b).toString(16)}:${(256 * c + d).toString(16)}`;
  });
  const [head, tail] = numbers.split("::").map((part) => (part === "" ? [] : part.split(":")));
  const zeros = tail === undefined ? 0 : 8 - head.length - tail.length;
  if (zeros < 0) return undefined;
  const words = [...head, ...Array<string>(zeros).fill("0"), ...(tail ?? [])].map((word) =>
    parseInt(word, 16),
  );
  return words.length === 8 && words.every((word) => word <= 0xffff) ? words : undefined;
}

/**
 * The network of one owner, for limits: an IPv4 address itself, also where it is written as IPv6 (::ffff:192.0.2.1), else the first 64 bits,
 * as an owner of one IPv6 address usually has 2^64.
 *
 *     networkPrefix("2001:db8::1") // "2001:db8:0:0"
 */
export function networkPrefix(address: string): string {
  const words = address.includes(":") ? parseIpv6(address) : undefined;
  if (!words) return address;
  const isIpv4 = words[5] === 0xffff && words.slice(0, 5).every((word) => word === 0);
  if (isIpv4) return [words[6] >> 8, words[6] & 255, words[7] >> 8, words[7] & 255].join(".");
  return words
    .slice(0, 4)
    .map((word) => word.toString(16))
    .join(":");
}
