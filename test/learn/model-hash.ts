import type { Learner } from "../../src/learn/learner.ts";
import { hashWords } from "../../src/memory/hash.ts";

/** The hash of the state but for what tells outliers from ordinary magnitudes, and stale vectors from others: any sample moves that. */
export function modelHash({ layout, range }: Learner): string {
  const model = layout.regions
    .filter(
      ({ kind, name }) =>
        kind === "state" && !/(^|\.)(outliers|inputOutliers|refusals|lastUse|uses|clock)$/.test(name),
    )
    .map(({ offset, words }) => hashWords(range.f32.bits, range.state + offset, words));
  return model.join(" ");
}
