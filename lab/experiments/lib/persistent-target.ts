import { Random } from "../../../host/random.ts";
import { prequentialDecisions } from "../../../host-sim/prequential/prequential.ts";
import type { Learner } from "../../../src/index.ts";
import { Elementary } from "../../../src/math/elementary.ts";
import { dot, drawDirection } from "./drawing.ts";
import { countWrong, type Samples } from "./samples.ts";

/** Features of a generated sample. */
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
export interface PersistentTarget extends Samples {
  /** The class, -1 or +1, which a label that was flipped isn't: what a learner is scored against. */
  readonly truth: readonly number[];
}

/**
 * A target that persists, in the place of osKM's radar chips (Raj: An online stochastic kernel machine for
 * robust signal classification): class c is constant on blocks of `persistence` samples and drawn again for
 * each,
 *
 *     x = b + 0.4 c d + 0.5 sum_i (g_i / 2) p_i,   i = 1..4, g_i normal
 *
 * with base b, direction d and poses p_i normal vectors of length 1, scaled to mean power 1, plus white
 * noise. Given chips take its place: each sample is a chip of its class, drawn at random, likewise scaled. What is drawn for one purpose
 * depends on the seed alone: other flips leave the samples as they are, other noise the labels.
 */
export function persistentTarget(
  seed: number,
  options: PersistentTargetOptions,
  /** Features of recorded targets, labelled -1 or +1. Both labels occur. */
  chips?: Samples,
): PersistentTarget {
  const { persistence, samples = 800, snr = 10, flips = 0 } = options;
  const truth = persistentClasses(seed, samples, persistence);
  const signal = scaleSignal(chips ? drawnSignal(seed, truth, chips) : generatedSignal(seed, truth));
  const noise = new Random(seed, "target/noise");
  const deviation = Math.sqrt(new Elementary().exp(-snr * LN10_OVER_10) / signal[0].length);
  const flip = new Random(seed, "target/flips");
  return {
    inputs: signal.map((row) => Float32Array.from(row, (value) => value + deviation * noise.normal())),
    truth,
    labels: truth.map((c) => (flip.uniform() < flips ? -c : c)),
  };
}

function persistentClasses(seed: number, samples: number, persistence: number): number[] {
  const classes = new Random(seed, "target/classes");
  const truth: number[] = [];
  for (let t = 0; t < samples; t++)
    truth.push(t % persistence === 0 ? (classes.uniform() < 0.5 ? -1 : 1) : truth[t - 1]);
  return truth;
}

function generatedSignal(seed: number, truth: readonly number[]): number[][] {
  const scene = new Random(seed, "target/scene");
  const [base, direction, ...poses] = Array.from({ length: POSES + 2 }, () =>
    drawDirection(scene, DIMENSION),
  );
  const pose = new Random(seed, "target/poses");
  return truth.map((c) => {
    const weights = poses.map(() => 0.25 * pose.normal());
    return base.map((b, j) =>
      weights.reduce((sum, weight, i) => sum + weight * poses[i][j], b + 0.4 * c * direction[j]),
    );
  });
}

function drawnSignal(seed: number, truth: readonly number[], { inputs, labels }: Samples): number[][] {
  const draw = new Random(seed, "target/chips");
  const classInputs = (c: number) => inputs.filter((_, i) => labels[i] === c);
  const classes = { "-1": classInputs(-1), "1": classInputs(1) };
  return truth.map((c) => {
    const own = classes[c < 0 ? "-1" : "1"];
    return Array.from(own[draw.below(own.length)]);
  });
}

/** The rows, divided by a number that makes their mean power 1. */
function scaleSignal(signal: readonly (readonly number[])[]): number[][] {
  const power = signal.reduce((sum, row) => sum + dot(row, row), 0) / signal.length;
  return signal.map((row) => row.map((value) => value / Math.sqrt(power)));
}

/** Share of correct predictions, each made before the sample's label is learned. */
export function measureAccuracy(learner: Learner, { inputs, labels, truth }: PersistentTarget): number {
  const decisions = prequentialDecisions(learner, inputs, labels);
  return (inputs.length - countWrong(learner.task, decisions, truth)) / inputs.length;
}
