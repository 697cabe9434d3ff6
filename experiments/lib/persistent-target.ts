import { Random } from "../../host-sim/random.ts";
import { Elementary } from "../../src/math/elementary.ts";

const DIMENSION = 64;
const POSES = 4;
const LN10_OVER_10 = 0.2302585092994046;

/** Each default is that of osKM's experiment here. */
export interface PersistentTargetOptions {
  /** Samples over which the class stays the same. */
  readonly persistence: number;
  /** Samples. Default 800. */
  readonly samples?: number;
  /** Ratio of the signal's power to the white noise's, dB, in -300..300. Default 10. */
  readonly snr?: number;
  /** Probability that a label is flipped, 0..1. Default 0. */
  readonly flips?: number;
}

/** A stream of one target seen over and over, in the order of time. */
export interface PersistentTarget {
  /** 64 features each. */
  readonly inputs: readonly Float32Array[];
  /** The class, -1 or +1: what a learner is scored against. */
  readonly truth: readonly number[];
  /** The class or, where it was flipped, the other: what a learner is taught. */
  readonly labels: readonly number[];
}

/**
 * A target that persists, in the place of osKM's radar chips (Raj: An online stochastic kernel machine for
 * robust signal classification): class c is constant on blocks of `persistence` samples and drawn again for
 * each,
 *
 *     x = b + 0.4 c d + 0.5 sum_i (g_i / 2) p_i,   i = 1..4, g_i normal
 *
 * with base b, direction d and poses p_i normal vectors of length 1, scaled to mean power 1, plus white
 * noise. What is drawn for one purpose depends on the seed alone: other flips leave the samples as they are,
 * other noise the labels.
 */
export function persistentTarget(seed: number, options: PersistentTargetOptions): PersistentTarget {
  const { persistence, samples = 800, snr = 10, flips = 0 } = options;
  const clean = cleanSignal(seed, samples, persistence);
  const noise = new Random(seed, "target/noise");
  const deviation = Math.sqrt(new Elementary().exp(-snr * LN10_OVER_10) / DIMENSION);
  const flip = new Random(seed, "target/flips");
  return {
    inputs: clean.signal.map((row) => Float32Array.from(row, (value) => value + deviation * noise.normal())),
    truth: clean.truth,
    labels: clean.truth.map((c) => (flip.uniform() < flips ? -c : c)),
  };
}

function cleanSignal(seed: number, samples: number, persistence: number) {
  const scene = new Random(seed, "target/scene");
  const [base, direction, ...poses] = Array.from({ length: POSES + 2 }, () => unitNormal(scene));
  const classes = new Random(seed, "target/classes");
  const pose = new Random(seed, "target/poses");
  const truth: number[] = [];
  const signal = Array.from({ length: samples }, (_, t) => {
    truth.push(t % persistence === 0 ? (classes.uniform() < 0.5 ? -1 : 1) : truth[t - 1]);
    const weights = poses.map(() => 0.25 * pose.normal());
    return base.map((b, j) =>
      weights.reduce((sum, weight, i) => sum + weight * poses[i][j], b + 0.4 * truth[t] * direction[j]),
    );
  });
  const power = signal.reduce((sum, row) => sum + dot(row, row), 0) / samples;
  return { truth, signal: signal.map((row) => row.map((value) => value / Math.sqrt(power))) };
}

function unitNormal(random: Random): number[] {
  const drawn = Array.from({ length: DIMENSION }, () => random.normal());
  const length = Math.sqrt(dot(drawn, drawn));
  return drawn.map((value) => value / length);
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}
