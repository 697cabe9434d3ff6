import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import type { DataSet } from "../../host/streams/table.ts";
import { Prequential } from "../../host-sim/prequential/prequential.ts";
import type { Balanced } from "../../src/learn/balanced.ts";
import type { Learner } from "../../src/learn/learner.ts";
import { oneVsAllFamily } from "../../src/learn/one-vs-all.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { Explainer } from "../../tools/explanation/explanation.ts";

const SAMPLES = 4000;
const FROM = 1000;

interface Stream {
  readonly inputs: Float32Array[];
  readonly truths: number[];
  readonly labels: number[];
}

/** Two clouds in the plane. The positive one is rare, and some labels are wrong. */
function rare(share: number, flips: number, seed = 3): Stream {
  const random = new Random(seed, "balanced");
  const truths = Array.from({ length: SAMPLES }, () => (random.uniform() < share ? 1 : -1));
  const inputs = truths.map((y) => Float32Array.of(random.normal() + 0.8 * y, random.normal() + 0.5 * y));
  const labels = truths.map((y) => (random.uniform() < flips ? -y : y));
  return { inputs, truths, labels };
}

/** The shares of the samples of both classes that the learner finds. */
function run(learner: Learner, { inputs, truths, labels }: Stream, delay: number) {
  const found = [0, 0];
  const all = [0, 0];
  const prequential = new Prequential(learner);
  inputs.forEach((x, t) => {
    const decision = prequential.sample(x, labels[t], delay);
    if (t < FROM) return;
    const label = truths[t] > 0 ? 1 : 0;
    all[label]++;
    if (decision >= 0 === truths[t] > 0) found[label]++;
  });
  return { minus: found[0] / all[0], plus: found[1] / all[1] };
}

const make = (name: string, options: object = {}) =>
  familyNamed(name)!.create({ dimension: 2, ...options }) as Learner;

for (const name of ["arow", "olk-c", "auto", "logistic"]) {
  for (const delay of [0, 200]) {
    for (const flips of [0, 0.2]) {
      test(`${name}: of a rare class more is found, delay ${delay}, ${flips} of the labels wrong`, () => {
        const stream = rare(0.08, flips);
        const plain = run(make(name), stream, delay);
        const balanced = run(make(name, { balanced: true }), stream, delay);
        const gain = balanced.minus + balanced.plus - plain.minus - plain.plus;
        assert.ok(gain > 0.05, `${JSON.stringify(plain)} -> ${JSON.stringify(balanced)}`);
        assert.ok(balanced.plus > plain.plus + 0.1, JSON.stringify(balanced));
      });
    }
  }
}

test("classes that are as frequent as each other lose next to nothing", () => {
  for (const name of ["arow", "olk-c", "auto"]) {
    const stream = rare(0.5, 0.1);
    const plain = run(make(name), stream, 30);
    const balanced = run(make(name, { balanced: true }), stream, 30);
    const loss = (plain.minus + plain.plus - balanced.minus - balanced.plus) / 2;
    assert.ok(loss < 0.01, `${name}: ${loss}`);
  }
});

/** The learner inside learns what it would learn alone: with its own note, too. */
for (const name of ["arow", "auto"]) {
  test(`${name}: the state inside is the state without the threshold`, () => {
    for (const delay of [0, 30]) {
      const [plain, balanced] = [make(name), make(name, { balanced: true })];
      run(plain, rare(0.1, 0.1), delay);
      run(balanced, rare(0.1, 0.1), delay);
      assert.is((balanced as Balanced).inner.stateHash(), plain.stateHash(), `delay ${delay}`);
      assert.is(balanced.count("evicted"), plain.count("evicted"));
      assert.not(balanced.stateHash() === plain.stateHash());
    }
  });
}

test("the threshold is the stated one, in double precision", () => {
  const { inputs, labels } = rare(0.1, 0.1);
  const [plain, balanced] = [make("arow"), make("arow", { balanced: true }) as Balanced];
  const counts = [new Float64Array(32), new Float64Array(32)];
  let mean = 0;
  inputs.forEach((x, t) => {
    const s = plain.learn(x, labels[t]);
    balanced.learn(x, labels[t]);
    mean += (Math.abs(s) - mean) / Math.min(t + 1, 200);
    const own = counts[labels[t] > 0 ? 1 : 0];
    own.forEach((count, k) => {
      own[k] = 0.998 * count;
    });
    own[Math.max(0, Math.min(31, 16 + Math.floor((8 * s) / mean)))]++;
  });
  const sums = counts.map((own) => own.reduce((sum, one) => sum + one, 0));
  const below = (c: number, k: number) => counts[c].slice(0, k).reduce((sum, one) => sum + one, 0) / sums[c];
  const J = Array.from({ length: 32 }, (_, k) => below(0, k) - below(1, k));
  const best = J.indexOf(Math.max(...J));
  assert.ok(J[best] > J[16] + Math.sqrt(1 / sums[0] + 1 / sums[1]) / 2, "the test needs a threshold");
  const t = ((best - 16) * mean) / 8;
  assert.ok(Math.abs(balanced.offset + t) < 1e-3 * Math.abs(t), `${balanced.offset}, ${-t}`);
});

test("a sample's note is its score when it was predicted, 0 included", () => {
  const learner = make("arow", { balanced: true });
  const at = learner.layout.at("note", learner.range);
  assert.is(learner.predict([1, 1]), 0);
  learner.note();
  const { f32 } = learner.range;
  assert.is(f32.bits[at], 0x80000000);
  learner.noted = true;
  assert.is(learner.learn([1, 1], 1), 0);
  const sums = learner.layout.at("balance", learner.range) + 3;
  assert.equal(Array.from(f32.words.slice(sums, sums + 2)), [0, 1]);
});

test("a note that is no number, as a state from outside may have, counts as none", () => {
  const [learner, plain] = [make("arow", { balanced: true }), make("arow", { balanced: true })];
  const at = learner.layout.at("note", learner.range);
  for (const note of [Number.NaN, Number.POSITIVE_INFINITY]) {
    learner.noted = true;
    learner.range.f32.words[at] = note;
    learner.learn([1, 0.5], 1);
    plain.learn([1, 0.5], 1);
    assert.is(learner.stateHash(), plain.stateHash());
  }
});

test("refused samples and labels leave the threshold alone", () => {
  const learner = make("auto", { balanced: true });
  const before = learner.stateHash();
  assert.ok(Number.isNaN(learner.learn([Number.NaN, 0], 1)));
  assert.ok(Number.isNaN(learner.learn([1], 1)));
  learner.learn([1, 0], 0);
  assert.is(learner.count("refused"), 3);
  assert.is(learner.stateHash(), before);
});

test("explain shows what the threshold takes off, to the bit", () => {
  const { inputs, labels } = rare(0.2, 0);
  const train = { labels: Float64Array.from(labels), count: SAMPLES } as unknown as DataSet;
  const options = { balanced: true };
  for (const name of ["auto", "olk-c", "arow"]) {
    const explainer = new Explainer(make(name, options), familyNamed(name)!, options);
    inputs.slice(0, 400).forEach((x, t) => {
      if (t > 350) {
        const { decision, total, after } = explainer.explain(x, train);
        assert.is(total, decision, name);
        assert.match(JSON.stringify(after), /less the threshold that balances the classes: -?\d/);
      }
      explainer.learn(x, labels[t], t + 1);
    });
  }
});

test("several classes are refused", () => {
  assert.throws(
    () => make("lol", { classes: 3, balanced: true }),
    /lol: option balanced: got true; takes false for more than two classes/,
  );
  const apart = oneVsAllFamily(familyNamed("arow")!);
  assert.throws(
    () => apart.create({ dimension: 2, classes: 3, balanced: true }),
    /ova:arow: option balanced: got true/,
  );
  assert.ok(!("balanced" in familyNamed("qkrls")!.options));
});

test.run();
