import type { Vector } from "./algebra.ts";
import { type Model, parseKernel } from "./expansion.ts";

interface OskmParams {
  readonly tau: number;
  readonly tau_p: number;
  readonly tau_e: number;
  readonly eta: number;
  readonly lam: number;
  readonly rho: number;
  readonly iters: number;
  readonly mode: "func" | "coef";
  readonly evalpts: "shared" | "own";
  readonly loss: "sum" | "mean";
  readonly norm: "fro" | "none";
}

/** The online stochastic kernel machine as `Oskm` states it, with lists of samples in place of its ring. */
export const oskm: Model = (trace) => {
  const { tau, tau_p, tau_e, eta, lam, rho, iters, mode, evalpts, loss, norm } =
    trace.params as unknown as OskmParams;
  const k = parseKernel(trace);
  const M = tau + tau_p - 1;
  /** The latest M samples, oldest first, and each agent's coefficients on them. */
  let ring: { readonly x: Vector; readonly y: number }[] = [];
  let A: Vector[] = Array.from({ length: tau_p }, () => []);
  let v: Vector = [];
  let u: Vector[] = Array.from({ length: tau_p }, () => []);

  const f = (j: number, x: Vector) => ring.reduce((sum, sample, m) => sum + A[j][m] * k(sample.x, x), 0);
  const agents = () => Array.from({ length: Math.min(tau_p, ring.length) }, (_, j) => j);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  /** Places in the ring: of agent j's window, and of its evaluation points, newest first. */
  const windowBehind = (j: number) => {
    const end = ring.length - 1 - j;
    const begin = Math.max(0, end - tau + 1);
    return Array.from({ length: end - begin + 1 }, (_, i) => begin + i);
  };
  const pointsBehind = (j: number) => {
    const newest = ring.length - 1 - (evalpts === "own" ? j : 0);
    return Array.from({ length: Math.min(tau_e, newest + 1) }, (_, i) => newest - i);
  };
  const frobenius = (rows: readonly number[], columns: readonly number[]) =>
    Math.sqrt(
      rows
        .flatMap((a) => columns.map((b) => k(ring[a].x, ring[b].x) ** 2))
        .reduce((s, value) => s + value, 0),
    );

  function stepped(j: number, R: Vector, s: number, points: readonly number[]): Vector {
    const places = windowBehind(j);
    const c = loss === "mean" ? places.length : 1;
    if (mode === "func") {
      const next = A[j].map((value) => (1 - eta * lam) * value);
      for (const m of places) if (ring[m].y * f(j, ring[m].x) < 1) next[m] += (eta / c) * ring[m].y;
      points.forEach((place, i) => {
        next[place] -= (eta * rho * R[i]) / s;
      });
      return next;
    }
    const N = frobenius(places, places) || 1;
    const F = new Map(places.map((m) => [m, f(j, ring[m].x) / N]));
    const hits = places.filter((m) => ring[m].y * (F.get(m) as number) < 1);
    const next = A[j].map(() => 0);
    for (const m of places) {
      const at = (place: number) => k(ring[place].x, ring[m].x);
      const pull = hits.reduce((sum, hit) => sum + (ring[hit].y * at(hit)) / N, 0) / c;
      const agreement = points.reduce((sum, place, i) => sum + (R[i] * at(place)) / s, 0);
      next[m] = A[j][m] - eta * (lam * (F.get(m) as number) - pull + rho * agreement);
    }
    return next;
  }

  function learn(x: Vector, y: number): void {
    ring = [...ring, { x, y }].slice(-M);
    A = A.map((of) => [...of, 0].slice(-M));
    const there = agents();
    // With own points every agent has as many as the one with the fewest.
    const count = Math.min(...there.map((j) => pointsBehind(j).length));
    const points = there.map((j) => pointsBehind(j).slice(0, count));
    if (mode === "coef")
      A = A.map((of, j) => of.map((value, m) => (windowBehind(j).includes(m) ? value : 0)));
    const s = there.map((j) => (norm === "fro" ? frobenius(points[j], windowBehind(j)) || 1 : 1));
    const values = (j: number) => points[j].map((place) => f(j, ring[place].x) / s[j]);
    v = [mean(there.map((j) => values(j)[0])), ...v].slice(0, count);
    u = u.map((of) => [0, ...of].slice(0, count));
    for (let round = 0; round < iters; round++) {
      const R = there.map((j) => values(j).map((p, i) => p - v[i] + u[j][i]));
      const next = there.map((j) => stepped(j, R[j], s[j], points[j]));
      for (const j of there) A[j] = next[j];
      const P = there.map(values);
      v = v.map((_, i) => mean(there.map((j) => P[j][i] + u[j][i])));
      for (const j of there) u[j] = u[j].map((value, i) => value + P[j][i] - v[i]);
    }
  }

  const predictions = trace.X.map((x, t) => {
    const decision = ring.length === 0 ? 0 : mean(agents().map((j) => f(j, x)));
    learn(x, trace.y[t]);
    return decision;
  });
  return { predictions, final: { coef_per_agent_oldest_sample_first: A, v, u } };
};
