import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { detectEncoding } from "./text-encoding.ts";

/** Bytes of a scenario, or of another file that is read whole. */
const BYTES_MAX = 1 << 24;
const CHUNK = 1 << 16;

/**
 * Reads a text file, in UTF-8 or UTF-16, of up to 16 MiB, or `most` bytes; the limit is there because a device file may never end. Throws the
 * system's error, and for a larger file an error with code EFBIG.
 */
export function readBounded(path: string, most = BYTES_MAX): string {
  const chunks: Buffer[] = [];
  const descriptor = openSync(path, "r");
  try {
    if (fstatSync(descriptor).size > most) throw tooLarge();
    for (let bytes = 0; ; ) {
      const chunk = Buffer.allocUnsafe(CHUNK);
      const read = readSync(descriptor, chunk);
      if (read === 0) return decode(Buffer.concat(chunks));
      chunks.push(chunk.subarray(0, read));
      bytes += read;
      if (bytes > most) throw tooLarge();
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Without a byte order mark: some editors begin a text with one. */
function decode(bytes: Buffer): string {
  return new TextDecoder(detectEncoding(bytes)).decode(bytes);
}

function tooLarge(): Error {
  return Object.assign(new Error("too large"), { code: "EFBIG" });
}
