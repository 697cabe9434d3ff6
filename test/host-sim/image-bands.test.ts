import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host-sim/random.ts";
import { type ImageBands, imageBands } from "../../host-sim/streams/image-bands.ts";
import { WAVELETS } from "../../src/signal/wavelet.ts";

const [WIDTH, HEIGHT] = [8, 6];

function noise(seed: number, count = WIDTH * HEIGHT): number[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => random.normal());
}

function transposed(pixels: ArrayLike<number>, width: number, height: number): number[] {
  return Array.from(
    { length: width * height },
    (_, i) => pixels[(i % height) * width + Math.floor(i / height)],
  );
}

function near(got: ArrayLike<number>, wanted: ArrayLike<number>, what: string): void {
  assert.is(got.length, wanted.length, what);
  for (let i = 0; i < wanted.length; i++)
    assert.ok(Math.abs(got[i] - wanted[i]) < 1e-5, `${what}[${i}]: ${got[i]}, not ${wanted[i]}`);
}

test("Haar's bands are sums and differences of each two by two pixels, halved", () => {
  const pixels = noise(1);
  const bands = imageBands(pixels, WIDTH, HEIGHT, "haar");
  const signs = { LL: [1, 1, 1, 1], LH: [1, 1, -1, -1], HL: [1, -1, 1, -1], HH: [1, -1, -1, 1] };
  for (const [name, [a, b, c, d]] of Object.entries(signs)) {
    const wanted = Array.from({ length: 12 }, (_, i) => {
      const at = 2 * WIDTH * Math.floor(i / 4) + 2 * (i % 4);
      const [p, q, r, s] = [pixels[at], pixels[at + 1], pixels[at + WIDTH], pixels[at + WIDTH + 1]];
      return (a * p + b * q + c * r + d * s) / 2;
    });
    near(bands[name as keyof ImageBands], wanted, name);
  }
});

for (const wavelet of WAVELETS) {
  test(`${wavelet}: of an image on its side LH and HL change places`, () => {
    const pixels = noise(2);
    const upright = imageBands(pixels, WIDTH, HEIGHT, wavelet);
    const onItsSide = imageBands(transposed(pixels, WIDTH, HEIGHT), HEIGHT, WIDTH, wavelet);
    const turned = (band: Float32Array) => transposed(band, WIDTH / 2, HEIGHT / 2);
    near(onItsSide.LL, turned(upright.LL), "LL");
    near(onItsSide.LH, turned(upright.HL), "LH");
    near(onItsSide.HL, turned(upright.LH), "HL");
    near(onItsSide.HH, turned(upright.HH), "HH");
  });

  test(`${wavelet}: a chip of 64 x 64 without structure has no details`, () => {
    const { LL, LH, HL, HH } = imageBands(new Float32Array(4096).fill(0.5), 64, 64, wavelet);
    near(LL, new Float32Array(1024).fill(1), "LL");
    for (const band of [LH, HL, HH]) near(band, new Float32Array(1024), "details");
  });
}

test("what is no image is refused in one line", () => {
  assert.throws(() => imageBands(noise(1), 7, 6, "haar"), /width: got 7; takes an even number >= 2/);
  assert.throws(() => imageBands(noise(1, 47), 8, 6, "haar"), /takes 48 finite numbers .*; got 47/);
  assert.throws(() => imageBands([3e38, 3e38, 3e38, 3e38], 2, 2, "haar"), /takes 4 finite numbers/);
});

test.run();
