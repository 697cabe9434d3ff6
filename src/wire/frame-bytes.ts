import { type Checksum, Crc32 } from "../math/crc32.ts";
import type { Fields, Format } from "./format.ts";
import { PortableFrames } from "./portable-frames.ts";

/** Bytes of the buffers of `PortableFrames`, beside its check sum's; C takes none. */
export const FRAMES_BYTES = 4;

/**
 * What is done to the bytes of a frame. `PortableFrames` says it in TypeScript, frame.c in C for engines that call C: the same
 * bytes. A frame that is made has its id at byte 2 and its fields from byte 3; one that came, without its delimiters, at 1 and 2.
 */
export interface FrameBytes {
  /** Writes the record's fields from byte `at`; returns the byte after them. A rest longer than its array is cut. */
  pack(frame: Uint8Array, at: number, format: Format, record: Fields): number;
  /**
   * Reads the record's fields from `bytes` bytes at `at`, which `fit` the format; fields that an earlier version doesn't have are
   * 0. False, and the record spoilt, if a text among them isn't printable.
   */
  unpack(frame: Uint8Array, at: number, bytes: number, format: Format, record: Fields): boolean;
  /** Writes the check word of bytes 2..end-1, xor `mask`, at `end`, stuffs and delimits the frame; returns its bytes. */
  close(frame: Uint8Array, end: number, seed: number, mask: number): number;
  /**
   * Appends bytes from..to-1 up to the next zero to the `length` bytes of a frame; what the frame has no room for is left out.
   * Returns the zero's index, or `to`.
   */
  gather(frame: Uint8Array, length: number, bytes: Uint8Array, from: number, to: number): number;
  /** Undoes the stuffing of bytes 0..length-1; false if they aren't stuffed: they are spoilt then. */
  unstuff(frame: Uint8Array, length: number): boolean;
  /** The word at `check` xor the check sum of bytes 1..check-1, signed: 0 if that is the check sum. */
  residue(frame: Uint8Array, check: number, seed: number): number;
  /** Writes the SipHash-2-4 of two words and of bytes from..to-1 at `to`: 8 bytes. @param key four words. */
  sign(bytes: Uint8Array, from: number, to: number, key: Int32Array, low: number, high: number): void;
  /** Whether that hash lies at `to`. */
  isSigned(bytes: Uint8Array, from: number, to: number, key: Int32Array, low: number, high: number): boolean;
  /**
   * Makes the whole frame of the record, whose id is byte 2 then; in that session of a keyed line, as its next frame. Returns its bytes.
   * @param session words, see `Session`; undefined: the line isn't keyed.
   */
  make(frame: Uint8Array, format: Format, record: Fields, session: Int32Array | undefined): number;
  /**
   * Reads the record's fields from the `length` bytes of a received frame, after unstuffing: if nothing damaged it, it
   * is exactly as long as the format says and, in a session, the next one or one after it there. False otherwise: it may be sound all
   * the same; byte 0 and the record are spoilt, and nothing else is changed.
   */
  read(
    frame: Uint8Array,
    length: number,
    format: Format,
    record: Fields,
    session: Int32Array | undefined,
  ): boolean;
}

/** Where an engine's primitives also do what `FrameBytes` says, they have it. */
export interface FrameSource extends Checksum {
  readonly frames?: FrameBytes;
}

/** What does it the fastest way that the source has; default: in TypeScript. */
export function framesOf(source: FrameSource = new Crc32()): FrameBytes {
  return source.frames ?? new PortableFrames(source);
}
