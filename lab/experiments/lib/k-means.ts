import type { Random } from "../../../host/random.ts";

const ROUNDS = 20;

function squaredDistance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let j = 0; j < a.length; j++) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return sum;
}

/** The centre nearest to x, the first on ties. */
function nearest(centres: readonly Float64Array[], x: Float32Array): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  centres.forEach((centre, i) => {
    const distance = squaredDistance(centre, x);
    if (distance < least) [best, least] = [i, distance];
  });
  return best;
}

/**
 * k centres of the inputs by Lloyd's algorithm, 20 rounds from k inputs drawn at random. A centre that loses all its inputs
 * stays where it is.
 */
export function kMeans(inputs: readonly Float32Array[], k: number, random: Random): Float64Array[] {
  const order = inputs.map((_, i) => i);
  random.shuffle(order);
  const centres = order.slice(0, k).map((i) => Float64Array.from(inputs[i]));
  for (let round = 0; round < ROUNDS; round++) {
    const sums = centres.map((centre) => new Float64Array(centre.length));
    const counts = new Float64Array(centres.length);
    for (const x of inputs) {
      const i = nearest(centres, x);
      counts[i]++;
      for (let j = 0; j < x.length; j++) sums[i][j] += x[j];
    }
    centres.forEach((centre, i) => {
      if (counts[i] > 0) for (let j = 0; j < centre.length; j++) centre[j] = sums[i][j] / counts[i];
    });
  }
  return centres;
}
