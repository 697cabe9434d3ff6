import { add, dot, eigen, type Matrix, type Vector } from "./algebra.ts";
import { Expansion, follow, type Model, type Params, parseKernel } from "./expansion.ts";

/** The frequencies are part of the trace. */
export const fogd: Model = (trace) => {
  const { eta, U } = trace.params as unknown as { readonly eta: number; readonly U: Matrix };
  const w: Vector = U.flatMap(() => [0, 0]);
  const predictions = trace.X.map((x, t) => {
    const z = U.map((u) => dot(u, x)).flatMap((s) => [Math.cos(s), Math.sin(s)]);
    const decision = dot(w, z);
    if (trace.y[t] * decision < 1) add(w, eta * trace.y[t], z);
    return decision;
  });
  return { predictions, final: { w, U } };
};

/** From the budget on it learns on features z; f(x) = k(x).b with b = V_k D_k^(-1/2) w is the same for every choice of eigenvectors. */
export const nogd: Model = (trace) => {
  const { B, k, eta_kernel_phase: eta, eta_feature_phase: etaFeatures }: Params = trace.params;
  const f = new Expansion(parseKernel(trace));
  let features: Matrix | undefined; // rows: D^(-1/2) V' of each of the k largest eigenvalues
  let w: Vector = [];
  const z = (x: Vector) => (features ?? []).map((row) => dot(row, f.row(x)));
  const settle = () => {
    const { values, vectors } = eigen(f.gram());
    const largest = values
      .map((value, i) => ({ value, i }))
      .sort((p, q) => q.value - p.value)
      .slice(0, k);
    const parts = largest.map(({ value, i }) => ({
      root: Math.sqrt(value),
      v: vectors.map((row) => row[i]),
    }));
    w = parts.map(({ root, v }) => root * dot(v, f.coefficients));
    features = parts.map(({ root, v }) => v.map((component) => component / root));
  };
  const step = (x: Vector, y: number, decision: number) => {
    if (y * decision >= 1) return;
    if (features) return add(w, etaFeatures * y, z(x));
    f.append(x, eta * y);
    if (f.size === B) settle();
  };
  const followed = follow(trace, f, step, (x) => (features ? dot(w, z(x)) : f.at(x)));
  const b = f.centres.map(() => 0);
  for (const [i, row] of (features ?? []).entries()) add(b, w[i], row);
  return { ...followed, equivalent_kernel_coef: b, final: { centers: f.centres, equivalent_kernel_coef: b } };
};
