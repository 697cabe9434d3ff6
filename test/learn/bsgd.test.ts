import { test } from "uvu";
import * as assert from "uvu/assert";
import { Bsgd } from "../../src/learn/bsgd.ts";
import { near, readKernel, readTrace, type Trace } from "./golden.ts";

interface Vector {
  readonly c: number[];
  readonly a: number;
  readonly age: number;
}

/** Which of the vectors, the newest last, has the least |a|. */
type Least = (vectors: readonly Vector[]) => number;

function leastBy(vectors: readonly Vector[], key: (v: Vector, i: number) => number[]): number {
  const before = (p: number[], q: number[]) => p[0] < q[0] || (p[0] === q[0] && p[1] < q[1]);
  return vectors.reduce((best, v, i) => (before(key(v, i), key(vectors[best], best)) ? i : best), 0);
}

/** As doubles compare, so that the recursion's rounding errors decide between equals. */
const byRounding: Least = (vectors) => leastBy(vectors, ({ a, age }) => [Math.abs(a), -age]);
/** Equals being equal: as the learner's merging does it, and as its removing does. */
const significant = (a: number) => Number(Math.abs(a).toPrecision(9));
const lowestRow: Least = (vectors) => leastBy(vectors, ({ a }, i) => [significant(a), i]);
const oldest: Least = (vectors) => leastBy(vectors, ({ a, age }) => [significant(a), -age]);

interface Merge {
  readonly j: number;
  readonly h: number;
  readonly z: number;
  readonly loss: number;
  readonly distance: number;
}

/** BSGD in doubles; the paper merges with the partner of least loss, the learner with the nearest. */
class Reference {
  vectors: Vector[] = [];
  private t = 0;

  constructor(
    private readonly trace: Trace,
    private readonly maintenance: "merge" | "remove",
    private readonly least: Least,
    private readonly partner: "loss" | "distance",
  ) {}

  private exponent(u: number[], v: number[]): number {
    return (this.trace.kernel?.gamma as number) * u.reduce((sum, value, j) => sum + (value - v[j]) ** 2, 0);
  }

  predict(x: number[]): number {
    return this.vectors.reduce((sum, { c, a }) => sum + a * Math.exp(-this.exponent(c, x)), 0);
  }

  learn(x: number[], y: number): void {
    const { lam, B } = this.trace.params;
    const hit = y * this.predict(x) < 1;
    this.t++;
    this.vectors = this.vectors.map((v) => ({ ...v, a: (1 - 1 / this.t) * v.a, age: v.age + 1 }));
    if (!hit) return;
    this.vectors.push({ c: x, a: y / (lam * this.t), age: 0 });
    if (this.vectors.length > B) this.maintain(this.least(this.vectors));
  }

  /**
   * Vector i leaves or merges. As in the learner the last row moves into the gap, and the newest is the
   * last then.
   */
  private maintain(i: number): void {
    const leaving = this.vectors[i];
    const newest = this.vectors.pop() as Vector;
    const last = this.vectors.length - 1;
    if (i <= last) {
      this.vectors[i] = this.vectors[last];
      this.vectors[last] = newest;
    }
    if (this.maintenance === "remove") return;
    const merges = this.vectors.flatMap((v, j) => (v.a * leaving.a > 0 ? [this.merge(leaving, v, j)] : []));
    if (merges.length === 0) return;
    const { j, h, z } = merges.reduce((best, other) =>
      other[this.partner] < best[this.partner] ? other : best,
    );
    const c = leaving.c.map((value, k) => h * value + (1 - h) * this.vectors[j].c[k]);
    this.vectors[j] = { c, a: z, age: 0 };
  }

  /** By golden sections of [0, 1/2] and [1/2, 1]. */
  private merge(one: Vector, other: Vector, j: number): Merge {
    const L = this.exponent(one.c, other.c);
    const at = (h: number) => one.a * Math.exp(-L * (1 - h) ** 2) + other.a * Math.exp(-L * h * h);
    const halves = [this.best(at, 0, 0.5), this.best(at, 0.5, 1)];
    // Of equals the maximum in the lower half: far vectors of one coefficient have two.
    const h = Math.abs(at(halves[1])) > (1 + 1e-9) * Math.abs(at(halves[0])) ? halves[1] : halves[0];
    const loss = one.a ** 2 + other.a ** 2 + 2 * one.a * other.a * Math.exp(-L) - at(h) ** 2;
    return { j, h, z: at(h), loss, distance: L };
  }

  private best(at: (h: number) => number, from: number, to: number): number {
    const golden = (Math.sqrt(5) - 1) / 2;
    let [low, high] = [from, to];
    while (high - low > 1e-9) {
      const [p, q] = [high - golden * (high - low), low + golden * (high - low)];
      if (Math.abs(at(p)) > Math.abs(at(q))) high = q;
      else low = p;
    }
    return (low + high) / 2;
  }
}

function coefficientsByAge({ vectors }: Reference): number[] {
  return [...vectors].sort((u, v) => v.age - u.age).map(({ a }) => a);
}

for (const maintenance of ["remove", "merge"] as const) {
  const trace = readTrace(`bsgd_${maintenance}`);
  const { lam: lambda, B: budget } = trace.params;
  const kernel = readKernel(trace);
  const create = () => new Bsgd({ dimension: 3, kernel, budget, lambda, maintenance });

  test(`the reference in doubles follows bsgd_${maintenance}, where rounding decides between equal |a_i|`, () => {
    const reference = new Reference(trace, maintenance, byRounding, "loss");
    const predictions = trace.X.map((x, t) => {
      const prediction = reference.predict(x);
      reference.learn(x, trace.y[t]);
      assert.is(reference.vectors.length, trace.sizes[t]);
      return prediction;
    });
    near(predictions, trace.predictions, 1e-6, "prediction");
    near(coefficientsByAge(reference), trace.final.coef, 1e-6, "coefficient");
  });

  test(`BSGD follows bsgd_${maintenance} up to the first choice between equals`, () => {
    const learner = create();
    const predictions = trace.X.slice(0, budget + 1).map((x, t) => learner.learn(x, trace.y[t]));
    near(predictions, trace.predictions.slice(0, budget + 1), 1e-4, "prediction");
  });

  test(`BSGD follows the reference, ${maintenance}, with its own choice between equals, and the nearest partner`, () => {
    const learner = create();
    const least = maintenance === "merge" ? lowestRow : oldest;
    const reference = new Reference(trace, maintenance, least, "distance");
    for (let pass = 0; pass < 5; pass++) {
      trace.X.forEach((x, t) => {
        const wanted = reference.predict(x);
        near([learner.learn(x, trace.y[t])], [wanted], 1e-4, `pass ${pass}, step ${t}: prediction`);
        reference.learn(x, trace.y[t]);
        assert.is(learner.size, reference.vectors.length);
      });
    }
    const scale = lambda * trace.X.length * 5;
    near(
      reference.vectors.map((_, i) => learner.dictionary.coefficient(i) / scale),
      reference.vectors.map(({ a }) => a),
      1e-4,
      "coefficient",
    );
  });
}

test("vectors that are too far apart, or of another sign, don't merge: one is removed", () => {
  const learner = new Bsgd({ dimension: 1, budget: 2, lambda: 0.01, kernel: { type: "gaussian", gamma: 1 } });
  learner.learn([0], 1);
  learner.learn([100], -1);
  learner.learn([200], 1);
  assert.is(learner.count("evicted"), 1);
  assert.equal([learner.dictionary.coefficient(0), learner.dictionary.coefficient(1)], [-1, 1]);
});

test("a vector merged from near ones counts for all of them", () => {
  const learner = new Bsgd({
    dimension: 1,
    budget: 1,
    lambda: 0.01,
    kernel: { type: "gaussian", gamma: 1e-8 },
  });
  learner.learn([0], 1);
  const f = learner.predict([1]);
  assert.ok(Math.abs(f - 100) < 1e-3, `f ${f}`);
  const steep = new Bsgd({ dimension: 1, budget: 1, lambda: 1e3, kernel: { type: "gaussian", gamma: 1e-8 } });
  for (let t = 0; t < 10; t++) steep.learn([t % 2], 1);
  assert.ok(Math.abs(steep.dictionary.coefficient(0) - 10) < 1e-4, "ten hits");
});

test("merging takes a Gaussian kernel", () => {
  assert.throws(
    () => new Bsgd({ dimension: 1, kernel: { type: "linear" } }),
    /bsgd: option maintenance: got "merge"; takes "remove" where the kernel is linear/,
  );
});

test.run();
