import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { prepare, runNetwork } from "../../host-sim/network/network.ts";
import { parseScenario } from "../../host-sim/scenario/scenario.ts";

const read = (name: string) =>
  readFileSync(join(process.cwd(), "host-sim/scenarios", `${name}.json`), "utf8");

/** Of a shipped scenario: its line is fast enough for the labels that it has. */
export function checkLine(name: string): void {
  test(`${name}: the line brings a node nearly all labels that the centre issues, while it can use them`, async () => {
    const scenario = parseScenario(read(name), name);
    for (const task of scenario.tasks.keys()) {
      const prepared = await prepare(scenario, name, task);
      const { nodes } = runNetwork({ scenario, prepared, task, learner: 0 });
      for (const { node, result } of nodes) {
        const { applied, issued, lagMean } = result.labels;
        assert.ok(applied >= 0.92 * issued, `${node}: ${applied} of ${issued} labels were learned`);
        const wanted = scenario.labels.delayMean + 10;
        assert.ok(
          typeof lagMean === "number" && lagMean < wanted,
          `${node}: they came ${lagMean} samples late`,
        );
      }
    }
  });
}
