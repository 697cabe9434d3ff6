import type { Trace } from "../golden.ts";
import { argmin, clip, squaredDistance, type Vector } from "./algebra.ts";
import { Expansion, type Outcome } from "./expansion.ts";

/** Options by the names in the file. */
export interface MergeTrace extends Pick<Trace, "predictions" | "sizes"> {
  readonly algorithm: string;
  readonly options: { readonly [name: string]: number } & { readonly kernel: { readonly gamma: number } };
  readonly inputs: number[][];
  readonly labels: number[];
}

/** h in [0, 1/2] where m k^((1-h)^2) + (1-m) k^(h^2) is largest, by halving: its derivative changes its sign once. */
function bestShare(m: number, L: number): number {
  let [low, high] = [0, 0.5];
  for (let i = 0; i < 60; i++) {
    const h = (low + high) / 2;
    if (m * (1 - h) * Math.exp(-(L * (1 - (h + h)))) > (1 - m) * h) low = h;
    else high = h;
  }
  return (low + high) / 2;
}

/** A change of f: the vector, and by how much its coefficient grew. */
type Change = readonly [vector: Vector, by: number];

/** A full set that merges the vector of least |coefficient|, which may be the new one, with the nearest of its sign. */
class MergingSet extends Expansion {
  merges = 0;
  lost = 0;

  constructor(
    readonly budget: number,
    readonly gamma: number,
  ) {
    super((u, v) => Math.exp(-gamma * squaredDistance(u, v)));
  }

  /** Scales, appends, and merges at the full budget: what changed by that, and |change of f|^2. */
  step(keep: number, x: Vector, a: number): { readonly changes: readonly Change[]; readonly norm: number } {
    this.scale(keep);
    if (a === 0) return { changes: [], norm: 0 };
    if (this.size < this.budget) {
      this.append(x, a);
      return { changes: [], norm: 0 };
    }
    const i = argmin(this.coefficients.map(Math.abs));
    const isNew = Math.abs(a) < Math.abs(this.coefficients[i]);
    const odd: Change = isNew ? [x, a] : [this.centres[i], this.coefficients[i]];
    if (!isNew) {
      this.centres[i] = this.centres[this.size - 1];
      this.coefficients[i] = this.coefficients[this.size - 1];
      this.remove(this.size - 1);
      this.append(x, a);
    }
    return this.merge(odd);
  }

  private merge([x, a]: Change) {
    const distances = this.centres.map((c, j) =>
      a * this.coefficients[j] > 0 ? squaredDistance(c, x) : Infinity,
    );
    const j = argmin(distances);
    if (distances[j] === Infinity) {
      this.lost++;
      return { changes: [[x, -a] as const], norm: a * a };
    }
    const [c, b, L] = [this.centres[j], this.coefficients[j], this.gamma * distances[j]];
    const h = bestShare(a / (a + b), L);
    const az = a * Math.exp(-L * (1 - h) ** 2) + b * Math.exp(-L * h * h);
    const z = c.map((value, d) => value + h * (x[d] - value));
    this.centres[j] = z;
    this.coefficients[j] = az;
    this.merges++;
    const norm = a * a + 2 * a * b * Math.exp(-L) + (b - az) * (b + az);
    return { changes: [[z, az] as const, [c, -b] as const, [x, -a] as const], norm };
  }
}

/** A learner's call to the set at a sample: the factor for old coefficients, and the new one. */
type Rule = (y: number, f: number) => readonly [keep: number, a: number];

function greedyDual(set: MergingSet, C: number, state: { W: number; S: number }) {
  const unit = (value: number) => clip(value, 0, 1);
  return (x: Vector, y: number, f: number) => {
    const { W, S } = state;
    const m = y * f;
    const gain = (al: number, q: number) =>
      C * (q - 1) * S + C * al - ((q * q - 1) * W + 2 * q * C * al * m + (C * al) ** 2) / 2;
    const tries = [[unit((1 - m) / C), 1]];
    if (W > 0) tries.push([0, unit((C * S) / W)], [1, unit((C * (S - m)) / W)], [unit(1 / C), 0]);
    const det = W - m * m;
    const [al, q] = [(W - m * C * S) / (C * det), (C * S - m) / det];
    if (W > 0 && det > 0 && al >= 0 && al <= 1 && q >= 0 && q <= 1) tries.push([al, q]);
    const [alpha, keep] = tries.reduce(
      (best, next) => (gain(next[0], next[1]) > gain(best[0], best[1]) ? next : best),
      [0, 1],
    );
    const ad = C * alpha;
    state.W = keep * keep * W + 2 * keep * ad * m + ad * ad;
    state.S = keep * S + alpha;
    const { changes, norm } = set.step(keep, x, y * ad);
    const growth = changes.reduce((sum, [vector, by]) => sum + by * set.at(vector), 0);
    if (changes.length > 0) state.W = Math.max(0, state.W + 2 * growth - norm);
  };
}

/** Runs the learner of a trace whose full set merges. */
export function merging({ algorithm, options, inputs, labels }: MergeTrace): Outcome {
  const { budget, kernel, C, r, eta, lambda, rho } = options;
  const set = new MergingSet(budget, kernel.gamma);
  const dual = { W: 0, S: 0 };
  const rules: { readonly [algorithm: string]: Rule } = {
    "olk-c": (y, f) => [1 / (1 + r), (y * clip(1 + r - y * f, 0, C)) / (1 + r)],
    "norma-c": (y, f) => [1 - eta * lambda, y * f <= rho ? eta * y : 0],
    "kernel-perceptron": (y, f) => [1, y * f <= 0 ? eta * y : 0],
  };
  const greedy = greedyDual(set, C, dual);
  const predictions: number[] = [];
  const sizes: number[] = [];
  inputs.forEach((x, t) => {
    const f = set.at(x);
    predictions.push(f);
    const rule = rules[algorithm];
    if (rule) set.step(rule(labels[t], f)[0], x, rule(labels[t], f)[1]);
    else greedy(x, labels[t], f);
    sizes.push(set.size);
  });
  const { merges, lost } = set;
  const final = {
    coefficients: set.coefficients,
    vectors: set.centres,
    ...(algorithm === "dual-greedy" ? dual : {}),
  };
  return { predictions, sizes, merges, lost, final };
}
