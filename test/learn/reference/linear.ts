import type { Trace } from "../golden.ts";
import { add, argmin, dot, identity, type Matrix, squaredDistance, times, type Vector } from "./algebra.ts";
import type { Model, Params } from "./expansion.ts";

/** Runs a linear learner, which starts with w = 0. */
function followLinear(trace: Trace, step: (w: Vector, x: Vector, y: number, decision: number) => void) {
  const w = trace.X[0].map(() => 0);
  const predictions = trace.X.map((x, t) => {
    const decision = dot(w, x);
    step(w, x, trace.y[t], decision);
    return decision;
  });
  return { predictions, w };
}

export const passiveAggressive: Model = (trace) => {
  const { C }: Params = trace.params;
  const { predictions, w } = followLinear(trace, (w, x, y, decision) => {
    const loss = Math.max(0, 1 - y * decision);
    add(w, Math.min(C, loss / dot(x, x)) * y, x);
  });
  return { predictions, final: { w } };
};

export const perceptron: Model = (trace) => {
  const { T }: Params = trace.params;
  const w = trace.X[0].map(() => 0);
  let b = 0;
  const predictions = trace.X.map((x, t) => {
    const decision = dot(w, x) + b;
    const eta = Math.exp(-(t + 1) / T);
    if (trace.y[t] * decision <= 0) {
      add(w, eta * trace.y[t], x);
      b += eta * trace.y[t];
    }
    return decision;
  });
  return { predictions, final: { w, b } };
};

export const pegasos: Model = (trace) => {
  const { lam, project }: Params = trace.params;
  let t = 0;
  const { predictions, w } = followLinear(trace, (w, x, y, decision) => {
    t++;
    const hit = y * decision < 1;
    add(w, -1 / t, [...w]);
    if (hit) add(w, y / (lam * t), x);
    const norm = Math.sqrt(dot(w, w));
    if (project && norm > 0) add(w, Math.min(1, 1 / (Math.sqrt(lam) * norm)) - 1, [...w]);
  });
  return { predictions, final: { w } };
};

/** The normal quantile of 0.8, eta of all traces. */
const PHI = 0.8416212335729143;
const PSI = 1 + PHI ** 2 / 2;
const ZETA = 1 + PHI ** 2;

/** alpha and beta of a sample with margin m and variance v; undefined: nothing is learned. */
type Belief = (m: number, v: number, params: Params) => readonly [alpha: number, beta: number] | undefined;

const believing =
  (belief: Belief): Model =>
  (trace) => {
    const S: Matrix = identity(trace.X[0].length, (trace.params as Params).a);
    const { predictions, w } = followLinear(trace, (w, x, y, decision) => {
      const Sx = times(S, x);
      const [alpha, beta] = belief(y * decision, dot(x, Sx), trace.params) ?? [0, 0];
      add(w, alpha * y, Sx);
      for (const [i, row] of S.entries()) add(row, -beta * Sx[i], Sx);
    });
    return { predictions, final: { w, S } };
  };

function exactAlpha(m: number, v: number): number {
  return Math.max(0, (-m * PSI + Math.sqrt((m * m * PHI ** 4) / 4 + v * PHI ** 2 * ZETA)) / (v * ZETA));
}

function exactBeta(alpha: number, v: number): number {
  const root = (-alpha * v * PHI + Math.sqrt((alpha * v * PHI) ** 2 + 4 * v)) / 2;
  return (alpha * PHI) / (root + v * alpha * PHI);
}

/** CW, and SCW, which bound or change its alpha. */
const exact = (change: (alpha: number, m: number, v: number, params: Params) => number) =>
  believing((m, v, params) => {
    if (PHI * Math.sqrt(v) <= m) return undefined;
    const alpha = change(exactAlpha(m, v), m, v, params);
    return [alpha, exactBeta(alpha, v)];
  });

export const arow = believing((m, v, { r }) => (m < 1 ? [(1 - m) / (v + r), 1 / (v + r)] : undefined));
export const cw = exact((alpha) => alpha);
export const scw1 = exact((alpha, _m, _v, { C }) => Math.min(alpha, C));
export const scw2 = exact((_alpha, m, v, { C }) => {
  const n = v + 1 / (2 * C);
  const g = PHI * Math.sqrt(PHI ** 2 * m * m * v * v + 4 * n * v * (n + v * PHI ** 2));
  return Math.max(0, (-(2 * m * n + PHI ** 2 * m * v) + g) / (2 * (n * n + n * v * PHI ** 2)));
});
export const cwVariance = believing((m, v) => {
  const q = 1 + 2 * PHI * m;
  const alpha = Math.max(0, (-q + Math.sqrt(q * q - 8 * PHI * (m - PHI * v))) / (4 * PHI * v));
  return [alpha, (2 * alpha * PHI) / (1 + 2 * alpha * PHI * v)];
});

interface LolParams {
  readonly k: number;
  readonly lam: number;
  readonly C: number;
  readonly independent?: boolean;
  readonly count: string;
  readonly classes?: number;
}

/** LOL and I-LOL; with several classes, one problem each on the same prototypes. */
export const lol: Model = (trace) => {
  const { k, lam, C, independent, count, classes = 1 } = trace.params as unknown as LolParams;
  const { X, y } = trace;
  const zero = () => X[0].map(() => 0);
  const w = Array.from({ length: classes }, zero);
  const U = Array.from({ length: classes }, () => Array.from({ length: k }, zero));
  const prototypes = X.slice(0, k).map((x) => [...x]);
  const n = prototypes.map(() => 1);
  const nearest = (x: Vector) => argmin(prototypes.map((p) => squaredDistance(p, x)));
  const scores = (x: Vector, i: number) => w.map((wc, c) => dot(wc, x) + dot(U[c][i], x));
  const shape = (of: readonly unknown[]) => (classes > 1 ? of : of[0]);
  const indices: number[] = [];
  const predictions = X.map((x, t) => {
    const i = t < k ? t : nearest(x);
    indices.push(i);
    if (t >= k) {
      const by = count === "macqueen" ? ++n[i] : n[i]++;
      add(
        prototypes[i],
        1 / by,
        x.map((value, d) => value - prototypes[i][d]),
      );
    }
    const decisions = scores(x, i);
    decisions.forEach((f, c) => {
      const label = classes > 1 ? (y[t] === c ? 1 : -1) : y[t];
      const norm = (independent ? 1 : 1 + 1 / lam) * dot(x, x);
      const e = Math.min(C, Math.max(0, 1 - label * f) / norm);
      if (!independent) add(w[c], (e / lam) * label, x);
      add(U[c][i], e * label, x);
    });
    return shape(decisions);
  });
  const final = { w: shape(w), U: shape(U), prototypes, n };
  if (classes > 1) return { predictions, final };
  const tested = X.map((x) => scores(x, nearest(x))[0]);
  return { predictions, prototype_index: indices, test_predictions_on_X: tested, final };
};
