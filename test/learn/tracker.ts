type Matrix = number[][];

/**
 * KRLS-T as its paper has it, in double precision: mean and covariance of f at the dictionary's vectors, and the inverse of K, to which
 * `jitter` is added.
 */
export class Tracker {
  private vectors: number[][] = [];
  private mean: number[] = [];
  private sigma: Matrix = [];
  private inverse: Matrix = [];

  constructor(
    private readonly budget: number,
    private readonly lambda: number,
    private readonly noise: number,
    private readonly gamma: number,
    private readonly nu: number,
    private readonly jitter: number,
  ) {}

  get size(): number {
    return this.vectors.length;
  }

  estimate(x: readonly number[]): number {
    const q = times(this.inverse, this.row(x));
    return dot(q, this.mean);
  }

  learn(x: readonly number[], y: number): void {
    const { lambda, noise, nu, jitter } = this;
    const prior = this.vectors.map((c, i) => this.row(c).map((k, j) => (i === j ? k + jitter : k)));
    this.sigma = this.sigma.map((row, i) =>
      row.map((value, j) => lambda * value + (1 - lambda) * prior[i][j]),
    );
    this.mean = this.mean.map((value) => Math.sqrt(lambda) * value);
    const h = this.row(x);
    const q = times(this.inverse, h);
    const rest = 1 + jitter - dot(h, q);
    const g = times(this.sigma, q);
    const variance = rest + dot(q, g);
    const e = y - dot(q, this.mean);
    const gains = [...g, variance];
    const mean = [...this.mean, dot(q, this.mean)].map(
      (value, i) => value + (gains[i] * e) / (noise + variance),
    );
    const whole = [...this.sigma.map((row, i) => [...row, g[i]]), gains];
    const sigma = whole.map((row, i) =>
      row.map((value, j) => value - (gains[i] * gains[j]) / (noise + variance)),
    );
    if (rest > nu) {
      this.append(x, q, rest);
      this.mean = mean;
      this.sigma = sigma;
      if (this.size > this.budget) this.remove(this.least());
    } else {
      this.mean = mean.slice(0, -1);
      this.sigma = sigma.slice(0, -1).map((row) => row.slice(0, -1));
    }
  }

  private row(x: readonly number[]): number[] {
    return this.vectors.map((c) => Math.exp(-this.gamma * c.reduce((sum, v, j) => sum + (v - x[j]) ** 2, 0)));
  }

  private append(x: readonly number[], q: number[], rest: number): void {
    const p = [...q, -1];
    const wider = [...this.inverse.map((row) => [...row, 0]), new Array<number>(p.length).fill(0)];
    this.inverse = wider.map((row, i) => row.map((value, j) => value + (p[i] * p[j]) / rest));
    this.vectors.push([...x]);
  }

  /** The vector without which the norm of f changes least. */
  private least(): number {
    const losses = times(this.inverse, this.mean).map((a, j) => (a * a) / this.inverse[j][j]);
    return losses.indexOf(Math.min(...losses));
  }

  private remove(i: number): void {
    const without = <T>(list: readonly T[]) => list.filter((_, j) => j !== i);
    const own = this.inverse[i];
    const left = this.inverse.map((row) => row.map((value, j) => value - (row[i] * own[j]) / own[i]));
    this.inverse = without(left).map(without);
    this.sigma = without(this.sigma).map(without);
    this.mean = without(this.mean);
    this.vectors = without(this.vectors);
  }
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}

function times(matrix: Matrix, x: readonly number[]): number[] {
  return matrix.map((row) => dot(row, x));
}
