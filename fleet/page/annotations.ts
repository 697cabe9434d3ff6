import type uPlot from "uplot";
import { resolvedColour } from "./dom.ts";
import type { Grid, GridLine } from "./grid.ts";

/** Something that happened, drawn as an upright line with a word. */
export interface EventMark {
  readonly time: number;
  readonly text: string;
  readonly colour: string;
}

/** A label, drawn as a point at its sample. */
export interface Spot {
  readonly time: number;
  readonly value: number;
  readonly colour: string;
  readonly hollow: boolean;
  /** Its point up, for a label above 0. */
  readonly up: boolean;
}

/** Of more labels than that each is drawn smaller. */
const SPOTS_LARGE = 60;
const STRIP_PIXELS = 6;

/** Draws what happened, and the reference, as upright lines. A word that would lie on the one before is left out. */
export function drawUprights(
  plot: uPlot,
  { from, to }: Grid,
  happened: readonly EventMark[],
  reference: number | undefined,
): void {
  const all = reference === undefined ? [] : [{ time: reference, text: "A", colour: "--ink" }];
  let free = Number.NEGATIVE_INFINITY;
  for (const { time, text, colour } of [...happened, ...all]) {
    if (time < from || time > to) continue;
    const x = Math.round(plot.valToPos(time, "x", true)) + 0.5;
    drawUpright(plot, x, resolvedColour(colour));
    if (x >= free) free = drawWord(plot, x, text, resolvedColour(colour));
  }
}

function drawUpright({ ctx, bbox }: uPlot, x: number, colour: string): void {
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}

/** Returns where the next word may begin. */
function drawWord({ ctx, bbox }: uPlot, x: number, text: string, colour: string): number {
  ctx.save();
  ctx.fillStyle = colour;
  ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
  ctx.textAlign = "left";
  ctx.textBaseline = "top";
  ctx.fillText(text, x + 3 * devicePixelRatio, bbox.top + devicePixelRatio);
  const end = x + ctx.measureText(text).width + 8 * devicePixelRatio;
  ctx.restore();
  return end;
}

/** Draws a strip below: where a prediction set held both classes, or none. */
export function drawSets(plot: uPlot, { times }: Grid, sets: GridLine): void {
  const { ctx, bbox } = plot;
  const height = STRIP_PIXELS * devicePixelRatio;
  const width = (2 * bbox.width) / times.length;
  ctx.save();
  sets.forEach((size, i) => {
    if (size !== 0 && size !== 2) return;
    const x = plot.valToPos(times[i], "x", true);
    if (x < bbox.left) return;
    ctx.fillStyle = resolvedColour(size === 2 ? "--c4" : "--bad");
    ctx.fillRect(x, bbox.top + bbox.height - height, width, height);
  });
  ctx.restore();
}

/** Draws labels as triangles at their samples. */
export function drawSpots(plot: uPlot, { from, to }: Grid, spots: readonly Spot[]): void {
  const { ctx } = plot;
  ctx.save();
  ctx.lineWidth = 1.5 * devicePixelRatio;
  const seen = spots.filter(({ time }) => time >= from && time <= to);
  const size = (seen.length > SPOTS_LARGE ? 3 : 5) * devicePixelRatio;
  for (const { time, value, colour, hollow, up } of seen) {
    const [x, y] = [plot.valToPos(time, "x", true), plot.valToPos(value, "y", true)];
    triangle(ctx, x, y, up ? size : -size);
    ctx.strokeStyle = resolvedColour(colour);
    ctx.fillStyle = hollow ? resolvedColour("--paper") : resolvedColour(colour);
    ctx.fill();
    ctx.stroke();
  }
  ctx.restore();
}

function triangle(ctx: CanvasRenderingContext2D, x: number, y: number, size: number): void {
  ctx.beginPath();
  ctx.moveTo(x, y - size);
  ctx.lineTo(x + size, y + 0.8 * size);
  ctx.lineTo(x - size, y + 0.8 * size);
  ctx.closePath();
}
