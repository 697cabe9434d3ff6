import { arithmetic } from "../arithmetic.ts";
import type { NetworkOutcome } from "../network/network.ts";
import type { FusionResult, SimulateResult } from "../result.ts";
import type { Scenario } from "../scenario.ts";
import { jobsOf } from "./runs.ts";

/** Puts the outcomes of a scenario's networks, in the order of `jobsOf`, together to what `simulate` tells. */
export function assemble(
  scenario: Scenario,
  outcomes: readonly NetworkOutcome[],
  repeat: string,
  timing?: SimulateResult["timing"],
  engine = { name: "node", arithmetic: arithmetic().name as string },
): SimulateResult {
  const jobs = jobsOf(scenario, "");
  const nodes = outcomes[0].nodes.map(({ node }, index) => ({
    node,
    learners: jobs.map((_, job) => outcomes[job].nodes[index].result),
  }));
  const fusion = jobs.flatMap(({ learner }, job): FusionResult[] => {
    const told = outcomes[job].fusion;
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
