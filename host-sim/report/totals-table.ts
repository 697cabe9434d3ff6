import { type Html, html } from "../../host/report/html.ts";
import { plotStyle, swatch } from "../../host/report/look.ts";
import { table } from "../../host/report/table.ts";
import { Footnotes } from "./figures.ts";
import { footnotes, inline } from "./scores-table.ts";
import type { TaskResults } from "./tasks.ts";
import { byLearner, longestTrivial, totalColumns } from "./totals.ts";

/** Each learner's totals over all nodes of a task, the trivial predictors beneath. */
export function totalsTable(task: TaskResults, names: readonly string[]): Html {
  const columns = totalColumns(task);
  const notes = new Footnotes();
  const trivial = task.nodes.map(longestTrivial);
  const learners = byLearner(task).map((results) => {
    const [{ name }] = results;
    const cells = columns.map(({ learner }) => inline(learner(results), notes));
    return { cells: [html`${swatch(plotStyle(names.indexOf(name)))}${name}`, ...cells] };
  });
  const plain = (["majority", "last"] as const).map((name) => {
    const scores = trivial.map((each) => each[name]);
    const cells = columns.map(({ trivial: of }) => inline(of ? of(scores) : "", notes));
    return { cells: [`${name} received`, ...cells], isTrivial: true };
  });
  return html`<div class="totals">${table([{ head: "learner" }, ...columns], [...learners, ...plain])}</div>
<p class="caption">${task.nodes.length} nodes: means and ranges over those where a figure is defined; counts are sums.</p>
${footnotes(notes)}`;
}
