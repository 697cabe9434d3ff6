import { type Checksum, Crc32 } from "../math/crc32.ts";
import type { Fields, Format } from "./format.ts";
import { PortableFrames } from "./portable-frames.ts";

/** Bytes of the buffers of `PortableFrames`, beside its check sum's; C takes none. */
export const FRAMES_BYTES = 4;

/**
 * The byte operations on a frame. `PortableFrames` implements them in TypeScript, frame.c in C for engines that call C; both give the same
 * bytes. A frame to send has its id at byte 2 and its fields from byte 3. A received frame lacks the delimiters: id at byte 1, fields from 2.
 */
export interface FrameBytes {
  /** Writes the record's fields from byte `at`; returns the byte after them. Cuts a rest that is longer than its array. */
  pack(frame: Uint8Array, at: number, format: Format, record: Fields): number;
  /**
   * Reads the record's fields from `bytes` bytes at `at`, which `fit` the format. Fields that an earlier version lacks become
   * 0. Returns false, and leaves the record undefined, if a text isn't printable.
   */
  unpack(frame: Uint8Array, at: number, bytes: number, format: Format, record: Fields): boolean;
  /** Writes the check word of bytes 2..end-1, xor `mask`, at `end`, stuffs and delimits the frame; returns its bytes. */
  close(frame: Uint8Array, end: number, seed: number, mask: number): number;
  /**
   * Appends bytes from..to-1 up to the next zero to the `length` bytes of a frame. Leaves out bytes beyond the frame's room.
   * Returns the zero's index, or `to`.
   */
  gather(frame: Uint8Array, length: number, bytes: Uint8Array, from: number, to: number): number;
  /** Undoes the stuffing of bytes 0..length-1. Returns false, and leaves the bytes undefined, if they aren't stuffed. */
  unstuff(frame: Uint8Array, length: number): boolean;
  /** The word at `check` xor the check sum of bytes 1..check-1, signed: 0 if that is the check sum. */
  residue(frame: Uint8Array, check: number, seed: number): number;
  /** Writes the SipHash-2-4 of two words and of bytes from..to-1 at `to`: 8 bytes. @param key four words. */
  sign(bytes: Uint8Array, from: number, to: number, key: Int32Array, low: number, high: number): void;
  /** True if that hash lies at `to`. */
  isSigned(bytes: Uint8Array, from: number, to: number, key: Int32Array, low: number, high: number): boolean;
  /**
   * Makes the whole frame of the record whose id is at byte 2, on a keyed line as the session's next frame. Returns its length.
   * @param session words, see `Session`; undefined: the line isn't keyed.
   */
  make(frame: Uint8Array, format: Format, record: Fields, session: Int32Array | undefined): number;
  /**
   * The fast path of a received frame: unstuffs its `length` bytes and reads the record's fields. Returns true if the frame is undamaged,
   * exactly as long as the format says and, in a session, the next frame or a later one. After false the frame may still be sound;
   * byte 0 and the record are undefined, and nothing else has changed.
   */
  read(
    frame: Uint8Array,
    length: number,
    format: Format,
    record: Fields,
    session: Int32Array | undefined,
  ): boolean;
}

/** Primitives of an engine that also implement `FrameBytes`. */
export interface FrameSource extends Checksum {
  readonly frames?: FrameBytes;
}

/** The fastest `FrameBytes` that the source has; default: in TypeScript. */
export function chooseFrames(source: FrameSource = new Crc32()): FrameBytes {
  return source.frames ?? new PortableFrames(source);
}
