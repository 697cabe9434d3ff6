import { clip } from "./algebra.ts";
import { Expansion, follow, type Model, parseKernel } from "./expansion.ts";

interface Dual {
  readonly C: number;
  readonly W: number;
  readonly S: number;
  /** y f(x), and k(x, x). */
  readonly m: number;
  readonly k: number;
}

type Step = readonly [alpha: number, eta: number];

const unit = (value: number) => clip(value, 0, 1);

/** (10), less its value without the sample and without forgetting. */
function gain({ C, W, S, m, k }: Dual, [alpha, eta]: Step): number {
  const q = 1 - eta;
  const after =
    -0.5 * (q * q * W + 2 * q * C * alpha * m + C * C * alpha * alpha * k) + C * q * S + C * alpha;
  return after - (C * S - W / 2);
}

function alongGradient(dual: Dual, forget: boolean, step: (most: number, star: number) => number): Step {
  const { C, W, S, m, k } = dual;
  const ga = C * Math.max(0, 1 - m);
  const ge = forget ? Math.max(0, W - C * S) : 0;
  if (ga === 0 && ge === 0) return [0, 0];
  const star = (ga * ga + ge * ge) / (C * C * k * ga * ga - 2 * C * m * ga * ge + W * ge * ge);
  const rate = step(Math.min(1 / ga, 1 / ge), star);
  return [Math.min(1, rate * ga), Math.min(1, rate * ge)];
}

/** The exact maximum over the unit square. */
function greedy(dual: Dual, forget: boolean): Step {
  const { C, W, S, m, k } = dual;
  const tries: Step[] = [[unit((1 - m) / (C * k)), 0]];
  if (forget && W > 0) {
    tries.push([unit(1 / (C * k)), 1], [0, unit(1 - (C * S) / W)], [1, unit(1 - (C * S - C * m) / W)]);
    const det = C * C * k * W - C * C * m * m;
    if (det > 0) {
      const alpha = (C * W - C * m * C * S) / det;
      const q = (C * C * k * C * S - C * m * C) / det;
      if (alpha >= 0 && alpha <= 1 && q >= 0 && q <= 1) tries.push([alpha, 1 - q]);
    }
  }
  return tries.reduce((best, next) => (gain(dual, next) > gain(dual, best) ? next : best));
}

interface DualParams {
  readonly C: number;
  readonly mode: string;
  readonly forget: boolean;
  readonly rho: number;
  readonly safe: boolean;
}

export const dualAscent: Model = (trace) => {
  const { C, mode, forget, rho, safe } = trace.params as unknown as DualParams;
  const f = new Expansion(parseKernel(trace));
  let [W, S] = [0, 0];
  const steps: number[][] = [];
  const choose = (dual: Dual): Step => {
    if (mode === "greedy") return greedy(dual, forget);
    if (mode === "aga") return alongGradient(dual, forget, Math.min);
    return alongGradient(dual, forget, (most, star) => (safe ? Math.min(rho, most, star) : rho));
  };
  const followed = follow(trace, f, (x, y, decision) => {
    const dual = { C, W, S, m: y * decision, k: f.kernel(x, x) };
    const [alpha, eta] = choose(dual);
    steps.push([alpha, eta, gain(dual, [alpha, eta])]);
    const q = 1 - eta;
    f.scale(q);
    if (alpha > 0) f.append(x, C * alpha * y);
    W = q * q * W + 2 * q * C * alpha * dual.m + C * C * alpha * alpha * dual.k;
    S = q * S + alpha;
  });
  const final = { ...f.state, S, rho };
  return { ...followed, alpha_eta_dDual: steps, W, S_alpha: S, dual: C * S - W / 2, final };
};
