import { createHash } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import { isJsonObject } from "./json.ts";

/** Bytes of a file that are hashed at a time: a file may be longer than a buffer can be. */
const HASHED_BYTES = 1 << 20;

/** JSON whose objects have their keys in order: equal values give equal text. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each) =>
    isJsonObject(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  );
}

/** The hash of a text or of bytes, 64 hexadecimal digits. */
export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

/** The hash of a file's contents, however long, 64 hexadecimal digits. */
export function fileHash(path: string): string {
  const hash = createHash("sha256");
  const piece = Buffer.allocUnsafe(HASHED_BYTES);
  const file = openSync(path, "r");
  try {
    for (let read = -1; read !== 0; ) {
      read = readSync(file, piece);
      hash.update(piece.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
  return hash.digest("hex");
}

/** A run's name in tables and stores: 32 hexadecimal digits, a hash of everything that determines its outcome. */
export function identity(of: unknown): string {
  return sha256(canonical(of)).slice(0, 32);
}
