import fc from "fast-check";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { PortableF32 } from "../../src/math/f32.ts";
import { Layout } from "../../src/memory/layout.ts";
import { Standardiser, type StandardiserOptions } from "../../src/signal/standardiser.ts";

/** A standardiser in a memory with room for one vector behind it, at word `x`. */
function withVector(options: StandardiserOptions) {
  const layout = Standardiser.layout(options);
  const f32 = new PortableF32(new ArrayBuffer(layout.bytes + 4 * options.dimension));
  const standardiser = new Standardiser({ ...options, memory: layout.range(f32) });
  const x = layout.bytes / 4;
  const set = (values: number[]) => {
    f32.words.set(values, x);
    return x;
  };
  const at = (name: string) => {
    const word = layout.at(name, standardiser.range);
    return Array.from(f32.words.subarray(word, word + options.dimension));
  };
  return {
    standardiser,
    f32,
    layout,
    set,
    at,
    vector: () => Array.from(f32.words.subarray(x, x + options.dimension)),
  };
}

const value = fc.float({ min: -1000, max: 1000, noNaN: true });
const stream = fc.array(fc.array(value, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 60 });

test("until the horizon mean and variance are those of all samples", () => {
  fc.assert(
    fc.property(stream, (samples) => {
      const { standardiser, set, at } = withVector({ dimension: 3, horizon: 64 });
      for (const sample of samples) assert.ok(standardiser.observe(set(sample)));
      for (let j = 0; j < 3; j++) {
        const mean = samples.reduce((sum, x) => sum + x[j], 0) / samples.length;
        const variance = samples.reduce((sum, x) => sum + (x[j] - mean) ** 2, 0) / samples.length;
        assert.ok(Math.abs(at("mean")[j] - mean) <= 1e-4, `mean ${at("mean")[j]}, in doubles ${mean}`);
        assert.ok(Math.abs(at("variance")[j] - variance) <= 1e-5 * (variance + 1));
      }
    }),
  );
});

test("a vector observed and then standardised has |z| <= sqrt(n - 1), past the horizon too", () => {
  fc.assert(
    fc.property(stream, (samples) => {
      const horizon = 16;
      const { standardiser, set, vector } = withVector({ dimension: 3, horizon });
      samples.forEach((sample, t) => {
        standardiser.observe(set(sample));
        assert.is(standardiser.size, Math.min(t + 1, horizon));
        assert.ok(standardiser.apply(set(sample)));
        const bound = Math.sqrt(standardiser.size - 1) * (1 + 1e-4);
        assert.ok(
          vector().every((z) => Math.abs(z) <= bound),
          `${vector()} against ${bound}`,
        );
      });
    }),
  );
});

test("past the horizon it follows, to float32, the same recursion in doubles for a million samples", () => {
  const horizon = 65536;
  const { standardiser, set, at } = withVector({ dimension: 1, horizon });
  const [offset, deviation] = [300, 0.01];
  let [n, mean, variance, random] = [0, 0, 0, 1];
  for (let t = 0; t < 1e6; t++) {
    random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
    const x = Math.fround(offset + deviation * (random / 2 ** 31 - 1) + (t > 5e5 ? 0.05 : 0));
    standardiser.observe(set([x]));
    n = Math.min(n + 1, horizon);
    const delta = x - mean;
    mean += delta / n;
    variance += (delta * (x - mean) - variance) / n;
  }
  assert.ok(Math.abs(at("mean")[0] + at("meanRest")[0] - mean) < 1e-3 * Math.sqrt(variance));
  assert.ok(
    Math.abs(at("variance")[0] / variance - 1) < 1e-3,
    `${at("variance")[0]}, in doubles ${variance}`,
  );
});

test("z is 0 before the first sample, after it, and where a component never varied", () => {
  const { standardiser, set, vector } = withVector({ dimension: 2 });
  assert.ok(standardiser.apply(set([5, 6])));
  assert.equal(vector(), [0, 0]);
  standardiser.observe(set([5, 6]));
  standardiser.apply(set([5, 6]));
  assert.equal(vector(), [0, 0]);
  standardiser.observe(set([5, 8]));
  standardiser.apply(set([5, 8]));
  assert.equal(vector(), [0, 1]);
});

test("what isn't finite is refused and counted, and changes nothing", () => {
  const { standardiser, set, vector, f32, layout } = withVector({ dimension: 2 });
  standardiser.observe(set([1, 2]));
  standardiser.observe(set([2, 2.0000002]));
  const state = f32.bits.slice(0, layout.state);
  assert.not(standardiser.observe(set([1, Number.NaN])));
  assert.not(standardiser.apply(set([Number.POSITIVE_INFINITY, 1])));
  assert.is(standardiser.count("refused"), 2);
  assert.not(standardiser.observe(set([1, 3e38])), "its variance is more than float32 holds");
  assert.not(standardiser.apply(set([1, 3e38])), "and so is its z");
  assert.equal(vector(), [1, Math.fround(3e38)]);
  assert.is(standardiser.count("overflowed"), 2);
  assert.equal(f32.bits.slice(0, layout.state), state);
});

test("a copy of its words goes on as if it had never stopped, as a part of a whole too", () => {
  fc.assert(
    fc.property(stream, stream, (before, after) => {
      const first = withVector({ dimension: 3, horizon: 20 });
      for (const sample of before) first.standardiser.observe(first.set(sample));
      const part = Standardiser.layout({ dimension: 3, horizon: 20 });
      const whole = new Layout([{ name: "x", kind: "state", words: 3 }, ...part.parts("scale")]);
      const range = whole.ownRange();
      const memory = whole.within("scale", range);
      const second = new Standardiser({ dimension: 3, horizon: 20, memory });
      range.f32.bits.set(first.f32.bits.subarray(0, part.state), memory.state);
      for (const sample of after) {
        range.f32.words.set(sample, 0);
        first.standardiser.observe(first.set(sample));
        second.observe(0);
      }
      const state = range.f32.bits.slice(memory.state, memory.state + part.state);
      assert.equal(state, first.f32.bits.slice(0, part.state));
    }),
  );
});

test("options are checked, and the memory is known before", () => {
  assert.throws(() => Standardiser.layout({ dimension: 0 }), /standardiser: option dimension: got 0; takes/);
  assert.throws(() => new Standardiser({ dimension: 1, horizon: 1e6 }), /option horizon: got 1000000; takes/);
  const own = new Standardiser({ dimension: 5 });
  assert.is(own.range.f32.words.byteLength, Standardiser.layout({ dimension: 5 }).bytes);
});

test.run();
