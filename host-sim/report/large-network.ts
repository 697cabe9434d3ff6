import { printable } from "../../host/printable.ts";
import type { LearnerResult } from "../scoring/result.ts";
import { type Cell, cellText, type Footnotes } from "./figures.ts";
import { lateTaskText } from "./late-text.ts";
import { missingTotals } from "./missing.ts";
import { recordingLines } from "./recording.ts";
import type { TaskResults } from "./tasks.ts";
import { namedTexts, type Row, type TextColumn, textTable, wrapTable } from "./text-table.ts";
import { togetherTotals } from "./together.ts";
import {
  byLearner,
  judgedBy,
  longestTrivial,
  meanFigure,
  totalColumns,
  totalRows,
  worstFirst,
} from "./totals.ts";

/** About how many lines the worst nodes of all tasks take, and the least for one task. */
const WORST_LINES = 10;
const WORST_MIN = 3;
/** Lines that a text about late labels takes of each of several tasks' worst nodes. */
const LATE_LINES = 2;

/** A task of many nodes: each learner's totals, then its worst nodes. */
export function largeTask(task: TaskResults, tasks: number, width: number, notes: Footnotes): string {
  const kind = task.task === task.kind ? "" : ` (${task.kind})`;
  const title = `Task ${printable(task.task)}${kind}: ${task.nodes.length} nodes, means and ranges over those where a figure is defined; counts are sums`;
  const late = tasks > 1 && lateTaskText(task) !== undefined ? LATE_LINES : 0;
  const shown = Math.max(WORST_MIN, Math.floor(WORST_LINES / tasks) - late);
  const below = [
    ...recordingLines(task, width),
    ...missingTotals(task, width),
    ...driftTotals(task, width),
    ...togetherTotals(task, width),
  ];
  const above = [wrapTable([[title]], width), totals(task, width, notes), ...below];
  return [above.join("\n"), worst(task, shown, width, notes)].join("\n\n");
}

function totals(task: TaskResults, width: number, notes: Footnotes): string {
  const columns = totalColumns(task);
  const rows = totalRows(task, columns).map(({ name, isTrivial, cells }) => ({
    name: isTrivial ? `(${name})` : printable(name),
    cells: cells.map((cell) => cellText(cell, notes)),
  }));
  return textTable(columns, rows, width);
}

/** For each learner that watches for drift, the number of nodes with alarms. */
function driftTotals(task: TaskResults, width: number): string[] {
  const texts = byLearner(task).flatMap((results) => {
    const watched = results.flatMap(({ drift }) => (drift ? [drift] : []));
    if (watched.length === 0) return [];
    const byLabels = watched.filter(({ labels }) => labels.length > 0).length;
    const byMargins = watched.filter(({ margins }) => margins.length > 0).length;
    const name = printable(results[0].name);
    return [`${name}: alarms by labels at ${byLabels} nodes, by margins at ${byMargins}`];
  });
  return namedTexts("drift", texts, 7, width);
}

const FATES = ["applied", "late", "lost", "wrong"] as const;

/** How many of a node's labels had one fate; mean over its learners. */
function meanLabels(learners: readonly LearnerResult[], fate: (typeof FATES)[number]): string {
  return String(Math.round(meanFigure(learners.map(({ labels }) => labels[fate])) as number));
}

/** The worst nodes, a line each: the score of each learner and of the last label, and the labels' fates. */
function worst(task: TaskResults, shown: number, width: number, notes: Footnotes): string {
  const { head, of, form } = judgedBy(task);
  const ranked = worstFirst(task);
  const without = task.nodes.length - ranked.length;
  if (ranked.length === 0) return `No node has a ${head}: there is no order of them.`;
  const rest = without > 0 ? `; ${without} more ${without === 1 ? "has" : "have"} none` : "";
  const columns: TextColumn[] = [
    ...task.nodes[0].learners.map(({ name }) => ({ group: head, head: printable(name) })),
    { group: head, head: "(last)" },
    ...FATES.map((fate) => ({ group: "labels", head: fate, spare: true })),
  ];
  const rows = ranked.slice(0, shown).map((node): Row => {
    const scores: Cell[] = node.learners.map(({ metrics }) => form(of(metrics)));
    const cells = [...scores, form(of(longestTrivial(node).last))].map((cell) => cellText(cell, notes));
    return {
      name: printable(node.node),
      cells: [...cells, ...FATES.map((fate) => meanLabels(node.learners, fate))],
    };
  });
  const title = `Worst ${rows.length} nodes by ${head}, labels in the mean of the learners${rest}`;
  return `${wrapTable([[title]], width)}\n${textTable(columns, rows, width)}`;
}
