import { createHash } from "node:crypto";
import { escapeHtml } from "../../host-sim/report/html.ts";
import { htmlPage, markTag } from "../../host-sim/report/html-page.ts";
import { legend, lookOf } from "../../host-sim/report/legend.ts";
import { STYLE } from "../../host-sim/report/style.ts";
import { criticalDifferenceDrawing } from "./critical-difference.ts";
import { forest } from "./forest.ts";
import { COUNTED_ON } from "./instructions.ts";
import { type Places, taskCharts } from "./page-charts.ts";
import { SCRIPT } from "./page-script.ts";
import { tableOf } from "./page-table.ts";
import type { SweepResult } from "./result.ts";
import type { Decomposition } from "./statistics/decomposition.ts";
import { CAUSES } from "./statistics/plan.ts";
import { type Estimate, INTERVALS } from "./statistics/statistics.ts";
import type { LearnerSummary, TaskSummary } from "./statistics/summary.ts";
import { Unit } from "./unit.ts";
import { verdictOf } from "./verdict.ts";
import { BLOCKS_CAPTION, rankingText, totalLines, valueText } from "./words.ts";

/** Rows of the table of points at most: the CSV has all. */
const POINTS_SHOWN = 500;
const OWN_STYLE = `
.take { font-size: 20px; line-height: 1.35; font-weight: 600; margin: 4px 0 6px; }
.verdict { background: var(--soft); border-left: 4px solid var(--c2); border-radius: 4px; padding: 10px 18px; margin: 14px 0; }
.verdict h2 { font-size: 14px; color: var(--muted); font-weight: 400; margin: 0; padding: 0; border: 0; }
.verdict ul { margin: 0; padding-left: 20px; }
.forest { margin: 12px 0 20px; font-size: 14px; font-variant-numeric: tabular-nums; max-width: 1080px; }
.forest .row { display: grid; grid-template-columns: minmax(90px, 1fr) 150px 3fr 260px; gap: 0 16px; align-items: center; padding: 3px 0; }
.forest .heads { color: var(--muted); font-size: 12px; } .forest b { font-weight: 600; overflow-wrap: anywhere; } .forest .swatch { margin-right: 6px; }
.forest .track { position: relative; height: 18px; margin: 0 12px; background: linear-gradient(var(--rule), var(--rule)) center / 100% 1px no-repeat; }
.forest .track i { position: absolute; } .forest .reach { top: 6px; bottom: 6px; border-radius: 3px; opacity: .45; min-width: 2px; }
.forest .mean { width: 10px; height: 10px; top: 4px; margin-left: -5px; border-radius: 50%; }
.forest .ticks .track { background: none; color: var(--muted); font-size: 11px; }
.forest .ticks .track span { position: absolute; transform: translateX(-50%); }
.panel { margin: 10px 0 12px; } .pair { margin-bottom: 18px; } input[type=search] { margin: 4px 0 8px; } .chart { max-width: 560px; } .wide .chart { min-width: 620px; }
.stack { display: flex; height: 16px; width: 160px; } .stack span { height: 100%; }
.tall .wide { max-height: 420px; overflow: auto; } .tall thead th { position: sticky; top: 0; background: var(--paper); }
thead button { font: inherit; color: inherit; border: 0; padding: 0; white-space: nowrap; }
thead button::after { content: " \\2195"; opacity: .5; } [aria-sort=ascending] button::after { content: " \\2191"; opacity: 1; } [aria-sort=descending] button::after { content: " \\2193"; opacity: 1; }
@media (max-width: 700px) {
  .forest .row { grid-template-columns: 1fr auto; padding: 6px 0; } .forest .track { grid-column: 1 / -1; } .forest .against { grid-column: 1 / -1; color: var(--muted); font-size: 12px; }
  .forest .heads .against, .forest .heads span:empty, .forest .ticks > span:empty { display: none; } .take { font-size: 17px; } .verdict { padding: 8px 12px; }
}
`;

const cellOf = (estimate: Estimate | null | undefined, unit: Unit) =>
  estimate ? escapeHtml(unit.estimate(estimate)) : "";

function verdictSection(task: TaskSummary): string {
  const { headline, sentences } = verdictOf(task);
  const lines = sentences.map((each) => `<li>${escapeHtml(each)}</li>`).join("");
  return `<section class="verdict"><h2>${escapeHtml(`${task.task}, ${task.kind}`)}</h2><p class="take">${escapeHtml(headline)}</p>${lines && `<ul>${lines}</ul>`}</section>`;
}

function learnersTable({ learners, trivial }: TaskSummary, unit: Unit): string {
  const costs = ({ bytes, instructions, pareto }: LearnerSummary) => [
    Math.round(bytes).toLocaleString("en-US"),
    instructions === null ? "n/a" : Math.round(instructions).toLocaleString("en-US"),
    pareto ? "on it" : "",
  ];
  const rows = learners.map((each) => ({
    cells: [
      escapeHtml(each.learner),
      cellOf(each.error, unit),
      escapeHtml(unit.behind(each.behind)),
      cellOf(each.ideal, unit),
      ...costs(each),
    ],
  }));
  const plain = (name: string, estimate: Estimate | null) => ({
    cells: [name, cellOf(estimate, unit), "", "", "", "", ""],
    isTrivial: true,
  });
  const heads = [
    ...["learner", `${unit.heading} [95 %]`, "more than the least, paired", "ideal labels"],
    ...["bytes", "instructions", "Pareto front"],
  ];
  const last = [plain("majority received", trivial.majority), plain("last label received", trivial.last)];
  return tableOf("learner", heads, [...rows, ...last]);
}

/** Each cause's cost, as a part of a bar; no part for a cost of 0 or less. */
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

function costsSection({ decomposition }: TaskSummary, unit: Unit): string {
  if (decomposition.length === 0) return "";
  const there = CAUSES.filter((cause) => decomposition.some(({ causes }) => causes[cause]));
  const rows = decomposition.map((each) => ({
    cells: [
      escapeHtml(each.learner),
      cellOf(each.error, unit),
      cellOf(each.clean, unit),
      ...there.map((cause) => cellOf(each.causes[cause], unit)),
      stack(each),
    ],
  }));
  return `<h3>What labels cost</h3><p class="caption">Each run was repeated on its seed without each set of causes. A cause's share is what it takes with it, in the mean over the orders in which causes can be taken away (Shapley): the shares and what remains add up to the error. An interval that holds 0 shows no cost.</p>
${tableOf("learner", ["learner", unit.heading, "without any", ...there, ""], rows)}`;
}

/** The nodes, worst first. */
function nodesSection({ nodes: { count, worst }, learners }: TaskSummary, unit: Unit): string {
  if (count < 2) return "";
  const [{ learner }] = learners;
  const rows = worst.map(({ node, errors }) => ({
    cells: [escapeHtml(node), ...errors.map((each) => cellOf(each, unit))],
  }));
  const more = worst.length < count ? ` The worst ${worst.length} are listed; the table file has all.` : "";
  return `<h3>Worst of ${count} nodes</h3><p class="caption">By the ${escapeHtml(unit.heading)} of ${escapeHtml(learner)}, with 95 % intervals over seeds.${more}</p>
<div class="tall">${tableOf("node", ["node", ...learners.map((each) => each.learner)], rows)}</div>`;
}

function pointsTable(
  { axes }: SweepResult,
  task: TaskSummary,
  unit: Unit,
  values: (point: number) => readonly unknown[],
): string {
  if (task.points.length < 2) return "";
  const shown = task.points.slice(0, POINTS_SHOWN);
  const rows = shown.map(({ point, errors }) => ({
    cells: [
      String(point),
      ...values(point).map((value) => escapeHtml(valueText(value))),
      ...errors.map((each) => cellOf(each, unit)),
    ],
  }));
  const more =
    task.points.length > shown.length
      ? `<p>The first ${shown.length} of ${task.points.length}; the table file has all.</p>`
      : "";
  const heads = ["point", ...axes.map(({ key }) => key), ...task.learners.map(({ learner }) => learner)];
  return `<details class="tall"><summary>All ${task.points.length} points</summary>${more}${tableOf("point", heads, rows)}</details>`;
}

function taskSection(result: SweepResult, task: TaskSummary, names: readonly string[]): string {
  const placeOf: Places = (learner) => names.indexOf(learner);
  const unit = new Unit(task);
  const values = new Map(result.pointValues.map(({ point, values }) => [point, values]));
  const own = task.learners.map(({ learner }) => learner);
  return `<section><h2>${escapeHtml(task.task)}<small>${escapeHtml(task.kind)}</small></h2>
${own.length > 0 ? forest(task, unit, placeOf) : ""}
${legend(names, own)}
<div class="pair">${own.length > 0 ? taskCharts(task, unit, placeOf) : ""}</div>
${learnersTable(task, unit)}
${costsSection(task, unit)}
${own.length > 0 ? nodesSection(task, unit) : ""}
${pointsTable(result, task, unit, (at) => values.get(at) ?? [])}</section>`;
}

function rankingSection({ ranking }: SweepResult): string {
  if (!ranking) return "";
  return `<section><h2>Ranks</h2><p>${escapeHtml(rankingText(ranking))}</p><p class="caption">${BLOCKS_CAPTION[ranking.over]} A thick bar joins learners whose difference is below the critical one; it compares all pairs at once, and by their ranks alone, so it shows fewer differences than the paired intervals do.</p>
<div class="wide">${criticalDifferenceDrawing(ranking)}</div></section>`;
}

const CAPTION = `Intervals are 95 %, over seeds, ${INTERVALS}. Each seed's figure is the mean over its points and nodes. Where streams are recorded, seeds draw labels and lines anew, not other recordings. Differences are paired by seed, each interval by itself. The least is chosen by these seeds, which its interval doesn't count. Instructions: of a prediction and its label, as <code>plan</code> has them for ${COUNTED_ON}. On the Pareto front, in drawings a full dot: no other learner has less of bytes, instructions or error and no more of the rest.`;

/** The result as one HTML page that loads nothing, and runs only its own script: verdicts, then each task, then ranks. */
export function sweepPage(result: SweepResult, mark: string): string {
  const names = [...new Set(result.tasks.flatMap(({ learners }) => learners.map(({ learner }) => learner)))];
  const totals = totalLines(result).map((line) => `<p class="caption">${escapeHtml(line)}.</p>`);
  const hash = createHash("sha256").update(SCRIPT).digest("base64");
  return htmlPage({
    title: result.title,
    style: `${STYLE}${OWN_STYLE}`,
    scripts: `'sha256-${hash}'`,
    head: `${markTag("sweep", mark)}\n`,
    body: `<header><h1>${escapeHtml(result.title)}</h1></header>
${totals.join("\n")}
${result.tasks.map(verdictSection).join("\n")}
${result.tasks.map((task) => taskSection(result, task, names)).join("\n")}
${rankingSection(result)}
<h2>How to read this</h2><p class="caption">${CAPTION}</p>
<footer>Made from ${result.schema} by motelearn ${escapeHtml(result.version)}.</footer>
<script>${SCRIPT}</script>`,
  });
}
