import { test } from "uvu";
import * as assert from "uvu/assert";
import { Uptime } from "../../src/start/uptime.ts";
import * as fc from "../properties.ts";

test("an uptime counts on over every wrap of its clock, signed or unsigned", () => {
  for (const wrapped of [(ms: number) => ms | 0, (ms: number) => ms >>> 0, (ms: number) => ms]) {
    let ms = 2 ** 31 - 5;
    const uptime = new Uptime({ now: () => wrapped(ms) });
    assert.is(uptime.now(), 0);
    let passed = 0;
    for (const step of [4, 1, 1, 0, 2 ** 31 - 1, 2 ** 31 - 1, 7, ...new Array(100).fill(2 ** 30)]) {
      ms += step;
      passed += step;
      assert.is(uptime.now(), passed);
    }
  }
});

test("an uptime by a clock with fractions loses none of them, however often it is read", () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 3, noNaN: true })), (steps) => {
      let ms = 1e6 + 0.3;
      const start = ms;
      const uptime = new Uptime({ now: () => ms });
      for (const step of steps) {
        ms += step;
        assert.ok(Math.abs(uptime.now() - (ms - start)) < 1 + 1e-6);
      }
    }),
  );
});

test.run();
