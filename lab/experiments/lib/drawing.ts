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

export function fillUniform(x: Float32Array, random: Random, width = 1): void {
  for (let j = 0; j < x.length; j++) x[j] = width * random.uniform();
}

export function between(random: Random, least: number, most: number): number {
  return least + (most - least) * random.uniform();
}

export function normals(random: Random, count: number, deviation = 1): number[] {
  return Array.from({ length: count }, () => deviation * random.normal());
}

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let j = 0; j < a.length; j++) sum += a[j] * b[j];
  return sum;
}

/** A vector of that length whose direction is drawn evenly. */
export function drawDirection(random: Random, dimension: number, length = 1): number[] {
  const drawn = normals(random, dimension);
  const norm = Math.sqrt(dot(drawn, drawn));
  return drawn.map((value) => (length * value) / norm);
}

export function drawSamples(draw: Draw, dimension: number, count: number, source: string): DataSet {
  const rows = new Float32Array(count * dimension);
  const labels = Float64Array.from({ length: count }, (_, t) =>
    draw(rows.subarray(t * dimension, (t + 1) * dimension), t),
  );
  return { dimension, rows, labels, count, source };
}
