import { type Html, html, type Part } from "./html.ts";

/** A column's heading: under the name of its group, where it has one, and with a sentence on what it means. */
interface TableHead {
  readonly group?: string;
  readonly head: Part;
  readonly doc?: string;
}

/** A cell with a class, a style or a title of its own. */
interface StyledCell {
  readonly content: Part;
  readonly look?: string;
  readonly style?: string;
  readonly title?: string;
}

/** Of a row; the first are headings. */
type Cells = readonly (Part | StyledCell)[];

export interface TableRow {
  readonly cells: Cells;
  /** Of a predictor that learns nothing: grey, and last in any order. */
  readonly isTrivial?: boolean;
}

interface TableForm {
  /** Columns of headings on the left; default: 1. */
  readonly names?: number;
  /** What its rows are, where the page's script sorts them, and filters them by the first column. */
  readonly sorted?: string;
}

/** A table, which scrolls where the page is narrower. */
export function table(
  columns: readonly (string | TableHead)[],
  rows: readonly (TableRow | Cells)[],
  form: TableForm = {},
): Html {
  const { names = 1, sorted } = form;
  const heads = columns.map((column) => (typeof column === "string" ? { head: column } : column));
  const lines = rows.map((row) => {
    const { cells, isTrivial } = "cells" in row ? row : ({ cells: row } as TableRow);
    const drawn = cells.map((cell, i) => (i < names ? headingCell(cell) : plainCell(cell)));
    return html`<tr${isTrivial && html` class="trivial"`}>${drawn}</tr>\n`;
  });
  return html`<div class="wide"><table${sorted && html` data-rows="${sorted}"`}>${tableHead(heads, names)}<tbody>${lines}</tbody></table></div>`;
}

/** The headings, and above them the names of groups where there are any. */
export function tableHead(heads: readonly TableHead[], names: number): Html {
  const upper = heads.some(({ group }) => group) && html`<tr>${groupHeads(heads)}</tr>\n`;
  const lower = heads.map(({ head, doc }, i) => {
    const look = i < names && html` class="name"`;
    return html`<th scope="col"${look}${doc && html` title="${doc}"`}>${head}</th>`;
  });
  return html`<thead>${upper}<tr>${lower}</tr></thead>`;
}

function groupHeads(heads: readonly TableHead[]): Html[] {
  const groups: { name: string; span: number }[] = [];
  for (const { group = "" } of heads) {
    const last = groups.at(-1);
    if (last?.name === group) last.span++;
    else groups.push({ name: group, span: 1 });
  }
  return groups.map(({ name, span }) => {
    const wide = name !== "" && span > 1 && html` class="group"`;
    return html`<th colspan="${span}"${wide}>${name}</th>`;
  });
}

function styleCell(cell: Part | StyledCell): StyledCell {
  return typeof cell === "object" && cell !== null && "content" in cell ? cell : { content: cell };
}

function headingCell(cell: Part | StyledCell): Html {
  return html`<th scope="row" class="name">${styleCell(cell).content}</th>`;
}

function plainCell(cell: Part | StyledCell): Html {
  const { content, look, style, title } = styleCell(cell);
  return html`<td${look && html` class="${look}"`}${style && html` style="${style}"`}${title && html` title="${title}"`}>${content}</td>`;
}
