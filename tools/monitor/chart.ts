import type { CurvePoint, Prequential } from "./prequential.ts";

const BLOCKS = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
const PLAIN_BLOCKS = [" ", ".", ".", ".", ":", ":", ":", "#", "#"];
/** Columns of the axis, before the curve. */
export const AXIS = 6;

/** A round number at or above. */
function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((n) => n * power).find((n) => n >= value) ?? 10 * power;
}

/** The range of the ordinate: accuracy from 0.5, or from 0 if it was less; an error from 0. */
function rangeOf({ kind, curve }: Prequential): { low: number; high: number } {
  const values = curve.map(({ value }) => value);
  if (kind === "error") return { low: 0, high: roundUp(Math.max(0, ...values)) };
  return { low: Math.min(1, ...values) < 0.5 ? 0 : 0.5, high: 1 };
}

/** The curve cut into at most so many columns: the mean of each. */
function columnsOf(curve: readonly CurvePoint[], count: number): number[] {
  const width = Math.min(count, curve.length);
  return Array.from({ length: width }, (_, column) => {
    const from = Math.floor((column * curve.length) / width);
    const points = curve.slice(from, Math.floor(((column + 1) * curve.length) / width));
    return points.reduce((sum, { value }) => sum + value, 0) / points.length;
  });
}

/** A line with a sign in the column of each marked sample. */
function markLine(
  curve: readonly CurvePoint[],
  marks: readonly number[],
  count: number,
  sign: string,
): string {
  const width = Math.min(count, curve.length);
  const line = new Array(width).fill(" ");
  for (const mark of marks) {
    const point = curve.findIndex(({ seq }) => seq >= mark);
    const at = point < 0 ? curve.length - 1 : point;
    if (width > 0) line[Math.floor((at * width) / curve.length)] = sign;
  }
  return line.join("").trimEnd();
}

/** The curve in so many columns and rows; its last row tells the samples, and where events were marked. */
export function chart(
  prequential: Prequential,
  marks: readonly number[],
  columns: number,
  rows: number,
  unicode: boolean,
): string[] {
  const { curve } = prequential;
  const { low, high } = rangeOf(prequential);
  const height = rows - 1;
  const blocks = unicode ? BLOCKS : PLAIN_BLOCKS;
  const values = columnsOf(curve, columns - AXIS);
  const lines = Array.from({ length: height }, (_, row) => {
    const label = row === 0 ? high : row === height - 1 ? low : undefined;
    const axis = label === undefined ? "" : String(Number(label.toPrecision(3)));
    const cells = values.map((value) => {
      const eighths = Math.round((8 * height * (value - low)) / (high - low));
      return blocks[Math.max(0, Math.min(8, eighths - 8 * (height - 1 - row)))];
    });
    return `${axis.slice(0, AXIS - 1).padStart(AXIS - 1)} ${cells.join("")}`.trimEnd();
  });
  const sign = unicode ? "▲" : "^";
  const marked = markLine(curve, marks, columns - AXIS, sign);
  const samples =
    curve.length > 0 ? `samples ${curve[0].seq} to ${curve[curve.length - 1].seq}` : "no labels to draw yet";
  return [...lines, `${" ".repeat(AXIS)}${marked || samples}`];
}
