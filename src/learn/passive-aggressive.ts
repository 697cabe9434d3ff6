import { Layout, type MemoryRange } from "../memory/layout.ts";
import type { Family } from "./family.ts";
import { commonRegions, Learner } from "./learner.ts";
import { budget, dimension, type Given, real, type Settled, settle } from "./options.ts";

const PA_OPTIONS = {
  dimension,
  budget,
  C: real({ default: 1, above: 0 }, "C, weight of the loss and largest step"),
};

function paLayout({ dimension }: { readonly dimension: number }): Layout {
  return new Layout([{ name: "w", kind: "state", words: dimension }, ...commonRegions(dimension)]);
}

/**
 * Passive-aggressive learning with slack (PA-I), linear: the baseline of the LOL paper. At each sample w is the
 * minimum of 1/2 |w - w_t|^2 + C xi under y w.x >= 1 - xi, xi >= 0:
 *
 *     l = max(0, 1 - y w_t.x);   w <- w_t + min(C, l / |x|^2) y x
 *
 * It stores no vectors: `budget` reserves nothing.
 */
export class PassiveAggressive extends Learner {
  private readonly options: Settled<typeof PA_OPTIONS>;
  private readonly w: number;

  constructor(options: Given<typeof PA_OPTIONS> & { memory?: MemoryRange }) {
    const settled = settle("pa", PA_OPTIONS, options);
    const layout = paLayout(settled);
    super("classification", settled.dimension, layout, options.memory ?? layout.ownRange());
    this.options = settled;
    this.w = layout.at("w", this.range);
  }

  get size(): number {
    return 0;
  }

  protected decide(): number {
    return this.f32.dot(this.w, this.input, this.dimension);
  }

  protected update(y: number, decision: number): void {
    const { C } = this.options;
    const loss = 1 - y * decision;
    if (!(loss > 0)) return;
    let step = loss / this.f32.dot(this.input, this.input, this.dimension);
    if (step > C) step = C;
    if (!this.f32.addScaled(this.w, step * y, this.input, this.dimension)) this.tally("overflowed");
  }
}

export const PASSIVE_AGGRESSIVE: readonly Family[] = [
  {
    name: "pa",
    task: "classification",
    title: "Passive-aggressive, PA-I, linear",
    paper:
      "Crammer, Dekel, Keshet, Shalev-Shwartz, Singer: Online passive-aggressive algorithms. JMLR 7, 2006",
    options: PA_OPTIONS,
    budgetUnused: true,
    layout: (given) => paLayout(settle("pa", PA_OPTIONS, given)),
    create: (given) => new PassiveAggressive(given),
  },
];
