import { Footnotes } from "./figures.ts";
import { escapeHtml } from "./html.ts";
import { lookOf, swatch } from "./legend.ts";
import { cell, footnotes, groupHeads } from "./scores-table.ts";
import type { TaskResults } from "./tasks.ts";
import { byLearner, longestTrivial, totalColumns } from "./totals.ts";

/** Each learner's totals over all nodes of a task, the trivial predictors beneath. */
export function totalsTable(task: TaskResults, names: readonly string[]): string {
  const columns = totalColumns(task);
  const notes = new Footnotes();
  const trivial = task.nodes.map(longestTrivial);
  const learners = byLearner(task).map((results) => {
    const [{ name }] = results;
    const cells = columns.map(({ learner }) => cell(learner(results), notes)).join("");
    return `<tr><th scope="row" class="name">${swatch(lookOf(names.indexOf(name)))}${escapeHtml(name)}</th>${cells}</tr>`;
  });
  const plain = (["majority", "last"] as const).map((name) => {
    const scores = trivial.map((each) => each[name]);
    const cells = columns.map(({ trivial: of }) => cell(of ? of(scores) : "", notes)).join("");
    return `<tr class="trivial"><th scope="row" class="name">${name} received</th>${cells}</tr>`;
  });
  const heads = columns.map(({ head }) => `<th scope="col">${head}</th>`).join("");
  return `<div class="wide"><table class="totals">
<thead><tr><th></th>${groupHeads(columns)}</tr>
<tr><th scope="col" class="name">learner</th>${heads}</tr></thead>
<tbody>${[...learners, ...plain].join("\n")}</tbody></table></div>
<p class="caption">${task.nodes.length} nodes: means and ranges over those where a figure is defined; counts are sums.</p>
${footnotes(notes)}`;
}
