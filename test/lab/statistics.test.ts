import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import {
  alike,
  averageRanks,
  differenceRange,
  estimateDifference,
  estimateMean,
  NOT_NEGATIVE,
  nemenyi,
  PERCENT,
  paretoPlaces,
  rankBlocks,
  SHARE,
  shapleyShares,
} from "../../lab/sweep/statistics/statistics.ts";

function near(got: number | null, wanted: number, within = 1e-6): void {
  assert.ok(got !== null && Math.abs(got - wanted) <= within, `${got}, not ${wanted}`);
}

test("a mean's interval is Student's; one value alone has none", () => {
  // scipy 1.17.1: t.interval(0.95, 4, loc=mean(x), scale=sem(x))
  const { mean, standardError, low, high } = estimateMean([1, 2, 4, 4, 9]);
  near(mean, 4);
  near(standardError, 1.378404875209022);
  near(low, 0.17293453124513514);
  near(high, 7.827065468754865);
  assert.equal(estimateMean([3]), { mean: 3, standardError: null, low: null, high: null, count: 1 });
});

test("95 % of intervals hold the mean", () => {
  const random = new Random(1, "intervals");
  let held = 0;
  for (let i = 0; i < 2000; i++) {
    const { low, high } = estimateMean(Array.from({ length: 5 }, () => random.normal()));
    if ((low as number) <= 0 && (high as number) >= 0) held++;
  }
  assert.ok(held > 1870 && held < 1930, `${held} of 2000`);
});

test("an interval stays within the figure's range, and is Student's where that does", () => {
  const inside = [0.2, 0.3, 0.25, 0.3];
  assert.equal(estimateMean(inside, SHARE), estimateMean(inside));
  const auc = [1, 1, 1, 0.97, 1, 0.6];
  assert.ok((estimateMean(auc).high as number) > 1);
  // the logit of 0.92833, and t(5) 2.570582 times the standard error 0.065849 over 0.92833 * 0.07167
  const { low, high } = estimateMean(auc, SHARE);
  near(low, 0.5042776, 1e-6);
  near(high, 0.9939739, 1e-6);
  const percent = estimateMean(
    auc.map((value) => 100 * value),
    PERCENT,
  );
  near(percent.low, 100 * (low as number), 1e-4);
  near(percent.high, 100 * (high as number), 1e-4);
  const seconds = estimateMean([0.001, 0.002, 0.05], NOT_NEGATIVE);
  assert.equal([seconds.low, seconds.high], [0, estimateMean([0.001, 0.002, 0.05]).high]);
});

test("an interval at an end of the range has no other value, and rounding doesn't leave it", () => {
  const all = estimateMean([1, 1, 1], SHARE);
  assert.equal([all.low, all.high], [1, 1]);
  const beyond = estimateMean([1, 1 + 2 ** -51, 1], SHARE);
  assert.equal(beyond.high, 1);
  const apart = estimateMean([0, 1e-300, 1], SHARE);
  assert.ok((apart.low as number) >= 0 && (apart.high as number) <= 1);
});

test("a difference of two shares stays within -1 and 1", () => {
  assert.equal(differenceRange(SHARE), { min: -1, max: 1 });
  assert.equal(differenceRange(NOT_NEGATIVE), {
    min: Number.NEGATIVE_INFINITY,
    max: Number.POSITIVE_INFINITY,
  });
  const pairs = [
    [1, 1, 0.9, 1],
    [0, 0, 0.1, 0.6],
  ] as const;
  const plain = estimateDifference(...pairs);
  assert.ok((plain.high as number) > 1);
  assert.equal(estimateDifference(...pairs, SHARE), { ...plain, high: 1 });
});

test("near an end of the range more intervals hold the mean than if they were cut off there", () => {
  const random = new Random(2, "ends");
  const [mean, rounds] = [10 / 11, 1000]; // of 1 - u^10, u uniform
  let held = 0;
  let cut = 0;
  for (let i = 0; i < rounds; i++) {
    const values = Array.from({ length: 5 }, () => 1 - random.uniform() ** 10);
    const within = estimateMean(values, SHARE);
    const plain = estimateMean(values);
    if ((within.low as number) <= mean && (within.high as number) >= mean) held++;
    if ((plain.low as number) <= mean && (plain.high as number) >= mean) cut++;
  }
  assert.ok(held > cut + rounds / 50, `${held}, cut off ${cut} of ${rounds}`);
});

test("a difference is shown where its interval leaves 0 out, and not of one pair", () => {
  const base = [5, 1, 9, 3];
  assert.ok(
    estimateDifference(
      base.map((x, i) => x + 1 + i / 100),
      base,
    ).shown,
  );
  assert.not.ok(estimateDifference([5.1, 0.9, 9.1, 2.9], base).shown);
  assert.not.ok(estimateDifference([2], [1]).shown);
});

test("Friedman's statistic is scipy's, ties included", () => {
  const blocks = [
    [1, 2, 3, 4],
    [2, 1, 4, 4],
    [1, 3, 3, 5],
    [0.1, 0.4, 0.3, 0.9],
    [2, 3, 1, 4],
  ];
  // scipy 1.17.1: friedmanchisquare(*blocks.T)
  const { chiSquare, p, ranks } = rankBlocks(blocks);
  near(chiSquare, 10.062499999999996);
  near(p, 0.018042265712637277);
  near(ranks[0], 1.4);
  assert.equal(averageRanks([3, 1, 3, 2]), [3.5, 1, 3.5, 2]);
});

test("Nemenyi's critical values equal Demsar's table 5", () => {
  // J. Demsar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7 (2006)
  const published = [1.96, 2.343, 2.569, 2.728, 2.85, 2.949, 3.031, 3.102, 3.164];
  published.forEach((q, i) => {
    near(nemenyi(i + 2), q, 0.001);
  });
  // The same article's example: 4 classifiers on 14 sets.
  near(rankBlocks(Array.from({ length: 14 }, () => [1, 2, 3, 4])).criticalDifference, 1.25, 0.01);
});

test("treatments without a shown difference come in the longest runs", () => {
  const ranking = { blocks: 9, ranks: [3.9, 1.2, 2, 2.7], chiSquare: 0, p: 0, criticalDifference: 1.6 };
  assert.equal(alike(ranking), [
    [1, 2, 3],
    [3, 0],
  ]);
  assert.equal(alike({ ...ranking, criticalDifference: 0.1 }), []);
});

test("the front leaves out what another beats in all three", () => {
  assert.equal(
    paretoPlaces([
      [100, 10, 0.1],
      [50, 20, 0.1],
      [120, 10, 0.2],
      [200, 5, 0.05],
      [50, 20, 0.1],
    ]),
    [0, 1, 3, 4],
  );
});

test("Shapley's shares add up to the whole, and give an interaction to both alike", () => {
  // delay alone costs 2, loss alone 4, both 10
  assert.equal(shapleyShares(2, [1, 3, 5, 11]), [4, 6]);
  const random = new Random(2, "costs");
  const costs = Array.from({ length: 16 }, () => random.uniform());
  near(
    shapleyShares(4, costs).reduce((sum, share) => sum + share, 0),
    costs[15] - costs[0],
    1e-12,
  );
});

test.run();
