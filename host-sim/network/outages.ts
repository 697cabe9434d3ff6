import { Random } from "../../host/random.ts";
import type { Scenario } from "../scenario/scenario.ts";

/**
 * When a node is off. Each outage begins at a random sample, lasts 1 + exponential samples, and may overlap
 * the next.
 */
export class Outages {
  /** In the order of their starts. */
  private readonly spans: readonly { readonly from: number; readonly to: number }[];
  private next = 0;
  private until = 0;

  constructor({ outages, seed }: Pick<Scenario, "outages" | "seed">, node: string, count: number) {
    const random = new Random(seed, `${node}/outages`);
    this.spans = Array.from({ length: outages.count }, () => {
      const from = random.below(count);
      const length = 1 + Math.floor(random.exponential(Math.max(0, outages.lengthMean - 1)));
      return { from, to: Math.min(count, from + length) };
    }).sort((a, b) => a.from - b.from);
  }

  /** True if it is off at sample k. Call it for one sample after the other. */
  at(k: number): boolean {
    const { spans } = this;
    while (this.next < spans.length && spans[this.next].from <= k)
      this.until = Math.max(this.until, spans[this.next++].to);
    return k < this.until;
  }
}
