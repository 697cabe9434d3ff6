import { assemble } from "../../host-sim/runs/results.ts";
import { perform, planRuns } from "../../host-sim/runs/runs.ts";
import { parseScenario } from "../../host-sim/scenario/scenario.ts";
import type { SimulateResult } from "../../host-sim/scoring/result.ts";

const FAULTY = { delayMean: 10, noise: { symmetric: { rate: 0.2 } } };
export const CLASSES = { name: "scene", task: "classification", learners: [{ learner: "arow" }] };
/** Nodes that issue prediction sets, from labels late and wrong; and such that estimate a value. */
export const SCENARIO = {
  schema: "motelearn.scenario/1",
  stream: { type: "scene", nodes: 3, samples: 2000, channels: 2, separation: 2.5 },
  labels: FAULTY,
  node: { coverage: 0.9, labelFlips: [0.2, 0.2] },
  tasks: [CLASSES],
};
export const VALUES = {
  ...SCENARIO,
  labels: { delayMean: 10 },
  node: { coverage: 0.9 },
  tasks: [{ name: "value", task: "regression", learners: [{ learner: "qklms", options: { budget: 16 } }] }],
};

export async function run(options: object): Promise<SimulateResult> {
  const scenario = parseScenario(JSON.stringify({ ...SCENARIO, ...options }), "test.json");
  const outcomes = [];
  for (const run of planRuns(scenario, "test.json")) outcomes.push(await perform(run));
  return assemble(scenario, outcomes, "");
}

export const readSets = ({ nodes }: SimulateResult) => nodes.map(({ learners: [{ sets }] }) => sets!);
export const average = (values: readonly unknown[]) =>
  values.reduce((sum: number, value) => sum + (value as number), 0) / values.length;
