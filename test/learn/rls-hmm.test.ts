import "../../host-sim/motelearn.ts";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { PROPERTIES } from "../../host-sim/conformance/properties.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { RlsHmm } from "../../src/learn/rls-hmm.ts";
import { near } from "./golden.ts";
import { readWords } from "./region.ts";

const D = 5;
/** Components with the one that is always 1. */
const N = D + 1;
const OPTIONS = { dimension: D, lag: 5, regularization: 0.5, prior: 8, horizon: 60 };

interface Labelled {
  readonly x: number[];
  readonly truth: number;
  readonly y: number;
}

/**
 * Two classes, of means 1.4 deviations apart in each component, which change with probability `change` from one sample to the
 * next; labels partly wrong.
 */
function persistent(count: number, flips: number, seed = 1, d = D, change = 0.1): Labelled[] {
  const random = new Random(seed, "persistent");
  let truth = 1;
  return Array.from({ length: count }, () => {
    if (random.uniform() < change) truth = -truth;
    const x = Array.from({ length: d }, () => Math.fround(0.7 * truth + random.normal()));
    return { x, truth, y: random.uniform() < flips ? -truth : truth };
  });
}

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, v, j) => sum + v * b[j], 0);

/** A^-1 b by Gaussian elimination with pivots, in double. */
function solved(a: readonly (readonly number[])[], b: readonly number[]): number[] {
  const m = a.map((row, i) => [...row, b[i]]);
  m.forEach((_, i) => {
    const pivot = m
      .slice(i)
      .reduce((best, row, k) => (Math.abs(row[i]) > Math.abs(m[best][i]) ? i + k : best), i);
    [m[i], m[pivot]] = [m[pivot], m[i]];
    for (const row of m) {
      if (row === m[i]) continue;
      const factor = row[i] / m[i][i];
      row.forEach((_, j) => {
        row[j] -= factor * m[i][j];
      });
    }
  });
  return m.map((row, i) => row[b.length] / row[i]);
}

const clip = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

/** Persistence and flips from labels, in double: 150 filters, one for each (kappa, p, m). */
class NaiveFlips {
  kappa = 0;
  p = 0.1;
  m = 0.1;
  prior = 0.5;
  unrelated = 1 / 6;
  private mean = 0.5;
  private count = 2;
  private cells = [0, 0.6, 0.8, 0.92, 0.97, 0.99].flatMap((kappa) =>
    [0.003, 0.08, 0.2, 0.3, 0.4].flatMap((p) =>
      [0.003, 0.08, 0.2, 0.3, 0.4].map((m) => ({ kappa, p, m, plus: 0.5 / 150, minus: 0.5 / 150 })),
    ),
  );

  learn(y: number): void {
    this.count = Math.min(2000, this.count + 1);
    this.mean += ((y > 0 ? 1 : 0) - this.mean) / this.count;
    const estimatePrior = (p: number, m: number) => clip((this.mean - m) / (1 - p - m), 0.02, 0.98);
    const next = this.cells.map(({ kappa, p, m, ...of }) => {
      const [plus, minus] = [of.plus + 5e-5 / 150, of.minus + 5e-5 / 150];
      const pi = estimatePrior(p, m);
      const [ifPlus, ifMinus] = y > 0 ? [1 - p, m] : [p, 1 - m];
      return {
        ...{ kappa, p, m },
        plus: ifPlus * (kappa * plus + (1 - kappa) * pi * (plus + minus)),
        minus: ifMinus * (kappa * minus + (1 - kappa) * (1 - pi) * (plus + minus)),
      };
    });
    const total = next.reduce((sum, { plus, minus }) => sum + plus + minus, 0);
    this.cells = next.map((cell) => ({ ...cell, plus: cell.plus / total, minus: cell.minus / total }));
    const mean = (of: (cell: NaiveFlips["cells"][number]) => number) =>
      this.cells.reduce((sum, cell) => sum + of(cell) * (cell.plus + cell.minus), 0);
    this.kappa = mean(({ kappa }) => kappa);
    this.p = mean(({ p }) => p);
    this.m = mean(({ m }) => m);
    this.prior = estimatePrior(this.p, this.m);
    this.unrelated = mean(({ kappa }) => (kappa === 0 ? 1 : 0));
  }
}

/** P(c_t = +1) over a window, by adding up every path of classes; `start` is the probability of the class before it, undefined without one. */
function pathPosteriors(
  labels: readonly number[],
  start: number | undefined,
  { kappa, p, m, prior }: NaiveFlips,
): number[] {
  const plus = labels.map(() => 0);
  let total = 0;
  for (let path = 0; path < 2 ** (labels.length + 1); path++) {
    const classes = Array.from({ length: labels.length + 1 }, (_, t) => ((path >> t) & 1 ? 1 : -1));
    const first = start === undefined ? 0.5 : classes[0] > 0 ? start : 1 - start;
    const weight = labels.reduce((product, y, t) => {
      const [before, c] = [classes[t], classes[t + 1]];
      const link = start === undefined && t === 0 ? 0 : kappa;
      const moved = (before === c ? link : 0) + (1 - link) * (c > 0 ? prior : 1 - prior);
      const wrong = c > 0 ? p : m;
      return product * moved * (c === y ? 1 - wrong : wrong);
    }, first);
    total += weight;
    classes.slice(1).forEach((c, t) => {
      if (c > 0) plus[t] += weight;
    });
  }
  return plus.map((each) => each / total);
}

/**
 * The learner from its definition, in double: whole sums, a solved system at each step, and paths instead of
 * recursions.
 */
class Naive {
  w = new Array(N).fill(0);
  smoothed: number[] = [];
  readonly flips = new NaiveFlips();
  R = 1;
  private start: number | undefined;
  private errors = 0;
  private judged = 0;
  private isRaw = false;
  private readonly past: Labelled[] = [];
  private readonly noises: number[] = [];

  private judge(wrong: boolean): number {
    const { p, m, prior } = this.flips;
    this.errors = 0.999 * this.errors + (wrong ? 1 : 0);
    this.judged = 0.999 * this.judged + 1;
    const e = (this.errors + 1) / (this.judged + 3);
    this.isRaw = prior * p + (1 - prior) * m > e + 2 * Math.sqrt((e * (1 - e)) / this.judged);
    return e;
  }

  private target(q: number, y: number): number {
    const { prior, unrelated } = this.flips;
    if (this.isRaw || unrelated > 0.9) return y;
    const odds = (q * (1 - prior)) / ((1 - q) * prior);
    return (odds - 1) / (odds + 1);
  }

  learn(options: Labelled): number {
    const sample = { ...options, x: [...options.x, 1] };
    const { lag, regularization: reg, prior, horizon } = OPTIONS;
    const decision = dot(this.w, sample.x);
    const e = this.judge(decision < 0 !== options.y < 0);
    const leaving = this.past.length - lag;
    if (leaving >= 0) {
      const { y } = this.past[leaving];
      [this.start] = pathPosteriors([y], this.start, this.flips);
      this.flips.learn(y);
    }
    const system = () =>
      Array.from({ length: N }, (_, i) =>
        Array.from({ length: N }, (_, j) =>
          this.past.reduce((sum, { x }, t) => sum + (x[i] * x[j]) / this.noises[t], i === j ? reg : 0),
        ),
      );
    const v = dot(sample.x, solved(system(), sample.x));
    this.past.push(sample);
    this.noises.push(Math.max(this.R, 6 * e * (1 - e)));
    const first = Math.max(0, this.past.length - lag);
    const labels = this.past.slice(first).map(({ y }) => y);
    const plus = pathPosteriors(labels, this.start, this.flips);
    this.smoothed = [...this.smoothed.slice(0, first), ...plus.map((q, i) => this.target(q, labels[i]))];
    const target = Array.from({ length: N }, (_, j) =>
      this.past.reduce((sum, { x }, t) => sum + (this.smoothed[t] * x[j]) / this.noises[t], 0),
    );
    this.w = solved(system(), target);
    const error = this.smoothed[this.past.length - 1] - decision;
    this.R +=
      ((error * error * this.R) / (this.R + v) - this.R) / Math.min(prior + this.past.length, horizon);
    return decision;
  }
}

test("it is ridge regression on the means of all paths of classes, from its definition in double", () => {
  for (const [flips, change] of [
    [0, 0.1],
    [0.1, 0.1],
    [0.4, 0.1],
    [0, 0.5],
  ]) {
    const learner = new RlsHmm(OPTIONS);
    const naive = new Naive();
    for (const [t, sample] of persistent(150, flips, 1, D, change).entries()) {
      const what = `${t}, flips ${flips}, change ${change}`;
      near([learner.learn(sample.x, sample.y)], [naive.learn(sample)], 1e-4, `decision ${what}`);
      near([...readWords(learner, "w", N)], naive.w, 1e-4, `w ${what}`);
      near([...readWords(learner, "noise", 1)], [naive.R], 1e-4, `R ${what}`);
      const { kappa, p, m, prior, unrelated } = naive.flips;
      near(
        [...readWords(learner, "flips.estimates", 7)].slice(2),
        [kappa, p, m, prior, unrelated],
        1e-4,
        `rates ${what}`,
      );
      const { lag } = OPTIONS;
      const slots = [...readWords(learner, "smoothed", lag)];
      const newest = naive.smoothed.slice(-lag);
      const first = naive.smoothed.length - newest.length;
      near(
        newest.map((_, i) => slots[(first + i) % lag]),
        newest,
        1e-4,
        `smoothed labels ${what}`,
      );
    }
  }
});

/** A learner's share of wrong predictions, mean of two streams. */
function measureError(name: string, of: (seed: number) => readonly Labelled[], options: object = {}): number {
  let wrong = 0;
  let all = 0;
  for (const seed of [1, 2]) {
    const stream = of(seed);
    const learner = familyNamed(name)!.create({ dimension: stream[0].x.length, ...options });
    for (const { x, y, truth } of stream) {
      if (learner.learn(x, y) >= 0 !== truth > 0) wrong++;
      all++;
    }
  }
  return wrong / all;
}

/** The better of AROW with r = 1 and 10. */
const errorOfArow = (of: (seed: number) => readonly Labelled[]) =>
  Math.min(...[1, 10].map((noiseVariance) => measureError("arow", of, { noiseVariance })));

test("where classes don't persist it learns from labels as they came, as well as AROW", () => {
  for (const change of [0.5, 1]) {
    for (const flips of [0, 0.2]) {
      const of = (seed: number) => persistent(1500, flips, seed, D, change);
      const [ours, arow] = [measureError("rls-hmm", of), errorOfArow(of)];
      assert.ok(ours <= arow + 0.01, `change ${change}, flips ${flips}: ${ours}, AROW ${arow}`);
    }
  }
});

test("few labels, 40 % of them wrong, teach it as much as AROW, whether classes persist or not", () => {
  for (const change of [0.02, 0.1, 0.5]) {
    const of = (seed: number) => persistent(800, 0.4, seed, 40, change);
    const [ours, arow] = [measureError("rls-hmm", of), errorOfArow(of)];
    assert.ok(ours <= arow + 0.01, `change ${change}: ${ours}, AROW ${arow}`);
  }
});

test("labels that are wrong of one class alone cost it little where classes persist, and AROW much", () => {
  const of = (seed: number) =>
    persistent(2000, 0, seed, D, 0.03).map((sample, t) => ({
      ...sample,
      y: sample.truth > 0 && new Random(seed, `one-sided ${t}`).uniform() < 0.4 ? -1 : sample.y,
    }));
  const [ours, arow] = [measureError("rls-hmm", of), errorOfArow(of)];
  assert.ok(ours < 0.1 && ours < arow - 0.03, `${ours}, AROW ${arow}`);
});

test("wrong labels of classes that persist cost it little: it outdoes itself without a window", () => {
  const of = (seed: number) => persistent(1000, 0.3, seed, 20, 0.05);
  const [whole, alone] = [measureError("rls-hmm", of), measureError("rls-hmm", of, { lag: 1 })];
  assert.ok(whole < alone, `${whole} with the window, ${alone} without`);
});

test("labels that come out of turn, while the window holds their neighbours, teach as much about time as in turn", () => {
  const stream = persistent(400, 0.1);
  const estimates = [false, true].map((swaps) => {
    const learner = new RlsHmm(OPTIONS);
    learner.noted = true;
    const note = learner.layout.at("note", learner.range);
    const { bits } = learner.range.f32;
    const notes = stream.map(({ x }) => {
      learner.predict(x);
      learner.note();
      return bits[note];
    });
    for (let t = 0; t < stream.length; t++) {
      const at = swaps ? t ^ 1 : t;
      bits[note] = notes[at];
      learner.learn(stream[at].x, stream[at].y);
    }
    return [...readWords(learner, "flips.estimates", 7)];
  });
  assert.equal(estimates[1], estimates[0]);
});

test("a share of classes that drifts looks like persistence: it costs points, and not more than six", () => {
  const of = (seed: number) => {
    const random = new Random(seed, "share");
    return Array.from({ length: 4000 }, (_, t) => {
      const truth = random.uniform() < 0.5 + 0.45 * Math.sin(t / 400) ? 1 : -1;
      const x = Array.from({ length: D }, (_, j) => random.normal() + (j === 0 ? 1.2 * truth : 0));
      return { x, truth, y: truth };
    });
  };
  const [ours, arow] = [measureError("rls-hmm", of), errorOfArow(of)];
  assert.ok(ours > arow && ours < arow + 0.06, `${ours}, AROW ${arow}`);
});

test("with an offset it learns classes that no plane through 0 parts, without it it doesn't", () => {
  const errors = [true, false].map((bias) => {
    const learner = new RlsHmm({ dimension: 1, bias });
    const stream = persistent(600, 0.1, 1, 1).map(({ x, ...rest }) => ({ ...rest, x: [5 + 3 * x[0]] }));
    return stream.filter(({ x, y, truth }) => learner.learn(x, y) >= 0 !== truth > 0).length;
  });
  assert.ok(errors[0] < 0.35 * 600 && errors[1] > 0.4 * 600, `${errors}`);
});

test("a sample that float32 can't hold teaches nothing of w", () => {
  const learner = new RlsHmm({ dimension: 2, lag: 3 });
  for (const { x, y } of persistent(5, 0, 1, 2)) learner.learn(x, y);
  const model = () => [
    ...readWords(learner, "w", 3),
    ...readWords(learner, "covariance", 6),
    ...readWords(learner, "noise", 1),
  ];
  const before = model();
  learner.learn([3e20, 1], -1);
  assert.is(learner.count("overflowed"), 1);
  assert.equal(model(), before);
  for (const { x, y } of persistent(50, 0, 2, 2)) learner.learn(x, y);
  assert.ok([...readWords(learner, "w", 3)].every(Number.isFinite));
});

test("a noise that float32 can't hold is refused with its sample: the state stays finite", () => {
  const family = familyNamed("rls-hmm")!;
  for (const { title, check } of PROPERTIES.filter(({ title }) => title.includes("finite")))
    for (let seed = 1; seed <= 4; seed++) assert.not.throws(() => check(family, {}, seed), title);
});

test("P stays positive over long streams, and inputs of any size leave it so", () => {
  for (const size of [1e-3, 1, 1e4]) {
    const learner = new RlsHmm({ dimension: D, lag: 4 });
    for (const { x, y } of persistent(5000, 0.1))
      learner.learn(
        x.map((value) => size * value),
        y,
      );
    assert.is(learner.count("overflowed"), 0);
    const packed = [...readWords(learner, "covariance", (N * (N + 1)) / 2)];
    const P = Array.from({ length: N }, (_, i) =>
      Array.from({ length: N }, (_, j) => packed[i < j ? (j * (j + 1)) / 2 + i : (i * (i + 1)) / 2 + j]),
    );
    for (let i = 0; i < N; i++) {
      const minor = P.slice(0, i + 1).map((row) => row.slice(0, i + 1));
      const unit = minor.map((_, j) => (j === i ? 1 : 0));
      assert.ok(solved(minor, unit)[i] > 0, `leading minor ${i} at size ${size}`);
    }
  }
});

test("x = 0 teaches nothing about w, but its label speaks for its neighbours where classes persist", () => {
  const after = [1, -1].map((y) => {
    const learner = new RlsHmm({ dimension: 2, bias: false });
    const stream = persistent(500, 0.2, 1, 2, 0.02);
    for (const each of stream) learner.learn(each.x, each.y);
    const { truth } = stream[499];
    learner.learn([0.5, 0], truth);
    learner.learn([0, 0], truth * y);
    return truth * [...readWords(learner, "w", 2)][0];
  });
  assert.ok(after[0] > after[1], `an agreeing neighbour makes the label before it surer: ${after}`);
});

test("a restart of the confidence gives P, the noise and its number of samples as at first", () => {
  const [learned, fresh] = [new RlsHmm({ dimension: 2 }), new RlsHmm({ dimension: 2 })];
  const random = new Random(12, "restart");
  for (let t = 0; t < 50; t++) {
    const x = [random.normal(), random.normal()];
    learned.learn(x, x[0] > 0 ? 1 : -1);
  }
  const read = ({ layout, range }: RlsHmm, name: string) => {
    const at = layout.at(name, range);
    return [...range.f32.bits.subarray(at, at + layout.regionWords(name))];
  };
  const names = ["covariance", "noise", "samples"];
  for (const name of names) assert.not.equal(read(learned, name), read(fresh, name), name);
  assert.ok(learned.restartConfidence());
  for (const name of names) assert.equal(read(learned, name), read(fresh, name), name);
});

test.run();
