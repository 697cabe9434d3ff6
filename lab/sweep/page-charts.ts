import type { Part } from "../../host/report/html.ts";
import { plotStyle } from "../../host/report/look.ts";
import { type Point, panel, plot, type Series } from "../../host/report/plot.ts";
import type { Effect } from "./statistics/effects.ts";
import type { Estimate } from "./statistics/statistics.ts";
import type { LearnerSummary, TaskSummary } from "./statistics/summary.ts";
import type { Unit } from "./unit.ts";
import { valueText } from "./wording.ts";

type Ends = Pick<Estimate, "mean" | "low" | "high">;
export type Places = (learner: string) => number;

/** Points that carry their names: of more the names would cover one another. */
const NAMED_MAX = 8;

/** Shares of a drawing's width between learners at one value of a key, and for all of them: no interval covers another. */
const STEP_MAX = 0.025;
const SPREAD_MAX = 0.15;
/** Share of the room between two values, likewise. */
const VALUE_MAX = 0.6;

function estimatePoint(x: number, { mean, low, high }: Ends, { times }: Unit): Point {
  const scale = (value: number | null) => (value === null ? null : times * value);
  return { x, y: times * mean, low: scale(low), high: scale(high) };
}

function frontChart(task: TaskSummary, cost: "bytes" | "instructions", unit: Unit, placeOf: Places): Part {
  const line = ({ learner, error, pareto, [cost]: x }: LearnerSummary): Series[] =>
    x === null || x <= 0
      ? []
      : [
          {
            name: learner,
            look: plotStyle(placeOf(learner)),
            range: "bars",
            dots: pareto ? "full" : "open",
            points: [estimatePoint(x, error, unit)],
            isNamed: task.learners.length <= NAMED_MAX,
          },
        ];
  const form = { x: cost, y: unit.heading, logX: true };
  return panel(`${unit.heading} against ${cost}`, plot(task.learners.flatMap(line), form));
}

function effectChart({ key, values }: Effect, task: TaskSummary, unit: Unit, placeOf: Places): Part {
  if (values.length < 2) return "";
  const { length: learners } = task.learners;
  const last = values.length - 1;
  const step = Math.min(STEP_MAX * last, (SPREAD_MAX * last) / learners, VALUE_MAX / learners);
  const lines = task.learners.map(
    ({ learner }, i): Series => ({
      name: learner,
      look: plotStyle(placeOf(learner)),
      range: "bars",
      dots: "full",
      line: "joined",
      points: values.flatMap(({ errors }, at) => {
        const estimate = errors[i];
        return estimate ? [estimatePoint(at + step * (i - (learners - 1) / 2), estimate, unit)] : [];
      }),
    }),
  );
  const names = values.map(({ value }) => valueText(value));
  return panel(`by ${key}`, plot(lines, { x: key, y: unit.heading, names }));
}

function curveChart(task: TaskSummary, unit: Unit, placeOf: Places): Part {
  const lines = task.curves.map(
    ({ learner, at, value, low, high }): Series => ({
      name: learner,
      look: plotStyle(placeOf(learner)),
      range: "band",
      line: "joined",
      points: at.map((x, i) => estimatePoint(x, { mean: value[i], low: low[i], high: high[i] }, unit)),
    }),
  );
  const form = { x: "samples", y: unit.heading };
  return panel("over the samples, mean of nodes, with 95 % bands", plot(lines, form));
}

/** A task's drawings: costs against error, curves, and each key's effect. */
export function taskCharts(task: TaskSummary, unit: Unit, placeOf: Places): Part {
  return [
    frontChart(task, "bytes", unit, placeOf),
    frontChart(task, "instructions", unit, placeOf),
    curveChart(task, unit, placeOf),
    ...task.effects.map((effect) => effectChart(effect, task, unit, placeOf)),
  ];
}
