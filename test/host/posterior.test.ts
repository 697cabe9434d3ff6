import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { fitFewLabels } from "../../host/training/few-labels.ts";
import { dot, isotropicBelief, LogisticPosterior, widen } from "../../host/training/logistic.ts";
import { addSquares } from "../../host/training/symmetric.ts";

/** The negative log posterior of two weights before which both have variance 4. */
function costAt(rows: readonly Float64Array[], labels: readonly number[], w: readonly number[]): number {
  const misfits = rows.map((row, i) => Math.log(1 + Math.exp(-labels[i] * (row[0] * w[0] + row[1] * w[1]))));
  return (w[0] ** 2 + w[1] ** 2) / 8 + misfits.reduce((sum, each) => sum + each, 0);
}

const ROWS = [
  [1, 0.5],
  [-2, 1],
  [0.3, -1],
  [1.5, 1],
  [-0.5, 2],
].map((row) => Float64Array.from(row));
const LABELS = [1, -1, 1, 1, -1];

test("a posterior is at the least of its cost, and its precision is the curvature there", () => {
  const { mean, precision } = new LogisticPosterior(ROWS, LABELS, isotropicBelief(2, 4), 0);
  const [a, b] = mean;
  const h = 0.01;
  const cost = (i: number, j: number) => costAt(ROWS, LABELS, [a + i * h, b + j * h]);
  const least = cost(0, 0);
  for (const [i, j] of [
    [9, 0],
    [-9, 0],
    [0, 9],
    [0, -9],
  ])
    assert.ok(cost(i, j) > least);
  const curvature = [
    (cost(1, 0) - 2 * least + cost(-1, 0)) / h ** 2,
    (cost(1, 1) - cost(1, -1) - cost(-1, 1) + cost(-1, -1)) / (4 * h ** 2),
    (cost(0, 1) - 2 * least + cost(0, -1)) / h ** 2,
  ];
  [precision[0], precision[2], precision[3]].forEach((each, k) => {
    assert.ok(Math.abs(each - curvature[k]) < 0.01, `${each} and ${curvature[k]}`);
  });
});

test("a label taken out is predicted about as by a posterior that never had it", () => {
  const prior = isotropicBelief(2, 4);
  const without = ROWS.map((row, i) => {
    const others = <T>(list: readonly T[]) => list.filter((_, j) => j !== i);
    const { mean, precision } = new LogisticPosterior(others(ROWS), others(LABELS), prior, 0);
    const [p, q, r] = [precision[0], precision[2], precision[3]];
    const variance = (r * row[0] ** 2 - 2 * q * row[0] * row[1] + p * row[1] ** 2) / (p * r - q * q);
    const score = dot(row, mean) / Math.sqrt(1 + (Math.PI / 8) * variance);
    return -Math.log(1 + Math.exp(-LABELS[i] * score));
  });
  const { merit, certainty } = new LogisticPosterior(ROWS, LABELS, prior, 0).leaveOneOut();
  const exact = without.reduce((sum, each) => sum + each, 0);
  assert.ok(Math.abs(merit - exact) < 0.1, `${merit} and ${exact}`);
  const many = Array.from({ length: 8 }, () => ROWS).flat();
  const often = new LogisticPosterior(
    many,
    many.map((_, i) => LABELS[i % 5]),
    prior,
    0,
  ).leaveOneOut();
  assert.ok(certainty > 0 && certainty < often.certainty && often.certainty < 1, "more labels are surer");
});

test("fewer labels than weights give the posterior that all dimensions give, two labels of one sample included", () => {
  const random = new Random(1, "rows");
  const draw = () => Float64Array.from({ length: 9 }, () => random.normal());
  const known = Array.from({ length: 20 }, draw);
  const others = new LogisticPosterior(
    known,
    known.map((row) => (row[0] > 0 ? 1 : -1)),
    isotropicBelief(9, 10),
    0.1,
  );
  const one = draw();
  const rows = [one, draw(), one, draw(), draw()];
  for (const prior of [others, widen(others, 0.5), isotropicBelief(9, 100)])
    for (const flips of [0, 0.1]) {
      const few = fitFewLabels(rows, LABELS, prior, flips);
      const all = new LogisticPosterior(rows, LABELS, prior, flips);
      few.mean.forEach((weight, j) => {
        assert.ok(Math.abs(weight - all.mean[j]) < 1e-6, `weight ${j}: ${weight} and ${all.mean[j]}`);
      });
      const [its, whole] = [few.leaveOneOut(), all.leaveOneOut()];
      assert.ok(Math.abs(its.merit - whole.merit) < 1e-6, `${its.merit} and ${whole.merit}`);
      assert.ok(Math.abs(its.certainty - whole.certainty) < 1e-6);
    }
});

test("without labels a posterior is the belief before, and widened adds to each variance", () => {
  const none = new LogisticPosterior([], [], isotropicBelief(3, 4), 0);
  assert.equal([...none.mean], [0, 0, 0]);
  assert.is(none.leaveOneOut().merit, 0);
  const { precision } = widen(none, 6);
  for (const j of [0, 4, 8]) assert.ok(Math.abs(precision[j] - 0.1) < 1e-12);
});

test("squares are added four at once, and the rest", () => {
  const vectors = [1, 2, 3, 4, 5, 6].map((k) => Float64Array.of(k, k * k));
  const factors = Float64Array.of(1, 2, 0.5, 1, 3, 2);
  const a = Float64Array.of(1, 0, 1, 1);
  addSquares(a, 2, vectors, factors);
  const sum = (power: number) => factors.reduce((all, each, i) => all + each * (i + 1) ** power, 0);
  assert.equal([a[0], a[2], a[3]], [1 + sum(2), 1 + sum(3), 1 + sum(4)]);
});

test.run();
