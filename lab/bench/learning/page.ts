import { type Bar, barChart } from "../../../host-sim/report/bars.ts";
import { escapeHtml } from "../../../host-sim/report/html.ts";
import { htmlPage, markTag } from "../../../host-sim/report/html-page.ts";
import { STYLE } from "../../../host-sim/report/style.ts";
import { flipsText } from "./conditions.ts";
import { isTrivial } from "./entrants.ts";
import { type BenchResult, type CellResult, errorOf, meanOf, type Summary } from "./result.ts";
import {
  type Column,
  columnsOf,
  errorText,
  estimateText,
  figureText,
  metText,
  ranked,
  setupLines,
} from "./words.ts";

const TITLE = "Learners on late, lost and wrong labels";
/** Tint of an error: per cent for each point above the least of its row or column, and the most. */
const TINT_A_POINT = 3;
const TINT_MOST = 45;

const OWN_STYLE = `
.panel { margin-bottom: 12px; }
td.least { font-weight: 600; }
td.missed { color: var(--c1); font-weight: 600; }
td.text { white-space: normal; text-align: left; max-width: 60ch; }
`;

/** An error, tinted by its distance from the least; empty where there is none. */
function errorCell(error: number, least: number, title = ""): string {
  if (Number.isNaN(error)) return "<td></td>";
  const tint = Math.min(TINT_MOST, 100 * TINT_A_POINT * (error - least));
  const style =
    tint > 0 ? ` style="background:color-mix(in srgb,var(--c1) ${tint.toFixed(0)}%,transparent)"` : "";
  const mark = error === least ? ' class="least"' : "";
  return `<td${mark}${style}${title && ` title="${escapeHtml(title)}"`}>${errorText(error)}</td>`;
}

function table(heads: readonly string[], rows: readonly string[]): string {
  const [first, ...others] = heads;
  const cells = others.map((head) => `<th>${escapeHtml(head)}</th>`).join("");
  return `<div class="wide"><table><thead><tr><th class="name">${escapeHtml(first)}</th>${cells}</tr></thead><tbody>${rows.join("\n")}</tbody></table></div>`;
}

function row(name: string, cells: readonly string[]): string {
  const trivial = isTrivial(name) ? ' class="trivial"' : "";
  return `<tr${trivial}><th class="name">${escapeHtml(name)}</th>${cells.join("")}</tr>`;
}

function goalsSection({ goals }: BenchResult): string {
  const rows = goals.map((goal) => {
    const mark = goal.met === false ? ' class="missed"' : "";
    return `<tr><td${mark}>${metText(goal)}</td><th class="name">${escapeHtml(goal.of)}</th><td class="text">${escapeHtml(figureText(goal))}</td><td class="text">${escapeHtml(goal.goal)}</td></tr>`;
  });
  return `<section><h2>Goals</h2><div class="wide"><table><thead><tr><th></th><th class="name">of</th><th class="name">figure</th><th class="name">wanted</th></tr></thead><tbody>${rows.join("\n")}</tbody></table></div></section>`;
}

/** Mean errors as bars, one panel for each share of flips, all with one axis. */
function flipsPanels({ flips }: BenchResult, summaries: readonly Summary[]): string {
  const bars = (i: number): Bar[] =>
    summaries.map(({ entrant, by }) => ({
      name: entrant,
      value: by.flips[i]?.error ?? 0,
      strong: !isTrivial(entrant),
    }));
  const panels = flips.map((_, i) => bars(i));
  const all = panels.flat();
  const drawn = flips.map(
    (share, i) =>
      `<div class="panel"><h5>flips: ${flipsText(share)}</h5>${barChart(panels[i], all, "mean error, a share of 1")}</div>`,
  );
  return `<div class="pair">${drawn.join("\n")}</div>`;
}

function learnersTable(columns: readonly Column[], summaries: readonly Summary[]): string {
  const groups = [...new Set(columns.map(({ group }) => group))];
  const upper = groups.map(
    (group) =>
      `<th class="group" colspan="${columns.filter((each) => each.group === group).length}">${escapeHtml(group)}</th>`,
  );
  const lower = columns.map(({ head, doc }) => `<th title="${escapeHtml(doc)}">${escapeHtml(head)}</th>`);
  const rows = summaries.map((summary) =>
    row(
      summary.entrant,
      columns.map(({ cell }) => `<td>${escapeHtml(cell(summary))}</td>`),
    ),
  );
  return `<div class="wide"><table class="scores"><thead><tr><th></th>${upper.join("")}</tr><tr><th class="name">learner</th>${lower.join("")}</tr></thead><tbody>${rows.join("\n")}</tbody></table></div>`;
}

/** A row a set, a column an entrant: mean errors over the set's cells. */
function setsTable({ sets, cells }: BenchResult, summaries: readonly Summary[], budget: number): string {
  const names = summaries.map(({ entrant }) => entrant);
  const rows = sets.flatMap(({ name }) => {
    const own = cells.filter((cell) => cell.set === name && cell.budget === budget);
    if (own.length === 0) return [];
    const errors = names.map((entrant) => meanOf(own.map((cell) => errorOf(cell, entrant))));
    const least = Math.min(...errors);
    return row(
      name,
      errors.map((error) => errorCell(error, least)),
    );
  });
  return table(["set", ...names], rows);
}

function conditionText({ order, delay, flips }: CellResult): string {
  return `${order}, delay ${delay}, flips ${flipsText(flips)}`;
}

/** All cells of a set: a row a condition, a column an entrant. */
function setSection(result: BenchResult, name: string, names: readonly string[]): string {
  const own = result.cells.filter((cell) => cell.set === name);
  if (own.length === 0) return "";
  const rows = own.map((cell) => {
    const errors = names.map((entrant) => errorOf(cell, entrant));
    const least = errorOf(cell, cell.best);
    const title = (entrant: string) => {
      const found = cell.standings.find((each) => each.entrant === entrant);
      return found ? `${estimateText(found.error)}; last third ${errorText(found.late.mean)}` : "";
    };
    const budget = result.budgets.length > 1 ? `, budget ${cell.budget}` : "";
    return row(
      conditionText(cell) + budget,
      errors.map((error, i) => errorCell(error, least, title(names[i]))),
    );
  });
  const { doc } = result.sets.find((set) => set.name === name) as BenchResult["sets"][number];
  return `<details><summary>${escapeHtml(`${name}: ${doc}`)}</summary>${table(["error, %", ...names], rows)}</details>`;
}

function budgetSection(result: BenchResult, budget: number): string {
  const summaries = ranked(result, budget);
  if (summaries.length === 0) return "";
  return `<section><h2>Budget ${budget}</h2>
<p class="caption">Each learner over all cells, a cell being a set in an order, a delay and a share of flips. Point at a head for what it means.</p>
${learnersTable(columnsOf(result), summaries)}
<h3>By share of flips</h3>
${flipsPanels(result, summaries)}
<h3>By set</h3>
<p class="caption">Mean error, %, over each set's cells; the least of a row stands out, the others are the darker the farther off.</p>
${setsTable(result, summaries, budget)}</section>`;
}

function footer({ schema, timing }: BenchResult): string {
  if (!timing) return `<footer>Made from ${schema}.</footer>`;
  const threads = timing.threads === 1 ? "1 thread" : `${timing.threads} threads`;
  return `<footer>Took ${timing.seconds.toFixed(1)} s on ${threads}, beside what was kept of earlier runs. Made from ${schema}.</footer>`;
}

/** The result as one HTML page that loads nothing and runs nothing: goals, learners, sets, every cell. */
/** @param mark of its sets. */
export function benchLearningPage(result: BenchResult, mark: string): string {
  const captions = setupLines(result).map((line) => `<p class="caption">${escapeHtml(line)}</p>`);
  const ranks = result.budgets.flatMap((budget) => ranked(result, budget));
  const names = [...new Set(ranks.map(({ entrant }) => entrant))];
  const sets = result.sets.map(({ name }) => setSection(result, name, names));
  return htmlPage({
    title: TITLE,
    head: `${markTag("data", mark)}\n`,
    style: `${STYLE}${OWN_STYLE}`,
    body: `<header><h1>${TITLE}</h1></header>
${captions.join("\n")}
${goalsSection(result)}
${result.budgets.map((each) => budgetSection(result, each)).join("\n")}
<section><h2>Every cell</h2>${sets.join("\n")}</section>
${footer(result)}`,
  });
}
