import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { benchmarkForecast, errorRatios } from "../../lab/bench/forecasts.ts";
import { SERIES, type Series, seriesIn } from "../../lab/bench/series.ts";
import { PapersData } from "../../lab/experiments/lib/data.ts";

const folder = new PapersData();

function made(horizon: number, value: (t: number) => number): Series {
  const read = async (_: PapersData, count: number) => Array.from({ length: count }, (_, t) => value(t));
  return { name: "made", doc: "made", horizon, read };
}

test("persistence errs by what the series moves within the horizon", async () => {
  const { persistence, samples } = await benchmarkForecast(
    made(3, (t) => 2 * t),
    folder,
    400,
  );
  assert.is(samples, 400);
  assert.is(persistence, 6);
});

test("a learner doesn't know a value before it is reached", async () => {
  // Of independent draws no forecast is better than their mean.
  const random = new Random(4);
  const values = Array.from({ length: 1000 }, () => random.normal());
  const { learners } = await benchmarkForecast(
    made(4, (t) => values[t]),
    folder,
    900,
  );
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  const rls = learners.find(({ learner }) => learner === "rls");
  assert.ok((rls?.error ?? 0) > 0.95 * deviation, `${rls?.error}, ${deviation}`);
});

test("the best other learner is none that auto-r is compared with as itself", async () => {
  const forecast = await benchmarkForecast(
    SERIES.find(({ name }) => name === "regimes") as Series,
    folder,
    600,
  );
  assert.is.not(forecast.best.learner, "auto-r");
  const least = Math.min(...forecast.learners.map(({ error }) => error));
  assert.ok(forecast.best.error === least || forecast.auto === least);
  assert.is(errorRatios(forecast).simple, forecast.auto / Math.min(forecast.persistence, forecast.linear));
});

test("without a folder the series are those that are generated", () => {
  assert.equal(
    seriesIn(undefined).series.map(({ name }) => name),
    ["walk", "waves", "regimes"],
  );
});

test.run();
