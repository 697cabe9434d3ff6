import { test } from "uvu";
import * as assert from "uvu/assert";
import { type ArithmeticName, arithmeticNamed } from "../../host/arithmetic.ts";
import { Random } from "../../host/random.ts";
import { Layout } from "../../src/memory/layout.ts";
import {
  Features,
  type FeaturesOption,
  featureDimension,
  featureRegions,
} from "../../src/signal/features.ts";

function make(channels: number, option: FeaturesOption, path: ArithmeticName = "typescript") {
  const dimension = featureDimension(channels, option);
  const layout = new Layout([
    ...featureRegions(channels, option),
    { name: "vector", kind: "scratch", words: dimension },
  ]);
  const range = arithmeticNamed(path)!.allocate(layout);
  const features = new Features(layout, range, channels, option);
  const to = layout.at("vector", range);
  const { bits, words } = range.f32;
  return {
    layout,
    extract: (x: ArrayLike<number>) =>
      features.extract(x, to) ? [...words.subarray(to, to + dimension)] : undefined,
    state: () => [...bits.subarray(range.state, range.state + layout.state)],
    spoilScratch: () => words.fill(Number.NaN, range.scratch, range.scratch + layout.scratch),
  };
}

/** |sum x_i e^(-2 pi j f i)|^2 in double precision, by its definition. */
function power(x: readonly number[], f: number): number {
  let [re, im] = [0, 0];
  x.forEach((v, i) => {
    re += v * Math.cos(2 * Math.PI * f * i);
    im += v * Math.sin(2 * Math.PI * f * i);
  });
  return re * re + im * im;
}

/** The features that the docstrings promise, of a wave as float32, in double precision. */
function promised(wave: readonly number[], bands: number, lines: readonly number[]): number[] {
  const n = wave.length;
  const mean = wave.reduce((sum, v) => sum + v, 0) / n;
  const x = wave.map((v) => v - mean);
  const rms = Math.sqrt(x.reduce((sum, v) => sum + v * v, 0) / n);
  const signs = x.map(Math.sign);
  const tapered = x.map((v, i) => 2 * v * Math.sin((Math.PI * i) / n) ** 2);
  const levels = Array.from({ length: bands }, (_, b) => {
    const first = Math.max(1, Math.floor((b * n) / (2 * bands)));
    const end = Math.floor(((b + 1) * n) / (2 * bands));
    let sum = 0;
    for (let k = first; k < end; k++) sum += power(tapered, k / n);
    return Math.log((4 / (3 * n * n)) * sum);
  });
  return [
    ...levels,
    Math.max(...x.map(Math.abs)) / rms,
    signs.filter((sign, i) => i > 0 && sign !== signs[i - 1]).length,
    ...lines.map((f) => Math.log((2 / (n * n)) * power(tapered, f))),
  ];
}

const LINES = [0.013, 0.1, 0.31];
/** A shaft's lines, an offset and noise. */
function vibration(samples: number, seed: number): number[] {
  const random = new Random(seed);
  return Array.from({ length: samples }, (_, i) =>
    Math.fround(
      9.81 +
        Math.sin(2 * Math.PI * 0.013 * i) +
        0.5 * Math.sin(2 * Math.PI * 0.1 * i) +
        0.1 * random.normal(),
    ),
  );
}

function isNear(got: readonly number[] | undefined, wanted: readonly number[], what: string): void {
  assert.is(got?.length, wanted.length);
  for (const [j, v] of got!.entries())
    assert.ok(Math.abs(v - wanted[j]) < 2e-4, `${what}: feature ${j} is ${v}, not ${wanted[j]}`);
}

for (const window of [64, 128, 256, 512]) {
  test(`of ${window} readings: bands, crest factor, crossings and lines as in double precision`, () => {
    const bands = window === 256 ? 7 : 8;
    const { extract } = make(1, { window, bands, lines: LINES });
    const wave = vibration(window + 40, window);
    wave.forEach((reading, t) => {
      const got = extract([reading]);
      if (t < window - 1 || t % 13 !== 0) return;
      isNear(got, promised(wave.slice(t + 1 - window, t + 1), bands, LINES), `sample ${t}`);
    });
  });
}

test("a line of amplitude A has the level ln(A^2 / 2), and so has its band", () => {
  const [A, f] = [3, 20.5 / 256];
  const { extract } = make(256, { window: 256, bands: 8, lines: [f, 0.4], burst: 256 });
  const [b0, b1, , , , , , , crest, crossings, line, beside] = extract(
    Array.from({ length: 256 }, (_, i) => A * Math.sin(2 * Math.PI * f * i)),
  )!;
  const level = Math.log((A * A) / 2);
  assert.ok(Math.abs(line - level) < 1e-3 && Math.abs(b1 - level) < 1e-2, `${line}, ${b1}: ${level}`);
  assert.ok(b0 < level - 8 && beside < level - 15, `${b0}, ${beside}`);
  assert.ok(Math.abs(crest - Math.SQRT2) < 0.03 && crossings === 41, `${crest}, ${crossings}`);
});

test("the bands of white noise have its variance together", () => {
  const { extract } = make(512, { window: 512, bands: 128, burst: 512 });
  const random = new Random(3);
  let sum = 0;
  for (let t = 0; t < 40; t++) {
    const levels = extract(Array.from({ length: 512 }, () => 2 * random.normal()))!.slice(0, 128);
    sum += levels.reduce((all, level) => all + Math.exp(level), 0);
  }
  assert.ok(Math.abs(sum / 40 / 4 - 1) < 0.05, `${sum / 40}`);
});

test("until the window is full its first reading stands for those before it", () => {
  const { extract } = make(16, { window: 64, bands: 4, burst: 16 });
  const wave = vibration(64, 5);
  for (let t = 0; t < 4; t++) {
    const got = extract(wave.slice(16 * t, 16 * t + 16));
    const missing = 64 - 16 * (t + 1);
    isNear(
      got,
      promised([...Array(missing).fill(wave[0]), ...wave.slice(0, 64 - missing)], 4, []),
      `sample ${t}`,
    );
  }
});

test("bursts of any length, and of several sensors, come to the same bits as reading by reading", () => {
  const option = { window: 128, bands: 6, lines: [0.2], standardise: false };
  const [left, right] = [vibration(630, 1), vibration(630, 2)];
  const alone = [left, right].map((wave) => {
    const { extract } = make(1, option);
    return wave.map((reading) => extract([reading])!);
  });
  for (const burst of [1, 7, 90, 126]) {
    const { extract } = make(2 * burst, { ...option, burst });
    for (let t = burst; t <= 630; t += burst) {
      const got = extract([...left.slice(t - burst, t), ...right.slice(t - burst, t)]);
      assert.equal(got, [...alone[0][t - 1], ...alone[1][t - 1]]);
    }
  }
});

test("TypeScript and WebAssembly have the same bits, whatever lay in scratch", () => {
  const option = { window: 256, bands: 8, lines: LINES, burst: 8, standardise: true };
  const [here, there] = [make(16, option), make(16, option, "webassembly")];
  const random = new Random(9);
  for (let t = 0; t < 120; t++) {
    const x = Array.from({ length: 16 }, () => random.normal() * (t % 50 === 3 ? 1e-25 : 1));
    there.spoilScratch();
    assert.equal(here.extract(x), there.extract(x));
  }
  assert.equal(here.state(), there.state());
});

test("a sensor that stands still has the least levels, no crest factor and no crossings", () => {
  const { extract } = make(64, { window: 64, bands: 4, lines: [0.1], burst: 64 });
  const least = Math.fround(-126 * Math.LN2);
  const got = extract(new Array(64).fill(-7.3))!;
  assert.equal(got.slice(4, 6), [0, 0]);
  for (const level of [...got.slice(0, 4), got[6]]) assert.ok(Math.abs(level - least) < 1e-5, `${level}`);
});

test("readings too large for their squares refuse samples until they have left the window, and no other sensor's", () => {
  const option = { window: 64, bands: 4, burst: 16 };
  const [both, alone] = [make(32, option), make(16, option)];
  const quiet = vibration(640, 6);
  for (let t = 0; t < 40; t++) {
    const burst = quiet.slice(16 * t, 16 * t + 16);
    const wanted = alone.extract(burst);
    const got = both.extract([...(t === 7 ? burst.map((v) => 1e30 * v) : burst), ...burst]);
    if (t >= 7 && t < 11) assert.is(got, undefined, `sample ${t}`);
    else assert.equal(got, [...wanted!, ...wanted!]);
  }
});

test("a sample with a reading that isn't finite, or too few of them, changes nothing", () => {
  const { extract, state } = make(4, { window: 64, bands: 4, burst: 2, standardise: true });
  extract([1, 2, 3, 5]);
  const before = state();
  for (const bad of [
    [1, 2],
    [1, 2, 3, Number.NaN],
    [1, 2, 3, 1e39],
    [1, 2, 3, 4, 5],
  ])
    assert.is(extract(bad), undefined);
  assert.equal(state(), before);
});

test("options that don't go together are refused in one line", () => {
  const spectrum = { window: 128, bands: 8 };
  for (const [given, message] of [
    [{ bands: 8 }, "features: option window: got 0; takes one of 64, 128, 256, 512 with bands"],
    [
      { ...spectrum, window: 100 },
      "features: option window: got 100; takes one of 64, 128, 256, 512 with bands",
    ],
    [{ ...spectrum, bands: 33 }, "features: option bands: got 33; takes a whole number >= 1 and <= 32"],
    [{ ...spectrum, bands: 2.5 }, "features: option bands: got 2.5; takes a whole number >= 0 and <= 128"],
    [{ ...spectrum, wavelet: "haar" }, 'features: option wavelet: got "haar"; takes none with bands'],
    [{ ...spectrum, burst: 256 }, "features: option burst: got 256; takes a whole number >= 1 and <= 128"],
    [{ ...spectrum, burst: 4 }, "features: option burst: got 4; takes a divisor of the channels, 6"],
    [
      { ...spectrum, lines: [0.5] },
      "features: option lines: got [0.5]; takes at most 16 numbers > 0 and < 0.5, in cycles a reading",
    ],
    [
      { ...spectrum, lines: null },
      "features: option lines: got null; takes at most 16 numbers > 0 and < 0.5, in cycles a reading",
    ],
    [
      { ...spectrum, lines: new Array(17).fill(0.1) },
      /^features: option lines: got .*; takes at most 16 numbers/,
    ],
    [{ lines: [0.1] }, "features: option lines: got [0.1]; takes none without bands"],
    [{ window: 64, burst: 2 }, "features: option burst: got 2; takes 1 without bands"],
  ] as const) {
    const matches = (error: Error) =>
      error.name === "OptionError" &&
      (typeof message === "string" ? error.message === message : message.test(error.message));
    assert.throws(
      () => featureRegions(6, given as unknown as FeaturesOption),
      matches as unknown as RegExp,
      JSON.stringify(given),
    );
  }
});

test("a spectrum's memory: a window of each sensor is state, one wave and the features are scratch", () => {
  const { layout } = make(64, { window: 256, bands: 8, lines: [0.1], burst: 32 });
  assert.is(layout.state, 2 * (256 + 2));
  assert.is(layout.scratch, 64 + 4 + 256 + 2 * 11);
});

test.run();
