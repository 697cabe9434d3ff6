import Table from "cli-table3";
import { printable } from "../printable.ts";

const NO_BORDER = Object.fromEntries(
  ["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left", "bottom-right"]
    .concat(["left", "left-mid", "mid", "mid-mid", "right", "right-mid"])
    .map((name) => [name, ""]),
);

interface TableForm {
  readonly head?: readonly string[];
  /** Of each column, the last for all behind it, too; default left. */
  readonly aligns?: readonly ("left" | "right")[];
  /** Widths of columns, whose text wraps at words; default: as wide as needed. */
  readonly widths?: readonly number[];
  /** What stands between two columns; default two blanks. */
  readonly gap?: string;
}

/** An empty table without borders, colour and padding. */
export function plainTable({ head = [], aligns = [], widths, gap = "  " }: TableForm, wordWrap = true) {
  const columns = Math.max(head.length, widths?.length ?? 0, aligns.length);
  return new Table({
    chars: { ...NO_BORDER, middle: gap },
    head: [...head],
    colAligns: Array.from({ length: columns }, (_, i) => aligns[i] ?? aligns.at(-1) ?? "left"),
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0, compact: true },
    ...(widths ? { colWidths: [...widths], wordWrap } : {}),
  });
}

/** A cell's content; an array: lines. */
type CellText = string | number | readonly string[];

function cellText(cell: CellText): string {
  return typeof cell === "object" ? cell.map(printable).join("\n") : printable(`${cell}`);
}

/**
 * Rows as plain text in columns without borders or colour, no blanks at the ends of lines; cells are made
 * printable.
 */
export function table(rows: readonly (readonly CellText[])[], form: TableForm = {}): string {
  const made = plainTable({ ...form, head: form.head?.map(printable) });
  for (const row of rows) made.push(row.map(cellText));
  return made.toString().replace(/ +$/gm, "");
}

/** Names and values in two columns, indented. */
export function nameValueLines(rows: readonly (readonly [string, string | number])[]): string {
  return table(rows).replace(/^/gm, "  ");
}
