/**
 * A line whose bytes pass one by one or in one call. A peer's bytes arrive at once; nobody receives the
 * node's.
 */
export interface BytePipe {
  /** Puts the first `count` bytes, at most 128, on the line, from which `readByte` takes them one by one. */
  carry(bytes: Uint8Array, count: number): void;
  readByte(): number | undefined;
  writeByte(byte: number): void;
  /** Moves received bytes to the beginning of `to`, and takes bytes from..to-1, as a `BytePort` does. */
  read(to: Uint8Array): number;
  write(bytes: Uint8Array, from: number, to: number): number;
}

/**
 * Such a line in JavaScript, for Node and Moddable's Linux program; it allocates nothing. On npm's XS it is
 * in natives_host.c.
 */
export function bytePipe(): BytePipe {
  const line = new Uint8Array(128);
  let held = 0;
  let taken = 0;
  return {
    carry(bytes, count) {
      for (let i = 0; i < count; i++) line[i] = bytes[i];
      held = count;
      taken = 0;
    },
    readByte: () => (taken < held ? line[taken++] : undefined),
    writeByte() {},
    read(to) {
      const count = Math.min(to.length, held - taken);
      for (let i = 0; i < count; i++) to[i] = line[taken++];
      return count;
    },
    write: (_bytes, from, to) => to - from,
  };
}
