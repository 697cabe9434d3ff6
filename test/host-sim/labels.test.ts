import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { Catalogue } from "../../host-sim/catalogue/catalogue.ts";
import { ChairVarshney, LABEL_NOISES, type LabelNoise, MajorityVote } from "../../host-sim/labels/index.ts";
import { NodeLabels } from "../../host-sim/prequential/node-labels.ts";
import * as fc from "../properties.ts";

const COUNT = 40000;

function make(name: string, options: object, seed = 1): LabelNoise {
  return LABEL_NOISES[name].make(options, new Random(seed, "labels"));
}

/** The noisy labels for `count` labels of one class. */
function said(noise: LabelNoise, classIndex: number, classes: readonly number[], count = COUNT): number[] {
  return Array.from({ length: count }, () => noise.corrupt(classes[classIndex], classIndex, classes));
}

/** Five standard deviations of a binomial share. */
function within(share: number, probability: number, count = COUNT): void {
  const bound = 5 * Math.sqrt((probability * (1 - probability)) / count);
  assert.ok(Math.abs(share - probability) <= bound, `${share} is not ${probability} +- ${bound}`);
}

function measureShare(labels: readonly number[], label: number): number {
  return labels.filter((one) => one === label).length / labels.length;
}

test("label noise is a function of its seed and says only labels that exist", () => {
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom<number[]>([-1, 1], [0, 1]), (seed, classes) => {
      for (const name of Object.keys(LABEL_NOISES)) {
        const first = said(make(name, {}, seed), 0, classes, 200);
        assert.equal(said(make(name, {}, seed), 0, classes, 200), first);
        assert.ok(first.every((label) => classes.includes(label)));
      }
    }),
  );
});

test("symmetric noise is wrong at its rate, and every wrong class is as likely", () => {
  within(measureShare(said(make("symmetric", { rate: 0.2 }), 1, [-1, 1]), -1), 0.2);
  const labels = said(make("symmetric", { rate: 0.3 }), 2, [0, 1, 2, 3]);
  within(measureShare(labels, 2), 0.7);
  for (const other of [0, 1, 3]) within(measureShare(labels, other), 0.1);
});

test("rates 0 and 1 leave every label right and wrong", () => {
  assert.is(measureShare(said(make("symmetric", { rate: 0 }), 0, [-1, 1]), -1), 1);
  assert.is(measureShare(said(make("symmetric", { rate: 1 }), 0, [-1, 1]), 1), 1);
});

test("confusion says each class as often as its row has it", () => {
  const matrix = [
    [0.7, 0.2, 0.1],
    [0, 1, 0],
    [0.25, 0.25, 0.5],
  ];
  const noise = make("confusion", { matrix });
  matrix.forEach((row, classIndex) => {
    const labels = said(noise, classIndex, [0, 1, 2]);
    row.forEach((probability, label) => {
      within(measureShare(labels, label), probability);
    });
  });
});

test("a confusion matrix that isn't one, or isn't this problem's, is refused", () => {
  for (const matrix of [
    [[1, 0]],
    [
      [0.5, 0.4],
      [0, 1],
    ],
    [
      [2, -1],
      [0, 1],
    ],
    "x",
  ]) {
    assert.throws(
      () => make("confusion", { matrix }),
      /confusion.matrix: got .*, takes as many rows as columns/,
    );
  }
  assert.throws(
    () => make("confusion", {}).corrupt(0, 0, [0, 1, 2]),
    (error: Error) => error.message === "confusion.matrix: got 2 x 2, takes a row for each of 3 classes",
  );
});

test("bursts fill their share of the labels, and wrong labels cluster in them", () => {
  const options = { toBad: 0.01, toGood: 0.04, goodRate: 0.02, badRate: 0.6 };
  const wrong = said(make("burst", options), 0, [-1, 1], 200000).map((label) => (label === 1 ? 1 : 0));
  const bad = options.toBad / (options.toBad + options.toGood);
  const expected = bad * options.badRate + (1 - bad) * options.goodRate;
  const rate = wrong.reduce<number>((sum, one) => sum + one, 0) / wrong.length;
  assert.ok(Math.abs(rate - expected) < 0.01, `${rate} is not ${expected}`);
  // The covariance of neighbours is (badRate - goodRate)^2 bad (1 - bad) (1 - toBad - toGood).
  const pairs = wrong.slice(1).reduce<number>((sum, one, i) => sum + one * wrong[i], 0) / (wrong.length - 1);
  const covariance = 0.58 ** 2 * bad * (1 - bad) * 0.95;
  assert.ok(
    Math.abs(pairs - rate * rate - covariance) < 0.006,
    `${pairs - rate * rate} is not ${covariance}`,
  );
});

test("the majority decides, silent nodes don't count, a tie is +1", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(-1, 0, 1)), (votes) => {
      const ups = votes.filter((vote) => vote === 1).length;
      const downs = votes.filter((vote) => vote === -1).length;
      assert.is(new MajorityVote().decide(Int8Array.from(votes)), ups >= downs ? 1 : -1);
    }),
  );
});

test("Chair-Varshney starts as the majority vote", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(-1, 1), { minLength: 1, maxLength: 9 }), (votes) => {
      fc.pre(votes.reduce<number>((sum, vote) => sum + vote, 0) !== 0);
      assert.is(new ChairVarshney(votes.length).decide(votes), new MajorityVote().decide(votes));
    }),
  );
});

test("Chair-Varshney decides as the log-likelihood ratio of its rates does", () => {
  const votes = fc.array(fc.constantFrom(-1, 0, 1), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(votes, { minLength: 1, maxLength: 40 }), (scenes) => {
      const rule = new ChairVarshney(3);
      for (const seen of scenes) rule.observe([1, ...seen.slice(1)], 1);
      for (const seen of scenes) rule.observe([-1, ...seen.slice(1)], -1);
      // As many scenes of either class leave the share of +1 within a step of 1/2.
      const evidence = scenes[0].map((vote, node) => {
        const rate = Math.min(Math.max(rule.rate(node), 0.005), 0.45);
        return vote * Math.log((1 - rate) / rate);
      });
      const ratio = evidence.reduce((sum, one) => sum + one);
      if (Math.abs(ratio) > 0.5) assert.is(rule.decide(scenes[0]), ratio > 0 ? 1 : -1);
    }),
  );
});

/** Shares of wrong decisions, after a thousand scenes, of nodes that err so often. */
function errors(
  flips: readonly number[],
  prior: number,
  knowsTruth: boolean,
): { fused: number; majority: number } {
  const random = new Random(11, "scene");
  const rule = new ChairVarshney(flips.length);
  const wrong = { fused: 0, majority: 0 };
  for (let t = 0; t < 9000; t++) {
    const truth = random.uniform() < prior ? 1 : -1;
    const votes = flips.map((flip) => (random.uniform() < flip ? -truth : truth));
    const fused = rule.decide(votes);
    if (t >= 1000 && fused !== truth) wrong.fused += 1 / 8000;
    if (t >= 1000 && new MajorityVote().decide(votes) !== truth) wrong.majority += 1 / 8000;
    rule.observe(votes, knowsTruth ? truth : undefined);
  }
  return wrong;
}

test("where nodes differ, Chair-Varshney errs far less than the majority, told the truth or not, events rare or not", () => {
  for (const [flips, prior] of [
    [[0.02, 0.4, 0.4, 0.4, 0.4], 0.5],
    [[0.05, 0.1, 0.3, 0.4], 0.5],
    [[0.05, 0.1, 0.3, 0.4], 0.05],
  ] as const) {
    for (const knowsTruth of [true, false]) {
      const { fused, majority } = errors(flips, prior, knowsTruth);
      assert.ok(
        fused < majority / 2,
        `${fused} of ${majority}, flips ${flips}, prior ${prior}, told ${knowsTruth}`,
      );
    }
  }
});

test("where nodes are alike, Chair-Varshney is no worse than the majority by more than chance", () => {
  const { fused, majority } = errors([0.1, 0.1, 0.1, 0.1], 0.5, false);
  assert.ok(fused < majority + 0.005, `${fused} of ${majority}`);
});

test("without a longest delay a label comes as late as the mean says, however late", () => {
  const labels = { noise: {}, nodeRates: [], delayMean: 5000, delaySpread: 0, loss: 0, budget: 1 };
  const late = new NodeLabels(Catalogue.shipped, labels, [-1, 1], 0, "n", 5);
  assert.is(late.delay(0), 5000);
});

test("labels of a round come together at its end, and none comes after the last labelled sample", () => {
  const usual = { noise: {}, nodeRates: [], delayMean: 7, delaySpread: 3, delayMax: 12, loss: 0, budget: 1 };
  const source = (more: object) =>
    new NodeLabels(Catalogue.shipped, { ...usual, ...more }, [-1, 1], 0, "n", 5);
  const [plain, rounds] = [source({}), source({ round: 50, until: 480 })];
  for (let k = 0; k < 500; k++) {
    const [alone, together] = [plain.delay(k, 9), rounds.delay(k, 9)];
    assert.ok(alone >= 9 && alone <= 12);
    if (k >= 480) assert.ok(Number.isNaN(together));
    else assert.is(k + together, 50 * Math.floor((k + alone) / 50) + 49, `sample ${k}`);
  }
});

test.run();
