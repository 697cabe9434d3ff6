import type { LearnerResult, SimulateResult } from "../scoring/result.ts";
import { type Cell, Footnotes, mean } from "./figures.ts";
import { escapeHtml } from "./html.ts";
import { cell, footnotes } from "./scores-table.ts";
import type { TaskResults } from "./tasks.ts";
import { NODES_LISTED } from "./totals.ts";

type Columns = readonly (readonly [head: string, of: (result: LearnerResult) => Cell])[];

const LINK_COLUMNS: Columns = [
  ["frames up", ({ link }) => String(link.up.frames)],
  ["down", ({ link }) => String(link.down.frames)],
  ["bytes up", ({ link }) => String(link.up.bytes)],
  ["down", ({ link }) => String(link.down.bytes)],
  ["frames lost", ({ link }) => String(link.up.lost + link.down.lost)],
  ["damaged", ({ link }) => String(link.up.damaged + link.down.damaged)],
  ["stalls", ({ link }) => String(link.up.stalls + link.down.stalls)],
  ["labels resent", ({ link }) => String(link.labelsResent)],
  ["samples resent", ({ link }) => String(link.samplesRefed)],
  ["mean lag", ({ labels }) => mean(labels.lagMean)],
  ["largest lag", ({ labels }) => String(labels.lagMax)],
  ["bytes of the node", ({ nodeBytes }) => String(nodeBytes)],
];

const LABEL_COLUMNS: Columns = [
  ["samples missed", ({ missed }) => String(missed)],
  ["readings missing", ({ missing }) => (missing ? String(missing.readings) : "")],
  ["labels issued", ({ labels }) => String(labels.issued)],
  ["applied", ({ labels }) => String(labels.applied)],
  ["too late", ({ labels }) => String(labels.late)],
  ["sample died", ({ labels }) => String(labels.died)],
  ["refused", ({ labels }) => String(labels.refused)],
  ["open", ({ labels }) => String(labels.open)],
  ["never issued", ({ labels }) => String(labels.lost)],
  ["duplicates", ({ labels }) => String(labels.duplicates)],
  ["held", ({ labels }) => String(labels.held)],
  ["power cuts", ({ power }) => String(power.cuts)],
  ["in a save", ({ power }) => String(power.duringSave)],
  ["starts restored", ({ power }) => String(power.restored)],
  ["fallback", ({ power }) => String(power.fallback)],
  ["fresh", ({ power }) => String(power.fresh)],
  ["checkpoints", ({ nodeCounters }) => String(nodeCounters.saved)],
  ["drift alarms by labels", ({ drift }) => (drift ? String(drift.labels.length) : "")],
  ["by margins", ({ drift }) => (drift ? String(drift.margins.length) : "")],
];

/** The traffic of a task's lines and the fates of each node's labels, folded away. */
export function linksTable(task: TaskResults): string {
  return `${folded("Labels, and restarts", LABEL_COLUMNS, task)}
${folded("Lines, lag in samples, and memory of whole nodes", LINK_COLUMNS, task)}`;
}

function folded(summary: string, columns: Columns, { nodes }: TaskResults): string {
  const notes = new Footnotes();
  const heads = columns.map(([head]) => `<th scope="col">${head}</th>`).join("");
  const rows = nodes.flatMap(({ node, learners }) =>
    learners.map((result) => {
      const cells = columns.map(([, of]) => cell(of(result), notes)).join("");
      return `<tr><th class="name">${escapeHtml(node)}</th><th class="name">${escapeHtml(result.name)}</th>${cells}</tr>`;
    }),
  );
  return `<details><summary>${summary}</summary>
<div class="wide"><table><thead><tr><th class="name">node</th><th class="name">learner</th>${heads}</tr></thead>
<tbody>${rows.join("\n")}</tbody></table></div>${footnotes(notes)}</details>`;
}

/** The hashes of every learner's and every node's state, folded away. */
export function hashesTable({ nodes }: SimulateResult): string {
  if (nodes.length > NODES_LISTED)
    return `<section><h2>State hashes</h2>
<p><code>--csv FILE</code> and <code>--json</code> have the hashes of all ${nodes.length} nodes: a repeat of this run must end with them.</p></section>`;
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
