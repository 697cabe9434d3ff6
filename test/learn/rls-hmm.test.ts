import { test } from "uvu";
import * as assert from "uvu/assert";
import { PROPERTIES } from "../../host-sim/conformance/properties.ts";
import { Random } from "../../host-sim/random.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { RlsHmm } from "../../src/learn/rls-hmm.ts";
import { near } from "./golden.ts";
import { modelHash } from "./model-hash.ts";

const D = 5;
/** Components with the one that is always 1. */
const N = D + 1;
const OPTIONS = { dimension: D, lag: 5, hazard: 0.1, regularization: 0.5, prior: 8, horizon: 60 };

interface Labelled {
  readonly x: number[];
  readonly truth: number;
  readonly y: number;
}

/**
 * Two classes that each last about ten samples, means 1.4 deviations apart in each component, labels partly
 * wrong.
 */
function persistent(count: number, flips: number, seed = 1, d = D): Labelled[] {
  const random = new Random(seed, "persistent");
  let truth = 1;
  return Array.from({ length: count }, () => {
    if (random.uniform() < 0.1) truth = -truth;
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

/** P(c_t = +1) over a window, by adding up every path of classes; `start` is that of the class before it. */
function pathPosteriors(labels: readonly number[], start: number, h: number, p: number): number[] {
  const plus = labels.map(() => 0);
  let total = 0;
  for (let path = 0; path < 2 ** (labels.length + 1); path++) {
    const classes = Array.from({ length: labels.length + 1 }, (_, t) => ((path >> t) & 1 ? 1 : -1));
    const weight = labels.reduce(
      (product, y, t) =>
        product * (classes[t + 1] === classes[t] ? 1 - h : h) * (classes[t + 1] === y ? 1 - p : p),
      classes[0] > 0 ? start : 1 - start,
    );
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
  p = 0.2;
  R = 1;
  private start = 0.5;
  private readonly past: Labelled[] = [];
  private readonly noises: number[] = [];

  learn(given: Labelled): number {
    const sample = { ...given, x: [...given.x, 1] };
    const { lag, hazard, regularization: reg, prior, horizon } = OPTIONS;
    const decision = dot(this.w, sample.x);
    const leaving = this.past.length - lag;
    if (leaving >= 0) {
      const y = this.past[leaving].y;
      const wrong = (1 - y * this.smoothed[leaving]) / 2;
      [this.start] = pathPosteriors([y], this.start, hazard, this.p);
      this.p += (wrong - this.p) / Math.min(prior + leaving + 1, horizon);
    }
    const system = (count: number) =>
      Array.from({ length: N }, (_, i) =>
        Array.from({ length: N }, (_, j) =>
          this.past
            .slice(0, count)
            .reduce((sum, { x }, t) => sum + (x[i] * x[j]) / this.noises[t], i === j ? reg : 0),
        ),
      );
    const v = dot(sample.x, solved(system(this.past.length), sample.x));
    this.past.push(sample);
    this.noises.push(this.R);
    const first = Math.max(0, this.past.length - lag);
    const labels = this.past.slice(first).map(({ y }) => y);
    const plus = pathPosteriors(labels, this.start, hazard, this.p);
    this.smoothed = [...this.smoothed.slice(0, first), ...plus.map((each) => 2 * each - 1)];
    const target = Array.from({ length: N }, (_, j) =>
      this.past.reduce((sum, { x }, t) => sum + (this.smoothed[t] * x[j]) / this.noises[t], 0),
    );
    this.w = solved(system(this.past.length), target);
    const error = this.smoothed[this.past.length - 1] - decision;
    this.R +=
      ((error * error * this.R) / (this.R + v) - this.R) / Math.min(prior + this.past.length, horizon);
    return decision;
  }
}

function held(learner: RlsHmm, name: string, words: number): number[] {
  const at = learner.layout.at(name, learner.range);
  return Array.from(learner.range.f32.words.subarray(at, at + words));
}

test("it is ridge regression on the means of all paths of classes, from its definition in double", () => {
  for (const flips of [0, 0.1, 0.4]) {
    const learner = new RlsHmm(OPTIONS);
    const naive = new Naive();
    for (const [t, sample] of persistent(150, flips).entries()) {
      near([learner.learn(sample.x, sample.y)], [naive.learn(sample)], 3e-5, `decision ${t}, flips ${flips}`);
      near(held(learner, "w", N), naive.w, 3e-5, `w ${t}`);
      near(held(learner, "flips", 1), [naive.p], 1e-5, `p ${t}`);
      near(held(learner, "noise", 1), [naive.R], 1e-5, `R ${t}`);
      const { lag } = OPTIONS;
      const slots = held(learner, "smoothed", lag);
      const newest = naive.smoothed.slice(-lag);
      const first = naive.smoothed.length - newest.length;
      near(
        newest.map((_, i) => slots[(first + i) % lag]),
        newest,
        1e-5,
        `smoothed labels ${t}`,
      );
    }
  }
});

test("with hazard 0.5 it is ridge regression on labels times 1 - 2p, whatever the lag", () => {
  const hashes = [1, 6].map((lag) => {
    const learner = new RlsHmm({ dimension: D, hazard: 0.5, lag, initialErrorRate: 0.1 });
    for (const { x, y } of persistent(100, 0.1)) {
      learner.learn(x, y);
      near(held(learner, "flips", 1), [0.1], 1e-6, "p");
    }
    return held(learner, "w", N);
  });
  near(hashes[1], hashes[0], 1e-6, "w");
});

test("p follows the share of labels that are wrong, and R what w.x leaves of the smoothed ones", () => {
  for (const flips of [0, 0.1, 0.2, 0.3]) {
    const learner = new RlsHmm({ dimension: D, hazard: 0.1, lag: 16 });
    for (const { x, y } of persistent(3000, flips)) learner.learn(x, y);
    const [p] = held(learner, "flips", 1);
    assert.ok(Math.abs(p - flips) < 0.06, `p ${p} at ${flips}`);
    const [R] = held(learner, "noise", 1);
    assert.ok(R > 0.02 && R < 0.6, `R ${R}`);
  }
});

test("wrong labels of classes that persist cost it little: it outdoes itself without a window", () => {
  const accuracy = (options: { readonly lag?: number; readonly hazard?: number }) => {
    let right = 0;
    for (const seed of [1, 2, 3, 4]) {
      const learner = new RlsHmm({ dimension: 20, ...options });
      for (const { x, y, truth } of persistent(400, 0.3, seed, 20))
        if (learner.learn(x, y) * truth > 0) right++;
    }
    return right / 1600;
  };
  const [whole, alone] = [accuracy({ hazard: 0.1 }), accuracy({ hazard: 0.5 })];
  assert.ok(whole > alone + 0.01, `${whole} with the window, ${alone} without`);
});

test("with an offset it learns classes that no plane through 0 parts, without it it doesn't", () => {
  const errors = [true, false].map((bias) => {
    const learner = new RlsHmm({ dimension: 1, bias });
    const stream = persistent(600, 0.1, 1, 1).map(({ x, ...rest }) => ({ ...rest, x: [5 + 3 * x[0]] }));
    return stream.filter(({ x, y, truth }) => learner.learn(x, y) >= 0 !== truth > 0).length;
  });
  assert.ok(errors[0] < 0.35 * 600 && errors[1] > 0.4 * 600, `${errors}`);
});

test("an update that float32 can't hold is refused as a whole", () => {
  const learner = new RlsHmm({ dimension: 2, lag: 3 });
  for (const { x, y } of persistent(5, 0, 1, 2)) learner.learn(x, y);
  const before = modelHash(learner);
  learner.learn([3e20, 1], -1);
  assert.is(learner.count("overflowed"), 1);
  assert.is(modelHash(learner), before);
});

test("a noise that float32 can't hold is refused with its sample: the state stays finite", () => {
  const family = familyNamed("rls-hmm")!;
  for (const { title, check } of PROPERTIES.filter(({ title }) => title.includes("finite")))
    for (let seed = 1; seed <= 20; seed++) assert.not.throws(() => check(family, {}, seed), title);
});

test("P stays positive over long streams, and inputs of any size leave it so", () => {
  for (const size of [1e-3, 1, 1e4]) {
    const learner = new RlsHmm({ dimension: D, lag: 4 });
    for (const { x, y } of persistent(20000, 0.1))
      learner.learn(
        x.map((value) => size * value),
        y,
      );
    assert.is(learner.count("overflowed"), 0);
    const packed = held(learner, "covariance", (N * (N + 1)) / 2);
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

test("x = 0 teaches nothing about w, but its label speaks for its neighbours", () => {
  const [with0, without] = [1, 2].map(() => new RlsHmm({ dimension: 2, bias: false }));
  for (const learner of [with0, without]) learner.learn([1, 0], 1);
  const before = held(with0, "w", 2)[0];
  with0.learn([0, 0], 1);
  assert.ok(held(with0, "w", 2)[0] > before, "an agreeing neighbour makes the first label surer");
  without.learn([0, 0], -1);
  assert.ok(held(without, "w", 2)[0] < before);
});

test.run();
