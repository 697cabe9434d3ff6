import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { Layout } from "../../src/memory/layout.ts";
import {
  Features,
  type FeaturesOption,
  featureDimension,
  featureRegions,
} from "../../src/signal/features.ts";

function make(channels: number, option: FeaturesOption) {
  const dimension = featureDimension(channels, option);
  const layout = new Layout([
    ...featureRegions(channels, option),
    { name: "vector", kind: "scratch", words: dimension },
  ]);
  const range = layout.ownRange();
  const features = new Features(layout, range, channels, option);
  const to = layout.at("vector", range);
  return {
    features,
    extract: (x: number[]) =>
      features.extract(x, to) ? [...range.f32.words.subarray(to, to + dimension)] : undefined,
    range,
    layout,
  };
}

test("without a window the features are the readings", () => {
  assert.equal(make(3, {}).extract([1, 2, 3]), [1, 2, 3]);
});

test("with a window each reading has its distance from the mean and the peak to peak of the latest samples", () => {
  const { extract } = make(2, { window: 3 });
  const seen: number[][] = [];
  const random = new Random(4);
  for (let t = 0; t < 20; t++) {
    seen.push([random.below(100) / 4, random.below(100) / 4]);
    const got = extract(seen[t]) as number[];
    for (let c = 0; c < 2; c++) {
      const latest = seen.slice(-3).map((x) => x[c]);
      const mean = latest.reduce((sum, v) => sum + v, 0) / latest.length;
      assert.is(got[3 * c], seen[t][c]);
      assert.ok(Math.abs(got[3 * c + 1] - (seen[t][c] - mean)) < 1e-5);
      assert.is(got[3 * c + 2], Math.max(...latest) - Math.min(...latest));
    }
  }
});

test("with a wavelet each reading has the bands of its window, whose first sample stands for those before it", () => {
  const { extract, layout } = make(2, { window: 4, wavelet: "haar" });
  assert.is(layout.regions.find(({ name }) => name === "samples")?.words, 4);
  const seen: number[][] = [];
  for (let t = 0; t < 11; t++) {
    seen.push([t * t, 3 - t]);
    const got = extract(seen[t]) as number[];
    for (let c = 0; c < 2; c++) {
      const x = [3, 2, 1, 0].map((back) => seen[Math.max(t - back, 0)][c]);
      const wanted = [x[0] + x[1], x[2] + x[3], x[0] - x[1], x[2] - x[3]].map((v) => v * Math.SQRT1_2);
      for (let j = 0; j < 4; j++) assert.ok(Math.abs(got[4 * c + j] - wanted[j]) < 1e-5, `${got} ${wanted}`);
    }
  }
});

test("bands are standardised like other features", () => {
  const { extract } = make(1, { window: 8, wavelet: "rbio1.3", standardise: true });
  const random = new Random(5);
  for (let t = 0; t < 200; t++) assert.is(extract([random.normal()])?.length, 8);
});

test("a wavelet that there isn't, and a window that isn't even, are refused by name", () => {
  const bands = (option: object) => () => featureDimension(1, option as FeaturesOption);
  assert.throws(bands({ window: 4, wavelet: "db2" }), /wavelet: got "db2"; takes one of none, haar, rbio1.3/);
  for (const window of [0, 3]) {
    assert.throws(
      bands({ window, wavelet: "haar" }),
      /option window: got \d; takes an even number >= 2 with a wavelet/,
    );
  }
});

test("standardised features have mean 0 and variance 1", () => {
  const { extract } = make(2, { standardise: true });
  const random = new Random(8);
  const out = Array.from(
    { length: 4000 },
    () => extract([100 + 3 * random.normal(), -random.uniform()]) as number[],
  );
  for (let c = 0; c < 2; c++) {
    const late = out.slice(1000).map((z) => z[c]);
    const mean = late.reduce((sum, v) => sum + v, 0) / late.length;
    const variance = late.reduce((sum, v) => sum + (v - mean) ** 2, 0) / late.length;
    assert.ok(Math.abs(mean) < 0.1 && Math.abs(variance - 1) < 0.1, `${mean} ${variance}`);
  }
});

test("a sample that is refused changes nothing", () => {
  for (const wavelet of ["none", "haar"] as const) {
    const { extract, range, layout } = make(2, { window: 4, wavelet, standardise: true });
    extract([1, 2]);
    const state = () => [...range.f32.bits.subarray(0, layout.state)];
    const before = state();
    for (const bad of [[1], [1, 2, 3], [Number.NaN, 1], [1, 1e39]]) assert.is(extract(bad), undefined);
    assert.equal(state(), before);
  }
});

test.run();
