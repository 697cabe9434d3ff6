import { PortableF32 } from "../../src/math/f32.ts";
import { type Wavelet, waveletBands } from "../../src/signal/wavelet.ts";

/** The bands of an image, row by row, half as wide and half as high. */
export interface ImageBands {
  /** approximations */
  readonly LL: Float32Array;
  /** approximations along the rows, details along the columns: horizontal edges */
  readonly LH: Float32Array;
  /** details along the rows, approximations along the columns: vertical edges */
  readonly HL: Float32Array;
  /** details along both: corners, diagonals */
  readonly HH: Float32Array;
}

/**
 * One level of the separable wavelet transform of an image, given row by row: along the rows, then along the columns, as
 * `waveletBands`. osKM's features of radar chips of 64 x 64 are from LH, HL and HH; how its paper comes from 3 x 1024 numbers
 * to its 128 isn't said. Throws a RangeError for sides that aren't even, another number of pixels, or one that float32
 * can't hold the bands of.
 */
export function imageBands(
  pixels: ArrayLike<number>,
  width: number,
  height: number,
  wavelet: Wavelet,
): ImageBands {
  for (const [name, side] of Object.entries({ width, height })) {
    if (Number.isInteger(side) && side >= 2 && side % 2 === 0) continue;
    throw new RangeError(`image: ${name}: got ${side}; takes an even number >= 2`);
  }
  const count = width * height;
  const column = 2 * count;
  const bands = column + height;
  const f32 = new PortableF32(new ArrayBuffer(4 * (bands + height)));
  let whole = f32.load(0, pixels, count);
  for (let y = 0; whole && y < height; y++) {
    whole = waveletBands(f32, count + y * width, y * width, width, wavelet);
  }
  const [halfWidth, halfHeight] = [width / 2, height / 2];
  const [LL, LH, HL, HH] = Array.from({ length: 4 }, () => new Float32Array(count / 4));
  for (let x = 0; whole && x < width; x++) {
    for (let y = 0; y < height; y++) f32.words[column + y] = f32.words[count + y * width + x];
    whole = waveletBands(f32, bands, column, height, wavelet);
    const [low, high] = x < halfWidth ? [LL, LH] : [HL, HH];
    for (let y = 0; y < halfHeight; y++) {
      low[y * halfWidth + (x % halfWidth)] = f32.words[bands + y];
      high[y * halfWidth + (x % halfWidth)] = f32.words[bands + halfHeight + y];
    }
  }
  if (whole) return { LL, LH, HL, HH };
  throw new RangeError(`image: takes ${count} finite numbers whose sums float32 holds; got ${pixels.length}`);
}
