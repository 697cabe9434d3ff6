import { printable } from "../../host/printable.ts";
import { html, type Part } from "../../host/report/html.ts";
import { table } from "../../host/report/table.ts";
import type { TogetherResult } from "../scoring/result.ts";
import type { TaskResults } from "./tasks.ts";
import { namedTexts } from "./text-table.ts";

const INDENT = 10;

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

/** Why a node trains no other, and why no other trains it; empty: neither. */
function apartText({ isTrusted, isAlike, error = 0, limit = 0 }: TogetherResult): string {
  const errs = `errs on ${percent(error)} of them by the others' model, limit ${percent(limit)}`;
  const texts = [
    !isTrusted && `left out: ${errs}`,
    !isAlike && "unlike its group: its models learn mostly its own labels",
  ];
  return texts.filter(Boolean).join("; ");
}

/** What became of a node in its group: its last model, who judges, and why it is left out. */
function togetherText(result: TogetherResult): string {
  const { labels, candidate, models, judges, judged } = result;
  const judge = judges ? "which judges" : "but its own learner judges";
  const sent = candidate ? `has model ${models}, "${candidate}", ${judge}` : "has no model";
  const apart = apartText(result);
  return `${labels} labels${apart && `; ${apart}`}; ${sent}; models judged ${percent(judged)} of its samples`;
}

/** Nodes that learn together, with the learners that do. */
function groupMembers({ nodes }: TaskResults) {
  return nodes.flatMap(({ node, learners }) =>
    learners.flatMap(({ name, together }) => (together ? [{ node, name, together }] : [])),
  );
}

/** Nodes that learn together: a line for each node and learner. */
export function togetherLines(task: TaskResults, width: number): string[] {
  const texts = groupMembers(task).map(
    ({ node, name, together }) => `${printable(node)}, ${printable(name)}: ${togetherText(together)}`,
  );
  return namedTexts("together", texts, INDENT, width);
}

const HEADS = [
  ...["node", "learner", "labels", "models", "the last"],
  ...["judges now", "samples judged by models", "its labels"],
];

/** The same as a table of the report. */
export function togetherTable(task: TaskResults): Part {
  const rows = groupMembers(task).map(({ node, name, together }) => {
    const { labels, models, candidate = "", judges, judged } = together;
    const judge = judges ? "the model" : "its own learner";
    return [node, name, `${labels}`, `${models}`, candidate, judge, percent(judged), apartText(together)];
  });
  if (rows.length === 0) return "";
  return html`
<h3>Learning together</h3>
<p class="caption">The gateway sends each node models that it trains from the labels of all nodes in its group; the node's own labels decide whether the model or its own learner judges.</p>
${table(HEADS, rows, { names: 2 })}`;
}

/** The same of many nodes: a line for each learner. */
export function togetherTotals({ nodes }: TaskResults, width: number): string[] {
  const texts = nodes[0].learners.flatMap(({ name, together }, i) => {
    if (!together) return [];
    const all = nodes.flatMap(({ learners }) => learners[i].together ?? []);
    const left = all.filter(({ isTrusted }) => !isTrusted).length;
    const judged = all.filter(({ judges }) => judges).length;
    return [`${printable(name)}: of ${all.length} nodes the model judges at ${judged}; ${left} left out`];
  });
  return namedTexts("together", texts, INDENT, width);
}
