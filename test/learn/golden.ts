import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { KernelOption } from "../../src/kernel/kernel.ts";

/** A golden trace: a short stream, with a double-precision reference's decisions and state at every step. */
export interface Trace {
  readonly params: { readonly [name: string]: never };
  readonly kernel: { readonly kernel: string; readonly gamma?: number; readonly deg?: number } | null;
  readonly X: number[][];
  readonly y: number[];
  readonly predictions: number[];
  readonly sizes: number[];
  readonly step_return: number[];
  readonly prototype_index: number[];
  // biome-ignore lint/suspicious/noExplicitAny: each algorithm's state has a form of its own.
  readonly final: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly [name: string]: any;
}

/** Options by the references' symbols, by the trace's name. */
const OPTIONS: readonly (readonly [RegExp, { readonly [symbol: string]: string }])[] = [
  [/^olk/, { r: "regularization", thr: "forgetThreshold" }],
  [/^s?cw/, { a: "initialVariance", eta: "confidence" }],
  [/^arow/, { a: "initialVariance", r: "noiseVariance" }],
  [/^krls/, { reg: "regularization", d1: "noveltyDistance", d2: "noveltyError" }],
  [/^krls_sc/, { T1: "abnormalAbove", T2: "redundantBelow" }],
  [/^qkapa/, { W: "windowSize", reg: "regularization" }],
  [/^qkrls/, { gamma: "regularization" }],
  [/^oskm/, { tau_p: "agents", tau_e: "agreementPoints" }],
  [/^perceptron/, { T: "decaySamples" }],
  [/^projectron/, { eta: "projectionThreshold" }],
  [/^nogd/, { eta_kernel_phase: "eta", eta_feature_phase: "etaFeatures" }],
];

/** Option values with other words in the references, by `name=value`. */
const VALUES: { readonly [options: string]: string } = {
  "rule=69": "fixed",
  "rule=68": "optimal",
  "mode=1": "gradient",
  "mode=2": "newton",
  "mode=func": "function",
  "mode=coef": "coefficients",
  "norm=fro": "frobenius",
};

/** A trace's parameters under the names, and with the values, that our options have. */
function translated(trace: string, params: Trace["params"]): Trace["params"] {
  const names = Object.assign({}, ...OPTIONS.filter(([of]) => of.test(trace)).map(([, table]) => table));
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [names[name] ?? name, VALUES[`${name}=${value}`] ?? value]),
  ) as Trace["params"];
}

/** Traces are read from test/traces of the checkout that the tests run in. */
export function readTrace(name: string): Trace {
  const trace = JSON.parse(readFileSync(join(process.cwd(), "test/traces", `${name}.json`), "utf8"));
  return { ...trace, params: translated(name, trace.params) };
}

/** The trace's kernel as an option. */
export function readKernel(trace: Trace): KernelOption {
  const { kernel } = trace;
  if (kernel?.kernel.startsWith("gaussian")) return { type: "gaussian", gamma: kernel.gamma as number };
  if (kernel?.kernel.startsWith("polynomial")) return { type: "polynomial", degree: kernel.deg as number };
  return { type: "linear" };
}

/** Throws unless |got - wanted| <= tolerance * max(1, largest |wanted|), element by element. */
export function near(
  got: ArrayLike<number>,
  wanted: ArrayLike<number>,
  tolerance: number,
  what: string,
): void {
  if (got.length !== wanted.length)
    throw new Error(`${what}: ${got.length} values, the trace has ${wanted.length}`);
  let largest = 1;
  for (let i = 0; i < wanted.length; i++) largest = Math.max(largest, Math.abs(wanted[i]));
  for (let i = 0; i < wanted.length; i++) {
    if (!(Math.abs(got[i] - wanted[i]) <= tolerance * largest)) {
      throw new Error(`${what}[${i}]: got ${got[i]}, the trace has ${wanted[i]} (scale ${largest})`);
    }
  }
}
