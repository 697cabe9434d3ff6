import type { Figure } from "../scoring/result.ts";

/** A table cell: text, or the reason why there is none (printed as n/a). */
export type Cell = string | { readonly why: string };

function print(figure: Figure, form: (value: number) => string): Cell {
  if (typeof figure !== "number") return figure;
  return Number.isFinite(figure) ? form(figure) : { why: "the figure isn't finite" };
}

/** A share of 1, or an area: three decimals. */
export function share(figure: Figure): Cell {
  return print(figure, (value) => value.toFixed(3));
}

/** A figure in the label's own unit: four significant digits. */
export function measure(figure: Figure): Cell {
  return print(figure, (value) => value.toPrecision(4));
}

/** A mean of counts: one decimal. */
export function mean(figure: Figure): Cell {
  return print(figure, (value) => value.toFixed(1));
}

/** The reasons why figures are undefined, each numbered once, in the order of first mention. */
export class Footnotes {
  private readonly reasons: string[] = [];

  /** The number of a reason, from 1. */
  number(why: string): number {
    const known = this.reasons.indexOf(why);
    return known >= 0 ? known + 1 : this.reasons.push(why);
  }

  get all(): readonly string[] {
    return this.reasons;
  }
}

/** A cell as text; an undefined figure refers to its footnote. */
export function cellText(cell: Cell, notes: Footnotes): string {
  return typeof cell === "string" ? cell : `n/a[${notes.number(cell.why)}]`;
}
