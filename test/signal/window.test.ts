import { test } from "uvu";
import * as assert from "uvu/assert";
import { PortableF32 } from "../../src/math/f32.ts";
import { SlidingWindow } from "../../src/signal/window.ts";
import * as fc from "../properties.ts";

/** A window in a memory with room for its statistics behind it. */
function withStatistics(samples: number) {
  const layout = SlidingWindow.layout({ samples });
  const f32 = new PortableF32(new ArrayBuffer(layout.bytes + 16));
  const window = new SlidingWindow({ samples, memory: layout.range(f32) });
  const to = layout.bytes / 4;
  return { window, f32, layout, to, statistics: () => Array.from(f32.words.subarray(to, to + 4)) };
}

function inDoubles(x: number[]): number[] {
  const signed = x.filter((v) => v !== 0);
  return [
    x.reduce((sum, v) => sum + v, 0) / x.length,
    Math.sqrt(x.reduce((sum, v) => sum + v * v, 0) / x.length),
    Math.max(...x) - Math.min(...x),
    signed.filter((v, i) => i > 0 && v > 0 !== signed[i - 1] > 0).length,
  ];
}

const value = fc.oneof(
  fc.constant(0),
  fc.constant(-0),
  fc.float({ noNaN: true, min: Math.fround(-1e30), max: Math.fround(1e30) }),
);

test("the statistics cover the latest n samples, computed in doubles", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.array(value, { minLength: 1, maxLength: 40 }),
      (n, stream) => {
        const { window, to, statistics } = withStatistics(n);
        stream.forEach((x, t) => {
          assert.ok(window.push(x));
          assert.ok(window.measure(to));
          const latest = stream.slice(0, t + 1).slice(-n);
          assert.is(window.size, latest.length);
          assert.equal(statistics(), inDoubles(latest).map(Math.fround));
        });
      },
    ),
  );
});

test("a whole number of periods of a square wave has mean 0, RMS 1, peak to peak 2", () => {
  const { window, to, statistics } = withStatistics(40);
  for (let t = 0; t < 100; t++) window.push(t % 10 < 5 ? 1 : -1);
  window.measure(to);
  assert.equal(statistics(), [0, 1, 2, 7]);
});

test("nothing is measured before the first sample, nor a span that float32 can't hold", () => {
  const { window, to, statistics } = withStatistics(2);
  assert.not(window.measure(to));
  window.push(3e38);
  window.push(-3e38);
  assert.not(window.measure(to));
  assert.equal(statistics(), [0, 0, 0, 0]);
});

test("a sample that isn't finite is refused and counted, and changes nothing", () => {
  const { window, f32, layout } = withStatistics(3);
  window.push(1);
  const state = f32.bits.slice(0, layout.state);
  for (const x of [Number.NaN, Number.POSITIVE_INFINITY, 1e300]) assert.not(window.push(x));
  assert.is(window.refused, 3);
  assert.equal(f32.bits.slice(0, layout.state), state);
});

test("a copy of its words continues as if it had never stopped", () => {
  fc.assert(
    fc.property(fc.array(value), fc.array(value, { minLength: 1 }), (before, after) => {
      const first = withStatistics(5);
      for (const x of before) first.window.push(x);
      const second = withStatistics(5);
      second.f32.bits.set(first.f32.bits.subarray(0, first.layout.state));
      for (const x of after) {
        first.window.push(x);
        second.window.push(x);
      }
      first.window.measure(first.to);
      second.window.measure(second.to);
      assert.equal(second.f32.bits, first.f32.bits);
    }),
  );
});

test("options are checked, and the memory is known before", () => {
  assert.throws(
    () => new SlidingWindow({ samples: 0 }),
    /window: option samples: got 0; takes a whole number/,
  );
  assert.is(
    new SlidingWindow({ samples: 7 }).range.f32.words.byteLength,
    SlidingWindow.layout({ samples: 7 }).bytes,
  );
});

test.run();
