import type { Random } from "../../../host/random.ts";
import type { DataSet } from "../../../host/streams/table.ts";
import { Elementary } from "../../../src/math/elementary.ts";

/** Draws a stream's samples one by one: writes a sample to x, and returns its label; t counts from 0. */
export type Draw = (x: Float32Array, t: number) => number;

const TWO_PI = 6.2831853;
const elementary = new Elementary();

export function fillNormal(x: Float32Array, random: Random): void {
  for (let j = 0; j < x.length; j++) x[j] = random.normal();
}

/** Cosine and sine of a share of a turn. */
export function turned(share: number): [number, number] {
  const angle = Math.fround(TWO_PI * (share - Math.floor(share)));
  return [elementary.cos(angle), elementary.sin(angle)];
}

export function normals(random: Random, dimension: number): number[] {
  return Array.from({ length: dimension }, () => random.normal());
}

/** A vector of that length whose direction is drawn evenly. */
export function drawDirection(random: Random, dimension: number, length = 1): number[] {
  const drawn = normals(random, dimension);
  const norm = Math.sqrt(drawn.reduce((sum, value) => sum + value * value, 0));
  return drawn.map((value) => (length * value) / norm);
}

export function drawSamples(draw: Draw, dimension: number, count: number, source: string): DataSet {
  const rows = new Float32Array(count * dimension);
  const labels = Float64Array.from({ length: count }, (_, t) =>
    draw(rows.subarray(t * dimension, (t + 1) * dimension), t),
  );
  return { dimension, rows, labels, count, source };
}
