import type { Plots } from "./curves.ts";
import { dumbbells } from "./dumbbells.ts";
import { linksTable } from "./folded.ts";
import { escapeHtml } from "./html.ts";
import { legend, lookOf, swatch } from "./legend.ts";
import { recordingTexts } from "./recording.ts";
import { scoresTable } from "./scores-table.ts";
import { errorUnit, learnerNames, type TaskResults } from "./tasks.ts";
import { judgedBy, listed, NODES_SHOWN, worstFirst } from "./totals.ts";
import { totalsTable } from "./totals-table.ts";

/** One task. With many nodes, totals and the worst nodes come first, and all nodes are folded away. */
export function taskSection(task: TaskResults, names: readonly string[], plots: Plots): string {
  const kind = task.task === task.kind ? "" : ` <small>${task.kind}</small>`;
  const isLarge = task.nodes.length > NODES_SHOWN;
  const nodes = isLarge ? largeNetwork(task, names, plots) : nodesOf(task, names, plots);
  const read = recordingTexts(task).map(
    ([name, text]) => `<p class="caption">${name}: ${escapeHtml(text)}</p>\n`,
  );
  return `<section><h2>${escapeHtml(task.task)}${kind}</h2>
${read.join("")}${nodes}
</section>`;
}

const WORST_SHOWN = 6;

/**
 * Totals, the worst nodes, then all nodes: unfolded, they are drawn as they come into view, sorted and
 * filtered by name.
 */
function largeNetwork(task: TaskResults, names: readonly string[], plots: Plots): string {
  const ranked = worstFirst(task);
  const worst = { ...task, nodes: ranked.slice(0, WORST_SHOWN) };
  const { head } = judgedBy(task);
  const heading = `<h3>Worst ${worst.nodes.length} of ${task.nodes.length} nodes by ${head}</h3>`;
  const shown = listed(task);
  const ranks = escapeHtml(JSON.stringify(worstFirst(shown).map(({ node }) => node)));
  const all =
    shown === task
      ? `All ${task.nodes.length} nodes`
      : `The worst ${shown.nodes.length} of ${task.nodes.length} nodes; <code>--csv FILE</code> and <code>--json</code> have all`;
  return `${totalsTable(task, names)}
${ranked.length > 0 ? `${heading}\n${nodesOf(worst, names, plots)}` : ""}
<details class="all" data-worst="${ranks}"><summary>${all}</summary>
<p><input type="search" placeholder="part of a name" aria-label="nodes by name"> <select aria-label="order"><option value="">in the scenario's order</option><option value="worst">worst first</option></select></p>
${nodesOf(shown, names, plots)}
</details>`;
}

/** The table, then error, dictionary fill and label lag over time, then the effect of noise. */
function nodesOf(task: TaskResults, names: readonly string[], plots: Plots): string {
  const shown = learnerNames(task.nodes);
  return `${scoresTable(task, names)}
${linksTable(task)}
${legend(names, shown)}
${figure("Prequential error", `${capital(errorUnit(task.kind))} over the last samples, each predicted before its label was known.`, plots.errors(task))}
${storesVectors(task) ? figure("Dictionary fill", "Vectors stored; the dashed line is the budget.", plots.fill(task)) : ""}
${figure("Label lag", "Samples between a prediction and the use of its label, mean since the last point.", plots.lag(task))}
${noise(task, names, plots)}`;
}

function storesVectors({ nodes }: TaskResults): boolean {
  return nodes.some(({ learners }) => learners.some(({ budget }) => budget > 0));
}

function figure(title: string, caption: string, drawn: string): string {
  return `<h3>${title}</h3>\n<p class="caption">${caption}</p>\n${drawn}`;
}

function noise(task: TaskResults, names: readonly string[], plots: Plots): string {
  const marks = `<span class="key"></span>every label issued, right and at once<span class="key full"></span>the labels as they came`;
  const whole = figure(
    "What noise, loss and delay did",
    `Error over the whole run: ${marks}; beside it, the difference.`,
    dumbbells(task, names),
  );
  const curves = learnerNames(task.nodes).map(
    (name) =>
      `<h4>${swatch(lookOf(names.indexOf(name)))}${escapeHtml(name)}</h4>\n${plots.noise(task, name)}`,
  );
  return `${whole}
<p class="caption next">The same over time: coloured with the labels as they came, grey with ideal ones; shaded where the labels cost accuracy.</p>
${curves.join("\n")}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
