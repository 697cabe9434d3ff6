import { isMissing } from "./missing.ts";
import type { Notations } from "./notation.ts";
import { parseQuantity } from "./quantity.ts";
import { parseTruth, TRUTHS } from "./truth.ts";

/** Columns whose cells hold a number in another form than its digits. */
export interface CellOptions {
  /** The unit that each cell of a column has beside its number, by the column's name or number from 1: {"temp": "°C"}. */
  units?: Readonly<Record<string, string>>;
  /** Columns of two words such as on and off, which are read as 1 and 0. */
  booleans?: readonly (string | number)[];
}

/** The same by the places of the columns. */
export interface CellForms {
  readonly units: ReadonlyMap<number, string>;
  readonly booleans: ReadonlySet<number>;
}

/** A field as a number in the usual notation; undefined where it hasn't the form of its column. */
export function cellText(
  field: string,
  at: number,
  { units, booleans }: CellForms,
  notation: Notations,
): string | undefined {
  const text = notation.usual(field);
  const unit = units.get(at);
  if ((unit === undefined && !booleans.has(at)) || isMissing(text)) return text;
  if (unit === undefined) return parseTruth(text);
  const quantity = parseQuantity(field);
  return quantity?.unit === unit ? notation.usual(quantity.number) : undefined;
}

/** What a cell without the form of its column isn't, and what is needed. */
export function cellFault(at: number, { units }: CellForms): readonly [what: string, right: string] {
  const unit = units.get(at);
  if (unit === undefined) return ["neither true nor false", `${TRUTHS} is needed`];
  return [`not a number in ${unit}`, "one unit in all cells of a column is needed"];
}
