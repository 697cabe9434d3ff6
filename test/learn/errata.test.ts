import { test } from "uvu";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { Lol } from "../../src/learn/lol.ts";
import { PassiveAggressive } from "../../src/learn/passive-aggressive.ts";

// Each test has what a paper prints beside what is right, in double precision, on a problem so small that both can be computed.

/** A function's slope. */
function slope(f: (x: number) => number, x: number): number {
  const h = 1e-6;
  return (f(x + h) - f(x - h)) / (2 * h);
}

function near(actual: number, wanted: number): void {
  assert.ok(Math.abs(actual - wanted) < 1e-5, `${actual} isn't ${wanted}`);
}

/** OLK_R's problem (34) where f_t = a k(x, .) and f = b k(x, .), k(x, x) = 1. */
const OLK = { a: 0.5, y: 1.4, epsilon: 0.1, r: 0.2 };

function olkR(b: number, C: number): number {
  const { a, y, epsilon, r } = OLK;
  return (b - a) ** 2 / 2 + (r / 2) * b * b + C * Math.max(0, Math.abs(y - b) - epsilon);
}

/** f's coefficient after a step alpha: (39). */
const olkStep = (alpha: number) => (OLK.a + alpha) / (1 + OLK.r);
/** The stationary point (49). */
const OLK_STATIONARY = (1 + OLK.r) * (OLK.y - OLK.epsilon) - OLK.a;

test("OLK (52): its last line has the wrong sign, which raises the objective; (42) has the right one", () => {
  const C = 10;
  assert.ok(olkR(olkStep(OLK_STATIONARY), C) < olkR(olkStep(0), C));
  assert.ok(olkR(olkStep(-OLK_STATIONARY), C) > olkR(olkStep(0), C));
});

test("OLK (43), (44), (48): f_t must carry 1 / (1 + r) within the linear term, as (49) has it", () => {
  const printed = (1 + OLK.r) * (OLK.y - OLK.a - OLK.epsilon); // the stationary point of (48)
  assert.ok(olkR(olkStep(OLK_STATIONARY), 10) < olkR(olkStep(printed), 10) - 0.001);
});

test("OLK (50), (52): the stationary point counts only within 0..C; beyond, the end of the interval is the optimum", () => {
  const C = 0.3;
  assert.ok(OLK_STATIONARY > C);
  // L_2 of (48) prefers the stationary point whatever C is.
  const L2 = (alpha: number) => (alpha * alpha) / 2 - alpha * OLK_STATIONARY;
  assert.ok(L2(OLK_STATIONARY) < L2(C));
  assert.ok(olkR(olkStep(C), C) < olkR(olkStep(OLK_STATIONARY), C));
  for (const alpha of [C - 0.01, C + 0.01])
    assert.ok(olkR(olkStep(C), C) < olkR(olkStep(alpha), C), String(alpha));
});

test("LOL (17), (18): without y, or with the constraint's sign as printed, a step raises the loss of a sample labelled -1", () => {
  const [w, x, y, eta] = [0.2, 2, -1, 0.1];
  const loss = (weight: number) => Math.max(0, 1 - y * weight * x);
  assert.ok(loss(w + eta * y * x) < loss(w), "as (4)");
  assert.ok(loss(w + eta * x) > loss(w), "(18) as printed");
  // Where the slope of (17) in w is 0, with - eta (loss - xi) as printed.
  assert.ok(loss(w - eta * y * x) > loss(w), "(17) as printed");
});

test("LOL, Algorithm 1: line 10 without 1 / sqrt(lambda) isn't the optimum of (13) unless lambda is 1", () => {
  const [x, C] = [1, 10];
  const objective = (lambda: number, dw: number, du: number) =>
    (lambda / 2) * dw * dw + (du * du) / 2 + C * Math.max(0, 1 - (dw + du) * x);
  const right = (lambda: number) => 1 / ((1 + 1 / lambda) * x * x);
  const printed = 1 / (2 * x * x); // the step along [x, .., x, ..], for w and u alike
  near(objective(1, right(1), right(1)), objective(1, printed, printed));
  for (const lambda of [0.25, 4]) {
    const e = right(lambda);
    assert.ok(objective(lambda, e / lambda, e) < objective(lambda, printed, printed) - 0.01, String(lambda));
  }
});

test("LOL (6): the covariance falls by beta Sigma x x' Sigma; with x' x, a number, it isn't the inverse of the precision", () => {
  const [a, b, r] = [1, 2, 1]; // Sigma = I, x = (1, 2), AROW's r
  const beta = 1 / (a * a + b * b + r);
  const fallen = [1 - beta * a * a, -beta * a * b, 1 - beta * b * b];
  const printed = [1 - beta * (a * a + b * b), 0, 1 - beta * (a * a + b * b)];
  /** Largest entry of Sigma (I + x x' / r) - I. */
  const off = ([s11, s12, s22]: number[]) => {
    const p = [1 + (a * a) / r, (a * b) / r, 1 + (b * b) / r];
    const product = [s11 * p[0] + s12 * p[1] - 1, s11 * p[1] + s12 * p[2], s12 * p[1] + s22 * p[2] - 1];
    return Math.max(...product.map(Math.abs));
  };
  near(off(fallen), 0);
  assert.ok(off(printed) > 0.1);
});

test("LOL (23): LOL's loss isn't below PA's at every step", () => {
  const random = new Random(1, "errata");
  const lol = new Lol({ dimension: 2, budget: 4, C: 1, lambda: 1 });
  const pa = new PassiveAggressive({ dimension: 2, C: 1, bias: false });
  let above = 0;
  for (let t = 0; t < 300; t++) {
    const x = [random.normal(), random.normal()];
    const y = x[0] + 0.5 * random.normal() > 0 ? 1 : -1;
    const [local, global] = [lol, pa].map((learner) => Math.max(0, 1 - y * learner.learn(x, y)));
    if (local > global + 0.01) above++;
  }
  assert.ok(above > 10, `${above} of 300 steps`);
});

test("osKM (11): with + tau an agent's window would lie in the future; with - tau it ends at the newest sample or before", () => {
  const [n, tau, agents] = [500, 100, 10];
  for (let j = 1; j <= agents; j++)
    for (let k = 1; k <= tau; k++) {
      assert.ok(n - j + tau + k + 1 > n);
      assert.ok(n - j - tau + k + 1 <= n && n - j - tau + k + 1 > n - j - tau);
    }
});

test("osKM (7), (8): without y_m the constraint is about another function than the objective's", () => {
  const [alpha, y, kernel] = [
    [1, 2],
    [1, -1],
    [1, 0.5],
  ];
  const decision = kernel.reduce((sum, k, m) => sum + alpha[m] * y[m] * k, 0); // as (8)
  const printed = kernel.reduce((sum, k, m) => sum + alpha[m] * k, 0); // as (7)
  assert.is(decision, 0);
  assert.is(printed, 2);
});

test("osKM (12a), (12b): v as (13) gives it is the minimum for K alpha - v + u, and not for v - K alpha + u", () => {
  const [images, duals] = [
    [0.3, -0.2, 1.1],
    [0.5, 0.1, -0.3],
  ];
  const v = images.reduce((sum, image, j) => sum + image + duals[j], 0) / images.length;
  const squares = (sign: number) => (at: number) =>
    images.reduce((sum, image, j) => sum + (sign * (image - at) + duals[j]) ** 2, 0);
  near(slope(squares(1), v), 0);
  assert.ok(Math.abs(slope(squares(-1), v)) > 0.1);
});

test("osKM (15): the agreement's gradient is rho K' (K alpha - v + u); K for K' gives another", () => {
  const K = [
    [1, 0.5],
    [0, 2],
  ];
  const [alpha, v, u, rho] = [[0.3, -0.4], [1, 0.2], [0.1, -0.2], 0.1];
  const times = (matrix: number[][], vector: number[]) =>
    matrix.map((row) => row.reduce((sum, each, j) => sum + each * vector[j], 0));
  const transposed = K[0].map((_, j) => K.map((row) => row[j]));
  const residual = (a: number[]) => times(K, a).map((image, i) => image - v[i] + u[i]);
  const penalty = (a: number[]) => (rho / 2) * residual(a).reduce((sum, each) => sum + each * each, 0);
  const gradient = alpha.map((_, m) =>
    slope((value) => penalty(alpha.map((own, i) => (i === m ? value : own))), alpha[m]),
  );
  const right = times(transposed, residual(alpha)).map((each) => rho * each);
  for (const [m, each] of right.entries()) near(each, gradient[m]);
  const apart = u.map((each, i) => each - v[i]);
  const printed = times(transposed, times(K, alpha)).map((each, m) => rho * (each + times(K, apart)[m]));
  assert.ok(printed.some((each, m) => Math.abs(each - gradient[m]) > 0.01));
});

test("osKM (15): without eta at the agreement the rounds rest elsewhere than at the optimum", () => {
  const [eta, rho] = [0.7, 0.1];
  const objective = (alpha: number) => (alpha - 1) ** 2 / 2 + (rho / 2) * alpha * alpha;
  near(slope(objective, 1 / (1 + rho)), 0); // where eta (alpha - 1) + eta rho alpha is 0
  assert.ok(slope(objective, eta / (eta + rho)) < -0.01); // where eta (alpha - 1) + rho alpha is
});

/** The dual (10) of forgetting ascent. */
function dual({ W, S, m, C, k = 1 }: { W: number; S: number; m: number; C: number; k?: number }) {
  return (alpha: number, eta: number) =>
    -((1 - eta) ** 2 * W + 2 * (1 - eta) * C * alpha * m + (C * alpha) ** 2 * k) / 2 +
    C * (1 - eta) * S +
    C * alpha;
}

test("forgetting dual ascent (5): only with the conjugate of C g_i the dual's maximum is the primal's minimum", () => {
  const [C, x] = [0.3, 1];
  const grid = Array.from({ length: 10001 }, (_, i) => i / 10000);
  const primal = Math.min(...grid.map((w) => (w * w) / 2 + C * Math.max(0, 1 - w * x)));
  const ofScaled = Math.max(...grid.map((alpha) => -((C * alpha * x) ** 2) / 2 + C * alpha));
  const printed = Math.max(...grid.map((alpha) => -((alpha * x) ** 2) / 2 + alpha));
  near(ofScaled, primal);
  assert.ok(Math.abs(printed - primal) > 0.1);
});

test("forgetting dual ascent (12), Figure 2: the slopes are C (1 - y_t f(x_t)), of the new sample, and W - C S, with C", () => {
  const state = { W: 0.5, S: 0.4, m: -0.2, C: 3 };
  const D = dual(state);
  near(
    slope((alpha) => D(alpha, 0), 0),
    state.C * (1 - state.m),
  );
  near(
    slope((eta) => D(0, eta), 0),
    state.W - state.C * state.S,
  );
  assert.ok(state.W - state.S > 0, "Figure 2 as printed would forget");
  assert.ok(D(0, 0.1) < D(0, 0), "which lowers the dual");
});

test("forgetting dual ascent (15): with the Hessian of D the step is negative; with that of -D it is the maximum along the gradient", () => {
  const { W, S, m, C, k } = { W: 2, S: 0.4, m: 0.1, C: 1.5, k: 1 };
  const D = dual({ W, S, m, C, k });
  const [ga, ge] = [C * (1 - m), W - C * S];
  const curvature = C * C * k * ga * ga - 2 * C * m * ga * ge + W * ge * ge; // of -D, along the gradient
  const step = (ga * ga + ge * ge) / curvature;
  assert.ok(step > 0);
  near(
    slope((rho) => D(rho * ga, rho * ge), step),
    0,
  );
  assert.ok(D(-step * ga, -step * ge) < D(0, 0));
});

test.run();
