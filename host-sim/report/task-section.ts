import { type Html, html, type Part } from "../../host/report/html.ts";
import { legend, plotStyle, swatch } from "../../host/report/look.ts";
import { table } from "../../host/report/table.ts";
import { errorCurves, fillCurves, lagCurves } from "./curves.ts";
import { Footnotes } from "./figures.ts";
import { linksTable } from "./folded.ts";
import { noiseCost } from "./noise-cost.ts";
import { recordingTexts } from "./recording.ts";
import { footnotes, inline, scoresTable } from "./scores-table.ts";
import { streamFigure } from "./stream-figure.ts";
import { errorUnit, learnerNames, type TaskResults } from "./tasks.ts";
import { togetherTable } from "./together.ts";
import { judgedBy, listWorst, NODES_SHOWN, totalColumns, totalRows, worstFirst } from "./totals.ts";

/** One task. With many nodes, totals and the worst nodes come first, and all nodes are folded away. */
export function taskSection(task: TaskResults, names: readonly string[]): Html {
  const kind = task.task !== task.kind && html` <small>${task.kind}</small>`;
  const isLarge = task.nodes.length > NODES_SHOWN;
  const read = recordingTexts(task).map(([name, text]) => html`<p class="caption">${name}: ${text}</p>\n`);
  return html`<section><h2>${task.task}${kind}</h2>
${read}${isLarge ? largeNetwork(task, names) : nodesSection(task, names)}
</section>
`;
}

const WORST_SHOWN = 6;

/** Totals, the worst nodes, then all nodes, folded away: the page's script sorts them, and filters them by name. */
function largeNetwork(task: TaskResults, names: readonly string[]): Html {
  const ranked = worstFirst(task);
  const worst = { ...task, nodes: ranked.slice(0, WORST_SHOWN) };
  const { head } = judgedBy(task);
  const heading = html`<h3>Worst ${worst.nodes.length} of ${task.nodes.length} nodes by ${head}</h3>`;
  const shown = listWorst(task);
  const ranks = JSON.stringify(worstFirst(shown).map(({ node }) => node));
  const all =
    shown === task
      ? `All ${task.nodes.length} nodes`
      : html`The worst ${shown.nodes.length} of ${task.nodes.length} nodes; <code>--csv FILE</code> and <code>--json</code> have all`;
  return html`${totalsTable(task, names)}
${ranked.length > 0 && html`${heading}\n${nodesSection(worst, names)}`}
<details class="all" data-worst="${ranks}"><summary>${all}</summary>
<p><input type="search" placeholder="part of a name" aria-label="nodes by name"> <select aria-label="order"><option value="">in the scenario's order</option><option value="worst">worst first</option></select></p>
${nodesSection(shown, names)}
</details>`;
}

/** Each learner's totals over all nodes of a task, the trivial predictors beneath. */
function totalsTable(task: TaskResults, names: readonly string[]): Html {
  const columns = totalColumns(task);
  const notes = new Footnotes();
  const rows = totalRows(task, columns).map(({ name, isTrivial, cells }) => {
    const shown = isTrivial ? name : html`${swatch(plotStyle(names.indexOf(name)))}${name}`;
    return { cells: [shown, ...cells.map((cell) => inline(cell, notes))], isTrivial };
  });
  return html`<div class="totals">${table(["learner", ...columns], rows)}</div>
<p class="caption">${task.nodes.length} nodes: means and ranges over those where a figure is defined; counts are sums.</p>
${footnotes(notes)}`;
}

/** The table, then error over time, the effect of noise, and, folded away, dictionary fill and label lag. */
function nodesSection(task: TaskResults, names: readonly string[]): Html {
  const unit = errorUnit(task.kind);
  return html`${scoresTable(task, names)}${togetherTable(task)}
${linksTable(task)}
${legend(names, learnerNames(task.nodes))}
${streamFigure(task, names)}<h3>Prequential error</h3>
<p class="caption">${capital(unit)} over the last samples, each predicted before its label was known: coloured with the labels as they came, grey with ideal ones, shaded between them.${watchesDrift(task) && " Upright marks are drift alarms."}</p>
${errorCurves(task, names)}
<h3>Effect of noise, loss and delay</h3>
<p class="caption">Error over the whole run: <span class="key"></span>every label issued, right and at once<span class="key full"></span>the labels as they came; beside it, the difference.</p>
${noiseCost(task, names)}
${storesVectors(task) && figure("Dictionary fill", "Vectors stored; the dashed line is the budget.", fillCurves(task, names))}
${figure("Label lag", "Samples between a prediction and the use of its label, mean since the last point.", lagCurves(task, names))}`;
}

function watchesDrift({ nodes }: TaskResults): boolean {
  return nodes.some(({ learners }) => learners.some(({ drift }) => drift));
}

function storesVectors({ nodes }: TaskResults): boolean {
  return nodes.some(({ learners }) => learners.some(({ budget }) => budget > 0));
}

function figure(title: string, caption: string, drawn: Part): Html {
  return html`<details class="figure"><summary>${title}</summary>\n<p class="caption">${caption}</p>\n${drawn}</details>`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
