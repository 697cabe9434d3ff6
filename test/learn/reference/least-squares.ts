import { add, argmin, dot, inverse, type Matrix, squaredDistance, times, type Vector } from "./algebra.ts";
import { Expansion, follow, type Model, type Params, parseKernel } from "./expansion.ts";

const column = (m: Matrix, j: number) => m.map((row) => row[j]);
const transposed = (m: Matrix) => m.map((_, j) => column(m, j));

/** [[m + u v' / s, -u / s], [-v' / s, 1 / s]]: how an inverse grows by a row. */
function bordered(m: Matrix, u: Vector, v: Vector, s: number): Matrix {
  return [
    ...m.map((row, i) => [...row.map((value, j) => value + (u[i] * v[j]) / s), -u[i] / s]),
    [...v.map((value) => -value / s), 1 / s],
  ];
}

export const krlsAld: Model = (trace) => {
  const { nu }: Params = trace.params;
  const f = new Expansion(parseKernel(trace));
  let [Ki, P]: Matrix[] = [[], []];
  const followed = follow(trace, f, (x, y, decision) => {
    const k = f.kernel(x, x);
    const h = f.row(x);
    const u = times(Ki, h);
    const delta = k - dot(h, u);
    const error = y - decision;
    if (f.size === 0 || delta > nu) {
      Ki = bordered(Ki, u, u, delta);
      P = [...P.map((row) => [...row, 0]), [...P.map(() => 0), 1]];
      add(f.coefficients, -error / delta, u);
      f.append(x, error / delta);
    } else {
      const Pu = times(P, u);
      const den = 1 + dot(u, Pu);
      P = P.map((row, i) => row.map((value, j) => value - (Pu[i] * Pu[j]) / den));
      add(f.coefficients, error / den, times(Ki, Pu));
    }
  });
  return { ...followed, final: { ...f.state, P, Ki } };
};

/** True if a sample is stored, by its distance from the nearest centre, its error, and r. */
type Criterion = (params: Params, distance: number, error: number, r: number) => boolean;

const discarding =
  (accepts: Criterion): Model =>
  (trace) => {
    const { reg }: Params = trace.params;
    const f = new Expansion(parseKernel(trace));
    let Q: Matrix = [];
    const followed = follow(trace, f, (x, y, decision) => {
      const h = f.row(x);
      const z = times(Q, h);
      const r = reg + f.kernel(x, x) - dot(h, z);
      const error = y - decision;
      const distance = Math.sqrt(Math.min(...f.centres.map((c) => squaredDistance(c, x))));
      const accepted = f.size === 0 || accepts(trace.params, distance, error, r);
      if (!accepted) return false;
      Q = bordered(Q, z, z, r);
      add(f.coefficients, -error / r, z);
      f.append(x, error / r);
      return true;
    });
    return { ...followed, final: { ...f.state, Q } };
  };

export const krlsNovelty = discarding(({ d1, d2 }, distance, error) => distance > d1 && Math.abs(error) > d2);
export const krlsSurprise = discarding(({ T1, T2 }, _, error, r) => {
  const surprise = 0.5 * Math.log(r) + (error * error) / (2 * r);
  return T2 <= surprise && surprise <= T1;
});
export const krlsAldDiscard = discarding(({ nu }, _distance, _error, r) => r > nu);

/** The nearest centre and whether it is within epsilon. */
function quantized(f: Expansion, x: Vector, eps: number): { readonly j: number; readonly close: boolean } {
  if (f.size === 0) return { j: -1, close: false };
  const distances = f.centres.map((centre) => squaredDistance(centre, x));
  const j = argmin(distances);
  return { j, close: Math.sqrt(distances[j]) <= eps };
}

/** With the paper's own recursions of P, which isn't symmetric. */
export const qkrls: Model = (trace) => {
  const { eps, gamma }: Params = trace.params;
  const f = new Expansion(parseKernel(trace));
  let P: Matrix = [];
  const [L, yb]: Vector[] = [[], []];
  const followed = follow(trace, f, (x, y, decision) => {
    const { j, close } = quantized(f, x, eps);
    if (close) {
      const K = f.row(f.centres[j]);
      const p = column(P, j);
      const KP = times(transposed(P), K);
      const error = y - dot(K, f.coefficients);
      const den = 1 + dot(K, p);
      add(f.coefficients, error / den, p);
      P = P.map((row, i) => row.map((value, m) => value - (p[i] * KP[m]) / den));
      L[j]++;
      yb[j] += y;
      return;
    }
    const h = f.row(x);
    const z = times(transposed(P), h);
    const zL = times(
      P,
      h.map((value, i) => L[i] * value),
    );
    const r = gamma + f.kernel(x, x) - dot(h, zL);
    const error = y - decision;
    P = bordered(P, zL, z, r);
    add(f.coefficients, -error / r, zL);
    f.append(x, error / r);
    L.push(1);
    yb.push(y);
  });
  const system = f.gram().map((row, i) => row.map((value, j) => L[i] * value + (i === j ? gamma : 0)));
  const batch = times(inverse(system), yb);
  return { ...followed, batch_solution_eq10: batch, final: { ...f.state, P, L, yb, eps } };
};

export const qklms: Model = (trace) => {
  const { eps, eta }: Params = trace.params;
  const f = new Expansion(parseKernel(trace));
  const followed = follow(trace, f, (x, y, decision) => {
    const { j, close } = quantized(f, x, eps);
    const change = eta * (y - decision);
    if (close) f.coefficients[j] += change;
    else f.append(x, change);
  });
  return { ...followed, final: { ...f.state, eps } };
};

export const qkapa: Model = (trace) => {
  const { eps, eta, W, mode, reg }: Params = trace.params;
  const f = new Expansion(parseKernel(trace));
  const pairs: { readonly q: number; readonly y: number }[] = [];
  const followed = follow(trace, f, (x, y) => {
    const { j, close } = quantized(f, x, eps);
    if (!close) f.append(x, 0);
    pairs.push({ q: close ? j : f.size - 1, y });
    const latest = pairs.slice(-W);
    const errors = latest.map(({ q, y }) => y - f.at(f.centres[q]));
    const gram = latest.map((a, i) =>
      latest.map((b, m) => f.kernel(f.centres[a.q], f.centres[b.q]) + (i === m ? (reg ?? 0) : 0)),
    );
    const steps = mode === 1 ? errors : times(inverse(gram), errors);
    latest.forEach(({ q }, i) => {
      f.coefficients[q] += eta * steps[i];
    });
  });
  return { ...followed, final: { ...f.state, eps } };
};
