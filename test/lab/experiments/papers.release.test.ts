import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Experiment } from "../../../lab/experiments/lib/experiment.ts";
import { Summary } from "../../../lab/experiments/lib/summary.ts";
import { EXPERIMENTS } from "../../../lab/experiments/registry.ts";
import { checkExperiments, data } from "./one-run.ts";

checkExperiments("long");

test("Table V in ten runs: sizes within two published standard deviations", async () => {
  const experiment = EXPERIMENTS.find(({ id }) => id === "qkrls-table-5") as Experiment;
  const runs = await Promise.all(Array.from({ length: 10 }, (_, i) => experiment.run(i + 1, data)));
  const summary = new Summary(runs);
  for (const { name, published } of experiment.rows) {
    if (typeof published !== "object") continue;
    assert.ok(Math.abs(summary.mean(name) - published.mean) < 2 * published.deviation, name);
  }
});

test("LOL's methods learn clouds that are far apart", async () => {
  const experiment = EXPERIMENTS.find(({ id }) => id === "lol-table-4-letter") as Experiment;
  const { numbers } = await experiment.run(1, data);
  for (const name of ["pa", "arow", "scw-1", "bsgd", "lol"])
    assert.ok(numbers[name] < 10, `${name} ${numbers[name]}`);
});

test.run();
