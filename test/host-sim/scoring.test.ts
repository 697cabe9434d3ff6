import { test } from "uvu";
import * as assert from "uvu/assert";
import { Auc } from "../../host-sim/scoring/auc.ts";
import { Baselines } from "../../host-sim/scoring/baselines.ts";
import { Confusion } from "../../host-sim/scoring/confusion.ts";
import { Events } from "../../host-sim/scoring/events.ts";
import type { Figure } from "../../host-sim/scoring/result.ts";
import { Scorer, scoredTruth } from "../../host-sim/scoring/scorer.ts";
import { SquaredError } from "../../host-sim/scoring/squared-error.ts";
import { CHANNELS_SHOWN, StreamRecorder } from "../../host-sim/scoring/stream-view.ts";
import { LastLabel, MajorityClass } from "../../host-sim/scoring/trivial.ts";
import type { Task } from "../../src/learn/learner.ts";
import * as fc from "../properties.ts";

const sign = fc.constantFrom(-1, 1);
const labelled = fc.array(fc.tuple(sign, sign), { maxLength: 60 });
const scored = fc.array(fc.tuple(sign, fc.integer({ min: -4, max: 4 })), { maxLength: 60 });

type Pairs = readonly (readonly [number, number])[];

function over<Score extends { add(truth: number, prediction: number): void }>(score: Score, pairs: Pairs) {
  for (const [truth, prediction] of pairs) score.add(truth, prediction);
  return score;
}

function near(actual: Figure, expected: number): void {
  assert.type(actual, "number");
  assert.ok(Math.abs((actual as number) - expected) < 1e-12, `${actual} is not ${expected}`);
}

function isUndefined(actual: Figure, why: string): void {
  assert.equal(actual, { why });
}

test("AUC equals the share of pairs in order, a tie counting half", () => {
  fc.assert(
    fc.property(scored, (pairs) => {
      const positives = pairs.filter(([truth]) => truth > 0);
      const negatives = pairs.filter(([truth]) => truth < 0);
      const auc = over(new Auc(), pairs).value;
      if (positives.length === 0) return isUndefined(auc, "no sample of class 1");
      if (negatives.length === 0) return isUndefined(auc, "no sample of class -1");
      let sum = 0;
      for (const [, p] of positives) for (const [, n] of negatives) sum += p > n ? 1 : p === n ? 0.5 : 0;
      near(auc, sum / (positives.length * negatives.length));
    }),
  );
});

test("where only classes are known, AUC takes the classes as decision values, to the bit", () => {
  fc.assert(
    fc.property(labelled, (pairs) => {
      assert.equal(over(new Confusion([-1, 1]), pairs).auc, over(new Auc(), pairs).value);
    }),
  );
});

test("AUC holds beyond its first block of memory, takes infinities, and refuses NaN", () => {
  const auc = new Auc();
  for (let i = 0; i < 5000; i++) auc.add(i % 2 ? 1 : -1, i % 2 ? i : -i);
  auc.add(1, Infinity);
  auc.add(-1, -Infinity);
  near(auc.value, 1);
  assert.throws(() => auc.add(1, NaN), /score: got NaN/);
});

test("the error rate is the share of labels that differ, of any number of classes", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(4), fc.nat(4)), { minLength: 1 }), (pairs) => {
      near(
        over(new Confusion([0, 1, 2, 3, 4]), pairs).error,
        pairs.filter(([a, b]) => a !== b).length / pairs.length,
      );
    }),
  );
  isUndefined(new Confusion([0, 1]).error, "no samples");
});

test("balanced accuracy is the mean of the classes' recalls, and undefined when a class is absent", () => {
  const classes = [0, 1, 2];
  const pair = fc.tuple(fc.constantFrom(...classes), fc.constantFrom(...classes));
  fc.assert(
    fc.property(fc.array(pair), (pairs) => {
      const value = over(new Confusion(classes), pairs).balancedAccuracy;
      const absent = classes.find((k) => pairs.every(([truth]) => truth !== k));
      if (absent !== undefined) return isUndefined(value, `no sample of class ${absent}`);
      const recall = (k: number) => {
        const own = pairs.filter(([truth]) => truth === k);
        return own.filter(([, prediction]) => prediction === k).length / own.length;
      };
      near(value, (recall(0) + recall(1) + recall(2)) / 3);
    }),
  );
  assert.throws(() => new Confusion([-1, 1]).add(2, 1), /truth: got 2, takes one of -1, 1/);
});

test("recalls: each class's samples, and the share of them predicted so; null for a class without samples", () => {
  const pairs: [number, number][] = [
    [0, 0],
    [0, 2],
    [0, 0],
    [2, 5],
  ];
  assert.equal(over(new Confusion([0, 1, 2]), pairs).recalls, [
    { samples: 3, recall: 2 / 3 },
    { samples: 0, recall: null },
    { samples: 1, recall: 0 },
  ]);
  assert.equal(new Confusion([]).recalls, []);
});

test("F1 is the harmonic mean of precision and recall", () => {
  fc.assert(
    fc.property(labelled, (pairs) => {
      const value = over(new Confusion([-1, 1]), pairs).f1;
      const truths = pairs.filter(([truth]) => truth > 0).length;
      if (truths === 0) return isUndefined(value, "no sample of class 1");
      const both = pairs.filter(([truth, prediction]) => truth > 0 && prediction > 0).length;
      const alarms = pairs.filter(([, prediction]) => prediction > 0).length;
      if (both === 0) return near(value, 0);
      const [precision, recall] = [both / alarms, both / truths];
      near(value, (2 * precision * recall) / (precision + recall));
    }),
  );
});

test("MSE and RMSE equal their definition", () => {
  const number = fc.double({ min: -100, max: 100, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.tuple(number, number), { minLength: 1 }), (pairs) => {
      const expected = pairs.reduce((sum, [a, b]) => sum + (a - b) ** 2, 0) / pairs.length;
      const mse = over(new SquaredError(), pairs).mean as number;
      assert.ok(Math.abs(mse - expected) <= 1e-12 * (1 + expected));
      assert.is(over(new SquaredError(), pairs).rootMean, Math.sqrt(mse));
    }),
  );
  isUndefined(new SquaredError().rootMean, "no samples");
});

test("an event is a run of positive truth, found once by any positive in it; other positives are false alarms", () => {
  fc.assert(
    fc.property(labelled, (pairs) => {
      const letters = pairs
        .map(([truth, said]) => (truth > 0 ? (said > 0 ? "F" : "m") : said > 0 ? "a" : "q"))
        .join("");
      const runs = letters.match(/[Fm]+/g) ?? [];
      const events = over(new Events(), pairs);
      const confusion = over(new Confusion([-1, 1]), pairs);
      const negatives = (letters.match(/[aq]/g) ?? []).length;
      assert.is(events.total, runs.length);
      assert.is(events.found, runs.filter((run) => run.includes("F")).length);
      assert.is(confusion.falseAlarms, (letters.match(/a/g) ?? []).length);
      if (negatives > 0) near(confusion.falseAlarmRate, confusion.falseAlarms / negatives);
      else isUndefined(confusion.falseAlarmRate, "no sample of class -1");
    }),
  );
});

test("the majority class is the most frequent label so far, and the last label is the one before", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(3), { minLength: 1 }), (labels) => {
      const majority = new MajorityClass(0);
      const last = new LastLabel(0);
      labels.forEach((label, i) => {
        const count = (k: number) => labels.slice(0, i).filter((seen) => seen === k).length;
        assert.ok([0, 1, 2, 3].every((k) => count(majority.predict()) >= count(k)));
        assert.is(last.predict(), i === 0 ? 0 : labels[i - 1]);
        majority.learn(label);
        last.learn(label);
      });
    }),
  );
});

test("a baseline predicts each sample from the labels received before, and is scored against the truth", () => {
  const baselines = new Baselines("classification", [-1, 1]);
  // Both predict -1 as long as no label came; then one comes that is wrong, and two that are late.
  baselines.score(-1);
  baselines.score(1);
  baselines.addLabel(1);
  baselines.score(1);
  baselines.score(-1);
  baselines.addLabel(-1);
  baselines.addLabel(-1);
  baselines.score(-1);
  baselines.addLabel(1);
  baselines.score(1);
  const { majority, last } = baselines.scores();
  assert.equal([last.error, last.falseAlarms], [2 / 6, 1]);
  assert.equal([majority.error, majority.falseAlarms], [3 / 6, 1], "of two that are equal the one that led");
  assert.is(last.balancedAccuracy, (2 / 3 + 2 / 3) / 2);
});

test("where labels come at once, the last label and the majority follow the truth so far", () => {
  fc.assert(
    fc.property(fc.array(sign, { minLength: 1 }), (truth) => {
      const baselines = new Baselines("novelty", [-1, 1]);
      let [mistaken, minority, ones] = [0, 0, 0];
      truth.forEach((label, i) => {
        baselines.score(label);
        baselines.addLabel(label);
        if (label !== (i === 0 ? -1 : truth[i - 1])) mistaken++;
        const leads = 2 * ones > i ? 1 : 2 * ones < i ? -1 : 0;
        if (leads !== 0 && label !== leads) minority++;
        ones += label > 0 ? 1 : 0;
      });
      const { majority, last } = baselines.read((scorer) => scorer.figure("error"));
      near(last as number, mistaken / truth.length);
      assert.ok((majority as number) >= minority / truth.length - 1e-12);
    }),
  );
});

test("of a regression the baselines are the mean of the labels received, and the last", () => {
  const baselines = new Baselines("regression", []);
  for (const truth of [2, 4, 6]) {
    baselines.score(truth);
    baselines.addLabel(truth);
  }
  // The mean said 0, 2, 3; the last label 0, 2, 4.
  assert.equal(
    baselines.read((scorer) => scorer.figure("mse")),
    { majority: (4 + 4 + 9) / 3, last: (4 + 4 + 4) / 3 },
  );
});

test("a prediction that is NaN is a wrong class, whatever the truth, or the estimate 0", () => {
  for (const truth of [-1, 1]) {
    const scorer = new Scorer("classification", [-1, 1]);
    assert.is(scorer.add(Number.NaN, truth), 1);
    assert.is(scorer.figure("error"), 1);
    assert.is(new Scorer("novelty", [-1, 1]).add(Number.NaN, truth), 1);
  }
  assert.is(new Scorer("regression", []).add(Number.NaN, 3), 9);
  assert.is(new Scorer("multiclass", [0, 1, 2]).add(Number.NaN, 0), 1);
});

test("a novelty, -1 to its learner, is what a score looks for: low scores are alarms", () => {
  const scorer = new Scorer("novelty", [-1, 1]);
  scorer.add(-0.5, scoredTruth("novelty", -1));
  scorer.add(0.5, scoredTruth("novelty", 1));
  scorer.add(0, scoredTruth("novelty", 1));
  assert.equal([scorer.figure("error"), scorer.figure("auc"), scorer.figure("f1")], [0, 1, 1]);
  assert.equal(scorer.figure("rmse"), { why: "not defined for novelty" });
});

/** What a recorder has of readings 1, 2, ... and these truths, if sample k was decided as `decide` says. */
function recorded(task: Task, truths: readonly number[], decide: (truth: number, k: number) => number) {
  const recorder = new StreamRecorder(task, 6, 2);
  truths.forEach((truth, k) => {
    recorder.sample(k + 1, Float32Array.of(k, k === 2 ? Number.NaN : -k, 0, 0, 0, 0));
    recorder.decided(k + 1, decide(truth, k), truth);
  });
  return recorder;
}

test("a plot's readings are the lowest and highest of each point, of the first channels", () => {
  const { at, channels } = recorded("classification", [-1, -1, -1, -1, -1], () => -1).readings;
  assert.equal(at, [2, 4]);
  assert.is(channels.length, CHANNELS_SHOWN);
  assert.equal(channels.slice(0, 2), [
    { low: [0, 2], high: [1, 3] },
    { low: [-1, -3], high: [0, -3] },
  ]);
});

test("events are runs of class 1, found by one prediction; of more classes each run counts", () => {
  const two = recorded("classification", [-1, 1, 1, -1, 1], (_, k) => (k === 2 ? 0.5 : -0.5));
  assert.equal(two.runs(), [
    { from: 2, to: 3, truth: 1, found: true },
    { from: 5, to: 5, truth: 1, found: false },
  ]);
  const three = recorded("multiclass", [0, 0, 2, 1], (truth, k) => (k === 3 ? 0 : truth));
  assert.equal(
    three.runs().map(({ from, truth, found }) => [from, truth, found]),
    [
      [1, 0, true],
      [3, 2, true],
      [4, 1, false],
    ],
  );
  const novelty = recorded("novelty", [1, -1], () => -1);
  assert.equal(
    novelty.runs().map(({ found }) => found),
    [true],
    "a learner's -1 is the novelty",
  );
  assert.equal(recorded("regression", [1, 2], () => 1).runs(), []);
  const many = Array.from({ length: 1000 }, (_, k) => (k % 2 ? 1 : -1));
  assert.equal(recorded("classification", many, () => 1).runs(), [], "more than a plot can show");
});

test.run();
