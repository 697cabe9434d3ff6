import type { Learner } from "../../src/learn/learner.ts";
import { hashWords } from "../../src/memory/hash.ts";

/** The hash of the state without the statistics of outliers and stale vectors, which any sample changes. */
export function modelHash({ layout, range }: Learner): string {
  const model = layout.regions
    .filter(
      ({ kind, name }) =>
        kind === "state" && !/(^|\.)(outliers|inputOutliers|refusals|lastUse|uses|clock)$/.test(name),
    )
    .map(({ offset, words }) => hashWords(range.f32.bits, range.state + offset, words));
  return model.join(" ");
}
