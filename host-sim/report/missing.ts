import { printable } from "../../host/printable.ts";
import { type MissingTally, missingText } from "../../host/streams/missing.ts";
import type { TaskResults } from "./tasks.ts";
import { namedTexts } from "./text-table.ts";

const INDENT = 9;

/** The readings missing in the nodes' recorded streams: a line a node. */
export function missingLines({ nodes }: TaskResults, width: number): string[] {
  const texts = nodes.flatMap(({ node, learners: [{ missing }] }) =>
    missing ? [`${printable(node)}: ${missingText(missing)}`] : [],
  );
  return namedTexts("missing", texts, INDENT, width);
}

/** The same of many nodes: a line for all. */
export function missingTotals({ nodes }: TaskResults, width: number): string[] {
  const tallies = nodes.flatMap(({ learners: [{ missing }] }) => (missing ? [missing] : []));
  if (tallies.length === 0) return [];
  const sum = (of: keyof MissingTally) => tallies.reduce((total, tally) => total + tally[of], 0);
  const total = { rows: sum("rows"), readings: sum("readings"), skipped: sum("skipped") };
  const lacking = tallies.filter(({ rows }) => rows > 0).length;
  const text = `at ${lacking} of ${nodes.length} nodes: ${missingText(total)}`;
  return namedTexts("missing", [text], INDENT, width);
}
