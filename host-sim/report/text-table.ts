import stringWidth from "string-width";
import { plainTable } from "../../host/terminal/table.ts";

/** Columns of the longest name, and its largest share of the width. */
const NAME_WIDTH_MAX = 48;
const NAME_SHARE = 0.5;

/** A column's heading: `head`, and above it the name of its group. */
export interface TextColumn {
  readonly group: string;
  readonly head: string;
  /** Omitted first where there is no room for all. */
  readonly spare?: boolean;
}

export interface Row {
  readonly name: string;
  /** A cell a column; empty in a line that is a heading for the rows beneath it. */
  readonly cells: readonly string[];
}

interface Strip extends TextColumn {
  readonly cells: readonly string[];
  readonly width: number;
}

/**
 * Rows under two lines of headings, at most `width` wide. Columns that don't fit beside the others go into a
 * block below.
 */
export function textTable(columns: readonly TextColumn[], rows: readonly Row[], width: number): string {
  const most = Math.min(NAME_WIDTH_MAX, Math.floor(NAME_SHARE * width));
  const nameWidth = Math.min(most, Math.max(...rows.map(({ name }) => stringWidth(name))));
  const strips = columns.map((_, i) => strip(columns, i, rows));
  const blocks = packStrips(strips, width - nameWidth).map((each) => block(rows, nameWidth, each));
  return blocks.join("\n\n");
}

function strip(columns: readonly TextColumn[], place: number, rows: readonly Row[]): Strip {
  const { group, head, spare } = columns[place];
  const cells = rows.map(({ cells }) => cells[place] ?? "");
  const shared = columns.filter((each) => each.group === group).length > 1;
  const texts = shared ? [head, ...cells] : [group, head, ...cells];
  return { group, head, spare, cells, width: Math.max(...texts.map((text) => stringWidth(text))) };
}

function totalWidth(strips: readonly Strip[]): number {
  return strips.reduce((sum, { width }) => sum + 1 + width, 0);
}

/** All columns in one block if they fit; else the required columns, in as many blocks as they need. */
function packStrips(strips: readonly Strip[], room: number): Strip[][] {
  if (totalWidth(strips) <= room) return [[...strips]];
  const blocks: Strip[][] = [[]];
  for (const each of strips.filter(({ spare }) => !spare)) {
    const last = blocks.at(-1)!;
    if (last.length > 0 && totalWidth([...last, each]) > room) blocks.push([each]);
    else last.push(each);
  }
  return blocks;
}

/** One block: a heading of two lines, a rule, and the rows with text in these columns. */
function block(rows: readonly Row[], nameWidth: number, strips: readonly Strip[]): string {
  const widths = [nameWidth, ...strips.map(({ width }) => width)];
  const table = plainTable({ gap: " ", widths, aligns: ["left", "right"] }, false);
  table.push(["", ...groupHeads(strips)], ["", ...strips.map(({ head }) => head)]);
  rows.forEach(({ name, cells }, i) => {
    const here = strips.map((each) => each.cells[i]);
    if (cells.length === 0 || here.some((text) => text !== "")) table.push([name, ...here]);
  });
  const lines = table.toString().split("\n");
  const rule = "─".repeat(nameWidth + totalWidth(strips));
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
    const dashes = run.length > 1 && group !== "" ? totalWidth(run) - stringWidth(group) - 3 : 0;
    const left = "─".repeat(Math.floor(dashes / 2));
    const content = dashes > 0 ? `${left} ${group} ${"─".repeat(dashes - left.length)}` : group;
    return { content, colSpan: run.length };
  });
}

/** Rows of one or two cells, the last cell wrapped at words. */
export function wrapTable(rows: readonly (readonly string[])[], ...widths: readonly number[]): string {
  const total = widths.at(-1)!;
  const table = plainTable({
    gap: "",
    widths: widths.length > 1 ? [widths[0], total - widths[0]] : [total],
  });
  table.push(...rows.map((row) => [...row]));
  return table.toString().replace(/ +$/gm, "");
}

/** Texts of one name, a row each; none where there are none. */
export function namedTexts(name: string, texts: readonly string[], indent: number, width: number): string[] {
  const rows = texts.map((text) => [name, text]);
  return rows.length > 0 ? [wrapTable(rows, indent, width)] : [];
}
