import { test } from "uvu";
import * as assert from "uvu/assert";
import { PapersData } from "../../../lab/experiments/lib/data.ts";
import type { Experiment } from "../../../lab/experiments/lib/experiment.ts";
import { Summary } from "../../../lab/experiments/lib/summary.ts";
import { judge } from "../../../lab/experiments/lib/verdict.ts";
import { OLK_CLASSIFICATION } from "../../../lab/experiments/olk-classification.ts";
import { OLK_NOVELTY } from "../../../lab/experiments/olk-novelty.ts";
import { OLK_RATES } from "../../../lab/experiments/olk-rates.ts";
import { OLK_REGRESSION } from "../../../lab/experiments/olk-regression.ts";
import { near } from "./one-run.ts";

async function summary(experiment: Experiment, runs: number): Promise<Summary> {
  const seeds = Array.from({ length: runs }, (_, i) => i + 1);
  return new Summary(await Promise.all(seeds.map((seed) => experiment.run(seed, new PapersData()))));
}

test("Example 1: mistakes and support vectors equal an independent program's, on other seeds", async () => {
  const example = await summary(OLK_CLASSIFICATION, 3);
  near(example.mean("olk/mistakes"), 135, 25, "OLK_C");
  near(example.mean("norma/mistakes"), 121, 20, "NORMA");
  near(example.mean("svm/mistakes"), 120, 20, "SVM");
  near(example.mean("sigma 0.5/mistakes"), 8, 8, "OLK_C, sigma 0.5");
  near(example.mean("sigma 0.5/size"), 108, 15, "support vectors, sigma 0.5");
  const expected = { "r 0.001": [484, 482, 479, 463], "r 0.01": [907, 337, 281, 191] };
  for (const [r, sizes] of Object.entries(expected)) {
    [0, 0.001, 0.002, 0.01].forEach((threshold, i) => {
      const name = `${r}, Thr ${threshold}`;
      near(example.mean(name), sizes[i], 45, name);
    });
  }
});

test("Example 1: r = 0.001 is too slow for any threshold to halve the support vectors, and the verdict says so", async () => {
  const { text } = judge(OLK_CLASSIFICATION, await summary(OLK_CLASSIFICATION, 2));
  assert.match(text, /Isn't shown: .*a threshold bounds the support vectors/);
  assert.match(text, "4384 for r = 0.001 and 0.01");
});

test("Example 2: RMSE and multipliers equal an independent program's, on other seeds", async () => {
  const example = await summary(OLK_REGRESSION, 4);
  near(example.mean("olk/rmse"), 0.082, 0.025, "OLK_R");
  near(example.mean("ls-svm/rmse"), 0.052, 0.015, "LS-SVM");
  near(example.mean("krls/rmse"), 0.061, 0.015, "KRLS");
  near(example.mean("norma/rmse"), 0.076, 0.025, "NORMA, epsilon 0.5");
  near(example.mean("norma-narrow/rmse"), 0.14, 0.025, "NORMA, epsilon 0.1");
  near(example.mean("kernel-perceptron/rmse"), 0.096, 0.03, "kernel perceptron");
  const expected = [700, 567, 423, 286, 155, 62, 37, 29, 19, 9, 6];
  expected.forEach((count, i) => {
    near(example.mean(`multipliers ${i / 10}`), count, 25, `multipliers at epsilon ${i / 10}`);
  });
});

test("Example 3: OLK_N by rule (69) finds every novelty at few false alarms; by (68) it calls normal samples novel", async () => {
  const example = await summary(OLK_NOVELTY, 20);
  near(example.mean("olk/auc"), 0.989, 0.015, "AUC");
  assert.ok(example.mean("olk/found") > 99);
  near(example.mean("olk/false alarms"), 9, 3, "false alarms, rule 69");
  near(example.mean("olk-68/false alarms"), 53, 15, "false alarms, rule 68");
});

test("Example 3: an ROC rises from the novelties found for nothing to all of them", async () => {
  const { curves } = await summary(OLK_NOVELTY, 5);
  for (const { at, value } of Object.values(curves)) {
    assert.ok(value.every((rate, i) => rate >= 0 && rate <= 1 && (i === 0 || rate >= value[i - 1])));
    assert.is(at.at(-1), 1);
    assert.is(value.at(-1), 1);
  }
});

test("an experiment's run repeats to the last bit", async () => {
  const [first, second] = [await summary(OLK_REGRESSION, 1), await summary(OLK_REGRESSION, 1)];
  assert.equal(first.numbers, second.numbers);
  assert.equal(first.curves, second.curves);
});

test("r under drift: on other seeds no fixed r suits both, and olk-drift does", async () => {
  const seeds = [31, 32, 33];
  const rates = new Summary(await Promise.all(seeds.map((seed) => OLK_RATES.run(seed, new PapersData()))));
  assert.ok(rates.mean("turns/0.01") < 0.3 * rates.mean("turns/3e-5"));
  assert.ok(rates.mean("still/3e-5") < 0.7 * rates.mean("still/0.01"));
  assert.ok(rates.mean("turns/found") < 1.5 * rates.mean("turns/0.01"));
  assert.ok(rates.mean("still/found") < 1.1 * rates.mean("still/3e-5"));
});

test.run();
