import { Random } from "../../../host/random.ts";
import { Elementary } from "../../../src/math/elementary.ts";

const PI = 3.1415927410125732; // the float32 nearest to pi

/** Samples of two classes, in the order in which they come. */
export interface LabelledSamples {
  readonly inputs: readonly Float32Array[];
  /** -1 or +1. */
  readonly labels: readonly number[];
}

/** Those samples in an order drawn uniformly. */
export function shuffleSamples({ inputs, labels }: LabelledSamples, random: Random): LabelledSamples {
  const order = inputs.map((_, i) => i);
  random.shuffle(order);
  return { inputs: order.map((i) => inputs[i]), labels: order.map((i) => labels[i]) };
}

/**
 * Two half-rings of radius 4 and width 2 with 500 samples each, uniform in radius and angle: one arched
 * upwards around (0, 0), the other downwards around (4, 3), so that its end reaches into the first. In random
 * order.
 */
export function twoMoons(seed: number): LabelledSamples {
  const random = new Random(seed, "two-moons");
  const elementary = new Elementary();
  const inputs: Float32Array[] = [];
  const labels: number[] = [];
  for (let i = 0; i < 1000; i++) {
    const radius = 3 + 2 * random.uniform();
    const angle = PI * random.uniform();
    const [across, up] = [radius * elementary.cos(angle), radius * elementary.sin(angle)];
    inputs.push(Float32Array.from(i % 2 === 0 ? [across, up] : [4 + across, 3 - up]));
    labels.push(i % 2 === 0 ? 1 : -1);
  }
  return shuffleSamples({ inputs, labels }, random);
}

/**
 * Two intertwined spirals of one and a half turns up to radius 9, which turn once around in `turn` samples: a
 * sample is of either class with equal chance, and as likely to be at a radius as there is room for it
 * (uniform in its square).
 */
export function rotatingSpirals(seed: number, turn = 2000, count = 2000): LabelledSamples {
  const random = new Random(seed, "rotating-spirals");
  const elementary = new Elementary();
  const inputs: Float32Array[] = [];
  const labels: number[] = [];
  for (let t = 0; t < count; t++) {
    const label = random.uniform() < 0.5 ? -1 : 1;
    const along = Math.sqrt(random.uniform());
    const angle = PI * (3 * along + (label > 0 ? 0 : 1) + (2 * t) / turn);
    const radius = 9 * along;
    inputs.push(Float32Array.of(radius * elementary.cos(angle), radius * elementary.sin(angle)));
    labels.push(label);
  }
  return { inputs, labels };
}
