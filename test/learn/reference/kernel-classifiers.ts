import { add, argmin, clip, dot, inverse } from "./algebra.ts";
import { Expansion, follow, type Model, type Params, parseKernel } from "./expansion.ts";

export const olkC: Model = (trace) => {
  const { C, r, thr }: Params = trace.params;
  const f = new Expansion(parseKernel(trace));
  const followed = follow(trace, f, (x, y, decision) => {
    const alpha = clip((1 + r - y * decision) / f.kernel(x, x), 0, C);
    f.scale(1 / (1 + r));
    if (alpha > 0) f.append(x, (y * alpha) / (1 + r));
    for (let i = f.size - 1; i >= 0; i--) if (Math.abs(f.coefficients[i]) < thr) f.remove(i);
    return alpha;
  });
  return { ...followed, final: f.state };
};

export const olkR: Model = (trace) => {
  const { C, r, eps }: Params = trace.params;
  const f = new Expansion(parseKernel(trace));
  const followed = follow(trace, f, (x, y, decision) => {
    const k = f.kernel(x, x);
    const above = clip(((1 + r) * (y - eps) - decision) / k, 0, C);
    const below = clip((decision - (1 + r) * (y + eps)) / k, 0, C);
    f.scale(1 / (1 + r));
    const coefficient = (above - below) / (1 + r);
    if (coefficient !== 0) f.append(x, coefficient);
    return coefficient;
  });
  return { ...followed, final: { ...f.state, eps } };
};

export const olkN: Model = (trace) => {
  const { C, r, nu, rule }: Params = trace.params;
  const f = new Expansion(parseKernel(trace));
  let rho = 0;
  const step = (x: number[]) => {
    const alpha = clip((1 + r - f.at(x)) / f.kernel(x, x), nu, C);
    f.scale(1 / (1 + r));
    f.append(x, alpha / (1 + r));
    if (rule === 68) rho = Math.max(0, f.at(x) - 1);
    return alpha;
  };
  return { ...follow(trace, f, step, (x) => f.at(x) - 1 - rho), final: { ...f.state, rho } };
};

export const kernelPerceptron: Model = (trace) => {
  const { eta }: Params = trace.params;
  const f = new Expansion(parseKernel(trace));
  const followed = follow(trace, f, (x, y, decision) => {
    if (y * decision <= 0) f.append(x, eta * y);
  });
  return { ...followed, final: f.state };
};

export const kernelPerceptronR: Model = (trace) => {
  const { eta, eps }: Params = trace.params;
  const f = new Expansion(parseKernel(trace));
  const followed = follow(trace, f, (x, y, decision) => {
    const error = y - decision;
    if (Math.abs(error) > eps) f.append(x, eta * Math.sign(error));
  });
  return { ...followed, final: { ...f.state, eps } };
};

/** The largest phi in (0, 1] with a phi^2 + b phi + c <= 0, where c <= 0 < b. */
function largestShrink(a: number, b: number, c: number): number {
  if (a + b + c <= 0) return 1;
  return a === 0 ? -c / b : (-b + Math.sqrt(b * b - 4 * a * c)) / (2 * a);
}

export const forgetron: Model = (trace) => {
  const { B }: Params = trace.params;
  const f = new Expansion(parseKernel(trace));
  let [M, Q] = [0, 0];
  const followed = follow(trace, f, (x, y, decision) => {
    if (y * decision > 0) return;
    M++;
    f.append(x, y);
    if (f.size <= B) return;
    const s = Math.abs(f.coefficients[0]);
    const mu = Math.sign(f.coefficients[0]) * f.at(f.centres[0]);
    const phi = largestShrink(s * s - 2 * s * mu, 2 * s, Q - (15 / 32) * M);
    f.scale(phi);
    Q += (phi * s) ** 2 + 2 * phi * s - 2 * (phi * s) * (phi * mu);
    f.remove(0);
  });
  return { ...followed, Q, M, final: { ...f.state, Q } };
};

const projecting =
  (plusPlus: boolean): Model =>
  (trace) => {
    const { eta }: Params = trace.params;
    const f = new Expansion(parseKernel(trace));
    const followed = follow(trace, f, (x, y, decision) => {
      const margin = y * decision;
      if (margin >= 1 || (margin > 0 && !plusPlus)) return;
      if (f.size === 0) return f.append(x, y);
      const k = f.row(x);
      const d = inverse(f.gram()).map((row) => dot(row, k));
      const p = dot(k, d);
      const delta = Math.sqrt(Math.max(0, f.kernel(x, x) - p));
      if (margin <= 0 && delta > eta) return f.append(x, y);
      const loss = 1 - margin;
      if (margin > 0 && loss - delta / eta < 0) return;
      const tau = margin <= 0 ? 1 : Math.min(loss / p, (2 * (loss - delta / eta)) / p, 1);
      add(f.coefficients, y * tau, d);
    });
    return { ...followed, final: { ...f.state, Ki: inverse(f.gram()) } };
  };

export const projectron = projecting(false);
export const projectronPlusPlus = projecting(true);

export const normaC: Model = (trace) => {
  const { eta, lam, nu, bias, rho: fixed = 1, rho0 = fixed }: Params = trace.params;
  const f = new Expansion(parseKernel(trace));
  let [b, rho] = [0, rho0];
  const step = (x: number[], y: number, decision: number) => {
    const s = y * decision <= rho ? 1 : 0;
    f.scale(1 - eta * lam);
    if (s) f.append(x, eta * y);
    if (bias) b += eta * y * s;
    if (nu) rho += eta * (nu - s);
  };
  return { ...follow(trace, f, step, (x) => f.at(x) + b), final: { ...f.state, b, rho } };
};

export const normaR: Model = (trace) => {
  const { eta, lam, nu, eps: fixed, eps0 = fixed }: Params = trace.params;
  const f = new Expansion(parseKernel(trace));
  let eps = eps0;
  const followed = follow(trace, f, (x, y, decision) => {
    const error = y - decision;
    const outside = Math.abs(error) > eps;
    f.scale(1 - eta * lam);
    if (outside) f.append(x, eta * Math.sign(error));
    if (nu) eps += outside ? eta * (1 - nu) : -eta * nu;
  });
  return { ...followed, final: { ...f.state, eps } };
};

export const normaN: Model = (trace) => {
  const { eta, lam, nu, rho0 }: Params = trace.params;
  const f = new Expansion(parseKernel(trace));
  let rho = rho0;
  const step = (x: number[], _: number, score: number) => {
    const s = score < 0 ? 1 : 0;
    f.scale(1 - eta * lam);
    if (s) f.append(x, eta);
    rho += eta * (nu - s);
  };
  return { ...follow(trace, f, step, (x) => f.at(x) - rho), final: { ...f.state, rho } };
};

const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Where g is largest between low and high, by the golden section, where it has one peak there. */
function peak(g: (h: number) => number, low: number, high: number): number {
  for (let i = 0; i < 90; i++) {
    const [left, right] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
    if (g(left) < g(right)) low = left;
    else high = right;
  }
  return (low + high) / 2;
}

/** Merges vector i with the one of its sign with which the least is lost, or removes it. */
function mergeBest(f: Expansion, i: number): void {
  const a = f.coefficients[i];
  let best = { loss: Number.POSITIVE_INFINITY, j: -1, h: 0, az: 0 };
  f.coefficients.forEach((b, j) => {
    if (j === i || a * b <= 0) return;
    const m = a / (a + b);
    const kappa = f.kernel(f.centres[i], f.centres[j]);
    const g = (h: number) => m * kappa ** ((1 - h) ** 2) + (1 - m) * kappa ** (h * h);
    const [low, high] = [peak(g, 0, 0.5), peak(g, 0.5, 1)];
    // Far vectors of one coefficient have two maxima: the lower one counts.
    const h = g(high) > (1 + 1e-9) * g(low) ? high : low;
    const az = (a + b) * g(h);
    const loss = a * a + b * b + 2 * a * b * kappa - az * az;
    if (loss < best.loss) best = { loss, j, h, az };
  });
  const { j, h, az } = best;
  const z = j < 0 ? [] : f.centres[i].map((value, d) => h * value + (1 - h) * f.centres[j][d]);
  for (const gone of [i, j].sort((p, q) => q - p)) if (gone >= 0) f.remove(gone);
  if (j >= 0) f.append(z, az);
}

interface BsgdParams {
  readonly lam: number;
  readonly B: number;
  readonly maint: string;
}

export const bsgd: Model = (trace) => {
  const { lam, B, maint } = trace.params as unknown as BsgdParams;
  const f = new Expansion(parseKernel(trace));
  let t = 0;
  const followed = follow(trace, f, (x, y, decision) => {
    t++;
    f.scale(1 - 1 / t);
    if (y * decision < 1) f.append(x, y / (lam * t));
    if (f.size <= B) return;
    const i = argmin(f.coefficients.map(Math.abs));
    if (maint === "merge") mergeBest(f, i);
    else f.remove(i);
  });
  return { ...followed, final: f.state };
};
