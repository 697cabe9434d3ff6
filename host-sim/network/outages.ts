import { Random } from "../random.ts";
import type { Scenario } from "../scenario.ts";

/** 1 where a node is off. Each outage begins anywhere, lasts 1 + exponential samples, and may run into another. */
export function outagesOf({ outages, seed }: Scenario, node: string, count: number): Uint8Array {
  const off = new Uint8Array(count);
  const random = new Random(seed, `${node}/outages`);
  for (let i = 0; i < outages.count; i++) {
    const start = random.below(count);
    const length = 1 + Math.floor(random.exponential(Math.max(0, outages.lengthMean - 1)));
    off.fill(1, start, Math.min(count, start + length));
  }
  return off;
}
