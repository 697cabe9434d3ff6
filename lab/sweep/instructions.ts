import type { Catalogue } from "../../host-sim/catalogue/catalogue.ts";
import { chosenFamily } from "../../host-sim/network/learner.ts";
import { nodeOptions } from "../../host-sim/network/node-run.ts";
import type { NetworkRows, NodeRow } from "../../host-sim/runs/rows.ts";
import type { Scenario } from "../../host-sim/scenario/scenario.ts";
import { footprint } from "../../targets/footprint.ts";
import { learnerInstructions } from "../../targets/instructions.ts";
import { plannedNode } from "../../targets/planned-node.ts";

/** The board whose instructions are counted. */
export const COUNTED_ON = "esp32c3";

/**
 * A learner's instructions on that board for a prediction and the learning of its label, from `plan`; null
 * where not measured.
 */
function plannedInstructions(
  scenario: Scenario,
  { channels, classes }: NodeRow,
  catalogue: Catalogue,
): number | null {
  const [task] = scenario.tasks;
  const { labels = scenario.labels, node = scenario.node } = task;
  const choice = chosenFamily(catalogue, task, 0, classes as number);
  const options = nodeOptions({ ...scenario, labels, node }, choice, channels as number, 0);
  const { time } = footprint(COUNTED_ON, plannedNode(options));
  return time ? Math.round(learnerInstructions(time)) : null;
}

/** The rows of a network of one task and one learner, with the learner's cost. */
export function withInstructions(rows: NetworkRows, scenario: Scenario, catalogue: Catalogue): NetworkRows {
  const nodes = rows.nodes.map((node) => ({
    ...node,
    instructions: plannedInstructions(scenario, node, catalogue),
  }));
  return { ...rows, nodes };
}
