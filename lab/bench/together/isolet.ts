import { Random } from "../../../host/random.ts";
import { readTable } from "../../../host/streams/index.ts";
import { dot, normals } from "../../experiments/lib/drawing.ts";
import type { Fleet, Machine } from "./machines.ts";

/** The file that --data has. */
export const ISOLET = "isolet1/isolet1.libsvm";

/** The letters that rhyme with E, which are told from the others. */
const E_SET = new Set([..."BCDEGPTVZ"].map((letter) => letter.charCodeAt(0) - 64));
/** Principal components that stand for the features, and rounds of the power method in which they are found. */
const COMPONENTS = 12;
const ROUNDS = 30;
/** Consecutive samples of a letter that one speaker said. */
const UTTERANCES = 2;

interface Spoken {
  readonly speaker: number;
  readonly x: Float32Array;
  readonly y: number;
}

/** The rows less their mean. */
function centred(rows: Float32Array, dimension: number): Float64Array {
  const count = rows.length / dimension;
  const means = new Float64Array(dimension);
  rows.forEach((value, i) => {
    means[i % dimension] += value / count;
  });
  return Float64Array.from(rows, (value, i) => value - means[i % dimension]);
}

/** Scales to length 1, after taking out the directions before. */
function orthonormal(v: Float64Array, before: readonly Float64Array[]): Float64Array {
  for (const u of before) {
    const along = dot(u, v);
    for (let j = 0; j < v.length; j++) v[j] -= along * u[j];
  }
  const length = Math.sqrt(dot(v, v));
  return v.map((value) => value / length);
}

/** X' X v, of the rows X. */
function timesCovariance(rows: Float64Array, v: Float64Array): Float64Array {
  const d = v.length;
  const out = new Float64Array(d);
  for (let at = 0; at < rows.length; at += d) {
    const along = dot(rows.subarray(at, at + d), v);
    for (let j = 0; j < d; j++) out[j] += along * rows[at + j];
  }
  return out;
}

/** The rows' first principal components, by the power method. */
function components(rows: Float64Array, dimension: number): Float64Array[] {
  const random = new Random(1, "components");
  const found: Float64Array[] = [];
  for (let c = 0; c < COMPONENTS; c++) {
    let v = orthonormal(Float64Array.from(normals(random, dimension)), found);
    for (let round = 0; round < ROUNDS; round++) v = orthonormal(timesCovariance(rows, v), found);
    found.push(v);
  }
  return found;
}

/** Letters as their speakers said them: isolet1 has 30 speakers, each of whom says each letter twice in a row. */
async function readSpoken(path: string): Promise<Spoken[]> {
  const { rows, labels, count, dimension } = await readTable(path, { optionNames: {} });
  const data = centred(rows, dimension);
  const axes = components(data, dimension);
  const heard = new Map<number, number>();
  return Array.from({ length: count }, (_, i) => {
    const count = heard.get(labels[i]) ?? 0;
    heard.set(labels[i], count + 1);
    const row = data.subarray(i * dimension, (i + 1) * dimension);
    const x = Float32Array.from(axes, (axis) => dot(axis, row));
    return { speaker: Math.floor(count / UTTERANCES), x, y: E_SET.has(labels[i]) ? 1 : -1 };
  });
}

/** A node that hears some speakers: its samples in an order of its own, first those to learn, the rest to test. */
class Listener implements Machine {
  readonly isOdd = false;
  readonly test: Machine["test"];
  private place = 0;

  constructor(
    private readonly spoken: readonly Spoken[],
    private readonly random: Random,
    private readonly wrong: number,
    labels: number,
  ) {
    this.test = spoken.slice(labels);
  }

  next(x: Float32Array): number {
    const { x: from, y } = this.spoken[this.place++ % this.spoken.length];
    x.set(from);
    return y;
  }

  label(y: number): number {
    return this.random.uniform() < this.wrong ? -y : y;
  }
}

/** A fleet of nodes that hear `speakers` speakers each, of whose letters the first `labels` are labelled. */
export interface IsoletFleet {
  readonly speakers: number;
  readonly labels: number;
  readonly wrong: number;
}

/** Reads the recording once, and makes fleets of it. */
export async function isoletFleets(path: string): Promise<(fleet: IsoletFleet, seed: number) => Fleet> {
  const spoken = await readSpoken(path);
  const last = Math.max(...spoken.map(({ speaker }) => speaker));
  return ({ speakers, labels, wrong }, seed) => {
    const order = Array.from({ length: last + 1 }, (_, speaker) => speaker);
    new Random(seed, "speakers").shuffle(order);
    const sites = Math.floor(order.length / speakers);
    const machines = Array.from({ length: sites }, (_, site) => {
      const own = order.slice(site * speakers, (site + 1) * speakers);
      const utterances = spoken.filter(({ speaker }) => own.includes(speaker));
      const random = new Random(seed, `site ${site}`);
      random.shuffle(utterances);
      return new Listener(utterances, random, wrong, labels);
    });
    const warmUp = Math.min(...machines.map(({ test }) => test.length + labels));
    return { dimension: COMPONENTS, machines, warmUp, labelEvery: 1, delay: 0 };
  };
}
