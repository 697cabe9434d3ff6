import type { NodeMaker } from "../../host-sim/network/simulated-node.ts";
import { assemble } from "../../host-sim/runs/results.ts";
import { perform, planRuns } from "../../host-sim/runs/runs.ts";
import { parseScenario } from "../../host-sim/scenario/scenario.ts";
import type { LearnerResult, SimulateResult } from "../../host-sim/scoring/result.ts";

/** Three nodes that watch a scene for a little while, with one learner. */
export const SCENE = {
  schema: "motelearn.scenario/1",
  stream: { type: "scene", nodes: 3, samples: 400, channels: 2, separation: 3 },
  tasks: [
    { name: "presence", task: "classification", learners: [{ learner: "olk-c", options: { budget: 16 } }] },
  ],
};

/** What a run of the scene, with these keys in place of its own, comes to. */
export async function run(options: object, maker?: NodeMaker): Promise<SimulateResult> {
  const scenario = parseScenario(JSON.stringify({ ...SCENE, ...options }), "test.json");
  const outcomes = [];
  for (const run of planRuns(scenario, "test.json")) outcomes.push(await perform(run, { maker }));
  return assemble(scenario, outcomes, "");
}

export function first(result: SimulateResult): LearnerResult {
  return result.nodes[0].learners[0];
}
