import { Random } from "../../../host/random.ts";
import type { Samples } from "./samples.ts";

const STEP = 0.1;
/** Steps to the delay of 30, and between two samples. */
const DELAY = 300;
const SAMPLED_EVERY = 60;
/** Samples before the first that is used, and from which a segment is drawn. */
const TRANSIENT = 200;
const SAMPLES = 2000;

/** dx/dt = -0.1 x + 0.2 d / (1 + d^10), d the value 30 ago. */
function slope(x: number, delayed: number): number {
  const d2 = delayed * delayed;
  const d4 = d2 * d2;
  return -0.1 * x + (0.2 * delayed) / (1 + d4 * d4 * d2);
}

/**
 * `count` samples, six apart, of the Mackey-Glass series, by Runge and Kutta's fourth-order rule with steps of 0.1 from a
 * constant past `start`; the first 200 are left out. Halfway values of the past are interpolated linearly.
 */
export function mackeyGlass(count: number, start: number): Float64Array {
  const samples = new Float64Array(count);
  const past = new Float64Array(DELAY).fill(start);
  let x = start;
  for (let t = 0; t < (TRANSIENT + count) * SAMPLED_EVERY; t++) {
    if (t % SAMPLED_EVERY === 0 && t >= TRANSIENT * SAMPLED_EVERY) {
      samples[t / SAMPLED_EVERY - TRANSIENT] = x;
    }
    const here = past[t % DELAY];
    const next = past[(t + 1) % DELAY];
    const between = (here + next) / 2;
    const k1 = slope(x, here);
    const k2 = slope(x + (STEP / 2) * k1, between);
    const k3 = slope(x + (STEP / 2) * k2, between);
    const k4 = slope(x + STEP * k3, next);
    past[t % DELAY] = x;
    x += (STEP / 6) * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return samples;
}

/** Each value, a label, with the `past` values before it, oldest first, for the indices from..to-1. */
export function embed(series: ArrayLike<number>, past: number, from: number, to: number): Samples {
  const inputs: Float32Array[] = [];
  const labels: number[] = [];
  for (let t = from; t < to; t++) {
    inputs.push(Float32Array.from({ length: past }, (_, i) => series[t - past + i]));
    labels.push(series[t]);
  }
  return { inputs, labels };
}

const PAST = 7;

/**
 * A segment drawn at random from the series, with white noise of variance 0.01 on every value: the first `train` pairs of
 * seven past values and the next, and the `test` pairs that follow.
 */
export function noisySegment(seed: number, train: number, test: number): { train: Samples; test: Samples } {
  const random = new Random(seed, "mackey-glass");
  const length = PAST + train + test;
  const clean = mackeyGlass(SAMPLES, 1.2);
  const start = random.below(SAMPLES - length + 1);
  const series = Float64Array.from({ length }, (_, i) => clean[start + i] + 0.1 * random.normal());
  return {
    train: embed(series, PAST, PAST, PAST + train),
    test: embed(series, PAST, PAST + train, length),
  };
}
