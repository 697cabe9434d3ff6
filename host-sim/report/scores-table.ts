import { type Html, html, type Part } from "../../host/report/html.ts";
import { plotStyle, swatch } from "../../host/report/look.ts";
import { tableHead } from "../../host/report/table.ts";
import { majorityName } from "../scoring/baselines.ts";
import { type Column, makeColumns } from "./columns.ts";
import { type Cell, Footnotes } from "./figures.ts";
import { type NodeResults, type TaskResults, trivialScores } from "./tasks.ts";

const NAMES = [{ head: "node" }, { head: "learner" }];

/**
 * One task's table: a row a learner, grouped by node, the trivial predictors beneath each node's learners.
 */
export function scoresTable(task: TaskResults, names: readonly string[]): Html {
  const columns = makeColumns(task);
  const notes = new Footnotes();
  const bodies = task.nodes.map((node) => nodeRows(node, columns, names, notes));
  return html`<div class="wide"><table class="scores">
${tableHead([...NAMES, ...columns], NAMES.length)}
${bodies}</table></div>
<p class="caption">Grey: no learner, but what a node could say without one: the ${majorityName(task.kind)} of the labels that it received until then, and the last of them.</p>
${footnotes(notes)}`;
}

function nodeRows(
  node: NodeResults,
  columns: readonly Column[],
  names: readonly string[],
  notes: Footnotes,
): Html {
  const learners = node.learners.map((result) => ({
    style: "",
    name: html`${swatch(plotStyle(names.indexOf(result.name)))}${result.name}`,
    cells: columns.map(({ learner }) => learner(result)),
  }));
  const trivials = trivialScores(node).map(({ name, scores }) => ({
    style: html` class="trivial"`,
    name,
    cells: columns.map(({ trivial }) => (trivial ? trivial(scores) : "")),
  }));
  const rows = [...learners, ...trivials];
  const first = html`<th scope="rowgroup" class="name" rowspan="${rows.length}">${node.node}</th>`;
  const lines = rows.map(({ style, name, cells }, i) => {
    const drawn = cells.map((each) => html`<td>${inline(each, notes)}</td>`);
    return html`<tr${style}>${i === 0 && first}<th scope="row" class="name">${name}</th>${drawn}</tr>\n`;
  });
  return html`<tbody>\n${lines}</tbody>\n`;
}

/** A table cell's text; an undefined figure shows the reason on hover, and refers to its footnote. */
export function inline(content: Cell, notes: Footnotes): Part {
  if (typeof content === "string") return content;
  return html`<abbr title="${content.why}">n/a</abbr><sup>${notes.number(content.why)}</sup>`;
}

/** Why figures are n/a, numbered. */
export function footnotes(notes: Footnotes): Part {
  const items = notes.all.map((why) => html`<li>n/a: ${why}</li>`);
  return items.length > 0 && html`<ol class="notes">${items}</ol>`;
}
