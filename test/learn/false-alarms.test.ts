import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import type { DataSet } from "../../host/streams/table.ts";
import { Prequential } from "../../host-sim/prequential/prequential.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { Explainer } from "../../tools/explanation/explanation.ts";

const SAMPLES = 4000;
const FROM = 1000;
const RATE = 0.02;

interface Stream {
  readonly inputs: Float32Array[];
  readonly labels: number[];
}

/** A level that drifts, in two readings, with noise of heavy tails; a share of novelties that lie apart. */
function machine(novelties: number, seed = 5): Stream {
  const random = new Random(seed, "false alarms");
  let level = 0;
  const labels = Array.from({ length: SAMPLES }, () => (random.uniform() < novelties ? -1 : 1));
  const inputs = labels.map((y) => {
    level += 0.01 * random.normal();
    const noise = () => (random.normal() / Math.sqrt(0.2 + random.uniform())) * 0.5;
    return Float32Array.of(level + noise() + (y < 0 ? 3 : 0), noise() - (y < 0 ? 3 : 0));
  });
  return { inputs, labels };
}

/** Share of alarms on usual and on novel samples. `told`: which labels come. */
function alarms(
  name: string,
  options: object,
  { inputs, labels }: Stream,
  delay: number,
  told: (t: number) => boolean = () => true,
): { usual: number; novel: number } {
  const learner = familyNamed(name)!.create({ dimension: 2, ...options });
  const run = new Prequential(learner);
  const sums = { usual: 0, novel: 0, all: 0, news: 0 };
  inputs.forEach((x, t) => {
    const alarm = run.sample(x, told(t) ? labels[t] : Number.NaN, delay) < 0 ? 1 : 0;
    if (t < FROM) return;
    if (labels[t] > 0) sums.usual += alarm;
    else sums.novel += alarm;
    if (labels[t] > 0) sums.all++;
    else sums.news++;
  });
  return { usual: sums.usual / sums.all, novel: sums.novel / sums.news };
}

for (const name of ["olk-n", "norma-n", "robust-z"]) {
  for (const delay of [0, 200]) {
    test(`${name}: usual samples raise alarms at the promised rate, delay ${delay}`, () => {
      for (const novelties of [0, 0.05]) {
        const { usual } = alarms(name, { falseAlarms: RATE }, machine(novelties), delay);
        assert.ok(usual > 0.6 * RATE && usual < 1.4 * RATE, `${usual} with ${novelties} novelties`);
      }
    });
  }
}

test("novelties that nobody labels use the rate up; with `ignored` they don't", () => {
  const stream = machine(0.05);
  const told = (t: number) => stream.labels[t] > 0 && t % 2 === 0;
  const counted = alarms("robust-z", { falseAlarms: RATE }, stream, 30, told);
  assert.ok(counted.usual < 0.5 * RATE && counted.novel < 0.9, JSON.stringify(counted));
  const ignored = alarms("robust-z", { falseAlarms: RATE, unlabelled: "ignored" }, stream, 30, told);
  assert.ok(ignored.usual > 0.6 * RATE && ignored.usual < 1.4 * RATE, JSON.stringify(ignored));
  assert.ok(ignored.novel > 0.9, JSON.stringify(ignored));
});

test("the level is the stated one, in double precision, labels of novelties included", () => {
  const { inputs, labels } = machine(0.1);
  const family = familyNamed("robust-z")!;
  const inner = family.create({ dimension: 2 });
  const outer = family.create({ dimension: 2, falseAlarms: RATE });
  const run = new Prequential(outer);
  const plain = new Prequential(inner);
  const steps: number[] = [];
  let [q, m, d] = [0, 0, 0];
  inputs.slice(0, 1500).forEach((x, t) => {
    const s = plain.sample(x, labels[t], 40);
    const decision = run.sample(x, labels[t], 40);
    if (t > 0) assert.ok(Math.abs(decision - (s - q)) < 1e-4, `sample ${t}`);
    const gain = d * Math.max(1 / 500, 1 / (t + 50));
    const fall = t === 0 ? 0 : decision < 0 ? (gain * (1 - RATE)) / RATE : -gain;
    q = t === 0 ? s : q - fall;
    steps.push(fall);
    const r = Math.max(0.005, 1 / (t + 1));
    if (t === 0) m = s;
    else [m, d] = [m + r * (s - m), d + r * (Math.abs(s - m) - d)];
    if (t >= 40 && labels[t - 40] < 0) q += steps[t - 40];
  });
});

test("it takes four words of state, and a word of each sample that waits", () => {
  const family = familyNamed("olk-n")!;
  const plain = family.layout({ dimension: 2 });
  const layout = family.layout({ dimension: 2, falseAlarms: RATE });
  assert.is(layout.state, plain.state + 4);
  assert.is(layout.regionWords("note"), 1);
});

test("explain shows what the level takes off, to the bit", () => {
  const family = familyNamed("olk-n")!;
  const options = { falseAlarms: RATE };
  const learner = family.create({ dimension: 2, ...options });
  const explainer = new Explainer(learner, family, options);
  const { inputs, labels } = machine(0);
  const train = { labels: Float64Array.from(labels), count: SAMPLES } as unknown as DataSet;
  inputs.slice(0, 120).forEach((x, t) => {
    if (t > 60) {
      const { decision, total, after } = explainer.explain(x, train);
      assert.is(total, decision);
      assert.match(JSON.stringify(after), /level of alarms/);
    }
    explainer.learn(x, 1, t + 1);
  });
});

test("options that don't fit are refused by name", () => {
  const { create } = familyNamed("olk-n")!;
  assert.throws(() => create({ dimension: 2, falseAlarms: 1 }), /falseAlarms: got 1; takes .*< 1/);
  assert.throws(() => create({ dimension: 2, unlabelled: "novel" }), /unlabelled: got .*usual, ignored/);
  assert.throws(
    () => familyNamed("olk-c")!.create({ dimension: 2, falseAlarms: 0.1 }),
    /no option falseAlarms/,
  );
});

test.run();
