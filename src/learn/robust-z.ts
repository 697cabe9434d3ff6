import { frozen } from "../memory/frozen.ts";
import { POSITIVE } from "../memory/layout.ts";
import { defineLearner } from "./define.ts";
import { withFalseAlarms } from "./false-alarms.ts";
import type { Family } from "./family.ts";
import { real } from "./options.ts";

const ROBUST_Z_OPTIONS = frozen({
  threshold: real({ default: 3.5, above: 0 }, "largest score |z| of a usual sample"),
  rate: real(
    { default: 0.01, above: 0, below: 0.5 },
    "share of the deviation by which a sample moves it, once there are many; the median moves twice as far",
  ),
  leastDeviation: real({ default: 0.05, above: 0 }, "least median absolute deviation, in the inputs' unit"),
});

/** z = .6745 (x - m) / d has variance 1 for normal x. */
const TO_NORMAL = 0.6745;
/** Of the first samples n, a step takes a share of 2 / (n + 2). */
const FIRST_STEPS = 2;
/** Bound of the deviation. */
const MOST = 1e30;
/** Samples are counted up to here. */
const COUNTED = 0xffff;

function magnitude(x: number): number {
  return x < 0 ? -x : x;
}

/**
 * The distance of each input from its median m, in median absolute deviations d. Both follow by steps of the size of d,
 * whatever the size of an outlier. It learns the clipped x, see `OutlierLimit`.
 *
 *     z = max_j .6745 |x_j - m_j| / d_j;   score = (threshold - z) / (threshold + z)
 *     m <- m + 2 r d sign(x - m);   d <- d (1 + r) if |x - m| > d, else d (1 - r);   r = max(rate, 2 / (n + 2))
 *
 * When to use it: As the baseline, in the fewest bytes; where one sensor's value alone tells a novelty. It doesn't see an unusual combination of
 * usual values.
 *
 * @see Iglewicz, Hoaglin: How to detect and handle outliers. ASQC Basic References in Quality Control 16, 1993
 */
export const ROBUST_Z: readonly Family[] = withFalseAlarms([
  defineLearner({
    name: "robust-z",
    task: "novelty",
    title: "Robust z-score by stochastic steps",
    paper:
      "Iglewicz, Hoaglin: How to detect and handle outliers. ASQC Basic References in Quality Control 16, 1993",
    options: ROBUST_Z_OPTIONS,
    bounded: true,
    traits: {
      searched: [
        { option: "threshold", values: [2.5, 3.5, 5] },
        { option: "rate", values: [0.003, 0.01, 0.03] },
      ],
    },
    state: ({ dimension }) => ({ median: dimension, deviation: dimension, count: 1 }),
    holds: () => ({ deviation: [POSITIVE], count: [COUNTED] }),
    predict({ f32: { words, bits }, at, input, options: { dimension, threshold, leastDeviation } }) {
      if (bits[at.count] < 2) return 0;
      let most = 0;
      for (let j = 0; j < dimension; j++) {
        const d = words[at.deviation + j];
        const off =
          magnitude(words[input + j] - words[at.median + j]) / (d > leastDeviation ? d : leastDeviation);
        if (off > most) most = off;
      }
      const z = TO_NORMAL * most;
      return Math.fround((threshold - z) / (threshold + z));
    },
    update({ f32: { words, bits }, at, input, options }) {
      const n = bits[at.count];
      if (n < COUNTED) bits[at.count] = n + 1;
      const early = FIRST_STEPS / (n + FIRST_STEPS);
      const rate = early > options.rate ? early : options.rate;
      for (let j = 0; j < options.dimension; j++) {
        const median = at.median + j;
        const deviation = at.deviation + j;
        const off = words[input + j] - words[median];
        if (n < 2) {
          words[n === 0 ? median : deviation] =
            n === 0 ? words[input + j] : clip(magnitude(off), options.leastDeviation);
          continue;
        }
        const d = words[deviation];
        words[median] += off > 0 ? 2 * rate * d : off < 0 ? -2 * rate * d : 0;
        words[deviation] = clip(d * (magnitude(off) > d ? 1 + rate : 1 - rate), options.leastDeviation);
      }
      return true;
    },
  }),
]);

function clip(deviation: number, least: number): number {
  return deviation < least ? least : deviation > MOST ? MOST : deviation;
}
