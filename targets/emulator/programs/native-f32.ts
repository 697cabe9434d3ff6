import type { Primitives } from "../../../src/math/primitives.ts";
import type { Ledger, LedgerSource } from "../../../src/node/ledger.ts";
import type { FrameBytes } from "../../../src/wire/frame-bytes.ts";

/** The C functions of native-f32.c; each finds the memory through `this`, whose first property is `words`. */
declare const f32Natives: Omit<Primitives, "words" | "bits">;
/** The C functions of native-frames.c. */
declare const frameNatives: FrameBytes;
/**
 * The C functions of native-ledger.c; each finds the memory, and the ledger in it, by the first two
 * properties of `this`.
 */
declare const ledgerNatives: Ledger;

function ledger(this: Primitives, at: number): Ledger {
  const made = Object.create(ledgerNatives);
  made.bits = this.bits;
  made.at = at;
  return made;
}

/**
 * The primitives of f32.c on XS. The functions are inherited, so that one more memory costs no more slots.
 */
export function nativeF32(buffer: ArrayBuffer): Primitives & LedgerSource & { readonly frames: FrameBytes } {
  const f32 = Object.create(f32Natives);
  f32.words = new Float32Array(buffer);
  f32.bits = new Uint32Array(buffer);
  f32.frames = frameNatives;
  f32.ledger = ledger;
  return f32;
}
