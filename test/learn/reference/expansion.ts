import type { Trace } from "../golden.ts";
import { dot, type Matrix, squaredDistance, type Vector } from "./algebra.ts";

export type Kernel = (u: readonly number[], v: readonly number[]) => number;

/** The kernel that a trace names. */
export function parseKernel({ kernel }: Pick<Trace, "kernel">): Kernel {
  const { kernel: name = "linear", gamma = 0, deg = 1 } = kernel ?? {};
  if (name.startsWith("gaussian")) return (u, v) => Math.exp(-gamma * squaredDistance(u, v));
  if (name.startsWith("polynomial")) return (u, v) => (1 + dot(u, v)) ** deg;
  return dot;
}

/** f(x) = sum_i a_i k(c_i, x), the oldest centre first. */
export class Expansion {
  centres: Vector[] = [];
  coefficients: Vector = [];

  constructor(readonly kernel: Kernel) {}

  get size(): number {
    return this.centres.length;
  }

  row(x: readonly number[]): Vector {
    return this.centres.map((centre) => this.kernel(centre, x));
  }

  at(x: readonly number[]): number {
    return dot(this.coefficients, this.row(x));
  }

  append(x: readonly number[], coefficient: number): void {
    this.centres.push([...x]);
    this.coefficients.push(coefficient);
  }

  scale(by: number): void {
    this.coefficients = this.coefficients.map((value) => value * by);
  }

  remove(i: number): void {
    this.centres.splice(i, 1);
    this.coefficients.splice(i, 1);
  }

  gram(): Matrix {
    return this.centres.map((centre) => this.row(centre));
  }

  get state() {
    return { centers: this.centres, coef: this.coefficients };
  }
}

/** A model's output for a trace, by the file's names. */
export type Outcome = { readonly predictions: readonly unknown[]; readonly [name: string]: unknown };
export type Model = (trace: Trace) => Outcome;

/** Numbers by their names in the file. */
export type Params = { readonly [name: string]: number };

/**
 * The trace of a kernel learner: `step` learns x with label y, f being the decision from before, and may return what the file lists as
 * `step_return`. `decide`: the decision of f(x), if it is another.
 */
export function follow(
  trace: Trace,
  f: Expansion,
  step: (x: number[], y: number, decision: number) => unknown,
  decide: (x: number[]) => number = (x) => f.at(x),
) {
  const predictions: number[] = [];
  const sizes: number[] = [];
  const returned: unknown[] = [];
  trace.X.forEach((x, t) => {
    const decision = decide(x);
    predictions.push(decision);
    returned.push(step(x, trace.y[t], decision));
    sizes.push(f.size);
  });
  return { predictions, sizes, ...(returned[0] === undefined ? {} : { step_return: returned }) };
}
