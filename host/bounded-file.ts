import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** Bytes of a scenario, or of another file that is read whole. */
const BYTES_MAX = 1 << 24;
const CHUNK = 1 << 16;

/**
 * Reads a text file of up to 16 MiB, or `most` bytes; the limit is there because a device file may never end. Throws the
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
      if (read === 0) return Buffer.concat(chunks).toString();
      chunks.push(chunk.subarray(0, read));
      bytes += read;
      if (bytes > most) throw tooLarge();
    }
  } finally {
    closeSync(descriptor);
  }
}

function tooLarge(): Error {
  return Object.assign(new Error("too large"), { code: "EFBIG" });
}
