import type { Primitives } from "../../../src/math/primitives.ts";
import type { FrameBytes } from "../../../src/wire/frame-bytes.ts";

/** The C functions of native-f32.c; each finds the memory by `this`, whose first property is `words`. */
declare const f32Natives: Omit<Primitives, "words" | "bits">;
/** The C functions of native-frames.c. */
declare const frameNatives: FrameBytes;

/** The primitives of f32.c on XS. The functions are inherited, so that one more memory costs no more slots. */
export function nativeF32(buffer: ArrayBuffer): Primitives & { readonly frames: FrameBytes } {
  const f32 = Object.create(f32Natives);
  f32.words = new Float32Array(buffer);
  f32.bits = new Uint32Array(buffer);
  f32.frames = frameNatives;
  return f32;
}
