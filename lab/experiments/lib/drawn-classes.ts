import { Random } from "../../../host/random.ts";
import { Elementary } from "../../../src/math/elementary.ts";
import { permute, type Samples } from "./samples.ts";

const PI = 3.1415927410125732; // the float32 nearest to pi

/**
 * Two half-rings of radius 4 and width 2 with 500 samples each, uniform in radius and angle: one arched
 * upwards around (0, 0), the other downwards around (4, 3), so that its end reaches into the first. In random
 * order.
 */
export function twoMoons(seed: number): Samples {
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
  return permute({ inputs, labels }, random);
}

/**
 * Two intertwined spirals of one and a half turns up to radius 9, which turn once around in `turn` samples: a
 * sample is of either class with equal chance, and as likely to be at a radius as there is room for it
 * (uniform in its square).
 */
export function rotatingSpirals(seed: number, turn = 2000, count = 2000): Samples {
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

/**
 * n samples of two classes, normal around (away, away), labelled 1, and (-away, -away), labelled -1, whose chance is `negative`.
 */
export function twoNormals(
  random: Random,
  n: number,
  negative: number,
  away: number,
  sigma: number,
): Samples {
  const labels = Array.from({ length: n }, () => (random.uniform() < negative ? -1 : 1));
  const normal = (y: number) => away * y + sigma * random.normal();
  return { inputs: labels.map((y) => Float32Array.of(normal(y), normal(y))), labels };
}
