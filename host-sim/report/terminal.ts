import { printable } from "../../host/printable.ts";
import { average } from "../../host/statistics.ts";
import type { FusionResult, SimulateResult } from "../scoring/result.ts";
import { makeColumns } from "./columns.ts";
import { cellText, Footnotes } from "./figures.ts";
import { largeTask } from "./large-network.ts";
import { missingLines } from "./missing.ts";
import { recordingLines } from "./recording.ts";
import { stopLines } from "./stops.ts";
import { groupTasks, type TaskResults, trivialScores } from "./tasks.ts";
import { type Row, textTable, wrapTable } from "./text-table.ts";
import { togetherLines } from "./together.ts";
import { NODES_LISTED, NODES_SHOWN } from "./totals.ts";
import { judgeTask } from "./verdict.ts";

const COLUMNS_MIN = 40;

/** In a large network: how many stopped nodes, votes and alarms are printed. */
const PARTS_SHOWN = 5;

interface TextForm {
  readonly columns: number;
  /** Print each node, however many there are. */
  readonly allNodes?: boolean;
}

/**
 * The result as plain text, at most `columns` wide (at least 40). Each task has a row for each learner on
 * each node, with the trivial predictors beneath. Columns that don't fit go into a block below. A network of
 * more than 12 nodes takes a page: totals of each task, and its worst nodes.
 */
export function renderTable(result: SimulateResult, { columns, allNodes = false }: TextForm): string {
  const width = Math.max(COLUMNS_MIN, columns);
  const notes = new Footnotes();
  const isLarge = !allNodes && result.nodes.length > NODES_SHOWN;
  const all = groupTasks(result);
  const tasks = all.map((task) => {
    const table = isLarge ? largeTask(task, all.length, width, notes) : taskTable(task, width, notes);
    return `${table}\n${verdictLines(task, width, isLarge ? 0 : Number.POSITIVE_INFINITY)}`;
  });
  const parts = isLarge ? PARTS_SHOWN : Number.POSITIVE_INFINITY;
  const fusion = result.fusion.map((each) => fusionLines(each, width, parts));
  const reasons = notes.all.map((why, i) => [`[${i + 1}]`, printable(why)]);
  const footnotes = reasons.length > 0 ? [wrapTable(reasons, 5, width)] : [];
  const more = isLarge ? [wrapTable([[allNodesNote(result)]], width)] : [];
  return [...stopsText(result, width, parts), ...tasks, ...fusion, ...footnotes, ...more].join("\n\n");
}

function allNodesNote({ nodes }: SimulateResult): string {
  return `--all-nodes prints all ${nodes.length} nodes; ${nodes.length > NODES_LISTED ? "" : "the report, "}--csv FILE and --json have them, too.`;
}

/** "and 59 more", behind the first entries of a list. */
function andMore(count: number, shown: number): string[] {
  return count > shown ? [`and ${count - shown} more`] : [];
}

function stopsText(result: SimulateResult, width: number, shown: number): string[] {
  const stops = stopLines(result);
  if (stops.length === 0) return [];
  const lines = [...stops.slice(0, shown), ...andMore(stops.length, shown)].map((line) => [printable(line)]);
  return [wrapTable([["Nodes that stopped; theirs are the figures until then:"], ...lines], width)];
}

function taskTable(task: TaskResults, width: number, notes: Footnotes): string {
  const columns = makeColumns(task);
  const rows = task.nodes.flatMap((node): Row[] => [
    { name: printable(node.node), cells: [] },
    ...node.learners.map((result) => ({
      name: `  ${printable(result.name)}`,
      cells: columns.map(({ learner }) => cellText(learner(result), notes)),
    })),
    ...trivialScores(node).map(({ name, scores }) => ({
      name: `  (${printable(name)})`,
      cells: columns.map(({ trivial }) => (trivial ? cellText(trivial(scores), notes) : "")),
    })),
  ]);
  const kind = task.task === task.kind ? "" : ` (${task.kind})`;
  const title = wrapTable([[`Task ${printable(task.task)}${kind}`]], width);
  const below = [
    ...recordingLines(task, width),
    ...missingLines(task, width),
    ...driftLines(task, width),
    ...togetherLines(task, width),
  ];
  return [title, textTable(columns, rows, width), ...below].join("\n");
}

function verdictLines(task: TaskResults, width: number, shown: number): string {
  const { headline, sentences } = judgeTask(task);
  const lines = [headline, ...sentences.slice(0, shown)].map((text, i) => [
    i === 0 ? "verdict" : "",
    printable(text),
  ]);
  return wrapTable(lines, 11, width);
}

const ALARMS_SHOWN = 8;

/** The drift alarms: a line for each node and learner that watch for drift. */
function driftLines({ nodes }: TaskResults, width: number): string[] {
  const lines = nodes.flatMap(({ node, learners }) =>
    learners.flatMap(({ name, drift }) => {
      if (!drift) return [];
      const alarms = `by labels ${samplesText(drift.labels)}; by margins ${samplesText(drift.margins)}`;
      return [["drift", `${printable(node)}, ${printable(name)}: ${alarms}`]];
    }),
  );
  return lines.length > 0 ? [wrapTable(lines, 7, width)] : [];
}

function samplesText(samples: readonly number[]): string {
  if (samples.length === 0) return "none";
  const more = samples.length - ALARMS_SHOWN;
  const shown = samples.slice(0, ALARMS_SHOWN).join(", ");
  return `at sample${samples.length > 1 ? "s" : ""} ${shown}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Names with their shares: all, or the largest `shown` and the mean of all. */
function sharesText(shares: Readonly<Record<string, number>>, shown: number): string {
  const entries = Object.entries(shares);
  const list = (some: typeof entries) =>
    some.map(([name, value]) => `${printable(name)} ${value.toFixed(3)}`).join(", ");
  if (entries.length <= shown) return list(entries);
  const mean = average(entries.map(([, value]) => value));
  const largest = entries.sort(([, a], [, b]) => b - a).slice(0, shown);
  return `${list(largest)}, ... in the mean of all ${mean.toFixed(3)}`;
}

function fusionLines(result: FusionResult, width: number, shown: number): string {
  const { task, rule, decisions, error, rules, votes, estimated, alarms } = result;
  const title = `Fusion, ${printable(task)}: rule ${printable(rule)}, wrong in ${error.toFixed(3)} of ${decisions} decisions`;
  const noticed = alarms.map(
    ({ node, decision, rate }) =>
      `${printable(node)} errs more often, noticed at decision ${decision}; until then ${rate.toFixed(3)}`,
  );
  const lines = [
    ["rules", sharesText(rules, Number.POSITIVE_INFINITY)],
    ["votes", sharesText(votes, shown)],
    ["estimated", sharesText(estimated, shown)],
    ...[...noticed.slice(0, shown), ...andMore(noticed.length, shown)].map((text) => ["alarm", text]),
  ];
  return `${wrapTable([[title]], width)}\n${wrapTable(lines, 11, width)}`;
}
