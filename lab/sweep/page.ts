import { axisFrom0 } from "../../host/report/axis.ts";
import { type Html, html, type Part } from "../../host/report/html.ts";
import { legend, plotStyle } from "../../host/report/look.ts";
import { markTag, pageText, verdict } from "../../host/report/page.ts";
import { table } from "../../host/report/table.ts";
import { track } from "../../host/report/tracks.ts";
import { majorityName } from "../../host-sim/scoring/baselines.ts";
import { criticalDifferenceDrawing } from "./critical-difference.ts";
import { forest } from "./forest.ts";
import { COUNTED_ON } from "./instructions.ts";
import { type Places, taskCharts } from "./page-charts.ts";
import type { SweepResult } from "./result.ts";
import type { Decomposition } from "./statistics/decomposition.ts";
import { CAUSES } from "./statistics/plan.ts";
import { type Estimate, INTERVALS } from "./statistics/statistics.ts";
import type { LearnerSummary, TaskSummary } from "./statistics/summary.ts";
import { Unit } from "./unit.ts";
import { judgeTask } from "./verdict.ts";
import { BLOCKS_CAPTION, rankingText, totalLines, valueText } from "./wording.ts";

/** Rows of the table of points at most: the CSV has all. */
const POINTS_SHOWN = 500;

const estimateCell = (estimate: Estimate | null | undefined, unit: Unit) =>
  estimate ? unit.estimate(estimate) : "";

const verdictSection = (task: TaskSummary) => verdict(`${task.task}, ${task.kind}`, judgeTask(task));

function learnersTable({ kind, learners, trivial }: TaskSummary, unit: Unit): Html {
  const costs = ({ bytes, instructions, pareto }: LearnerSummary) => [
    Math.round(bytes).toLocaleString("en-US"),
    instructions === null ? "n/a" : Math.round(instructions).toLocaleString("en-US"),
    pareto ? "on it" : "",
  ];
  const rows = learners.map((each) => {
    const { learner, error, behind, ideal } = each;
    return [
      learner,
      estimateCell(error, unit),
      unit.behind(behind),
      estimateCell(ideal, unit),
      ...costs(each),
    ];
  });
  const plain = (name: string, estimate: Estimate | null) => ({
    cells: [name, estimateCell(estimate, unit), "", "", "", "", ""],
    isTrivial: true,
  });
  const heads = [
    ...["learner", `${unit.heading} [95 %]`, "more than the least, paired", "ideal labels"],
    ...["bytes", "instructions", "Pareto front"],
  ];
  const last = [
    plain(`${majorityName(kind)} received`, trivial.majority),
    plain("last label received", trivial.last),
  ];
  return table(heads, [...rows, ...last], { sorted: "learner" });
}

/** Each cause's cost, as a part of a bar; no part for a cost of 0 or less. */
function stack({ clean, error, causes }: Decomposition): Html {
  let from = 0;
  const parts = [clean, ...CAUSES.map((cause) => causes[cause])].map((part, i) => {
    const to = from + Math.max(0, part?.mean ?? 0);
    const mark = {
      ...{ as: "bar" as const, from, to },
      colour: i === 0 ? "var(--bar)" : plotStyle(i).colour,
      title: i === 0 ? "without any" : CAUSES[i - 1],
    };
    from = to;
    return mark;
  });
  return track(parts, { ...axisFrom0([1]), ticks: [], place: (value) => value / error.mean });
}

function costsSection({ decomposition }: TaskSummary, unit: Unit): Part {
  if (decomposition.length === 0) return "";
  const there = CAUSES.filter((cause) => decomposition.some(({ causes }) => causes[cause]));
  const rows = decomposition.map((each) => [
    each.learner,
    estimateCell(each.error, unit),
    estimateCell(each.clean, unit),
    ...there.map((cause) => estimateCell(each.causes[cause], unit)),
    stack(each),
  ]);
  return html`<h3>Cost of labels</h3><p class="caption">Each run was repeated on its seed without each set of causes. A cause's share is what it takes with it, in the mean over the orders in which causes can be taken away (Shapley): the shares and what remains add up to the error. An interval that holds 0 shows no cost.</p>
${table(["learner", unit.heading, "without any", ...there, ""], rows, { sorted: "learner" })}`;
}

function nodesSection({ nodes: { count, worst }, learners }: TaskSummary, unit: Unit): Part {
  if (count < 2) return "";
  const [{ learner }] = learners;
  const rows = worst.map(({ node, errors }) => [node, ...errors.map((each) => estimateCell(each, unit))]);
  const more = worst.length < count ? ` The worst ${worst.length} are listed; the table file has all.` : "";
  return html`<h3>Worst of ${count} nodes</h3><p class="caption">By the ${unit.heading} of ${learner}, with 95 % intervals over seeds.${more}</p>
<div class="tall">${table(["node", ...learners.map((each) => each.learner)], rows, { sorted: "node" })}</div>`;
}

function pointsTable(
  { axes }: SweepResult,
  task: TaskSummary,
  unit: Unit,
  values: (point: number) => readonly unknown[],
): Part {
  if (task.points.length < 2) return "";
  const shown = task.points.slice(0, POINTS_SHOWN);
  const rows = shown.map(({ point, errors }) => [
    String(point),
    ...values(point).map(valueText),
    ...errors.map((each) => estimateCell(each, unit)),
  ]);
  const more =
    task.points.length > shown.length &&
    html`<p>The first ${shown.length} of ${task.points.length}; the table file has all.</p>`;
  const heads = ["point", ...axes.map(({ key }) => key), ...task.learners.map(({ learner }) => learner)];
  return html`<details class="tall"><summary>All ${task.points.length} points</summary>${more}${table(heads, rows, { sorted: "point" })}</details>`;
}

function taskSection(result: SweepResult, task: TaskSummary, names: readonly string[]): Html {
  const learnerPlace: Places = (learner) => names.indexOf(learner);
  const unit = new Unit(task);
  const values = new Map(result.pointValues.map(({ point, values }) => [point, values]));
  const own = task.learners.map(({ learner }) => learner);
  const has = own.length > 0;
  return html`<section><h2>${task.task}<small>${task.kind}</small></h2>
${has && forest(task, unit, learnerPlace)}
${legend(names, own)}
<div class="pair">${has && taskCharts(task, unit, learnerPlace)}</div>
${learnersTable(task, unit)}
${costsSection(task, unit)}
${has && nodesSection(task, unit)}
${pointsTable(result, task, unit, (at) => values.get(at) ?? [])}</section>
`;
}

function rankingSection({ ranking }: SweepResult): Part {
  if (!ranking) return "";
  return html`<section><h2>Ranks</h2><p>${rankingText(ranking)}</p><p class="caption">${BLOCKS_CAPTION[ranking.over]} A thick bar joins learners whose difference is below the critical one. It compares ranks, not by how much a learner errs more.</p>
<div class="wide">${criticalDifferenceDrawing(ranking)}</div></section>`;
}

const CAPTION = html`Intervals are 95 %, over seeds, ${INTERVALS}. Each seed's figure is the mean over its points and nodes. Where streams are recorded, seeds draw labels and lines anew, not other recordings. Differences are paired by seed, and their intervals hold for all learners at once (Bonferroni). The least is chosen by these seeds, which the interval of its error doesn't count. Instructions: of a prediction and its label, as <code>plan</code> has them for ${COUNTED_ON}. On the Pareto front, in drawings a full dot: no other learner has less of bytes, instructions or error and no more of the rest.`;

/** The result as one HTML page that loads nothing, and runs only its own script: verdicts, then each task, then ranks. */
export function sweepPage(result: SweepResult, mark: string): string {
  const names = [...new Set(result.tasks.flatMap(({ learners }) => learners.map(({ learner }) => learner)))];
  return pageText({
    title: result.title,
    mark: markTag("sweep", mark),
    runs: true,
    body: html`${totalLines(result).map((line) => html`<p class="caption">${line}.</p>\n`)}
${result.tasks.map(verdictSection)}
${result.tasks.map((task) => taskSection(result, task, names))}
${rankingSection(result)}
<h2>How to read this</h2><p class="caption">${CAPTION}</p>
<footer>Made from ${result.schema} by motelearn ${result.version}.</footer>`,
  });
}
