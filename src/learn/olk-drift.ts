import type { Dictionary } from "../dictionary/dictionary.ts";
import { frozen } from "../memory/frozen.ts";
import { Layout } from "../memory/layout.ts";
import { aggressiveness } from "./aggressiveness.ts";
import { DriftGate } from "./drift-gate.ts";
import type { Family } from "./family.ts";
import { Learner } from "./learner.ts";
import type { OlkDriftOptions } from "./learner-options.ts";
import { OLK, OlkC } from "./olk.ts";
import { budget, dimension, flag, kernel, type ResolvedOptions, real, resolveOptions } from "./options.ts";
import { stored } from "./storage.ts";
import type { DecisionTerms } from "./terms.ts";
import type { WidthProbe } from "./width-probe.ts";

const OLK_DRIFT_OPTIONS = frozen({
  dimension,
  budget: frozen({ ...budget, doc: "vectors there is room for in each dictionary" }),
  kernel,
  ...stored,
  C: aggressiveness("C, weight of the loss and bound of a coefficient"),
  regularization: real({ default: 3e-5, min: 0 }, "r of the steady function: it shrinks by 1/(1+r) a sample"),
  apart: flag(
    false,
    "a dictionary for each tracking function, in place of one for all three: more memory, fewer errors where the boundary moves fast",
  ),
});

type DriftOptions = ResolvedOptions<typeof OLK_DRIFT_OPTIONS>;

/** The steady function, whose prediction the whole has made. */
class Steady extends OlkC {
  learnDecided(y: number, decision: number): void {
    if (this.gathers) this.gather(y, decision);
    else this.update(y, decision);
  }
}

/** The regions of the steady function come first of each kind, so that its range is the whole's. */
function driftLayout(options: DriftOptions): Layout {
  const { apart, ...steady } = options;
  return new Layout([
    ...OLK[0].layout(steady).regions,
    ...DriftGate.regions(options),
    { name: "note", kind: "scratch", words: 1 },
  ]);
}

/**
 * OLK-C beside three functions that forget at different rates. A sequential test on the labels finds whether their mixture predicts better;
 * until it does, decisions are those of `olk-c`.
 *
 *     D <- .999 D + e_0 - e;   V <- .999 V + |e_0 - e|
 *     the mixture decides from D > 1.5 sqrt(V + 1) until D < -.5 sqrt(V + 1)
 *
 * When to use it: The boundary between classes may move, and you don't know how fast, or whether at all. It has a second dictionary beside
 * that of `olk-c`; with `apart` three more, where the boundary moves fast.
 *
 * The steady function is `olk-c` with its defaults; the test is `DriftGate`. While the gate is shut, decisions are those of `olk-c`, bit for bit. It
 * opens where the mixture of all four predicted labels better.
 *
 * The gate judges the votes that were cast when the sample came (see `Learner.note`): with late labels a vote at the label would know
 * labels that the prediction didn't.
 *
 * Limits. With 40 % of the labels wrong no such test is in time. Where the boundary moves far within the delay, no rate helps. The gate
 * votes on two classes: several run one-vs-all.
 *
 * @param options see `OlkDriftOptions`. Throws an OptionError that names the invalid option.
 * @see This project's own: OLK (Li, Wen, Li, Zhang, Yang, Mao, 2013) with rates of forgetting found by a sequential test
 * @example
 * ```ts
 * import { OlkDrift } from "motelearn";
 *
 * const learner = new OlkDrift({ dimension: 1 });
 * for (let t = 0; t < 2000; t++) learner.learn([t % 10], (t + Math.floor(t / 100)) % 10 < 5 ? -1 : 1);
 * console.log(learner.isOpen, learner.classify([0]), learner.classify([5]));
 * // true 1 -1
 * ```
 */
export class OlkDrift extends Learner {
  private readonly steady: Steady;
  private readonly gate: DriftGate;
  private readonly noteAt = this.layout.at("note", this.range);
  private readonly x: Float32Array;

  constructor(options: OlkDriftOptions) {
    const resolved = resolveOptions("olk-drift", OLK_DRIFT_OPTIONS, options);
    const layout = driftLayout(resolved);
    super("classification", resolved.dimension, layout, options.memory ?? layout.ownRange());
    const { range, f32, input } = this;
    const { apart, ...steady } = resolved;
    this.steady = new Steady({ ...steady, memory: range });
    this.gate = new DriftGate(layout, range, resolved);
    this.x = f32.words.subarray(input, input + resolved.dimension);
  }

  /** True while the mixture decides. */
  get isOpen(): boolean {
    return this.gate.isOpen;
  }

  /** The steady function's vectors. While the gate is shut, a decision is their sum. */
  get dictionary(): Dictionary {
    return this.steady.dictionary;
  }

  override isSound(): boolean {
    return this.steady.isSound() && this.gate.isSound;
  }

  /** Vectors of the steady function; each tracking dictionary has as much room. */
  get size(): number {
    return this.steady.size;
  }

  get capacity(): number {
    return this.steady.capacity;
  }

  /** The search for the width of the steady function's kernel; each tracking dictionary finds its own. Undefined where the width is given. */
  get probe(): WidthProbe | undefined {
    return this.steady.probe;
  }

  /** sigma of the steady function's kernel, 0 until it is found; undefined where it is given. */
  get width(): number | undefined {
    return this.steady.width;
  }

  predict(x: ArrayLike<number>): number {
    const f = this.steady.predict(x);
    return f - f === 0 ? this.gate.decide(f, this.x) : f;
  }

  override note(): void {
    this.f32.bits[this.noteAt] = this.gate.votes(this.x);
  }

  /** While the gate is open, the terms of the last decision. */
  terms(): ReturnType<DriftGate["terms"]> {
    return this.gate.terms("steady function");
  }

  protected update(y: number): void {
    const { gate, steady } = this;
    const { decided } = gate;
    gate.learn(this.x, y, this.noted ? this.f32.bits[this.noteAt] : 0);
    steady.learnDecided(y, decided);
    // Without a width it guesses, and a mixture with a guess would be no decision that `explain` knows.
    if (steady.width === 0) gate.shut();
  }
}

/** While the gate is open a decision is of two terms, or four with dictionaries apart; else of the steady function's vectors. */
const MIXTURE_TERMS: DecisionTerms = frozen({
  weights: ["gate.vote.weights"],
  terms: (learner) => (learner as OlkDrift).terms(),
});

export const OLK_DRIFT: readonly Family[] = frozen([
  {
    name: "olk-drift",
    task: "classification",
    title: "OLK, classification, with forgetting that is found",
    paper:
      "This project's own: OLK (Li, Wen, Li, Zhang, Yang, Mao, 2013) with rates of forgetting found by a sequential test",
    options: OLK_DRIFT_OPTIONS,
    traits: {
      searched: [
        { option: "C", values: [0, 0.1, 2, 10] },
        { option: "apart", values: [false, true] },
      ],
      decision: MIXTURE_TERMS,
      costs: { dearer: ["apart"] },
    },
    layout: (options) => driftLayout(resolveOptions("olk-drift", OLK_DRIFT_OPTIONS, options)),
    create: (options) => new OlkDrift(options as OlkDriftOptions),
  },
]);
