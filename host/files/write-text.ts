import { writeSync } from "node:fs";

/** Writes the whole text. On a disk with less room the system writes a part first, and reports the error only at the next call. */
export function writeText(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}
