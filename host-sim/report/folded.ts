import { type Html, html } from "../../host/report/html.ts";
import { table } from "../../host/report/table.ts";
import type { LearnerResult, SimulateResult } from "../scoring/result.ts";
import { type Cell, Footnotes, mean } from "./figures.ts";
import { footnotes, inline } from "./scores-table.ts";
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
export function linksTable(task: TaskResults): Html {
  return html`${foldTable("Labels, and restarts", LABEL_COLUMNS, task)}
${foldTable("Lines, lag in samples, and memory of whole nodes", LINK_COLUMNS, task)}`;
}

function foldTable(summary: string, columns: Columns, { nodes }: TaskResults): Html {
  const notes = new Footnotes();
  const heads = ["node", "learner", ...columns.map(([head]) => head)];
  const rows = nodes.flatMap(({ node, learners }) =>
    learners.map((result) => [node, result.name, ...columns.map(([, of]) => inline(of(result), notes))]),
  );
  return html`<details><summary>${summary}</summary>
${table(heads, rows, { names: 2 })}${footnotes(notes)}</details>`;
}

/** The hashes of every learner's and every node's state, folded away. */
export function hashesTable({ nodes }: SimulateResult): Html {
  if (nodes.length > NODES_LISTED)
    return html`<section><h2>State hashes</h2>
<p><code>--csv FILE</code> and <code>--json</code> have the hashes of all ${nodes.length} nodes: a repeat of this run must end with them.</p></section>`;
  const heads = ["task", "node", "learner", "learner's state", "node's state"];
  const rows = nodes.flatMap(({ node, learners }) =>
    learners.map(({ task, name, stateHash, nodeHash }) => [
      task,
      node,
      name,
      html`<code>${stateHash}</code>`,
      html`<code>${nodeHash}</code>`,
    ]),
  );
  return html`<section><h2>State hashes</h2>
<p>Equal hashes mean the same bits: a repeat of this run must end with these, on the host as on the device.</p>
<details><summary>Hash of each learner's state, and of each whole node's</summary>
${table(heads, rows, { names: 3 })}</details></section>`;
}
