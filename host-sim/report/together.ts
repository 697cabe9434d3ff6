import { printable } from "../../host/printable.ts";
import type { TogetherResult } from "../scoring/result.ts";
import type { TaskResults } from "./tasks.ts";
import { wrapped } from "./text-table.ts";

const INDENT = 10;

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

/** What became of a node in its group: its last model, who judges, and why it is left out. */
function togetherText({
  labels,
  candidate,
  models,
  judges,
  isTrusted,
  error,
  limit,
}: TogetherResult): string {
  const judge = judges === undefined ? "" : `, ${judges ? "which judges" : "but its own learner judges"}`;
  const sent = candidate ? `has model ${models}, "${candidate}"${judge}` : "has no model";
  const errs =
    error === undefined || limit === undefined
      ? ""
      : `: errs on ${percent(error)} of them by the others' model, limit ${percent(limit)}`;
  return `${labels} labels${isTrusted ? "" : ` left out${errs}`}; ${sent}`;
}

/** Nodes that learn together: a line for each node and learner. */
export function togetherLines({ nodes }: TaskResults, width: number): string[] {
  const lines = nodes.flatMap(({ node, learners }) =>
    learners.flatMap(({ name, together }) =>
      together ? [["together", `${printable(node)}, ${printable(name)}: ${togetherText(together)}`]] : [],
    ),
  );
  return lines.length > 0 ? [wrapped(lines, INDENT, width)] : [];
}

/** The same of many nodes: a line for each learner. */
export function togetherTotals({ nodes }: TaskResults, width: number): string[] {
  const lines = nodes[0].learners.flatMap(({ name, together }, i) => {
    if (!together) return [];
    const all = nodes.flatMap(({ learners }) => learners[i].together ?? []);
    const left = all.filter(({ isTrusted }) => !isTrusted).length;
    const judged = all.filter(({ judges }) => judges).length;
    return [
      [
        "together",
        `${printable(name)}: of ${all.length} nodes the model judges at ${judged}; ${left} left out`,
      ],
    ];
  });
  return lines.length > 0 ? [wrapped(lines, INDENT, width)] : [];
}
