import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { easyStream, meanLoss } from "../../host-sim/conformance/easy-streams.ts";
import type { Learner } from "../../src/learn/learner.ts";
import { OutlierLimit } from "../../src/learn/outlier-limit.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { Layout, portableRange } from "../../src/memory/layout.ts";

/** A limit that has met `count` normal numbers' magnitudes. */
function settled(count: number, factor = 4): OutlierLimit {
  const layout = new Layout([OutlierLimit.region()]);
  const range = portableRange(layout);
  const limit = new OutlierLimit(range.f32, factor, layout, range);
  const random = new Random(1, "magnitudes");
  for (let t = 0; t < count; t++) limit.meet(Math.abs(random.normal()));
  return limit;
}

test("of normal numbers next to none is clipped, early or late", () => {
  const random = new Random(2, "magnitudes");
  let clipped = 0;
  for (let run = 0; run < 20; run++) {
    const limit = settled(0);
    for (let t = 0; t < 3000; t++) {
      const a = Math.abs(random.normal());
      if (limit.meet(a) < a) clipped++;
    }
  }
  assert.ok(clipped <= 6, `${clipped} of 60000`);
});

test("the level and the limit follow their statement", () => {
  const layout = new Layout([OutlierLimit.region()]);
  const range = portableRange(layout);
  const limit = new OutlierLimit(range.f32, 4, layout, range);
  const random = new Random(3, "magnitudes");
  let [l, run] = [0, 0];
  let n = 0;
  for (let t = 0; t < 4000; t++) {
    const scale = t < 2000 ? 1 : t < 3000 ? 50 : 0.1;
    const a = scale * Math.abs(random.normal()) * (t % 97 === 0 ? 40 : 1);
    const most = n < 16 ? a : 4 * l * (1 + 32 / n);
    const isBeyond = a > most;
    const met = limit.meet(a);
    assert.ok(
      Math.abs(met - Math.min(a, most)) < 1e-3 * a,
      `magnitude ${t + 1}: ${met}, not ${Math.min(a, most)}`,
    );
    const r = Math.max(1 / 1024, 1 / (8 + n / 16));
    run = isBeyond ? run + 1 : 0;
    let risen = n < 16 ? a : l * (1 + Math.max(1 / 8, 8 * r));
    if (isBeyond) risen = (33 / 32) * l;
    n++;
    if (run > 32) {
      risen = 2 * l;
      n = Math.min(n, 16);
      run = 32;
    }
    l = a > l ? Math.min(a, risen) : l * (1 - r);
    const level = range.f32.words[layout.at("outliers", range)];
    assert.ok(Math.abs(level / l - 1) < 1e-3, `level after ${t + 1}: ${level}, not ${l}`);
    l = level; // so that rounding doesn't add up
  }
});

test("one outlier counts as a few ordinary magnitudes do, however large, and moves the limit by a 32nd", () => {
  for (const far of [100, 1e6, 1e20, 3e38, Infinity]) {
    const limit = settled(3000);
    const most = limit.meet(far);
    assert.ok(most > 6 && most < 16, `${far}: ${most}`);
    const next = limit.meet(far);
    assert.ok(next > most && next < 1.04 * most, `${far}: ${most}, then ${next}`);
    assert.is(limit.meet(1), 1);
    assert.is(limit.outgrown, false);
  }
});

test("a zero leaves the level as it is", () => {
  const limit = settled(3000);
  for (let t = 0; t < 100_000; t++) assert.is(limit.meet(0), 0);
  assert.is(limit.meet(4), 4);
});

test("another regime is followed: nothing is kept away for good", () => {
  const limit = settled(3000);
  let t = 0;
  while (limit.meet(1e6) < 1e6) t++;
  assert.ok(t > 32 && t < 60, `1e6 is taken whole after ${t}`);
});

test("what was learned from a glitch at power-up, or in a long burst, is outgrown by what follows", () => {
  for (const [before, glitches] of [
    [0, 1],
    [0, 100],
    [3000, 100],
  ]) {
    const limit = settled(before);
    const random = new Random(3, "magnitudes");
    for (let t = 0; t < glitches; t++) limit.meet(1e6);
    let t = 0;
    for (; !limit.outgrown; t++) limit.meet(Math.abs(random.normal()));
    assert.ok(t < 400, `${before}, ${glitches}: after ${t}`);
    limit.clear();
    assert.is(limit.outgrown, false);
  }
});

/** Mean loss over the last 400 samples; `spoil` applies after 300. */
function lossAfter(learner: Learner, seed: number, spoil: (learner: Learner) => void): number {
  const stream = easyStream(learner.task, 3, 1200, seed);
  const decisions = stream.map(({ x, y }, t) => {
    if (t === 300) spoil(learner);
    return learner.learn(x, y);
  });
  return meanLoss(learner.task, decisions.slice(800), stream.slice(800));
}

for (const name of [
  "qkrls",
  "qklms",
  "qkapa",
  "krls-ald",
  "krls-novelty",
  "krls-surprise",
  "krls-ald-discard",
]) {
  test(`${name}: a label of 1e6 or 1e20 leaves the error as it was 500 labels later`, () => {
    const learner = () => familyNamed(name)!.create({ dimension: 3 });
    const twin = lossAfter(learner(), 11, () => {});
    for (const label of [1e6, -1e20, 3e38]) {
      const loss = lossAfter(learner(), 11, (spoilt) => spoilt.learn([0.3, 0, 0], label));
      assert.ok(loss < twin + 0.02, `${label}: mean squared error ${loss}, ${twin} without it`);
    }
  });
}

for (const name of ["perceptron", "cw", "cw-var", "scw-1", "scw-2", "arow", "rls-hmm"]) {
  test(`${name}: twenty samples thrown by 100 or 1e6 cost next to nothing 500 samples later`, () => {
    const learner = () => familyNamed(name)!.create({ dimension: 3 });
    const twin = lossAfter(learner(), 12, () => {});
    for (const factor of [100, 1e6]) {
      const loss = lossAfter(learner(), 12, (spoilt) => {
        for (const { x, y } of easyStream("classification", 3, 20, 13)) {
          spoilt.learn(
            x.map((value, j) => (j === 2 ? factor * value : value)),
            y,
          );
        }
      });
      assert.ok(loss < twin + 0.03, `${factor}: error ${loss}, ${twin} without them`);
    }
  });
}

test.run();
