import { Elementary } from "../../src/math/elementary.ts";
import { addSquares, factorise, inverse, solveLower, solveUpper } from "./symmetric.ts";

const elementary = new Elementary();

/** Newton steps at most, and the gain of a step after which there are no more. */
const STEPS = 12;
const LEAST_GAIN = 0.01;
/** Times that a step is halved which overshoots. */
const HALVINGS = 6;
/** The least that a label leaves of the curvature at its own score. */
const LEAST_REST = 0.02;
/** pi / 8: a logistic function behind a Gaussian of variance v is about that of f / sqrt(1 + pi v / 8) (MacKay, 1992). */
const SPREAD = 0.3926991;

/** What is known of the weights w of f(x) = w.phi(x): a Gaussian. */
export interface Belief {
  readonly mean: Float64Array;
  /** The inverse of the covariance, see symmetric.ts. */
  readonly precision: Float64Array;
  /** The Cholesky factor of the precision. */
  readonly root: Float64Array;
}

function scaledIdentity(size: number, scale: number): Float64Array {
  const matrix = new Float64Array(size * size);
  for (let j = 0; j < size; j++) matrix[j * size + j] = scale;
  return matrix;
}

/** N(0, variance I) of so many weights. */
export function isotropicBelief(size: number, variance: number): Belief {
  return {
    mean: new Float64Array(size),
    precision: scaledIdentity(size, 1 / variance),
    root: scaledIdentity(size, 1 / Math.sqrt(variance)),
  };
}

/** The belief with `variance` added to the variance of each weight. */
export function widen({ mean, precision }: Belief, variance: number): Belief {
  const size = mean.length;
  const covariance = inverse(precision, size);
  for (let j = 0; j < size; j++) covariance[j * size + j] += variance;
  const wider = inverse(covariance, size);
  const root = wider.slice();
  factorise(root, size);
  return { mean, precision: wider, root };
}

const sigmoid = (f: number) => 1 / (1 + elementary.exp(-f));

/** The least that a label's curvature is, in that of a label which is surely right. */
const LEAST_CURVATURE = 0.1;

/** log P(y), where P(y) = flips + (1 - 2 flips) / (1 + exp(-y f)); `u` is y f. */
export function logLikelihood(u: number, flips: number): number {
  if (flips > 0) return elementary.log(flips + (1 - 2 * flips) * sigmoid(u));
  return (u < 0 ? u : 0) - elementary.log(1 + elementary.exp(u < 0 ? u : -u));
}

/** The probability that a label's sample is of class +1, at that score: p of the score alone. */
function rightness(label: number, p: number, flips: number): number {
  if (flips === 0) return label > 0 ? 1 : 0;
  const [positive, negative] = label > 0 ? [1 - flips, flips] : [flips, 1 - flips];
  return (positive * p) / (positive * p + negative * (1 - p));
}

/**
 * The posterior of a logistic regression, from the belief N(m, P^-1) and labelled rows phi_i (Laplace's approximation). A share e of the labels is wrong.
 * Newton's method finds its maximum, which is the mean. The precision is the curvature before the last step; that step gains less than .01:
 *
 *     w = argmin (w - m)' P (w - m) / 2 - sum_i log P(y_i);   P(y) = e + (1 - 2 e) / (1 + exp(-y f));   H = P + sum_i h_i phi_i phi_i'
 *     h = p (1 - p) - q (1 - q), at least p (1 - p) / 10;   p = 1 / (1 + exp(-f)), q the same given y
 */
export class LogisticPosterior implements Belief {
  readonly mean: Float64Array;
  readonly precision: Float64Array;
  /** The negative log posterior at `mean`, but for a constant. */
  private readonly cost: number;
  /** The scores f_i there. */
  private readonly scores: Float64Array;
  /** P (w - m) there. */
  private readonly pull: Float64Array;
  readonly root: Float64Array;

  /**
   * @param labels -1 or +1
   * @param flips the share of labels that are wrong, below .5
   */
  constructor(
    private readonly rows: readonly Float64Array[],
    private readonly labels: readonly number[],
    private readonly prior: Belief,
    private readonly flips: number,
  ) {
    this.mean = prior.mean.slice();
    this.precision = prior.precision.slice();
    this.scores = new Float64Array(rows.length);
    this.pull = new Float64Array(this.mean.length);
    this.root = prior.root.slice();
    let cost = this.costAt(this.mean);
    for (let step = 0, gain = Infinity; step < STEPS && gain > LEAST_GAIN; step++) {
      const before = cost;
      cost = this.improve(before);
      gain = before - cost;
    }
    this.cost = cost;
  }

  /** The logarithm of the labels' probability before they came, P(y) (Laplace's approximation). */
  get evidence(): number {
    const { prior, root } = this;
    const n = this.mean.length;
    let sum = -this.cost;
    for (let j = 0; j < n; j++)
      sum += elementary.log(prior.root[j * n + j]) - elementary.log(root[j * n + j]);
    return sum;
  }

  /** The negative log posterior at w, but for a constant. Sets scores and pull. */
  private costAt(w: Float64Array): number {
    const { labels, pull, rows, scores } = this;
    const { mean, precision } = this.prior;
    const n = w.length;
    pull.fill(0);
    let cost = 0;
    for (let i = 0; i < n; i++) {
      const away = w[i] - mean[i];
      let sum = precision[i * n + i] * away;
      for (let j = 0; j < i; j++) {
        sum += precision[i * n + j] * (w[j] - mean[j]);
        pull[j] += precision[i * n + j] * away;
      }
      pull[i] += sum;
    }
    for (let i = 0; i < n; i++) cost += 0.5 * pull[i] * (w[i] - mean[i]);
    for (let i = 0; i < rows.length; i++) {
      scores[i] = dot(rows[i], w);
      cost -= logLikelihood(labels[i] * scores[i], this.flips);
    }
    return cost;
  }

  /** A step of Newton's method. Returns the cost after it. */
  private improve(cost: number): number {
    const { labels, mean, pull, root, rows, scores } = this;
    const n = mean.length;
    const move = pull.map((each) => -each);
    for (let i = 0; i < rows.length; i++) {
      const p = sigmoid(scores[i]);
      const slope = rightness(labels[i], p, this.flips) - p;
      for (let j = 0; j < n; j++) move[j] += slope * rows[i][j];
    }
    this.curve();
    solveLower(root, n, move);
    solveUpper(root, n, move);
    const before = mean.slice();
    let after = cost;
    for (let halving = 0, scale = 1; halving < HALVINGS; halving++, scale /= 2) {
      for (let j = 0; j < n; j++) mean[j] = before[j] + scale * move[j];
      after = this.costAt(mean);
      if (after <= cost) return after;
    }
    mean.set(before);
    return this.costAt(mean);
  }

  /** Of label i at its score: that of a right label, less what its being wrong leaves open. */
  private curvature(i: number): number {
    const p = sigmoid(this.scores[i]);
    const q = rightness(this.labels[i], p, this.flips);
    return Math.max(p * (1 - p) - q * (1 - q), LEAST_CURVATURE * p * (1 - p));
  }

  /** Sets precision and root to the curvature where the scores are. */
  private curve(): void {
    const { precision, root, rows } = this;
    const n = this.mean.length;
    precision.set(this.prior.precision);
    addSquares(
      precision,
      n,
      rows,
      Float64Array.from(rows, (_, i) => this.curvature(i)),
    );
    root.set(precision);
    factorise(root, n);
  }

  /**
   * What the posterior says of each label that it lacks, without being fitted again. With s = phi_i' H^-1 phi_i and r = 1 - h_i s, label i taken
   * out leaves the score f_i - s (q - p) / r, of variance v = s / r (Cawley and Talbot, 2008). merit is the sum of log P(y_i) by the others, and
   * certainty the mean of 1 / sqrt(1 + pi v / 8), by which scores are to be taken.
   */
  leaveOneOut(): { merit: number; certainty: number } {
    const { labels, root, rows, scores } = this;
    const n = this.mean.length;
    const solved = new Float64Array(n);
    let [merit, certainty] = [0, 0];
    for (let i = 0; i < rows.length; i++) {
      solved.set(rows[i]);
      solveLower(root, n, solved);
      const s = dot(solved, solved);
      const p = sigmoid(scores[i]);
      const rest = Math.max(LEAST_REST, 1 - this.curvature(i) * s);
      const without = scores[i] - (s * (rightness(labels[i], p, this.flips) - p)) / rest;
      const scale = 1 / Math.sqrt(1 + (SPREAD * s) / rest);
      merit += logLikelihood(labels[i] * without * scale, this.flips);
      certainty += scale / rows.length;
    }
    return { merit, certainty };
  }
}

/** The inner product. */
export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < a.length; j++) sum += a[j] * b[j];
  return sum;
}
