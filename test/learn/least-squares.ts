/** Weighted ridge regression by its normal equations in double precision: the reference of RLS. */
export class LeastSquares {
  private readonly a: number[][];
  private readonly b: number[];
  private turn = 0;

  constructor(
    private readonly width: number,
    private readonly lambda: number,
    private readonly delta: number,
  ) {
    this.a = Array.from({ length: width }, (_, i) =>
      Array.from({ length: width }, (_, j) => (i === j ? delta : 0)),
    );
    this.b = new Array(width).fill(0);
  }

  learn(x: readonly number[], y: number): void {
    const { a, b, width, lambda } = this;
    for (let i = 0; i < width; i++) {
      for (let j = 0; j < width; j++) a[i][j] = lambda * a[i][j] + x[i] * x[j];
      b[i] = lambda * b[i] + x[i] * y;
    }
    a[this.turn][this.turn] += width * (1 - lambda) * this.delta;
    this.turn = (this.turn + 1) % width;
  }

  estimate(x: readonly number[]): number {
    return this.weights().reduce((sum, w, j) => sum + w * x[j], 0);
  }

  /** The solution of A w = b, by Gaussian elimination. */
  weights(): number[] {
    const rows = this.a.map((row, i) => [...row, this.b[i]]);
    for (let i = 0; i < this.width; i++) {
      for (let k = i + 1; k < this.width; k++) {
        const factor = rows[k][i] / rows[i][i];
        for (let j = i; j <= this.width; j++) rows[k][j] -= factor * rows[i][j];
      }
    }
    const w = new Array<number>(this.width).fill(0);
    for (let i = this.width - 1; i >= 0; i--) {
      const known = w.reduce((sum, value, j) => sum + (j > i ? rows[i][j] * value : 0), 0);
      w[i] = (rows[i][this.width] - known) / rows[i][i];
    }
    return w;
  }
}
