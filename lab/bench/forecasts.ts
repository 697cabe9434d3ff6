import { arithmetic } from "../../host/arithmetic.ts";
import { average } from "../../host/statistics.ts";
import { table } from "../../host/terminal/table.ts";
import { LabelledRun } from "../../host-sim/prequential/labelled-run.ts";
import type { Family, UserOptions } from "../../src/learn/family.ts";
import { FAMILIES } from "../../src/learn/registry.ts";
import { nodeFeatures } from "../evaluation/features.ts";
import { STANDARDISED } from "../evaluation/scaling.ts";
import type { PapersData } from "../experiments/lib/data.ts";
import { labelOptions } from "./learning/conditions.ts";
import type { Series } from "./series.ts";

/** The inputs of a forecast: the last readings, standardised as a node does. */
const LAGS = 6;
/** Forecasts at the start that aren't scored. */
const UNSCORED = 200;
const AUTO = "auto-r";
const LINEAR = "rls";

/** A learner's root mean square error, in the series' unit. */
interface Forecaster {
  readonly learner: string;
  readonly error: number;
}

export interface Forecast {
  readonly series: string;
  readonly doc: string;
  readonly horizon: number;
  readonly samples: number;
  /** Of the reading at hand. */
  readonly persistence: number;
  readonly linear: number;
  readonly auto: number;
  /** The learner besides `auto-r` with the least error. */
  readonly best: Forecaster;
  readonly learners: readonly Forecaster[];
}

/** The goals: `auto-r` against the better of persistence and RLS, and against the best learner. */
const SIMPLE_TIMES = 1.02;
const BEST_TIMES = 1.1;

/** Inputs, the values to forecast, and the readings at hand. */
interface Task {
  readonly series: Series;
  readonly inputs: readonly Float32Array[];
  readonly targets: readonly number[];
  readonly readings: readonly number[];
}

async function readTask(series: Series, folder: PapersData, samples: number): Promise<Task> {
  const { horizon } = series;
  const values = await series.read(folder, samples + LAGS + horizon);
  const count = Math.min(samples, values.length - LAGS - horizon + 1);
  const next = nodeFeatures(LAGS, STANDARDISED);
  const at = Array.from({ length: count }, (_, i) => i + LAGS - 1);
  const lags = (t: number) => Float32Array.from({ length: LAGS }, (_, k) => values[t - k]);
  return {
    series,
    inputs: at.map((t) => next(lags(t)).slice()),
    targets: at.map((t) => values[t + horizon]),
    readings: at.map((t) => values[t]),
  };
}

function rootMeanSquare({ targets }: Task, estimate: (k: number) => number): number {
  const squares = targets.map((target, k) => (estimate(k) - target) ** 2).slice(UNSCORED);
  return Math.sqrt(average(squares));
}

/** A learner's error; a value is its label as soon as it is reached. */
function measureError(family: Family, own: UserOptions, task: Task): number {
  const { series, inputs, targets } = task;
  const options = { ...own, dimension: LAGS };
  const learner = family.create({ ...options, memory: arithmetic().allocate(family.layout(options)) });
  const labels = labelOptions({ delay: 0, flips: 0 }, 0, 0);
  const path = { labels, horizon: series.horizon, pending: Number.POSITIVE_INFINITY, place: series.name };
  const run = new LabelledRun({
    learner,
    task: "regression",
    classes: [],
    path: { ...path, index: 0, seed: 1 },
  });
  return rootMeanSquare(task, (k) => run.sample(inputs[k], targets[k]));
}

/** Every learner of numbers with its defaults, and on what the last label leaves. */
function listVariants(family: Family): readonly { readonly name: string; readonly options: UserOptions }[] {
  const plain = { name: family.name, options: {} };
  if (!Object.hasOwn(family.options, "residual")) return [plain];
  return [plain, { name: `${family.name}:residual=label`, options: { residual: "label" } }];
}

/** Forecasts a series with all learners of numbers. */
export async function benchmarkForecast(
  series: Series,
  folder: PapersData,
  samples: number,
): Promise<Forecast> {
  const task = await readTask(series, folder, samples);
  const learners = FAMILIES.filter((family) => family.task === "regression").flatMap((family) =>
    listVariants(family).map(({ name, options }) => ({
      learner: name,
      error: measureError(family, options, task),
    })),
  );
  const errorFor = (name: string) => learners.find(({ learner }) => learner === name)?.error ?? Number.NaN;
  const others = learners.filter(({ learner }) => learner !== AUTO);
  return {
    series: series.name,
    doc: series.doc,
    horizon: series.horizon,
    samples: task.targets.length,
    persistence: rootMeanSquare(task, (k) => task.readings[k]),
    linear: errorFor(LINEAR),
    auto: errorFor(AUTO),
    best: others.reduce((a, b) => (b.error < a.error ? b : a)),
    learners,
  };
}

/** Two ratios: the error of `auto-r` to the better simple method's, and to the best learner's. */
export function errorRatios({ persistence, linear, auto, best }: Forecast): { simple: number; best: number } {
  return { simple: auto / Math.min(persistence, linear), best: auto / best.error };
}

export function forecastTable(forecasts: readonly Forecast[]): { head: string[]; rows: string[][] } {
  const head = [
    ...["series", "steps", "samples", "persistence", LINEAR, AUTO],
    ...["best other", "", "beside the simple", "beside the best"],
  ];
  const rows = forecasts.map((each) => {
    const { simple, best } = errorRatios(each);
    const { series, horizon, samples, persistence, linear, auto } = each;
    return [
      ...[series, `${horizon}`, `${samples}`],
      ...[persistence, linear, auto, each.best.error].map((error) => error.toPrecision(4)),
      ...[each.best.learner, simple.toFixed(3), best.toFixed(3)],
    ];
  });
  return { head, rows };
}

/** How many series meet each goal, in words. */
export function forecastGoals(forecasts: readonly Forecast[]): string {
  const ratios = forecasts.map(errorRatios);
  const countWithin = (times: number, of: string, values: readonly number[]) =>
    `at most ${times} times ${of}: ${values.filter((value) => value <= times).length} of ${values.length}, worst ${Math.max(...values).toFixed(3)}`;
  const [simple, best] = [ratios.map((each) => each.simple), ratios.map((each) => each.best)];
  return [
    countWithin(SIMPLE_TIMES, "the better of persistence and rls", simple),
    countWithin(BEST_TIMES, "the best other learner", best),
  ].join("\n");
}

export function forecastText(forecasts: readonly Forecast[]): string {
  const { head, rows } = forecastTable(forecasts);
  const aligns = head.map((name) => (["series", ""].includes(name) ? "left" : "right") as "left" | "right");
  const legend = forecasts.map(({ series, doc }) => `  ${series}: ${doc}`).join("\n");
  const about = `Root mean square errors of forecasts:\n${legend}`;
  return `${about}\n\n${table(rows, { head, aligns })}\n\n${AUTO}\n${forecastGoals(forecasts)}`;
}
