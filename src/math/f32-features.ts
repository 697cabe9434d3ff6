import { LearnerSteps } from "./f32-learners.ts";
import { isFinite32 } from "./f32-vectors.ts";
import { placeIn } from "./primitives.ts";

const round = Math.fround;
/** 2^-126: below it float32 loses precision, and a component counts as constant. */
const LEAST_VARIANCE = 1.1754943508222875e-38;
/** Constants of `standardise`, see its statement in `Primitives`. */
const Z_LARGEST = 5;
const LIMIT = 4;
const CONSTANT_COUNT = 3;
const WARM_COUNT = 32;
const WARM_WIDTH = 20;
const WARM_RUN = 8;
const ESCAPE_COUNT = 8;

/** The primitives that make features of readings. */
export class FeatureSteps extends LearnerSteps {
  windowStatistics(to: number, ring: number, place: number, n: number, size: number): boolean {
    const { words } = this;
    let at = placeIn(place, size);
    let sum = 0;
    let squares = 0;
    let least = words[ring + at];
    let largest = least;
    let sign = 0;
    let crossings = 0;
    for (let i = 0; i < n; i++) {
      const x = words[ring + at];
      at = at + 1 === size ? 0 : at + 1;
      sum += x;
      squares += x * x;
      if (x < least) least = x;
      if (x > largest) largest = x;
      if (x * sign < 0) crossings++;
      if (x !== 0) sign = x > 0 ? 1 : -1;
    }
    if (!isFinite32(round(largest - least))) return false;
    words[to] = sum / n;
    words[to + 1] = Math.sqrt(squares / n);
    words[to + 2] = largest - least;
    words[to + 3] = crossings;
    return true;
  }

  standardise(s: number, x: number, d: number, horizon: number, stepAfter: number): boolean {
    if (!this.finite(x, d)) return false;
    for (let j = 0; j < d; j++) this.standardiseOne(s + j, x + j, d, horizon, stepAfter);
    return true;
  }

  /**
   * Standardises one component: its mean at s, then, d words apart, the mean's rest, the variance, the count
   * and the run.
   */
  private standardiseOne(s: number, x: number, d: number, horizon: number, stepAfter: number): void {
    const { words } = this;
    const value = words[x];
    const variance = words[s + 2 * d];
    const count = words[s + 3 * d];
    const run = words[s + 4 * d];
    const mean = words[s] + words[s + d];
    const delta = value - mean;
    const n = count < horizon ? count + 1 : horizon;
    words[x] = 0;
    if (!(variance >= LEAST_VARIANCE)) {
      this.observe(s, d, value, mean, delta, n);
      return;
    }
    const deviation = Math.sqrt(variance);
    const far = delta < 0 ? -delta : delta;
    const limit = LIMIT * deviation * (count < WARM_COUNT ? 1 + WARM_WIDTH / count : 1);
    if (count < WARM_COUNT && far > limit) {
      const refused = run >= 0 ? run + 1 : 1;
      words[s + 4 * d] = refused;
      if (refused >= WARM_RUN) this.startAgain(s, d, value, 0);
      return;
    }
    if (count === 2 && run === 0 && far > 0.9 * deviation && far < 1.1 * deviation) {
      this.startAgain(s, d, value, -1);
      return;
    }
    const z = delta / deviation;
    words[x] = !(z > -Z_LARGEST) ? -Z_LARGEST : z < Z_LARGEST ? z : Z_LARGEST;
    const side = delta > limit ? 1 : delta < -limit ? -1 : 0;
    const beyond = side === 0 ? 0 : run * side > 0 ? run + side : side;
    const step = beyond >= stepAfter || beyond <= -stepAfter;
    words[s + 4 * d] = step ? 0 : beyond;
    if (step) this.observe(s, d, value, value, 0, ESCAPE_COUNT + 1);
    else this.observe(s, d, value, mean, side === 0 ? delta : side * limit, n);
  }

  /** The n-th sample, `delta` from the mean, moves the component's moments; if they overflow, it starts again at `value`. */
  private observe(s: number, d: number, value: number, mean: number, delta: number, n: number): void {
    const { words } = this;
    const share = 1 / n;
    const after = mean + delta * share;
    const variance = words[s + 2 * d];
    const spread = variance + share * (delta * (delta - delta * share) - variance);
    if (!isFinite32(round(after)) || !isFinite32(round(spread))) {
      this.startAgain(s, d, value, 0);
      return;
    }
    words[s] = after;
    words[s + d] = after - words[s];
    words[s + 2 * d] = spread;
    words[s + 3 * d] = spread >= LEAST_VARIANCE || n < CONSTANT_COUNT ? n : CONSTANT_COUNT;
  }

  private startAgain(s: number, d: number, value: number, run: number): void {
    const { words } = this;
    words[s] = value;
    words[s + d] = 0;
    words[s + 2 * d] = 0;
    words[s + 3 * d] = 1;
    words[s + 4 * d] = run;
  }
}
