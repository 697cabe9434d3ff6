import type { Fields, Format } from "../../src/wire/format.ts";
import type { FrameBytes } from "../../src/wire/frame-bytes.ts";

/** Methods of native-frames.c. */
class NativeFrames implements FrameBytes {
  pack(frame: Uint8Array, at: number, format: Format, record: Fields): number {
    return native("motelearn_frame_pack").call(this, frame, at, format, record);
  }

  unpack(frame: Uint8Array, at: number, bytes: number, format: Format, record: Fields): boolean {
    return native("motelearn_frame_unpack").call(this, frame, at, bytes, format, record);
  }

  close(frame: Uint8Array, end: number, seed: number, mask: number): number {
    return native("motelearn_frame_close").call(this, frame, end, seed, mask);
  }

  gather(frame: Uint8Array, length: number, bytes: Uint8Array, from: number, to: number): number {
    return native("motelearn_frame_gather").call(this, frame, length, bytes, from, to);
  }

  unstuff(frame: Uint8Array, length: number): boolean {
    return native("motelearn_frame_unstuff").call(this, frame, length);
  }

  residue(frame: Uint8Array, check: number, seed: number): number {
    return native("motelearn_frame_residue").call(this, frame, check, seed);
  }

  sign(bytes: Uint8Array, from: number, to: number, key: Int32Array, low: number, high: number): void {
    native("motelearn_frame_sign").call(this, bytes, from, to, key, low, high);
  }

  isSigned(bytes: Uint8Array, from: number, to: number, key: Int32Array, low: number, high: number): boolean {
    return native("motelearn_frame_isSigned").call(this, bytes, from, to, key, low, high);
  }

  make(frame: Uint8Array, format: Format, record: Fields, session: Int32Array | undefined): number {
    return native("motelearn_frame_make").call(this, frame, format, record, session);
  }

  read(
    frame: Uint8Array,
    length: number,
    format: Format,
    record: Fields,
    session: Int32Array | undefined,
  ): boolean {
    return native("motelearn_frame_read").call(this, frame, length, format, record, session);
  }
}

/** frame.c's frame operations, on the XS of the Moddable SDK. */
export const NATIVE_FRAMES: FrameBytes = Object.freeze(new NativeFrames());

/** That, with `new`. */
export function nativeFrames(): FrameBytes {
  return NATIVE_FRAMES;
}
