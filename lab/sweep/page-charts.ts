import { escapeHtml } from "../../host-sim/report/html.ts";
import { type ChartLine, type ChartPoint, chart } from "./chart.ts";
import type { Effect } from "./statistics/effects.ts";
import type { Estimate } from "./statistics/statistics.ts";
import type { LearnerSummary, TaskSummary } from "./statistics/summary.ts";
import type { Unit } from "./unit.ts";
import { valueText } from "./words.ts";

/** The learners' places in the page's legend. */
export type Places = (learner: string) => number;

/** Points that carry their names: of more the names would cover one another. */
const NAMED_MAX = 8;

/** Shares of a drawing's width between learners at one value of a key, and for all of them: no interval covers another. */
const STEP_MAX = 0.025;
const SPREAD_MAX = 0.15;
/** Share of the room between two values, likewise. */
const VALUE_MAX = 0.6;

function pointOf(x: number, { mean, low, high }: Estimate, { times }: Unit): ChartPoint {
  const scaled = (value: number | null) => (value === null ? null : times * value);
  return { x, y: times * mean, low: scaled(low), high: scaled(high) };
}

function panel(title: string, drawing: string): string {
  return drawing && `<div class="panel"><h5>${escapeHtml(title)}</h5>${drawing}</div>`;
}

function frontChart(task: TaskSummary, cost: "bytes" | "instructions", unit: Unit, placeOf: Places): string {
  const line = ({ learner, error, pareto, [cost]: x }: LearnerSummary): ChartLine[] =>
    x === null || x <= 0
      ? []
      : [
          {
            name: learner,
            place: placeOf(learner),
            as: "bars",
            joined: false,
            points: [pointOf(x, error, unit)],
            isOpen: !pareto,
            isNamed: task.learners.length <= NAMED_MAX,
          },
        ];
  const form = { x: cost, y: unit.heading, logX: true };
  return panel(`${unit.heading} against ${cost}`, chart(task.learners.flatMap(line), form));
}

function effectChart({ key, values }: Effect, task: TaskSummary, unit: Unit, placeOf: Places): string {
  if (values.length < 2) return "";
  const { length: learners } = task.learners;
  const last = values.length - 1;
  const step = Math.min(STEP_MAX * last, (SPREAD_MAX * last) / learners, VALUE_MAX / learners);
  const lines = task.learners.map(
    ({ learner }, i): ChartLine => ({
      name: learner,
      place: placeOf(learner),
      as: "bars",
      joined: true,
      points: values.flatMap(({ errors }, at) => {
        const estimate = errors[i];
        return estimate ? [pointOf(at + step * (i - (learners - 1) / 2), estimate, unit)] : [];
      }),
    }),
  );
  const names = values.map(({ value }) => valueText(value));
  return panel(`by ${key}`, chart(lines, { x: key, y: unit.heading, names }));
}

function curveChart(task: TaskSummary, unit: Unit, placeOf: Places): string {
  const scaled = (value: number | null) => (value === null ? null : unit.times * value);
  const lines = task.curves.map(
    ({ learner, at, value, low, high }): ChartLine => ({
      name: learner,
      place: placeOf(learner),
      as: "band",
      joined: true,
      points: at.map((x, i) => ({
        x,
        y: unit.times * value[i],
        low: scaled(low[i]),
        high: scaled(high[i]),
      })),
    }),
  );
  const form = { x: "samples", y: unit.heading };
  return panel("over the samples, mean of nodes, with 95 % bands", chart(lines, form));
}

/** A task's drawings: costs against error, curves, and each key's effect. */
export function taskCharts(task: TaskSummary, unit: Unit, placeOf: Places): string {
  return [
    frontChart(task, "bytes", unit, placeOf),
    frontChart(task, "instructions", unit, placeOf),
    curveChart(task, unit, placeOf),
    ...task.effects.map((effect) => effectChart(effect, task, unit, placeOf)),
  ].join("\n");
}
