import { printable } from "../../host/printable.ts";
import { missingText } from "../../host/streams/missing.ts";
import type { TaskResults } from "./tasks.ts";
import { wrapTable } from "./text-table.ts";

const INDENT = 9;

function wrapTexts(texts: readonly string[], width: number): string[] {
  if (texts.length === 0) return [];
  return [
    wrapTable(
      texts.map((text) => ["missing", text]),
      INDENT,
      width,
    ),
  ];
}

/** The readings missing in the nodes' recorded streams: a line a node. */
export function missingLines({ nodes }: TaskResults, width: number): string[] {
  const texts = nodes.flatMap(({ node, learners: [{ missing }] }) =>
    missing ? [`${printable(node)}: ${missingText(missing)}`] : [],
  );
  return wrapTexts(texts, width);
}

/** The same of many nodes: a line for all. */
export function missingTotals({ nodes }: TaskResults, width: number): string[] {
  const tallies = nodes.flatMap(({ learners: [{ missing }] }) => (missing ? [missing] : []));
  if (tallies.length === 0) return [];
  const total = { rows: 0, readings: 0, skipped: 0 };
  for (const { rows, readings, skipped } of tallies) {
    total.rows += rows;
    total.readings += readings;
    total.skipped += skipped;
  }
  const lacking = tallies.filter(({ rows }) => rows > 0).length;
  return wrapTexts([`at ${lacking} of ${nodes.length} nodes: ${missingText(total)}`], width);
}
