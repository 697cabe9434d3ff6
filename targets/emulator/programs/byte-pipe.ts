/** A line whose bytes pass one by one: what a peer sends is put in at once, and what the node sends nobody hears. */
export interface BytePipe {
  /** Puts the first `count` bytes, at most 128, on the line, from which `readByte` takes them one by one. */
  carry(bytes: Uint8Array, count: number): void;
  readByte(): number | undefined;
  writeByte(byte: number): void;
  /** Copies the first `count` bytes of `from` to the beginning of `to`, as a line does whose bytes pass in one call. */
  move(to: Uint8Array, from: Uint8Array, count: number): void;
}

/** One in JavaScript, where nobody counts instructions; on XS natives_host.c has one. */
export function bytePipe(): BytePipe {
  const line = new Uint8Array(128);
  let held = 0;
  let taken = 0;
  return {
    carry(bytes, count) {
      line.set(bytes.subarray(0, count));
      held = count;
      taken = 0;
    },
    readByte: () => (taken < held ? line[taken++] : undefined),
    writeByte() {},
    move: (to, from, count) => to.set(from.subarray(0, count)),
  };
}
