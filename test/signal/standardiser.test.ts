import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { PortableF32 } from "../../src/math/f32.ts";
import { Layout } from "../../src/memory/layout.ts";
import { Standardiser, type StandardiserOptions } from "../../src/signal/standardiser.ts";
import * as fc from "../properties.ts";

const MOMENTS = ["mean", "meanRest", "variance", "count", "run"] as const;

/** A standardiser in a memory with room for one vector behind it. */
function withVector(options: StandardiserOptions) {
  const layout = Standardiser.layout(options);
  const f32 = new PortableF32(new ArrayBuffer(layout.bytes + 4 * options.dimension));
  const standardiser = new Standardiser({ ...options, memory: layout.range(f32) });
  const x = layout.bytes / 4;
  const vector = (word: number) => Array.from(f32.words.subarray(word, word + options.dimension));
  return {
    standardiser,
    f32,
    layout,
    /** Standardises those values; undefined if they are refused. */
    take(values: readonly number[]): number[] | undefined {
      f32.words.set(values, x);
      return standardiser.standardise(x) ? vector(x) : undefined;
    },
    at: (name: (typeof MOMENTS)[number]) => vector(layout.at(name, standardiser.range)),
  };
}

/** One channel in doubles: what the standardiser must follow to float32. */
class Model {
  m = 0;
  v = 0;
  c = 0;
  run = 0;

  constructor(private readonly horizon: number) {}

  take(x: number): number {
    const sd = Math.sqrt(this.v);
    const d = x - this.m;
    if (this.v === 0) return this.move(0, d);
    const limit = this.c < 32 ? 4 * (1 + 20 / this.c) * sd : 4 * sd;
    if (this.c < 32 && Math.abs(d) > limit) {
      this.run = Math.max(this.run, 0) + 1;
      if (this.run === 8) this.start(x, 0);
      return 0;
    }
    if (this.c === 2 && this.run === 0 && Math.abs(Math.abs(d) - sd) < 0.1 * sd) {
      this.start(x, -1);
      return 0;
    }
    const z = Math.max(-5, Math.min(5, d / sd));
    if (Math.abs(d) <= limit) {
      this.run = 0;
      return this.move(z, d);
    }
    const sign = Math.sign(d);
    this.run = Math.sign(this.run) === sign ? this.run + sign : sign;
    if (Math.abs(this.run) < 32) return this.move(z, sign * limit);
    [this.m, this.c, this.run] = [x, 8, 0];
    return this.move(z, 0);
  }

  private move(z: number, d: number): number {
    this.c = Math.min(this.c + 1, this.horizon);
    this.m += d / this.c;
    this.v += ((1 - 1 / this.c) * d * d - this.v) / this.c;
    if (this.v === 0) this.c = Math.min(this.c, 3);
    return z;
  }

  private start(x: number, run: number): void {
    [this.m, this.v, this.c, this.run] = [x, 0, 1, run];
  }
}

/** Noise about an offset that steps, drifts, bursts and glitches. */
function troubled(seed: number, offset: number, deviation: number, samples: number): number[] {
  const random = new Random(seed);
  return Array.from({ length: samples }, (_, t) => {
    const step = t > 0.4 * samples ? 9 : 0;
    const gain = t > 0.8 * samples ? 3 : 1;
    const glitch = random.below(200) === 0 ? 1000 * random.normal() : 0;
    const burst = t % 700 < 5 ? 50 : 0;
    return Math.fround(offset + deviation * (gain * random.normal() + step + t / samples + glitch + burst));
  });
}

test("it follows the recursion in doubles through glitches, bursts, steps and drift", () => {
  for (const [offset, deviation, horizon] of [
    [0, 1, 2000],
    [0, 1, 32],
    [300, 0.01, 65536],
    [-2e5, 40, 500],
    [1e-16, 1e-14, 2000],
    [3e9, 1e12, 2000],
  ]) {
    const { take, at } = withVector({ dimension: 1, horizon });
    const model = new Model(horizon);
    for (const [t, x] of troubled(horizon, offset, deviation, 6000).entries()) {
      const [z] = take([x]) as number[];
      const wanted = model.take(x);
      assert.ok(Math.abs(z - wanted) < 2e-3, `sample ${t}: z ${z}, in doubles ${wanted}`);
      assert.is(at("run")[0], model.run, `sample ${t}`);
      assert.is(at("count")[0], model.c, `sample ${t}`);
    }
    const deviationNow = Math.sqrt(model.v);
    assert.ok(Math.abs(at("mean")[0] + at("meanRest")[0] - model.m) < 1e-3 * deviationNow);
    assert.ok(Math.abs(at("variance")[0] / model.v - 1) < 1e-3);
  }
});

test("past the horizon it follows the recursion in doubles for a million samples", () => {
  const horizon = 65536;
  const { take, at } = withVector({ dimension: 1, horizon });
  const model = new Model(horizon);
  let random = 1;
  for (let t = 0; t < 1e6; t++) {
    random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
    const x = Math.fround(300 + 0.01 * (random / 2 ** 31 - 1) + (t > 5e5 ? 0.02 : 0));
    take([x]);
    model.take(x);
  }
  assert.ok(Math.abs(at("mean")[0] + at("meanRest")[0] - model.m) < 1e-3 * Math.sqrt(model.v));
  assert.ok(Math.abs(at("variance")[0] / model.v - 1) < 1e-3, `${at("variance")[0]}, in doubles ${model.v}`);
});

const value = fc.float({ min: -1000, max: 1000, noNaN: true });
const stream = fc.array(fc.array(value, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 60 });

test("where no reading is clipped, mean and variance cover all samples", () => {
  const samples = Array.from({ length: 40 }, (_, t) => [t % 7, (t * t + t) % 5, 100 + (t % 3)]);
  const { take, at } = withVector({ dimension: 3, horizon: 64 });
  for (const sample of samples) take(sample);
  for (let j = 0; j < 3; j++) {
    const mean = samples.reduce((sum, x) => sum + x[j], 0) / samples.length;
    const variance = samples.reduce((sum, x) => sum + (x[j] - mean) ** 2, 0) / samples.length;
    assert.ok(Math.abs(at("mean")[j] - mean) <= 1e-5, `mean ${at("mean")[j]}, in doubles ${mean}`);
    assert.ok(Math.abs(at("variance")[j] - variance) <= 1e-5 * variance);
  }
});

test("whatever finite readings come, z lies within +-5 and every word is finite", () => {
  const any = fc.float({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(fc.array(fc.oneof(any, value), { minLength: 1, maxLength: 80 }), (readings) => {
      const { take, f32 } = withVector({ dimension: 1, horizon: 40 });
      for (const x of readings) {
        const [z] = take([x]) as number[];
        assert.ok(Math.abs(z) <= 5);
        assert.ok(f32.words.every((word) => Number.isFinite(word)));
      }
    }),
  );
});

test("one reading moves mean and deviation of a settled component by hundredths, whatever its size", () => {
  for (const glitch of [30, 1000, 65535, 1e30, -3e38]) {
    const { take, at } = withVector({ dimension: 1 });
    const random = new Random(7);
    for (let t = 0; t < 500; t++) take([random.normal()]);
    const [mean, variance] = [at("mean")[0], at("variance")[0]];
    assert.equal(take([glitch]), [glitch > 0 ? 5 : -5]);
    assert.ok(Math.abs(at("mean")[0] - mean) < 0.01);
    assert.ok(Math.abs(Math.sqrt(at("variance")[0] / variance) - 1) < 0.02);
  }
});

test("a first reading of 3e38 is forgotten at the second", () => {
  const { take, at } = withVector({ dimension: 1 });
  const random = new Random(3);
  for (const x of [3e38, ...Array.from({ length: 100 }, () => random.normal())]) take([x]);
  assert.ok(Math.abs(at("mean")[0]) < 0.4 && Math.abs(at("variance")[0] - 1) < 0.4);
});

test("the 32nd reading in a row beyond the limit on one side starts the component again there", () => {
  const { take, at } = withVector({ dimension: 1 });
  const random = new Random(5);
  for (let t = 0; t < 400; t++) take([random.normal()]);
  for (let t = 1; t <= 31; t++) {
    take([100]);
    assert.is(at("run")[0], t);
    assert.ok(at("mean")[0] < 0.5);
  }
  const before = at("variance")[0];
  take([100]);
  assert.equal([at("mean")[0], at("count")[0], at("run")[0]], [100, 9, 0]);
  assert.ok(Math.abs(at("variance")[0] / before - 8 / 9) < 1e-6, "with the variance that it had");
});

test("a larger `stepAfter` keeps a burst apart for as long", () => {
  const { take, at } = withVector({ dimension: 1, stepAfter: 64 });
  const random = new Random(5);
  for (let t = 0; t < 400; t++) take([random.normal()]);
  for (let t = 1; t <= 63; t++) {
    assert.equal(take([100]), [5]);
    assert.is(at("run")[0], t);
  }
  take([100]);
  assert.equal([at("mean")[0], at("count")[0], at("run")[0]], [100, 9, 0]);
});

test("readings beyond the limit on alternating sides are no step", () => {
  const { take, at } = withVector({ dimension: 1 });
  const random = new Random(5);
  for (let t = 0; t < 400; t++) take([random.normal()]);
  for (let t = 0; t < 40; t++) take([t % 2 === 0 ? 100 : -100]);
  assert.ok(Math.abs(at("mean")[0]) < 1);
});

test("a glitch or a burst in the warm-up isn't taken in", () => {
  for (const [from, samples] of [
    [1, 1],
    [2, 1],
    [3, 5],
    [5, 5],
    [20, 7],
  ]) {
    for (const size of [1000, 65535, 1e30, -3e38]) {
      const { take, at } = withVector({ dimension: 1 });
      const random = new Random(11);
      for (let t = 1; t <= 200; t++) take([t >= from && t < from + samples ? size : random.normal()]);
      assert.ok(Math.abs(at("mean")[0]) < 0.3 && Math.abs(at("variance")[0] - 1) < 0.4, `${size} at ${from}`);
    }
  }
});

test("eight readings in a row beyond the limit start the warm-up again", () => {
  const { take, at } = withVector({ dimension: 1 });
  for (const x of [0, 1, 2, 0, 1, 2, ...new Array(7).fill(1e6)]) take([x]);
  assert.ok(Math.abs(at("mean")[0] - 1) < 1e-6);
  take([1e6]);
  assert.equal([at("mean")[0], at("variance")[0], at("count")[0], at("run")[0]], [1e6, 0, 1, 0]);
});

test("a component that was constant at first takes its scale from what varies", () => {
  const { take, at } = withVector({ dimension: 1 });
  for (let t = 0; t < 1000; t++) assert.equal(take([7]), [0]);
  assert.is(at("count")[0], 3);
  const random = new Random(9);
  for (let t = 0; t < 200; t++) take([7 + 3 * random.normal()]);
  assert.ok(Math.abs(at("mean")[0] - 7) < 1 && Math.abs(Math.sqrt(at("variance")[0]) - 3) < 0.6);
});

test("z is 0 before the second sample, and where a component never varied", () => {
  const { take } = withVector({ dimension: 2 });
  assert.equal(take([5, 6]), [0, 0]);
  assert.equal(take([5, 8]), [0, 0]);
  assert.equal(take([5, 9]), [0, 2]);
});

test("what isn't finite is refused and counted, and changes nothing", () => {
  const { standardiser, take, f32, layout } = withVector({ dimension: 2 });
  take([1, 2]);
  take([2, 2.0000002]);
  const state = f32.bits.slice(0, layout.state);
  assert.is(take([1, Number.NaN]), undefined);
  assert.is(take([Number.POSITIVE_INFINITY, 1]), undefined);
  assert.is(standardiser.refused, 2);
  assert.equal(f32.bits.slice(0, layout.state), state);
});

test("a copy of its words continues as if it had never stopped, as a part of a whole too", () => {
  fc.assert(
    fc.property(stream, stream, (before, after) => {
      const first = withVector({ dimension: 3, horizon: 40 });
      for (const sample of before) first.take(sample);
      const part = Standardiser.layout({ dimension: 3, horizon: 40 });
      const whole = new Layout([{ name: "x", kind: "state", words: 3 }, ...part.parts("scale")]);
      const range = whole.ownRange();
      const memory = whole.within("scale", range);
      const second = new Standardiser({ dimension: 3, horizon: 40, memory });
      range.f32.bits.set(first.f32.bits.subarray(0, part.state), memory.state);
      for (const sample of after) {
        range.f32.words.set(sample, 0);
        first.take(sample);
        second.standardise(0);
      }
      const state = range.f32.bits.slice(memory.state, memory.state + part.state);
      assert.equal(state, first.f32.bits.slice(0, part.state));
    }),
  );
});

test("options are checked, and the memory is known before", () => {
  assert.throws(() => Standardiser.layout({ dimension: 0 }), /standardiser: option dimension: got 0; takes/);
  assert.throws(() => new Standardiser({ dimension: 1, horizon: 1e6 }), /option horizon: got 1000000; takes/);
  assert.throws(
    () => new Standardiser({ dimension: 1, stepAfter: 7 }),
    /option stepAfter: got 7; takes .* >= 8/,
  );
  assert.throws(() => new Standardiser({ dimension: 1, horizon: 31 }), /takes a whole number >= 32/);
  const own = new Standardiser({ dimension: 5 });
  assert.is(own.range.f32.words.byteLength, Standardiser.layout({ dimension: 5 }).bytes);
  assert.is(Standardiser.layout({ dimension: 5 }).state, 5 * 5);
});

test.run();
