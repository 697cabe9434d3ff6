import { argmin, clip, dot, squaredDistance, type Vector } from "./algebra.ts";

/** C from the errors, as `ERRORS` states it. */
function errorsC(): (isWrong: boolean) => number {
  let [errors, n] = [0, 0];
  return (isWrong) => {
    n = Math.min(n + 1, 3200);
    errors += (isWrong ? 1 : 0) - (n > 240 ? errors / 240 : 0);
    const e = (errors + 2.4) / (Math.min(n, 240) + 16);
    return Math.min(2, Math.max(0.05 / e, Math.max(0.1, 0.4 * Math.min(1, Math.sqrt(200 / n)))));
  };
}

/** The share of the vector with the part m of both coefficients: by halving, as its derivative changes its sign once. */
function solveShare(m: number, L: number): number {
  let [low, high] = [0, 0.5];
  for (let i = 0; i < 60; i++) {
    const h = (low + high) / 2;
    if (m * (1 - h) * Math.exp(-L * (1 - 2 * h)) > (1 - m) * h) low = h;
    else high = h;
  }
  return (low + high) / 2;
}

interface Stored {
  readonly c: Vector;
  /** A coefficient for each function. */
  readonly a: Vector;
}

/** OLK-C's functions with their rates, on one set of vectors, in double precision. */
class Functions {
  private vectors: Stored[] = [];
  private readonly C: ((isWrong: boolean) => number)[];

  constructor(
    private readonly rates: Vector,
    private readonly gamma: number,
    private readonly budget: number,
  ) {
    this.C = rates.map(errorsC);
  }

  private k(u: Vector, v: Vector): number {
    return Math.exp(-this.gamma * squaredDistance(u, v));
  }

  scores(x: Vector): Vector {
    return this.rates.map((_, k) => this.vectors.reduce((sum, { c, a }) => sum + a[k] * this.k(c, x), 0));
  }

  learn(x: Vector, y: number, shares: Vector): void {
    const scores = this.scores(x);
    const a = this.rates.map((r, k) => {
      const C = this.C[k](scores[k] < 0 !== y < 0);
      return (y * clip(1 + r - y * scores[k], 0, C)) / (1 + r);
    });
    this.vectors = this.vectors.map((each) => ({
      ...each,
      a: each.a.map((v, k) => v / (1 + this.rates[k])),
    }));
    if (a.some((value) => value !== 0)) this.admit({ c: x, a }, shares);
  }

  private admit(x: Stored, shares: Vector): void {
    const { vectors, budget } = this;
    const weigh = (all: readonly Stored[]) => all.map(({ a }) => dot(a, shares));
    if (vectors.length < budget) {
      vectors.push(x);
      return;
    }
    const weights = weigh(vectors);
    const i = argmin(weights.map(Math.abs));
    const leaves = Math.abs(dot(x.a, shares)) < Math.abs(weights[i]) ? x : vectors[i];
    if (leaves !== x) {
      vectors[i] = vectors[budget - 1];
      vectors[budget - 1] = x;
    }
    this.merge(leaves, dot(leaves.a, shares), weigh(vectors));
  }

  private merge({ c, a }: Stored, own: number, weights: Vector): void {
    const { vectors, gamma } = this;
    const distances = vectors.map((v, j) => (own * weights[j] > 0 ? squaredDistance(v.c, c) : Infinity));
    const j = argmin(distances);
    if (distances[j] === Infinity) return;
    const h = solveShare(own / (own + weights[j]), gamma * distances[j]);
    const z = vectors[j].c.map((value, d) => value + h * (c[d] - value));
    const [near, far] = [this.k(vectors[j].c, z), this.k(c, z)];
    vectors[j] = { c: z, a: vectors[j].a.map((value, k) => value * near + a[k] * far) };
  }
}

const RATES = [1.5e-3, 5e-3, 1.5e-2];

/** The votes of a sample: of the four functions, and of their mixture. */
export interface Votes {
  readonly functions: readonly number[];
  readonly mixture: number;
}

/** `olk-drift` a second time, from its equations alone. */
export class DriftReference {
  private readonly steady: Functions;
  private readonly tracking: readonly Functions[];
  private losses = [0, 1, 1, 1];
  private weights: Vector = [];
  private judged = 0;
  private squares = [0.25, 0.25, 0.25, 0.25];
  lead = 0;
  differed = 0;
  open = false;

  constructor(gamma: number, budget: number, apart: boolean) {
    this.steady = new Functions([3e-5], gamma, budget);
    const rates = apart ? RATES.map((rate) => [rate]) : [RATES];
    this.tracking = rates.map((own) => new Functions(own, gamma, budget));
    this.weigh();
  }

  private scores(x: Vector): Vector {
    return [...this.steady.scores(x), ...this.tracking.flatMap((each) => each.scores(x))];
  }

  private get deviations(): Vector {
    return this.squares.map((square) => Math.sqrt(square + 1e-6));
  }

  private get shares(): Vector {
    const all = this.weights[1] + this.weights[2] + this.weights[3];
    return [1, 2, 3].map((k) => (this.weights[k] / all + 0.02) / this.deviations[k]);
  }

  private mixture(f: Vector, shares: Vector): number {
    const [w] = this.weights;
    return w * f[0] + (1 - w) * this.deviations[0] * dot(shares, f.slice(1));
  }

  /** Shares as of the last label: what the tracker's vectors were mixed with. */
  private mixed: Vector = [0, 0, 0];

  decide(x: Vector): number {
    const f = this.scores(x);
    return this.open ? this.mixture(f, this.mixed) : f[0];
  }

  votes(x: Vector): Votes {
    const f = this.scores(x);
    const sign = (value: number) => (value >= 0 ? 1 : -1);
    return { functions: f.map(sign), mixture: sign(this.mixture(f, this.mixed)) };
  }

  private weigh(): void {
    const least = Math.min(...this.losses);
    const e = (least + 1) / (this.judged + 3);
    const eta = Math.max(0.05, Math.log((1 - e) / e) / 2);
    const weights = this.losses.map((loss) => Math.exp(-eta * (loss - least)));
    this.weights = weights.map((w) => w / weights.reduce((sum, each) => sum + each));
  }

  learn(x: Vector, y: number, votes: Votes): void {
    const f = this.scores(x);
    const wrong = (vote: number) => (vote === y ? 0 : 1);
    this.losses = this.losses.map((loss, k) => 0.999 * loss + wrong(votes.functions[k]));
    this.judged = 0.999 * this.judged + 1;
    this.weigh();
    const gain = wrong(votes.functions[0]) - wrong(votes.mixture);
    this.lead = 0.999 * this.lead + gain;
    this.differed = 0.999 * this.differed + Math.abs(gain);
    const z = this.lead / Math.sqrt(this.differed + 1);
    if (!this.open && z > 1.5) this.open = true;
    else if (this.open && z < -0.5) [this.open, this.lead, this.differed] = [false, 0, 0];
    this.squares = this.squares.map((square, k) => square + 0.01 * (f[k] ** 2 - square));
    this.mixed = this.shares;
    this.tracking.forEach((each, i) => {
      each.learn(x, y, this.mixed.slice(i));
    });
    this.steady.learn(x, y, [1]);
  }
}
