import { type Kernel, makeKernel } from "../kernel/kernel.ts";
import { ceil4 } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import { ANY, Layout } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";
import type { Family } from "./family.ts";
import { COUNT, commonRegions, Learner } from "./learner.ts";
import type { OskmOptions } from "./learner-options.ts";
import {
  choice,
  dimension,
  kernelFrom,
  type ResolvedOptions,
  real,
  resolveOptions,
  whole,
} from "./options.ts";

const OSKM_OPTIONS = frozen({
  dimension,
  budget: whole(
    { default: 64, min: 1, max: 4096 },
    "M = tau + tau_p - 1, samples in the ring; so the window tau is budget - agents + 1",
  ),
  kernel: kernelFrom({ type: "linear" }),
  agents: whole({ default: 10, min: 1, max: 4096 }, "tau_p, agents: samples over which a label persists"),
  agreementPoints: whole(
    { default: 10, min: 1, max: 4096 },
    "tau_e, points at which the agents should agree",
  ),
  eta: real({ default: 0.7, above: 0 }, "eta, step size, at most 1/lambda"),
  lambda: real({ default: 0.1, min: 0 }, "lambda, weight of 1/2 |f|^2"),
  rho: real({ default: 0.1, min: 0 }, "rho, weight of the agreement"),
  rounds: whole({ default: 3, min: 1, max: 100 }, "rounds of the alternating directions a sample"),
  mode: choice(
    ["function", "coefficients"],
    "function",
    "gradient with respect to the function, which without agreement is NORMA's; or to the coefficients, as (15)",
  ),
  points: choice(
    ["shared", "own"],
    "shared",
    "the agents agree at the newest samples of all, as (11), or each at its own newest",
  ),
  loss: choice(["sum", "mean"], "sum", "hinge loss over the window: the sum, as (15), or the mean, as (8)"),
  norm: choice(["frobenius", "none"], "frobenius", "s_j: the Frobenius norm of (9), or 1"),
});

type ResolvedOskmOptions = ResolvedOptions<typeof OSKM_OPTIONS>;

function resolveOskm(options: object): ResolvedOskmOptions {
  const resolved = resolveOptions("oskm", OSKM_OPTIONS, options);
  const { budget, agents, agreementPoints, eta, lambda } = resolved;
  const most = (name: string, got: number, noun: string, limit: string, most: number) => {
    if (got <= most) return;
    throw new OptionError("oskm", name, got, `a ${noun} <= ${limit}, which is ${most}`);
  };
  most("agents", agents, "whole number", "budget", budget);
  most("agreementPoints", agreementPoints, "whole number", "budget - agents + 1", budget - agents + 1);
  most("eta", eta, "number", "1/lambda", 1 / lambda);
  return resolved;
}

// Values of options that are asked for while a sample passes: not by literals, see `COUNT`.
const OWN = "own";
const COEFFICIENTS = "coefficients";
const FUNCTION = "function";
const FROBENIUS = "frobenius";
const MEAN = "mean";

/** Words that a sample's rounds change, in one piece: coefficients, v, u. */
function movingWords({ budget, agents: tauP, agreementPoints: tauE }: ResolvedOskmOptions): number {
  return tauP * budget + tauE + tauP * tauE;
}

function oskmLayout(options: ResolvedOskmOptions): Layout {
  const { dimension, budget, agents: tauP, agreementPoints: tauE } = options;
  return new Layout([
    { name: "rows", kind: "state", words: ceil4(budget) * dimension },
    { name: "gram", kind: "state", words: ceil4(budget) * budget },
    { name: "labels", kind: "state", words: budget },
    { name: "ring", kind: "state", words: 2, holds: [budget, budget - 1] },
    { name: "refusals", kind: "state", words: 1, holds: [ANY] },
    { name: "coefficients", kind: "state", words: tauP * budget },
    { name: "v", kind: "state", words: tauE },
    { name: "u", kind: "state", words: tauP * tauE },
    ...commonRegions(dimension),
    { name: "row", kind: "scratch", words: ceil4(budget) },
    { name: "values", kind: "scratch", words: tauP * budget },
    { name: "gradient", kind: "scratch", words: budget },
    { name: "image", kind: "scratch", words: ceil4(budget) },
    { name: "inverses", kind: "scratch", words: tauP },
    { name: "norms", kind: "scratch", words: tauP },
    { name: "pushes", kind: "scratch", words: tauP },
    { name: "atPoints", kind: "scratch", words: tauP * tauE },
    { name: "moving", kind: "scratch", words: movingWords(options) },
    { name: "leaving", kind: "scratch", words: dimension },
    { name: "leavingGram", kind: "scratch", words: budget },
    { name: "leavingLabel", kind: "scratch", words: 1 },
  ]);
}

/**
 * Agents learn from delayed windows of the latest samples, and are drawn towards agreement at common points by
 * alternating directions.
 *
 *     minimise sum_j [1/c sum_m max(0, 1 - y_m f_j(x_m)) + lambda/2 |f_j|^2]  under  f_j(z_i) / s_j = v_i   (7)
 *     v_i <- mean_j (P_ji + u_ji)   (13);   u_ji <- u_ji + P_ji - v_i   (12c)
 *
 * When to use it: To compare with the paper. It takes the most instructions of all; a NORMA with chosen options
 * was better nearly everywhere.
 *
 * This is a consistent reading: the printed equations do not fit together. At time n agent j = 0..tau_p-1 minimises NORMA's regularised hinge loss
 * over its window of tau samples x_(n-j-tau+1) .. x_(n-j), and all are to agree at tau_e points z_i. f_j(x) is sum_m A_j(m) k(x_m, x) over the ring
 * of the latest M = tau + tau_p - 1 samples. Each sample takes `rounds` rounds of alternating directions, P_ji = f_j(z_i) / s_j, before v_i and u_ji
 * follow as above:
 *
 *     R_ji = P_ji - v_i + u_ji
 *     A_j <- (1 - eta lambda) A_j;   A_j(m) += (eta/c) y_m for each m of the window with y_m f_j(x_m) < 1;
 *     A_j(at z_i) -= eta rho R_ji / s_j                           (mode "function")
 *
 * Mode "coefficients" is (15) to the letter: with f_j / N_j for f_j in loss and regulariser, N_j the Frobenius norm of the
 * window's Gram matrix, it subtracts eta times the *values* of that gradient at the window's samples; coefficients
 * outside the window are 0. s_j is the Frobenius norm of k(z_i, window of j) (9), or 1; a norm of 0 counts as 1.
 * z_i are the newest samples x_n, x_(n-1), .. (11), or x_(n-j), .. (points "own"), as many as every agent has. v and u
 * belong to samples: with a new one they shift by a place, its u is 0, its v the mean of P_j1. A sample's coefficients
 * leave the ring with it. The prediction for a new x is the mean of f_j(x) over the agents that own a sample. The budget is M.
 *
 * The agreement's step is bounded. It moves P_j by -g R_j, with g the eigenvalues of eta rho K / s_j^2 and K = k(z, z)
 * (mode "coefficients": K = k(z, window) k(window, z)). Where v rests, a disagreement and its u become
 * [1-g, -g; 1-g, 1-g] times themselves in a round, whose eigenvalues 1 - g +- sqrt(g (g - 1)) lie in the unit circle
 * only for g < 4/3. So eta rho is bounded by s_j^2 / trace K, which keeps every g at most 1, since no eigenvalue of K
 * exceeds its trace. With a Gaussian and s_j of (9) that never binds; with a linear kernel it does where
 * components are small.
 *
 * Where the paper errs: (7) lacks y_m; (11) prints n-j+tau+k+1 for n-j-tau+k+1; v has tau_e entries, not tau; with (13)
 * and (12c) the sign in (12a), (12b) must be K alpha - v + u; (15) misses eta at the agreement, and K' for K; there is
 * no (14).
 *
 * A sample whose update isn't finite is refused; after tau_p refusals in a row the ring is emptied.
 *
 * The ring's Gram matrix is `state`, 4 M ceil4(M) bytes: the rounds need it whole, so it would take the same room as
 * scratch, where each sample would cost M d multiplications for each of its M rows instead of once, and M exponentials
 * a row with a Gaussian: at M = 64, d = 8 a fifth, at d = 64 five thirds of the rounds' own (rounds + 1) tau_p M^2.
 *
 * The rounds multiply it with all agents' coefficients in whole numbers, see `blockProducts`: a core without a floating-point unit sums up
 * float32 numbers in some 180 instructions a term, and those in 12.
 *
 * It has no option `sources`: its agents agree over the labels of a window, wrong ones too, and each label is met again in each of its tau
 * samples and rounds. A corrected target would be counted as often, and its variance with it.
 *
 * @param options see `OskmOptions`. Throws an OptionError that names the invalid option.
 * @see Raj: An online stochastic kernel machine for robust signal classification
 * @example
 * ```ts
 * import { Oskm } from "motelearn";
 *
 * const learner = new Oskm({ dimension: 2 });
 * for (let t = 0; t < 40; t++) learner.learn([t % 2, (t % 5) / 5], t % 2 === 0 ? -1 : 1);
 * console.log(learner.classify([0, 0.5]), learner.classify([1, 0.5]));
 * // -1 1
 * ```
 */
export class Oskm extends Learner {
  private readonly options: ResolvedOskmOptions;
  private readonly kernel: Kernel;
  private readonly tau: number;
  private readonly rows = this.layout.at("rows", this.range);
  /** Word of k(x_a, x_b) of the samples in slots a and b, interleaved rows. */
  private readonly gram = this.layout.at("gram", this.range);
  private readonly labels = this.layout.at("labels", this.range);
  /** Word of the number of samples in the ring, then of the slot that the next one takes. */
  private readonly ring = this.layout.at("ring", this.range);
  /** Word of the refusals in a row. */
  private readonly refusals = this.layout.at("refusals", this.range);
  private readonly coefficients = this.layout.at("coefficients", this.range);
  private readonly v = this.layout.at("v", this.range);
  private readonly u = this.layout.at("u", this.range);
  private readonly row = this.layout.at("row", this.range);
  /** Word of f_j(sample in slot m), agent after agent, M words each: scratch. */
  private readonly values = this.layout.at("values", this.range);
  private readonly gradient = this.layout.at("gradient", this.range);
  private readonly image = this.layout.at("image", this.range);
  /** Word of 1 / s_j, of each agent, and of N_j: scratch. */
  private readonly inverses = this.layout.at("inverses", this.range);
  private readonly norms = this.layout.at("norms", this.range);
  /** Word of rho / s_j of each agent, with eta rho bounded: scratch. */
  private readonly pushes = this.layout.at("pushes", this.range);
  /** Word of P_ji, as u: scratch. */
  private readonly atPoints = this.layout.at("atPoints", this.range);
  /** Word of what `takeIn` saves for `giveBack`: scratch. */
  private readonly moving = this.layout.at("moving", this.range);
  private readonly leaving = this.layout.at("leaving", this.range);
  private readonly leavingGram = this.layout.at("leavingGram", this.range);
  private readonly leavingLabel = this.layout.at("leavingLabel", this.range);

  constructor(options: OskmOptions) {
    const resolved = resolveOskm(options);
    const layout = oskmLayout(resolved);
    super("classification", resolved.dimension, layout, options.memory ?? layout.ownRange());
    this.options = resolved;
    this.kernel = makeKernel(this.f32, resolved.dimension, resolved.kernel);
    this.tau = resolved.budget - resolved.agents + 1;
  }

  get size(): number {
    const size = this.f32.bits[this.ring];
    return size < this.options.budget ? size : this.options.budget;
  }

  get capacity(): number {
    return this.options.budget;
  }

  /** Agents that own a sample. */
  private get agents(): number {
    const { size } = this;
    const { agents: tauP } = this.options;
    if (size < tauP) return size;
    return tauP;
  }

  predict(x: ArrayLike<number>): number {
    if (!this.f32.load(this.input, x, this.dimension)) return Number.NaN;
    const { f32, size, agents } = this;
    if (agents === 0) return 0;
    this.kernel.row(this.row, this.rows, this.input, size);
    let sum = 0;
    for (let j = 0; j < agents; j++) sum += f32.dot(this.coefficientsAt(j), this.row, size);
    return sum - sum === 0 ? sum / agents : Number.NaN;
  }

  protected update(y: number): void {
    const full = this.size === this.options.budget;
    if (!this.takeIn(y)) {
      this.increment(COUNT.overflowed);
      this.outgrow();
      return;
    }
    this.shift();
    this.measure();
    this.evaluate(this.size);
    this.welcome();
    const last = this.options.rounds - 1;
    for (let round = 0; round <= last; round++) this.round(round === last);
    if (!this.f32.finite(this.coefficients, movingWords(this.options))) {
      this.giveBack(full);
      this.increment(COUNT.overflowed);
      this.outgrow();
      return;
    }
    this.f32.bits[this.refusals] = 0;
    this.increment(COUNT.inserted);
    if (full) this.increment(COUNT.evicted);
  }

  /** Counts a refusal. After tau_p in a row the ring is emptied: float32 can't combine its samples with the new ones. */
  protected override outgrow(): void {
    const { f32, range, layout, size } = this;
    f32.bits[this.refusals]++;
    if (f32.bits[this.refusals] <= this.options.agents) return;
    for (let left = size; left > 0; left--) this.increment(COUNT.evicted);
    f32.bits.fill(0, range.state, range.state + layout.state);
  }

  /** Slot of the sample `lag` samples before the newest. */
  private slot(lag: number): number {
    const slot = this.f32.bits[this.ring + 1] - 1 - lag;
    return slot < 0 ? slot + this.options.budget : slot;
  }

  /** Word of A_j. */
  private coefficientsAt(j: number): number {
    return this.coefficients + j * this.options.budget;
  }

  /** Samples that agent j owns: those `j` .. `j + ownedBy(j) - 1` before the newest. */
  private ownedBy(j: number): number {
    const there = this.size - j;
    if (there < this.tau) return there;
    return this.tau;
  }

  /** Points that every agent has: those `firstPoint(j)` .. before the newest. */
  private get points(): number {
    const { agreementPoints: tauE } = this.options;
    const there = this.size - this.firstPoint(this.agents - 1);
    if (there < tauE) return there;
    return tauE;
  }

  private firstPoint(j: number): number {
    return this.options.points === OWN ? j : 0;
  }

  /** The input takes the oldest's place in the ring; false, and nothing done, if its kernel row isn't finite. */
  private takeIn(y: number): boolean {
    const { f32, row, size, dimension } = this;
    const { budget } = this.options;
    const s = f32.bits[this.ring + 1];
    f32.words[row + s] = this.kernel.self(this.input);
    const known = size < budget ? size + 1 : budget;
    if (!f32.finite(row, known)) return false;
    f32.words.fill(0, row + known, row + budget);
    f32.copy(this.moving, this.coefficients, movingWords(this.options));
    f32.fetchRow(this.leaving, this.rows, s, dimension);
    f32.fetchRow(this.leavingGram, this.gram, s, budget);
    f32.copy(this.leavingLabel, this.labels + s, 1);
    f32.storeRow(this.rows, s, this.input, dimension);
    this.storeGram(s, row);
    f32.words[this.labels + s] = y;
    f32.bits[this.ring] = known;
    f32.bits[this.ring + 1] = s + 1 === budget ? 0 : s + 1;
    return true;
  }

  /** Undoes `takeIn` and all that followed. */
  private giveBack(full: boolean): void {
    const { f32 } = this;
    const s = this.slot(0);
    f32.copy(this.coefficients, this.moving, movingWords(this.options));
    f32.storeRow(this.rows, s, this.leaving, this.dimension);
    this.storeGram(s, this.leavingGram);
    f32.copy(this.labels + s, this.leavingLabel, 1);
    if (!full) f32.bits[this.ring]--;
    f32.bits[this.ring + 1] = s;
  }

  private storeGram(s: number, row: number): void {
    const { budget } = this.options;
    this.f32.storeRow(this.gram, s, row, budget);
    this.f32.storeColumn(this.gram, s, row, budget, budget);
  }

  /** A new sample came: its coefficients and u are 0, v and u of the others move a place. */
  private shift(): void {
    const { f32, u, v, size, tau } = this;
    const { agents: tauP, agreementPoints: tauE, mode } = this.options;
    f32.copy(v + 1, v, tauE - 1);
    f32.copy(u + 1, u, tauP * tauE - 1);
    const newest = this.slot(0);
    for (let j = 0; j < tauP; j++) {
      f32.words[u + j * tauE] = 0;
      f32.words[this.coefficientsAt(j) + newest] = 0;
      if (mode === COEFFICIENTS && j + tau < size) f32.words[this.coefficientsAt(j) + this.slot(j + tau)] = 0;
    }
  }

  /** Computes s_j and N_j of every agent, 1 where the options ask for none; and its rho / s_j, with eta rho bounded. */
  private measure(): void {
    const { words } = this.f32;
    const { mode, norm, eta, rho } = this.options;
    let trace = 0;
    for (let j = 0; j < this.agents; j++) {
      const across = this.frobenius(j, this.firstPoint(j), this.points);
      const s = norm === FROBENIUS ? across : 1;
      words[this.inverses + j] = 1 / s;
      words[this.norms + j] = mode === COEFFICIENTS ? this.frobenius(j, j, this.ownedBy(j)) : 1;
      if (mode === COEFFICIENTS) trace = across * across;
      else if (j === 0 || this.firstPoint(j) !== this.firstPoint(j - 1))
        trace = this.trace(this.firstPoint(j));
      const most = trace > 0 ? (s * s) / (trace * eta) : 0;
      words[this.pushes + j] = (rho < most ? rho : most) / s;
    }
  }

  /** Trace of the agreement points' kernel matrix, the first of them `lag` before the newest. */
  private trace(lag: number): number {
    const { gram, points } = this;
    const { words } = this.f32;
    const { budget } = this.options;
    let sum = 0;
    let m = this.slot(lag);
    for (let i = 0; i < points; i++) {
      sum += words[gram + 4 * budget * (m >> 2) + 4 * m + (m & 3)];
      m = m === 0 ? budget - 1 : m - 1;
    }
    return sum;
  }

  /** Frobenius norm of k(n samples from `lag` before the newest on, window of j); 1 if that is 0. */
  private frobenius(j: number, lag: number, n: number): number {
    const { f32, gram, image } = this;
    const { budget } = this.options;
    const newest = this.slot(j);
    const oldest = this.slot(j + this.ownedBy(j) - 1);
    let sum = 0;
    let m = this.slot(lag);
    for (let i = 0; i < n; i++) {
      f32.fetchRow(image, gram, m, budget);
      m = m === 0 ? budget - 1 : m - 1;
      if (oldest <= newest) {
        sum += f32.dot(image + oldest, image + oldest, newest + 1 - oldest);
      } else {
        sum += f32.dot(image + oldest, image + oldest, budget - oldest) + f32.dot(image, image, newest + 1);
      }
    }
    return sum > 0 ? Math.sqrt(sum) : 1;
  }

  /** f_j at the n newest samples of the ring, and P_ji, for every agent. */
  private evaluate(n: number): void {
    const { f32, agents, points, inverses, values, atPoints } = this;
    const { words } = f32;
    const { budget, agreementPoints: tauE } = this.options;
    const newest = this.slot(0);
    f32.blockProducts(values, this.gram, this.coefficients, newest, n, budget, budget, agents);
    for (let j = 0; j < agents; j++) {
      const own = values + j * budget;
      const inverse = words[inverses + j];
      let m = this.slot(this.firstPoint(j));
      for (let i = atPoints + j * tauE, end = i + points; i < end; i++) {
        words[i] = words[own + m] * inverse;
        m = m === 0 ? budget - 1 : m - 1;
      }
    }
  }

  /** A new sample's v: the mean over the agents of P_j1. */
  private welcome(): void {
    const { words } = this.f32;
    const { agents } = this;
    let sum = 0;
    for (let j = 0; j < agents; j++) sum += words[this.atPoints + j * this.options.agreementPoints];
    words[this.v] = sum / agents;
  }

  /** After the last, no step asks for f but at the points. */
  private round(isLast: boolean): void {
    const { agents } = this;
    for (let j = 0; j < agents; j++) this.step(j);
    this.evaluate(isLast ? this.firstPoint(agents - 1) + this.points : this.size);
    this.agree();
  }

  /** v_i <- mean_j (P_ji + u_ji);   u_ji <- u_ji + P_ji - v_i. */
  private agree(): void {
    this.f32.agree(this.v, this.u, this.atPoints, this.points, this.agents, this.options.agreementPoints);
  }

  /** Agent j's step, from the values at the beginning of the round. */
  private step(j: number): void {
    const { f32, gradient, image } = this;
    const { budget, eta, lambda, mode } = this.options;
    const own = this.coefficientsAt(j);
    const norm = f32.words[this.norms + j];
    if (mode === FUNCTION) {
      f32.scale(own, 1 - eta * lambda, budget);
      this.descend(j, norm, own, eta);
      return;
    }
    f32.copy(gradient, own, budget);
    f32.scale(gradient, -lambda / norm, budget);
    this.descend(j, norm, gradient, 1);
    const owned = this.ownedBy(j);
    f32.blockProducts(image, this.gram, gradient, this.slot(j), owned, budget, budget, 1);
    for (let k = 0; k < owned; k++) {
      const m = this.slot(j + k);
      f32.words[own + m] += eta * f32.words[image + m];
    }
  }

  /** Adds, to the coefficients at word `to`, a step down the hinge loss of f_j / norm and the disagreement. */
  private descend(j: number, norm: number, to: number, step: number): void {
    const { f32, points, labels, u, v, atPoints } = this;
    const { budget, agreementPoints: tauE, loss } = this.options;
    const owned = this.ownedBy(j);
    const values = this.values + j * budget;
    const pull = step / ((loss === MEAN ? owned : 1) * norm);
    f32.hingeStep(to, labels, values, this.slot(j), owned, budget, norm, pull);
    const push = step * f32.words[this.pushes + j];
    const row = j * tauE;
    const slot = this.slot(this.firstPoint(j));
    f32.agreementStep(to, atPoints + row, v, u + row, slot, points, budget, push);
  }
}

export const OSKM: readonly Family[] = frozen([
  {
    name: "oskm",
    task: "classification",
    title: "osKM, online stochastic kernel machine",
    paper: "Raj: An online stochastic kernel machine for robust signal classification",
    options: OSKM_OPTIONS,
    traits: { searched: [{ option: "eta", values: [0.1, 0.7] }], picture: { line: true } },
    layout: (options) => oskmLayout(resolveOskm(options)),
    create: (options) => new Oskm(options as OskmOptions),
  },
]);
