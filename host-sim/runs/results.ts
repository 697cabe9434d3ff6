import { arithmetic } from "../../host/arithmetic.ts";
import type { NetworkOutcome } from "../network/network.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { FusionResult, LearnerResult, SimulateResult } from "../scoring/result.ts";
import { planRuns } from "./runs.ts";

/** Each learner of a task sees the same readings: the first learner's result has them. */
function withoutReadings({ readings, ...result }: LearnerResult): LearnerResult {
  return result;
}

/** Makes `simulate`'s result of the outcomes of a scenario's networks, in the order of `planRuns`. */
export function assemble(
  scenario: Scenario,
  outcomes: readonly NetworkOutcome[],
  repeat: string,
  timing?: SimulateResult["timing"],
  engine = { name: "node", arithmetic: arithmetic().name as string },
): SimulateResult {
  const runs = planRuns(scenario, "");
  const nodes = outcomes[0].nodes.map(({ node }, index) => ({
    node,
    learners: runs.map(({ learner }, run) => {
      const { result } = outcomes[run].nodes[index];
      return learner === 0 ? result : withoutReadings(result);
    }),
  }));
  const fusion = runs.flatMap(({ learner }, run): FusionResult[] => {
    const told = outcomes[run].fusion;
    return learner === 0 && told ? [told] : [];
  });
  return {
    schema: "motelearn.simulate/1",
    scenario: scenario.name,
    title: scenario.title || scenario.name,
    seed: scenario.seed,
    repeat,
    engine: engine.name,
    arithmetic: engine.arithmetic,
    nodes,
    fusion,
    ...(timing && { timing }),
  };
}
