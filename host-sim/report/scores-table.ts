import { type Column, columnsOf } from "./columns.ts";
import { type Cell, Footnotes } from "./figures.ts";
import { escapeHtml } from "./html.ts";
import { lookOf, swatch } from "./legend.ts";
import { type NodeResults, type TaskResults, trivialScores } from "./tasks.ts";

/**
 * One task's table: a row a learner, grouped by node, the trivial predictors beneath each node's learners.
 */
export function scoresTable(task: TaskResults, names: readonly string[]): string {
  const columns = columnsOf(task);
  const notes = new Footnotes();
  const bodies = task.nodes.map((node) => nodeRows(node, columns, names, notes)).join("\n");
  return `<div class="wide"><table class="scores">
${tableHead(columns)}
${bodies}
</table></div>
<p class="caption">Grey: no learner, but what a node could say without one: the ${task.kind === "regression" ? "mean" : "majority"} of the labels that it received until then, and the last of them.</p>
${footnotes(notes)}`;
}

/** The upper line of a heading: a group's name over its columns. */
export function groupHeads(columns: readonly { readonly group: string }[]): string {
  const groups: { group: string; span: number }[] = [];
  for (const { group } of columns) {
    const last = groups.at(-1);
    if (last && last.group === group) last.span++;
    else groups.push({ group, span: 1 });
  }
  const heads = groups.map(({ group, span }) => {
    const wide = group !== "" && span > 1 ? ' class="group"' : "";
    return `<th colspan="${span}"${wide}>${escapeHtml(group)}</th>`;
  });
  return heads.join("");
}

function tableHead(columns: readonly Column[]): string {
  const lower = columns.map(
    ({ head, doc }) => `<th scope="col" title="${escapeHtml(doc)}">${escapeHtml(head)}</th>`,
  );
  return `<thead><tr><th colspan="2"></th>${groupHeads(columns)}</tr>
<tr><th scope="col" class="name">node</th><th scope="col" class="name">learner</th>${lower.join("")}</tr></thead>`;
}

function nodeRows(
  node: NodeResults,
  columns: readonly Column[],
  names: readonly string[],
  notes: Footnotes,
): string {
  const learners = node.learners.map((result) => {
    const name = `${swatch(lookOf(names.indexOf(result.name)))}${escapeHtml(result.name)}`;
    const cells = columns.map(({ learner }) => cell(learner(result), notes));
    return { style: "", name, cells };
  });
  const trivials = trivialScores(node).map(({ name, scores }) => ({
    style: ' class="trivial"',
    name: escapeHtml(name),
    cells: columns.map(({ trivial }) => cell(trivial ? trivial(scores) : "", notes)),
  }));
  const rows = [...learners, ...trivials];
  const first = `<th scope="rowgroup" class="name" rowspan="${rows.length}">${escapeHtml(node.node)}</th>`;
  const lines = rows.map(
    ({ style, name, cells }, i) =>
      `<tr${style}>${i === 0 ? first : ""}<th scope="row" class="name">${name}</th>${cells.join("")}</tr>`,
  );
  return `<tbody>\n${lines.join("\n")}\n</tbody>`;
}

/** A table cell; an undefined figure shows the reason on hover, and refers to its footnote. */
export function cell(content: Cell, notes: Footnotes): string {
  return `<td>${inline(content, notes)}</td>`;
}

/** The same without its cell. */
export function inline(content: Cell, notes: Footnotes): string {
  if (typeof content === "string") return escapeHtml(content);
  return `<abbr title="${escapeHtml(content.why)}">n/a</abbr><sup>${notes.number(content.why)}</sup>`;
}

/** Why figures are n/a, numbered. */
export function footnotes(notes: Footnotes): string {
  if (notes.all.length === 0) return "";
  const items = notes.all.map((why) => `<li>n/a: ${escapeHtml(why)}</li>`);
  return `<ol class="notes">${items.join("")}</ol>`;
}
