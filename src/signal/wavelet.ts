import type { Primitives } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";

/** Wavelets by their usual names. */
export const WAVELETS = frozen([
  /** Haar: orthonormal, filters of 2; details of a constant are 0 */
  "haar",
  /** reverse biorthogonal 1.3: Haar's low-pass; details of a parabola are 0, by a high-pass of 6 */
  "rbio1.3",
] as const);

/** The name of one of `WAVELETS`. */
export type Wavelet = (typeof WAVELETS)[number];

/** No literal where samples pass: XS copies one each time that it is evaluated. */
const HAAR: Wavelet = "haar";
/** Factor, in a detail, of the difference of the approximations on either side. */
const LIFT = 1 / 8;

/**
 * One level of a wavelet transform of the n samples x at word `from` (n even, >= 2), by lifting, to the n words at `to`,
 * which lie apart: n/2 approximations s, then n/2 details d:
 *
 *     haar:     s_l = (x_2l + x_(2l+1)) / sqrt 2;   d_l = (x_2l - x_(2l+1)) / sqrt 2
 *     rbio1.3:  the same s;   d_l += (s_(l+1) - s_(l-1)) / 8,   s_(-1) = s_0, s_(n/2) = s_(n/2-1)
 *
 * which are the filters of the tables, on samples mirrored at the ends, so that n samples have n numbers. The samples follow
 * from them: subtract what was added to d, then x_2l, x_(2l+1) = (s_l +- d_l) / sqrt 2. Sums are
 * float32. False, and the words at `to` are undefined, if float32 can't hold a result. Daubechies, Sweldens: Factoring wavelet transforms
 * into lifting steps, 1998.
 */
export function waveletBands(
  f32: Primitives,
  to: number,
  from: number,
  n: number,
  wavelet: Wavelet,
): boolean {
  const { words } = f32;
  const h = n >> 1;
  const details = to + h;
  for (let l = 0; l < h; l++) {
    words[to + l] = words[from + 2 * l + 1];
    words[details + l] = words[from + 2 * l];
  }
  f32.scale(to, Math.SQRT1_2, n);
  const apart =
    f32.addScaled(details, -1, to, h) && f32.addScaled(to, 1, to, h) && f32.addScaled(to, 1, details, h);
  return apart && (wavelet === HAAR || lift(f32, details, to, h));
}

/** d_l += (s_(l+1) - s_(l-1)) / 8, l = 0..h-1, s mirrored at its ends. */
function lift(f32: Primitives, d: number, s: number, h: number): boolean {
  const last = h - 1;
  return (
    f32.addScaled(d, -LIFT, s, 1) &&
    f32.addScaled(d + 1, -LIFT, s, last) &&
    f32.addScaled(d, LIFT, s + 1, last) &&
    f32.addScaled(d + last, LIFT, s + last, 1)
  );
}
