import type { LearnerResult, SimulateResult } from "../result.ts";
import { type Cell, Footnotes, mean } from "./figures.ts";
import { escapeHtml } from "./html.ts";
import { cell, footnotes } from "./scores-table.ts";
import type { TaskResults } from "./tasks.ts";

const LINK_COLUMNS: readonly (readonly [head: string, of: (result: LearnerResult) => Cell])[] = [
  ["samples missed", ({ missed }) => String(missed)],
  ["labels issued", ({ labels }) => String(labels.issued)],
  ["frames sent", ({ labels }) => String(labels.sent)],
  ["dropped", ({ labels }) => String(labels.dropped)],
  ["resent", ({ labels }) => String(labels.resent)],
  ["duplicates", ({ labels }) => String(labels.duplicates)],
  ["held", ({ labels }) => String(labels.held)],
  ["mean lag", ({ labels }) => mean(labels.lagMean)],
  ["largest lag", ({ labels }) => String(labels.lagMax)],
  ["bytes of the node", ({ nodeBytes }) => String(nodeBytes)],
];

/** What the links of a task carried, folded away. */
export function linksTable({ nodes }: TaskResults): string {
  const notes = new Footnotes();
  const heads = LINK_COLUMNS.map(([head]) => `<th scope="col">${head}</th>`).join("");
  const rows = nodes.flatMap(({ node, learners }) =>
    learners.map((result) => {
      const cells = LINK_COLUMNS.map(([, of]) => cell(of(result), notes)).join("");
      return `<tr><th class="name">${escapeHtml(node)}</th><th class="name">${escapeHtml(result.name)}</th>${cells}</tr>`;
    }),
  );
  return `<details><summary>Links, lag in samples, and memory of whole nodes</summary>
<div class="wide"><table><thead><tr><th class="name">node</th><th class="name">learner</th>${heads}</tr></thead>
<tbody>${rows.join("\n")}</tbody></table></div>${footnotes(notes)}</details>`;
}

/** The hashes of every learner's and every node's state, folded away. */
export function hashesTable({ nodes }: SimulateResult): string {
  const rows = nodes.flatMap(({ node, learners }) =>
    learners.map(({ task, name, stateHash, nodeHash }) => {
      const names = [task, node, name].map((text) => `<th class="name">${escapeHtml(text)}</th>`).join("");
      return `<tr>${names}<td><code>${escapeHtml(stateHash)}</code></td><td><code>${escapeHtml(nodeHash)}</code></td></tr>`;
    }),
  );
  return `<section><h2>State hashes</h2>
<p>Equal hashes mean the same bits: a repeat of this run must end with these, on the host as on the device.</p>
<details><summary>Hash of each learner's state, and of each whole node's</summary>
<div class="wide"><table><thead><tr><th class="name">task</th><th class="name">node</th><th class="name">learner</th><th>learner's state</th><th>node's state</th></tr></thead>
<tbody>${rows.join("\n")}</tbody></table></div></details></section>`;
}
