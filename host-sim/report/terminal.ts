import Table from "cli-table3";
import { printable } from "../printable.ts";
import type { FusionResult, SimulateResult } from "../result.ts";
import { type Column, columnsOf } from "./columns.ts";
import { type Cell, Footnotes } from "./figures.ts";
import { stopLines } from "./stops.ts";
import { type TaskResults, tasksOf, trivialScores } from "./tasks.ts";

const CHARS = Object.fromEntries(
  ["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left", "bottom-right"]
    .concat(["left", "left-mid", "mid", "mid-mid", "right", "right-mid"])
    .map((name) => [name, ""]),
);

const COLUMNS_MIN = 40;
const NAME_WIDTH_MAX = 24;

interface Row {
  readonly name: string;
  /** A cell a column; empty in the line that names a node. */
  readonly cells: readonly string[];
}

/** One column as text. */
interface Strip extends Pick<Column, "group" | "head" | "spare"> {
  readonly cells: readonly string[];
  readonly width: number;
}

/**
 * The result as plain text, at most `columns` wide (at least 40): per task a row for each learner on each node, the
 * trivial predictors beneath. Columns that don't fit beside the others go into a block below.
 */
export function renderTable(result: SimulateResult, { columns }: { readonly columns: number }): string {
  const width = Math.max(COLUMNS_MIN, columns);
  const notes = new Footnotes();
  const tasks = tasksOf(result).map((task) => taskTable(task, width, notes));
  const fusion = result.fusion.map((each) => fusionLines(each, width));
  const reasons = notes.all.map((why, i) => [`[${i + 1}]`, printable(why)]);
  const footnotes = reasons.length > 0 ? [wrapped(reasons, 5, width)] : [];
  const stops = stopLines(result).map((line) => [printable(line)]);
  const stopped =
    stops.length > 0
      ? [wrapped([["Nodes that stopped; theirs are the figures until then:"], ...stops], width)]
      : [];
  return [...stopped, ...tasks, ...fusion, ...footnotes].join("\n\n");
}

function taskTable(task: TaskResults, width: number, notes: Footnotes): string {
  const columns = columnsOf(task);
  const rows = task.nodes.flatMap((node): Row[] => [
    { name: printable(node.node), cells: [] },
    ...node.learners.map((result) => ({
      name: `  ${printable(result.name)}`,
      cells: columns.map(({ learner }) => printed(learner(result), notes)),
    })),
    ...trivialScores(node).map(({ name, scores }) => ({
      name: `  (${printable(name)})`,
      cells: columns.map(({ trivial }) => (trivial ? printed(trivial(scores), notes) : "")),
    })),
  ]);
  const nameWidth = Math.min(NAME_WIDTH_MAX, Math.max(...rows.map(({ name }) => name.length)));
  const strips = columns.map((_, i) => strip(columns, i, rows));
  const kind = task.task === task.kind ? "" : ` (${task.kind})`;
  const title = wrapped([[`Task ${printable(task.task)}${kind}`]], width);
  const blocks = packed(strips, width - nameWidth).map((each) => block(rows, nameWidth, each));
  return [title, blocks.join("\n\n"), ...driftLines(task, width)].join("\n");
}

const ALARMS_SHOWN = 8;

/** Where nodes told alarms of drift: a line for each node and learner that watch for it. */
function driftLines({ nodes }: TaskResults, width: number): string[] {
  const lines = nodes.flatMap(({ node, learners }) =>
    learners.flatMap(({ name, drift }) => {
      if (!drift) return [];
      const alarms = `by labels ${samplesText(drift.labels)}; by margins ${samplesText(drift.margins)}`;
      return [["drift", `${printable(node)}, ${printable(name)}: ${alarms}`]];
    }),
  );
  return lines.length > 0 ? [wrapped(lines, 7, width)] : [];
}

function samplesText(samples: readonly number[]): string {
  if (samples.length === 0) return "none";
  const more = samples.length - ALARMS_SHOWN;
  const shown = samples.slice(0, ALARMS_SHOWN).join(", ");
  return `at sample${samples.length > 1 ? "s" : ""} ${shown}${more > 0 ? ` and ${more} more` : ""}`;
}

function strip(columns: readonly Column[], place: number, rows: readonly Row[]): Strip {
  const { group, head, spare } = columns[place];
  const cells = rows.map(({ cells }) => cells[place] ?? "");
  const shared = columns.filter((each) => each.group === group).length > 1;
  const texts = shared ? [head, ...cells] : [group, head, ...cells];
  return { group, head, spare, cells, width: Math.max(...texts.map((text) => text.length)) };
}

function widthOf(strips: readonly Strip[]): number {
  return strips.reduce((sum, { width }) => sum + 1 + width, 0);
}

/** All columns in one block, or those that must be there, or as many blocks as these take. */
function packed(strips: readonly Strip[], room: number): Strip[][] {
  if (widthOf(strips) <= room) return [[...strips]];
  const blocks: Strip[][] = [[]];
  for (const each of strips.filter(({ spare }) => !spare)) {
    const last = blocks.at(-1)!;
    if (last.length > 0 && widthOf([...last, each]) > room) blocks.push([each]);
    else last.push(each);
  }
  return blocks;
}

/** One block: a heading of two lines, a rule, the rows that say something in these columns. */
function block(rows: readonly Row[], nameWidth: number, strips: readonly Strip[]): string {
  const table = new Table({
    chars: { ...CHARS, middle: " " },
    colWidths: [nameWidth, ...strips.map(({ width }) => width)],
    colAligns: ["left", ...strips.map(() => "right" as const)],
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0, compact: true },
  });
  table.push(["", ...groupHeads(strips)], ["", ...strips.map(({ head }) => head)]);
  rows.forEach(({ name, cells }, i) => {
    const here = strips.map((each) => each.cells[i]);
    if (cells.length === 0 || here.some((text) => text !== "")) table.push([name, ...here]);
  });
  const lines = table.toString().split("\n");
  const rule = "─".repeat(nameWidth + widthOf(strips));
  return [...lines.slice(0, 2), rule, ...lines.slice(2)].map((line) => line.trimEnd()).join("\n");
}

/** The upper line of the heading: a group's name over its columns, between dashes where there are several. */
function groupHeads(strips: readonly Strip[]): { content: string; colSpan: number }[] {
  const runs: Strip[][] = [];
  for (const each of strips) {
    if (runs.at(-1)?.[0].group === each.group) runs.at(-1)!.push(each);
    else runs.push([each]);
  }
  return runs.map((run) => {
    const { group } = run[0];
    const dashes = run.length > 1 && group !== "" ? widthOf(run) - group.length - 3 : 0;
    const left = "─".repeat(Math.floor(dashes / 2));
    const content = dashes > 0 ? `${left} ${group} ${"─".repeat(dashes - left.length)}` : group;
    return { content, colSpan: run.length };
  });
}

function fusionLines(result: FusionResult, width: number): string {
  const { task, rule, decisions, error, rules, votes, estimated, alarms } = result;
  const list = (shares: Readonly<Record<string, number>>) =>
    Object.entries(shares)
      .map(([name, value]) => `${printable(name)} ${value.toFixed(3)}`)
      .join(", ");
  const title = `Fusion, ${printable(task)}: rule ${printable(rule)}, wrong in ${error.toFixed(3)} of ${decisions} decisions`;
  const lines = [
    ["rules", list(rules)],
    ["votes", list(votes)],
    ["estimated", list(estimated)],
    ...alarms.map(({ node, decision, rate }) => [
      "alarm",
      `${printable(node)} errs more often, noticed at decision ${decision}; until then ${rate.toFixed(3)}`,
    ]),
  ];
  return `${wrapped([[title]], width)}\n${wrapped(lines, 11, width)}`;
}

/** Rows of one or two cells, the last cell wrapped at words. */
function wrapped(rows: readonly (readonly string[])[], ...widths: readonly number[]): string {
  const total = widths.at(-1)!;
  const table = new Table({
    chars: { ...CHARS, middle: "" },
    colWidths: widths.length > 1 ? [widths[0], total - widths[0]] : [total],
    wordWrap: true,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0, compact: true },
  });
  table.push(...rows.map((row) => [...row]));
  return table.toString().replace(/ +$/gm, "");
}

function printed(cell: Cell, notes: Footnotes): string {
  return typeof cell === "string" ? cell : `n/a[${notes.number(cell.why)}]`;
}
