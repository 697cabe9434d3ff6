import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { KernelOption } from "../../src/kernel/kernel.ts";

/** A golden trace: a short stream, and what a double-precision reference said and held at every step. */
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

/** Traces are read from test/traces of the checkout that the tests run in. */
export function readTrace(name: string): Trace {
  return JSON.parse(readFileSync(join(process.cwd(), "test/traces", `${name}.json`), "utf8"));
}

/** The trace's kernel as an option. */
export function kernelOf(trace: Trace): KernelOption {
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
