import { countText } from "../../../host/count-text.ts";
import { axisFrom0 } from "../../../host/report/axis.ts";
import { type Html, html, type Part } from "../../../host/report/html.ts";
import { markTag, pageText } from "../../../host/report/page.ts";
import { panel } from "../../../host/report/plot.ts";
import { type TableRow, table } from "../../../host/report/table.ts";
import { tracks } from "../../../host/report/tracks.ts";
import { average } from "../../../host/statistics.ts";
import { flipsText } from "./conditions.ts";
import { isTrivial } from "./entrants.ts";
import { type BenchResult, meanError, type Summary } from "./result.ts";
import {
  type Column,
  errorText,
  estimateText,
  figureText,
  makeColumns,
  metText,
  rankLearners,
  setupLines,
} from "./wording.ts";

const TITLE = "Learners on late, lost and wrong labels";
/** Tint of an error: per cent for each point above the least of its row or column, and the most. */
const TINT_A_POINT = 3;
const TINT_MOST = 45;

/** An error, tinted by its distance from the least; empty where there is none. */
function errorCell(error: number, least: number, title?: string): TableRow["cells"][number] {
  if (Number.isNaN(error)) return "";
  const tint = Math.min(TINT_MOST, 100 * TINT_A_POINT * (error - least));
  return {
    content: errorText(error),
    look: error === least ? "least" : undefined,
    style: tint > 0 ? `background:color-mix(in srgb,var(--c1) ${tint.toFixed(0)}%,transparent)` : undefined,
    title,
  };
}

function goalsSection({ goals }: BenchResult): Html {
  const rows = goals.map((goal) => [
    goal.of,
    { content: metText(goal), look: goal.met === false ? "missed" : undefined },
    { content: figureText(goal), look: "text" },
    { content: goal.goal, look: "text" },
  ]);
  return html`<section><h2>Goals</h2>${table(["of", "", "figure", "wanted"], rows)}</section>`;
}

/** Mean errors as bars, one panel for each share of flips, all with one axis. */
function flipsPanels({ flips }: BenchResult, summaries: readonly Summary[]): Html {
  const errorIn = ({ by }: Summary, i: number) => by.flips[i]?.error ?? 0;
  const axis = axisFrom0(
    flips.flatMap((_, i) => summaries.map((each) => errorIn(each, i))),
    4,
  );
  const drawn = flips.map((share, i) => {
    const rows = summaries.map((each) => ({
      name: each.entrant,
      marks: [
        {
          ...{ as: "bar" as const, from: 0, to: errorIn(each, i) },
          colour: isTrivial(each.entrant) ? "var(--bar)" : "var(--c0)",
        },
      ],
      remark: errorIn(each, i).toFixed(3),
    }));
    return panel(`flips: ${flipsText(share)}`, tracks(rows, axis, "mean error, a share of 1"));
  });
  return html`<div class="pair">${drawn}</div>`;
}

function learnersTable(columns: readonly Column[], summaries: readonly Summary[]): Html {
  const rows = summaries.map((summary) => ({
    cells: [summary.entrant, ...columns.map(({ cell }) => cell(summary))],
    isTrivial: isTrivial(summary.entrant),
  }));
  return table(["learner", ...columns], rows);
}

/** A row a set, a column an entrant: mean errors over the set's cells. */
function setsTable({ sets, cells }: BenchResult, summaries: readonly Summary[], budget: number): Html {
  const names = summaries.map(({ entrant }) => entrant);
  const rows = sets.flatMap(({ name }) => {
    const own = cells.filter((cell) => cell.set === name && cell.budget === budget);
    if (own.length === 0) return [];
    const errors = names.map((entrant) => average(own.map((cell) => meanError(cell, entrant))));
    const least = Math.min(...errors);
    return [[name, ...errors.map((error) => errorCell(error, least))]];
  });
  return table(["set", ...names], rows);
}

/** All cells of a set: a row a condition, a column an entrant. */
function setSection(result: BenchResult, name: string, names: readonly string[]): Part {
  const own = result.cells.filter((cell) => cell.set === name);
  if (own.length === 0) return "";
  const rows = own.map((cell) => {
    const least = meanError(cell, cell.best);
    const title = (entrant: string) => {
      const found = cell.standings.find((each) => each.entrant === entrant);
      return found && `${estimateText(found.error)}; last third ${errorText(found.late.mean)}`;
    };
    const budget = result.budgets.length > 1 ? `, budget ${cell.budget}` : "";
    const errors = names.map((entrant) => errorCell(meanError(cell, entrant), least, title(entrant)));
    const { order, delay, flips } = cell;
    return [`${order}, delay ${delay}, flips ${flipsText(flips)}${budget}`, ...errors];
  });
  const { doc } = result.sets.find((set) => set.name === name) as BenchResult["sets"][number];
  return html`<details><summary>${name}: ${doc}</summary>${table(["error, %", ...names], rows)}</details>\n`;
}

function budgetSection(result: BenchResult, budget: number): Part {
  const summaries = rankLearners(result, budget);
  if (summaries.length === 0) return "";
  return html`<section><h2>Budget ${budget}</h2>
<p class="caption">Each learner over all cells, a cell being a set in an order, a delay and a share of flips. Point at a head for what it means.</p>
${learnersTable(makeColumns(result), summaries)}
<h3>By share of flips</h3>
${flipsPanels(result, summaries)}
<h3>By set</h3>
<p class="caption">Mean error, %, over each set's cells; the least of a row stands out, the others are the darker the farther off.</p>
${setsTable(result, summaries, budget)}</section>
`;
}

function footer({ schema, timing }: BenchResult): Html {
  if (!timing) return html`<footer>Made from ${schema}.</footer>`;
  return html`<footer>Took ${timing.seconds.toFixed(1)} s on ${countText(timing.threads, "thread")}, beside what was kept of earlier runs. Made from ${schema}.</footer>`;
}

/**
 * The result as one HTML page that loads nothing and runs nothing: goals, learners, sets, every cell.
 *
 * @param mark of its sets.
 */
export function benchLearningPage(result: BenchResult, mark: string): string {
  const ranks = result.budgets.flatMap((budget) => rankLearners(result, budget));
  const names = [...new Set(ranks.map(({ entrant }) => entrant))];
  return pageText({
    title: TITLE,
    mark: markTag("data", mark),
    body: html`${setupLines(result).map((line) => html`<p class="caption">${line}</p>\n`)}
${goalsSection(result)}
${result.budgets.map((each) => budgetSection(result, each))}
<section><h2>Every cell</h2>${result.sets.map(({ name }) => setSection(result, name, names))}</section>
${footer(result)}`,
  });
}
