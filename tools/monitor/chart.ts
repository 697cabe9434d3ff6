import { roundStep } from "../../host/report/axis.ts";
import { average } from "../../host/statistics.ts";
import type { CurvePoint, Prequential } from "./prequential.ts";

const BLOCKS = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
const PLAIN_BLOCKS = [" ", ".", ".", ".", ":", ":", ":", "#", "#"];
/** Columns of the axis, before the curve. */
export const AXIS = 6;

/** The range of the ordinate: accuracy from 0.5, or from 0 if it was less; an error from 0. */
function chartRange({ kind, curve }: Prequential): { low: number; high: number } {
  const values = curve.map(({ value }) => value);
  const largest = Math.max(0, ...values);
  if (kind === "error") return { low: 0, high: largest > 0 ? roundStep(largest, 1) : 1 };
  return { low: Math.min(1, ...values) < 0.5 ? 0 : 0.5, high: 1 };
}

/**
 * The curve over `width` columns: the mean of each column's points, or the point that several columns share.
 */
function averageColumns(curve: readonly CurvePoint[], width: number): number[] {
  if (curve.length === 0) return [];
  return Array.from({ length: width }, (_, column) => {
    const from = Math.floor((column * curve.length) / width);
    const points = curve.slice(from, Math.max(from + 1, Math.floor(((column + 1) * curve.length) / width)));
    return average(points.map(({ value }) => value));
  });
}

/** The first column that shows point `at` of `count`. */
function columnAt(at: number, count: number, width: number): number {
  return Math.min(Math.ceil((at * width) / count), Math.ceil(((at + 1) * width) / count) - 1);
}

/** A line with a sign in the column of each marked sample. */
function markLine(
  curve: readonly CurvePoint[],
  marks: readonly number[],
  width: number,
  sign: string,
): string {
  const line = new Array(width).fill(" ");
  for (const mark of marks) {
    const point = curve.findIndex(({ seq }) => seq >= mark);
    const at = point < 0 ? curve.length - 1 : point;
    if (at >= 0) line[columnAt(at, curve.length, width)] = sign;
  }
  return line.join("").trimEnd();
}

/** The curve in so many columns and rows; its last row has sample numbers and marked events. */
export function chart(
  prequential: Prequential,
  marks: readonly number[],
  columns: number,
  rows: number,
  unicode: boolean,
): string[] {
  const { curve } = prequential;
  const { low, high } = chartRange(prequential);
  const height = rows - 1;
  const blocks = unicode ? BLOCKS : PLAIN_BLOCKS;
  const values = averageColumns(curve, columns - AXIS);
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
