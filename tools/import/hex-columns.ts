import type { Column } from "./column.ts";

const HEX = /^[\da-f]+$/i;
/** Columns that show that a table has bytes: a lone one may have classes such as 0A. */
const SHOWN_MIN = 2;

/** The digits of a column's cells, if all have as many, an even number, and are hexadecimal; else 0. */
function countDigits(cells: readonly string[]): number {
  const [{ length } = ""] = cells;
  const areSuch = length % 2 === 0 && cells.every((cell) => cell.length === length && HEX.test(cell));
  return areSuch ? length : 0;
}

/**
 * The places of columns of bytes in hexadecimal, as a bus's logs have them: several have letters among their digits, and zeros before them. Others
 * beside those have digits alone by chance: 10 is sixteen.
 */
export function hexColumns(columns: readonly Column[]): number[] {
  const cells = columns.map(({ values, suspected }) => [...values.keys(), ...suspected.keys()]);
  const digits = cells.map(countDigits);
  const mayBe = (at: number) => digits[at] > 0 && cells[at].some((cell) => cell.startsWith("0"));
  const hasLetters = (at: number) => cells[at].some((cell) => /[a-f]/i.test(cell));
  const shown = [...columns.keys()].filter((at) => mayBe(at) && hasLetters(at));
  if (shown.length < SHOWN_MIN) return [];
  const widths = new Set(shown.map((at) => digits[at]));
  return [...columns.keys()].filter((at) => mayBe(at) && widths.has(digits[at]));
}
