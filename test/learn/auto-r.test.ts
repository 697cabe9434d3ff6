import { loneNode } from "../../host-sim/state/lone-node.ts";
import "../../host-sim/motelearn.ts";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import type { Family } from "../../src/learn/family.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { LeastSquares } from "./least-squares.ts";
import { readWords } from "./region.ts";

const FROM = 400;

/** A series, of which a node forecasts the value so many samples ahead from the last four. */
interface Forecast {
  readonly name: string;
  readonly series: readonly number[];
  readonly ahead: number;
}

function walk(random: Random, count: number, keep: number): number[] {
  let value = 0;
  return Array.from({ length: count }, () => {
    value = keep * value + 0.3 * random.normal();
    return value;
  });
}

function forecasts(seed: number): Forecast[] {
  const random = new Random(seed, "forecasts");
  const count = 2500;
  const weather = walk(random, count, 0.99);
  const daily = weather.map((value, t) => 12 + value + 5 * Math.sin((2 * Math.PI * t) / 48));
  const steps = walk(random, count, 1);
  const map = Array.from({ length: count }, () => 0);
  for (let t = 1, q = 0.4; t < count; t++) {
    q = 3.7 * q * (1 - q);
    map[t] = 1000 + 50 * (q + 0.02 * random.normal());
  }
  return [
    { name: "daily cycle", series: daily, ahead: 12 },
    { name: "random walk", series: steps.map((value) => 20 + value), ahead: 5 },
    { name: "logistic map", series: map, ahead: 1 },
  ];
}

/** Root mean squared error of a node's predictions; the label of a sample comes once the series has it. */
function measureError(learner: Family, { series, ahead }: Forecast, options = {}): number {
  const given = {
    sid: 1,
    channels: 4,
    pending: ahead + 1,
    features: { standardise: true },
    learner,
    options,
  };
  const node = loneNode(given);
  let sum = 0;
  for (let t = 3; t < series.length - ahead; t++) {
    const seq = t - ahead - 2;
    if (seq > 0) node.label({ number: seq, sid: 1, seq, y: series[t] });
    const estimate = node.sample(series.slice(t - 3, t + 1));
    if (t >= FROM) sum += (estimate - series[t + ahead]) ** 2;
  }
  return Math.sqrt(sum / (series.length - ahead - FROM));
}

function persistence({ series, ahead }: Forecast): number {
  let sum = 0;
  for (let t = FROM; t < series.length - ahead; t++) sum += (series[t] - series[t + ahead]) ** 2;
  return Math.sqrt(sum / (series.length - ahead - FROM));
}

const named = (name: string) => familyNamed(name) as Family;

for (const [seed, forecast] of [1, 2, 3].flatMap((seed) =>
  forecasts(seed).map((one) => [seed, one] as const),
)) {
  test(`${forecast.name}, seed ${seed}: at most 1.02 times the better of persistence and RLS, whose labels are as late`, () => {
    const best = Math.min(persistence(forecast), measureError(named("rls"), forecast));
    const own = measureError(named("auto-r"), forecast);
    assert.ok(own < 1.02 * best, `${own}, the better of both ${best}`);
    if (forecast.name === "logistic map") assert.ok(own < best / 2, `${own}, linear ${best}`);
  });
}

/** A learner fed by hand, with its words. */
function byHand(dimension: number, options = {}) {
  const learner = named("auto-r").create({ dimension, ...options });
  const words = (region: string) => readWords(learner, region);
  return { learner, words };
}

test("weights are those of the discounted squared errors of the estimates as they were cast", () => {
  const { learner, words } = byHand(1, { outlierLimit: 1e30 });
  const random = new Random(3, "weights");
  const late: { x: number[]; y: number; note: Float32Array }[] = [];
  const losses = [0, 0, 0, 0, 0, 0];
  let judged = 0;
  let delay = 0;
  learner.noted = true;
  for (let t = 0; t < 60; t++) {
    const x = [Math.fround(random.normal())];
    learner.predict(x);
    learner.note();
    late.push({ x, y: Math.fround(5 + 2 * x[0] + random.normal()), note: words("note").slice() });
    if (t < 7) continue;
    const { x: old, y, note } = late[t - 7];
    const isJudged = !Number.isNaN(note[0]);
    words("note").set(note);
    learner.learn(old, y);
    if (!isJudged) continue;
    const keep = Math.min(0.998, (3 * judged) / (3 * judged + 2));
    const most = judged < 8 ? Infinity : (25 * Math.min(...losses)) / judged;
    const squares = [...note.subarray(0, 6)].map((estimate) => (y - estimate) ** 2);
    const scale = Math.min(1, most / Math.min(...squares));
    squares.forEach((square, k) => {
      losses[k] = keep * losses[k] + Math.min(scale * square, 2 * most);
    });
    judged = keep * judged + 1;
    const least = Math.min(...losses);
    delay += (7 - delay) / 16;
    const rate = (0.15 * judged) / (least * (1 + 0.5 * delay));
    losses.forEach((loss, k) => {
      losses[k] = Math.min(loss, least + 10 / rate);
    });
    const raw = [0, 0, -2, 0, -2, 0].map((prior, k) => Math.exp(prior - rate * (losses[k] - least)));
    const sum = raw.reduce((all, weight) => all + weight, 0);
    raw.forEach((weight, k) => {
      assert.ok(Math.abs(words("weights")[k] - weight / sum) < 1e-4, `label ${t}, member ${k}`);
    });
  }
});

/** Samples of two inputs, with labels so many samples late, fed to a node's learner, which another may replace, beside the notes. */
function* lateLabels(node: Pick<ReturnType<typeof byHand>, "learner">, count: number, late: number) {
  const random = new Random(23, "auto-r/late");
  const pending: { x: number[]; y: number; note: Uint32Array }[] = [];
  for (let t = 0; t < count; t++) {
    const { learner } = node;
    const { layout, range } = learner;
    const at = layout.at("note", range);
    learner.noted = true;
    const x = [Math.fround(random.normal()), Math.fround(random.normal())];
    const estimate = learner.predict(x);
    learner.note();
    const note = range.f32.bits.slice(at, at + layout.regionWords("note"));
    pending.push({ x, y: Math.fround(7 + x[0] - 2 * x[1] + 0.1 * random.normal()), note });
    const due = pending[t - late];
    if (due) {
      range.f32.bits.set(due.note, at);
      learner.learn(due.x, due.y);
    }
    yield { t, x, estimate, due };
  }
}

test("the member `changes` adds to the last label what RLS learned from one label to the next, as double precision does", () => {
  const { learner, words } = byHand(2, { outlierLimit: 1e30 });
  const reference = new LeastSquares(2, 0.99, 0.01);
  /** The last label, the input that was predicted last when it came, and that before the input at hand. */
  let last: { y: number; x: number[] } | undefined;
  const member = 5;
  let largest = 0;
  for (const { x, due } of lateLabels({ learner }, 1500, 3)) {
    const since = (to: number[]) => to.map((value, j) => value - (last as { x: number[] }).x[j]);
    if (due && last) reference.learn(since(x), due.y - last.y);
    if (due) last = { y: due.y, x };
    if (!last) continue;
    const next = [0.3, -0.2].map(Math.fround);
    learner.predict(next);
    const wanted = last.y + reference.estimate(since(next));
    largest = Math.max(largest, Math.abs(words("estimates")[member] - wanted));
  }
  assert.ok(largest < 1e-3, `off by ${largest}`);
});

test("a label by which all members err far more than usual counts as 25 times the best one's mean square, and twice that at most", () => {
  const { learner, words } = byHand(1);
  const random = new Random(24, "auto-r/bound");
  for (let t = 0; t < 600; t++) {
    const x = Math.fround(random.normal());
    learner.learn([x], 3 * x + 0.1 * random.normal());
  }
  const before = [...words("losses")];
  const judged = words("received")[1];
  const mean = Math.min(...before) / judged;
  learner.learn([0.5], 1e6);
  const keep = Math.min(0.998, (3 * judged) / (3 * judged + 2));
  const added = [...words("losses")].map((loss, k) => loss - keep * before[k]);
  const least = Math.min(...added);
  // A loss of next to no weight is lowered meanwhile, so no member's is above what it was and the most that may be added.
  assert.ok(least <= 25.01 * mean, `${least}, ${mean}`);
  assert.ok(Math.max(...added) <= 50.01 * mean, `${Math.max(...added)}, ${mean}`);
  assert.ok(Math.max(...added) > 24.9 * mean, "it counts as much as it may");
});

test("with late labels, another learner that gets the state and its notes continues to the bit", () => {
  const words = ({ layout, range }: ReturnType<typeof byHand>["learner"]) =>
    range.f32.bits.subarray(range.state, range.state + layout.state);
  const one = byHand(2);
  const node = { learner: byHand(2).learner };
  const estimates = [...lateLabels(one, 600, 5)].map(({ estimate }) => estimate);
  for (const { t, estimate } of lateLabels(node, 600, 5)) {
    assert.is(estimate, estimates[t]);
    if (t !== 300) continue;
    const { learner } = byHand(2);
    words(learner).set(words(node.learner));
    node.learner = learner;
  }
  assert.equal(words(node.learner), words(one.learner));
});

test("its bytes are known, 4 to 8 KB for up to 8 inputs, and a note takes 28", () => {
  for (const dimension of [1, 4, 8]) {
    const { layout } = byHand(dimension).learner;
    assert.is(layout.bytes, named("auto-r").layout({ dimension }).bytes);
    assert.ok(layout.bytes >= 4096 && layout.bytes <= 8192, `${layout.bytes} with ${dimension} inputs`);
    assert.is(layout.regionWords("note") * 4, 28);
  }
});

test("a walk whose last label is older than the reading at hand: as good as the reading", () => {
  const random = new Random(21, "auto-r/walk");
  const { learner } = byHand(2);
  learner.noted = true;
  const values = walk(random, 1500, 1);
  const pending: { x: number[]; note: Uint32Array }[] = [];
  const { layout, range } = learner;
  const at = layout.at("note", range);
  let [own, reading] = [0, 0];
  for (let t = 1; t + 3 < values.length; t++) {
    const x = [values[t], values[t - 1]];
    const estimate = learner.predict(x);
    learner.note();
    pending.push({ x, note: range.f32.bits.slice(at, at + layout.regionWords("note")) });
    if (t >= FROM) own += (estimate - values[t + 3] - 20) ** 2;
    if (t >= FROM) reading += (values[t] - values[t + 3]) ** 2;
    if (t <= 3) continue;
    const { x: old, note } = pending[t - 4];
    range.f32.bits.set(note, at);
    learner.learn(old, 20 + values[t]);
  }
  assert.ok(own < 1.03 * reading, `${own}, of the reading ${reading}`);
});

test("a series that turns from quiet to wild is judged by its large errors within as many labels as they are late", () => {
  const random = new Random(22, "auto-r/quiet");
  const { learner, words } = byHand(1, { outlierLimit: 1e30 });
  for (let t = 0; t < 600; t++) learner.learn([Math.fround(random.normal())], 0.01 * random.normal());
  const before = words("losses").slice();
  for (let t = 0; t < 40; t++) learner.learn([Math.fround(random.normal())], 100 * random.normal());
  words("losses").forEach((loss, k) => {
    assert.ok(loss > 1e3 * before[k], `member ${k}: ${before[k]}, then ${loss}`);
  });
});

test("a level far beyond the labels so far is the last label from its second one on, a single such label isn't", () => {
  const { learner, words } = byHand(1);
  const random = new Random(6, "auto-r/level");
  const learn = (y: number) => learner.learn([Math.fround(random.normal())], y);
  const quiet = () => learn(1 + 0.1 * random.normal());
  const last = () => words("received")[0];
  for (let t = 0; t < 300; t++) quiet();
  learn(100);
  assert.ok(last() < 8, `${last()} after one`);
  quiet();
  learn(90);
  assert.ok(last() < 8, `${last()} after another alone`);
  learn(95);
  assert.is(last(), 95);
  learn(97);
  assert.is(last(), 97);
});

test("the later labels come, the less the same losses move the weights", () => {
  const spread = (late: number) => {
    const node = byHand(2);
    for (const _ of lateLabels(node, 40 + late, late));
    const [losses, weights] = [node.words("losses"), node.words("weights")];
    const least = Math.min(...losses);
    // Of two members with the same prior: how far their weights are apart, for how far their losses are.
    return Math.log(weights[1] / weights[0]) / ((losses[0] - losses[1]) / least);
  };
  assert.ok(spread(30) < 0.3 * spread(0), `${spread(30)}, ${spread(0)}`);
});

test("a note of a state that came later counts as no delay", () => {
  const { learner, words } = byHand(1);
  learner.noted = true;
  for (let t = 0; t < 3; t++) {
    learner.predict([t]);
    learner.note();
    const note = words("note");
    new Uint32Array(note.buffer, note.byteOffset, note.length)[6] += 5;
    learner.learn([t], t);
  }
  assert.is(words("received")[4], 0);
});

test("samples that were predicted before any label judge nobody", () => {
  const { learner, words } = byHand(1);
  learner.noted = true;
  learner.predict([1]);
  learner.note();
  const note = words("note").slice();
  learner.learn([1], 20);
  words("note").set(note);
  learner.learn([1], 20);
  assert.equal([...words("losses")], [0, 0, 0, 0, 0, 0]);
  assert.is(words("received")[0], 20);
});

test("one wrong label, however large, leaves the weights of the members nearly as they were", () => {
  const { learner, words } = byHand(1);
  const random = new Random(5, "wrong");
  for (let t = 0; t < 600; t++) {
    const x = Math.fround(random.normal());
    learner.learn([x], 3 * x);
  }
  const before = [...words("weights")];
  learner.learn([0.5], 1e20);
  words("weights").forEach((weight, k) => {
    assert.ok(Math.abs(weight - before[k]) < 0.1, `member ${k}: ${before[k]}, then ${weight}`);
  });
});

test.run();
