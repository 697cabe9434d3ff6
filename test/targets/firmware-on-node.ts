import type { Family } from "../../src/learn/family.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { type Keys, makeConfig, markChecked, plain } from "./bundled-node.ts";
import { CHANNELS } from "./firmware-bench.ts";

/** A firmware's configuration as `flash` checks and writes it, the bench for it, and what the node of src/ does. */
export function expectation(learner: string, options: object, more: object, wire: Keys) {
  const family = familyNamed(learner) as Family;
  const bench = {
    regression: family.task === "regression",
    isKeyed: !!wire.key,
    areLabelsKeyed: !!wire.labelKey,
  };
  const config = markChecked(makeConfig(learner, options, more, wire), CHANNELS);
  return { bench, config, outcome: plain(family, options, more, wire) };
}
