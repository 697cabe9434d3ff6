import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { runScenario } from "../../host-sim/index.ts";
import { networkRows } from "../../host-sim/runs/rows.ts";

const guide = readFileSync("docs/sweep.md", "utf8");
const [, section] = /## The columns of the table\n(.*?)\n## /s.exec(guide) as RegExpExecArray;

const stream = { type: "scene", nodes: 2, samples: 200, channels: 2 };

/** The rows of a network in which much goes wrong. */
async function rows(task: object, more: object = {}) {
  const { nodes, fusion } = await runScenario({
    ...{ schema: "motelearn.scenario/1", stream, tasks: [{ name: "t", ...task }] },
    ...{ labels: { delayMean: 70, loss: 0.1 }, node: { pending: 50, coverage: 0.8 }, power: { at: [90] } },
    ...more,
  });
  const outcome = { nodes: nodes.map(({ node, learners: [result] }) => ({ node, result })) };
  return networkRows({ ...outcome, ...(fusion && { fusion: fusion[0] }) } as never).nodes;
}

test("the guide to sweeps names every column of their table", async () => {
  const arow = [{ learner: "arow" }];
  const known = [...section.matchAll(/`(\w+)(\.\w+)?`/g)].map(([, name]) => name);
  for (const task of [
    { task: "classification", learners: arow, node: { drift: "watch" } },
    { task: "regression", learners: [{ learner: "rls" }] },
  ])
    for (const row of await rows(task))
      for (const column of Object.keys(row)) assert.ok(known.includes(column.split(".")[0]), column);
});

test("a regression's table has no count of events, which would be no zero", async () => {
  const [row] = await rows({ task: "regression", learners: [{ learner: "rls" }] });
  assert.equal([row.events, row.eventsFound, row.falseAlarms], [null, null, null]);
  const [two] = await rows({ task: "classification", learners: [{ learner: "pa" }] });
  assert.type(two.events, "number");
});

test.run();
