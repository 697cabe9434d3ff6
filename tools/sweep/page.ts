import { escapeHtml } from "../../host-sim/report/html.ts";
import { legend, lookOf } from "../../host-sim/report/legend.ts";
import { STYLE } from "../../host-sim/report/style.ts";
import { CAUSES } from "../../host-sim/sweep/plan.ts";
import type { Estimate } from "../../host-sim/sweep/statistics.ts";
import type { Decomposition, Effect, LearnerSummary, TaskSummary } from "../../host-sim/sweep/summary.ts";
import { type ChartPoint, chart } from "./chart.ts";
import { criticalDifferenceDrawing } from "./critical-difference.ts";
import { COUNTED_ON } from "./instructions.ts";
import type { SweepResult } from "./result.ts";
import {
  behindText,
  estimateText,
  measureText,
  POINTS_CAPTION,
  rankingText,
  totalLines,
  valueText,
} from "./words.ts";

/** Rows of the table of points at most: the CSV has all. */
const POINTS_SHOWN = 500;
const OWN_STYLE = `
.panel { margin-bottom: 12px; } td.text { text-align: left; white-space: normal; }
.stack { display: flex; height: 16px; width: 160px; } .stack span { height: 100%; }
.chart { max-width: 560px; }
`;

function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const [first, ...others] = heads;
  const head = `<th class="name">${escapeHtml(first)}</th>${others.map((each) => `<th>${escapeHtml(each)}</th>`).join("")}`;
  const body = rows.map(
    ([name, ...cells]) =>
      `<tr><th class="name">${name}</th>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`,
  );
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${body.join("\n")}</tbody></table></div>`;
}

const text = (estimate: Estimate | null | undefined) => (estimate ? escapeHtml(estimateText(estimate)) : "");

function learnersTable({ learners, trivial }: TaskSummary): string {
  const rows = learners.map(({ learner, error, behind, bytes, instructions, pareto, ideal }) => [
    escapeHtml(learner),
    text(error),
    escapeHtml(behindText(behind)),
    text(ideal),
    String(Math.round(bytes)),
    instructions === null ? "n/a" : String(Math.round(instructions)),
    pareto ? "on it" : "",
  ]);
  const plain = (name: string, estimate: Estimate | null) => [name, text(estimate), "", "", "", "", ""];
  return tableOf(
    [
      "learner",
      "mean [95 %]",
      "more than the least, paired",
      "ideal labels",
      "bytes",
      "instructions",
      "front",
    ],
    [...rows, plain("majority", trivial.majority), plain("last label", trivial.last)],
  );
}

/** The learners' places in the page's legend. */
type Places = (learner: string) => number;

const point = (x: number, { mean, low, high }: Estimate): ChartPoint => ({ x, y: mean, low, high });

function frontChart(task: TaskSummary, cost: "bytes" | "instructions", placeOf: Places): string {
  const line = ({ learner, error, [cost]: x }: LearnerSummary) =>
    x === null || x <= 0
      ? []
      : [
          {
            name: learner,
            place: placeOf(learner),
            as: "bars" as const,
            joined: false,
            points: [point(x, error)],
          },
        ];
  return panel(
    `error against ${cost}`,
    chart(task.learners.flatMap(line), { x: cost, y: measureText(task), logX: true }),
  );
}

function panel(title: string, drawing: string): string {
  return drawing && `<div class="panel"><h5>${escapeHtml(title)}</h5>${drawing}</div>`;
}

function effectChart({ key, values }: Effect, task: TaskSummary, placeOf: Places): string {
  if (values.length < 2) return "";
  const lines = task.learners.map(({ learner }, i) => ({
    ...{ name: learner, place: placeOf(learner), as: "bars" as const, joined: true },
    points: values.flatMap(({ errors }, at) => {
      const estimate = errors[i];
      return estimate ? [point(at, estimate)] : [];
    }),
  }));
  const names = values.map(({ value }) => valueText(value));
  return panel(`by ${key}`, chart(lines, { x: key, y: measureText(task), names }));
}

function curveChart(task: TaskSummary, placeOf: Places): string {
  const lines = task.curves.map(({ learner, at, value, low, high }) => ({
    ...{ name: learner, place: placeOf(learner), as: "band" as const, joined: true },
    points: at.map((x, i) => ({ x, y: value[i], low: low[i], high: high[i] })),
  }));
  return panel(
    "as it went, the mean of nodes and points",
    chart(lines, { x: "samples", y: measureText(task) }),
  );
}

/** What each cause costs, as parts of a bar; what isn't above 0 has no part. */
function stack({ clean, error, causes }: Decomposition): string {
  const parts = [clean, ...CAUSES.map((cause) => causes[cause])];
  const spans = parts.map((part, i) => {
    const share = Math.max(0, (100 * (part?.mean ?? 0)) / error.mean);
    const colour = i === 0 ? "--bar" : lookOf(i).colour;
    const name = i === 0 ? "without any" : CAUSES[i - 1];
    return `<span title="${name}" style="width:${share.toFixed(1)}%;background:var(${colour})"></span>`;
  });
  return `<div class="stack">${spans.join("")}</div>`;
}

function costsSection({ decomposition }: TaskSummary): string {
  if (decomposition.length === 0) return "";
  const there = CAUSES.filter((cause) => decomposition.some(({ causes }) => causes[cause]));
  const rows = decomposition.map((each) => [
    escapeHtml(each.learner),
    text(each.error),
    text(each.clean),
    ...there.map((cause) => text(each.causes[cause])),
    stack(each),
  ]);
  return `<h3>What labels cost</h3><p class="caption">Each run was repeated on its seed without each set of causes. A cause's share is what it takes with it, in the mean over the orders in which causes can be taken away (Shapley): the shares and what remains add up to the error. An interval that holds 0 shows no cost.</p>
${tableOf(["learner", "error", "without any", ...there, ""], rows)}`;
}

function pointsTable(
  { axes }: SweepResult,
  task: TaskSummary,
  values: (point: number) => readonly unknown[],
): string {
  const shown = task.points.slice(0, POINTS_SHOWN);
  const rows = shown.map(({ point, errors }) => [
    String(point),
    ...values(point).map((value) => escapeHtml(valueText(value))),
    ...errors.map(text),
  ]);
  const more =
    task.points.length > shown.length
      ? `<p>The first ${shown.length} of ${task.points.length}; the table file has all.</p>`
      : "";
  const heads = ["point", ...axes.map(({ key }) => key), ...task.learners.map(({ learner }) => learner)];
  return `<details><summary>Every point</summary>${more}${tableOf(heads, rows)}</details>`;
}

function taskSection(result: SweepResult, task: TaskSummary, names: readonly string[]): string {
  const placeOf = (learner: string) => names.indexOf(learner);
  const drawings = [
    frontChart(task, "bytes", placeOf),
    frontChart(task, "instructions", placeOf),
    ...task.effects.map((effect) => effectChart(effect, task, placeOf)),
    curveChart(task, placeOf),
  ];
  const values = new Map(result.pointValues.map(({ point, values }) => [point, values]));
  return `<section><h2>${escapeHtml(task.task)}<small>${escapeHtml(`${task.kind}: ${measureText(task)}`)}</small></h2>
${learnersTable(task)}
${legend(
  names,
  task.learners.map(({ learner }) => learner),
)}
<div class="pair">${drawings.join("\n")}</div>
${costsSection(task)}
${pointsTable(result, task, (at) => values.get(at) ?? [])}</section>`;
}

function rankingSection({ ranking }: SweepResult): string {
  if (!ranking) return "";
  return `<section><h2>Ranks</h2><p>${escapeHtml(rankingText(ranking))}</p><p class="caption">${POINTS_CAPTION}</p>
${criticalDifferenceDrawing(ranking)}</section>`;
}

/** The result as one HTML page that loads nothing and runs nothing: totals, ranks, then each task. */
export function sweepPage(result: SweepResult): string {
  const names = [...new Set(result.tasks.flatMap(({ learners }) => learners.map(({ learner }) => learner)))];
  const totals = totalLines(result).map((line) => `<p>${escapeHtml(line)}.</p>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(result.title)}</title>
<style>${STYLE}${OWN_STYLE}</style>
</head>
<body>
<header><h1>${escapeHtml(result.title)}</h1></header>
${totals.join("\n")}
<p class="caption">Intervals are 95 %, by Student's t over seeds; each seed's figure is the mean over its points and nodes. Differences are paired by seed, each interval by itself. Instructions: of a prediction and its label, as <code>plan</code> has them for ${COUNTED_ON}. On the front: no other learner has less of bytes, instructions or error and no more of the rest.</p>
${rankingSection(result)}
${result.tasks.map((task) => taskSection(result, task, names)).join("\n")}
<footer>Made from ${result.schema} by motelearn ${escapeHtml(result.version)}.</footer>
</body>
</html>
`;
}
