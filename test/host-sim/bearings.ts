import { readFileSync } from "node:fs";
import { join } from "node:path";
import { prepare, runNetwork } from "../../host-sim/network/network.ts";
import { parseScenario } from "../../host-sim/scenario/scenario.ts";

export const shipped = JSON.parse(
  readFileSync(join(process.cwd(), "host-sim/scenarios/bearings.json"), "utf8"),
);

/** Every network of the scenario as shipped but for what is given. */
export async function networks(options: object) {
  const scenario = parseScenario(JSON.stringify({ ...shipped, ...options }), "bearings");
  const found = [];
  for (const [task, { name, learners }] of scenario.tasks.entries()) {
    const prepared = await prepare(scenario, "bearings", task);
    for (const [learner, { learner: id }] of learners.entries())
      found.push({ name: `${name}/${id}`, ...runNetwork({ scenario, prepared, task, learner }) });
  }
  return found;
}
