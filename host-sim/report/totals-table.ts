import { type Html, html } from "../../host/report/html.ts";
import { plotStyle, swatch } from "../../host/report/look.ts";
import { table } from "../../host/report/table.ts";
import { Footnotes } from "./figures.ts";
import { footnotes, inline } from "./scores-table.ts";
import type { TaskResults } from "./tasks.ts";
import { totalColumns, totalRows } from "./totals.ts";

/** Each learner's totals over all nodes of a task, the trivial predictors beneath. */
export function totalsTable(task: TaskResults, names: readonly string[]): Html {
  const columns = totalColumns(task);
  const notes = new Footnotes();
  const rows = totalRows(task, columns).map(({ name, isTrivial, cells }) => {
    const shown = isTrivial ? name : html`${swatch(plotStyle(names.indexOf(name)))}${name}`;
    return { cells: [shown, ...cells.map((cell) => inline(cell, notes))], isTrivial };
  });
  return html`<div class="totals">${table([{ head: "learner" }, ...columns], rows)}</div>
<p class="caption">${task.nodes.length} nodes: means and ranges over those where a figure is defined; counts are sums.</p>
${footnotes(notes)}`;
}
