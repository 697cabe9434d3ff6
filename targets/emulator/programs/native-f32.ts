import type { Primitives } from "../../../src/math/primitives.ts";

/** The C functions of native-f32.c; each finds the memory by `this`, whose first property is `words`. */
declare const f32Natives: Omit<Primitives, "words" | "bits">;

/** The primitives of f32.c on XS. The functions are inherited, so that one more memory costs no more slots. */
export function nativeF32(buffer: ArrayBuffer): Primitives {
  const f32 = Object.create(f32Natives);
  f32.words = new Float32Array(buffer);
  f32.bits = new Uint32Array(buffer);
  return f32;
}
