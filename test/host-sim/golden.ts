import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { prepare, runNetwork } from "../../host-sim/network/network.ts";
import { parseScenario } from "../../host-sim/scenario/scenario.ts";

/** State hashes of the learner and of the whole node: by scenario, learner, node. */
type Hashes = Record<string, Record<string, readonly (readonly [state: string, node: string])[]>>;

const read = (path: string) => JSON.parse(readFileSync(join(process.cwd(), path), "utf8"));
const GOLDEN: Hashes = read("test/host-sim/golden.json");

/** Has that scenario end in the states that it always ended in. */
export function checkGolden(name: string): void {
  const learners = GOLDEN[name];
  test(`${name} over an undisturbed line ends in the states that it always ended in`, async () => {
    const scenario = parseScenario(
      JSON.stringify({ ...read(`host-sim/scenarios/${name}.json`), link: {} }),
      name,
    );
    // The states were recorded when linear learners had no bias.
    for (const { learners: choices } of scenario.tasks) {
      for (const choice of choices)
        if (choice.learner === "pa") Object.assign(choice.options, { bias: false });
    }
    const got: Record<string, readonly (readonly [string, string])[]> = {};
    for (const [task, { learners: choices, name: taskName }] of scenario.tasks.entries()) {
      const prepared = await prepare(scenario, name, task);
      choices.forEach((_, learner) => {
        const { nodes } = runNetwork({ scenario, prepared, task, learner });
        const [{ result: first }] = nodes;
        got[`${taskName}/${first.name}`] = nodes.map(
          ({ result }) => [result.stateHash, result.nodeHash] as const,
        );
        for (const { result } of nodes)
          assert.is(result.labels.issued, result.labels.applied + result.labels.late);
      });
    }
    assert.equal(got, learners);
  });
}
