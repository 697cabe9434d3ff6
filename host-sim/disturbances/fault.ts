import type { Random } from "../../host/random.ts";
import type { StageContext } from "./stage.ts";

/** The sensor faults that Sharma, Golubchik and Govindan (2010) found in deployments, and the offset. */
export const FAULT_KINDS = ["stuck-at", "offset", "spike"] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/**
 * One component's fault while it lasts.
 * - `stuck-at`: the last reading repeats (at the first sample of a stream: its own);
 * - `offset`: `magnitude` deviations are added, up or down for the whole of the fault;
 * - `spike`: each sample moves by 0.5 to 1.5 times `magnitude` deviations, up or down at random.
 */
export class Fault {
  /** The component at fault, from 0. */
  column = 0;
  private kind: FaultKind = "stuck-at";
  private shift = 0;
  /** The last reading of each component outside of a fault; NaN where there was none. */
  private readonly before: Float32Array;
  private readonly random: Random;

  /** @param magnitude in standard deviations of the column. */
  constructor(
    private readonly magnitude: number,
    private readonly context: StageContext,
  ) {
    this.before = new Float32Array(context.dimension).fill(Number.NaN);
    this.random = context.random;
  }

  /** A fault of this kind begins, in a component drawn at random. */
  begin(kind: FaultKind): void {
    this.kind = kind;
    this.column = this.random.below(this.context.dimension);
    const sign = this.random.below(2) === 0 ? 1 : -1;
    this.shift = sign * this.magnitude * (this.context.statistics?.deviation[this.column] ?? 1);
  }

  /** Takes a sample outside of a fault. */
  pass(x: Float32Array): void {
    for (let j = 0; j < x.length; j++) if (!Number.isNaN(x[j])) this.before[j] = x[j];
  }

  /** Corrupts a sample of the fault, in place. */
  corrupt(x: Float32Array): void {
    const j = this.column;
    if (this.kind === "offset") x[j] += this.shift;
    else if (this.kind === "spike") x[j] += this.spike();
    else if (Number.isNaN(this.before[j])) this.pass(x);
    else x[j] = this.before[j];
  }

  private spike(): number {
    const size = this.shift * (0.5 + this.random.uniform());
    return this.random.below(2) === 0 ? size : -size;
  }
}
