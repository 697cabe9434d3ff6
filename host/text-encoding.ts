/** The encoding that a file's byte order mark names, or zeros beside its first letters show: spreadsheets call UTF-16 Unicode. */
export function detectEncoding([first, second, third, fourth]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (isLetter(first) && second === 0 && isLetter(third) && fourth === 0) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

const isLetter = (byte: number) => byte >= 0x20 && byte < 0x7f;
