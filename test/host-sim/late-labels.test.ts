import { test } from "uvu";
import * as assert from "uvu/assert";
import { Lateness, lateText } from "../../host-sim/labels/late-labels.ts";
import { renderTable } from "../../host-sim/report/terminal.ts";
import { runScenario } from "../../host-sim/run-scenario.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { type NodeOptions, nodeLayout } from "../../src/node/node.ts";

const NODE: NodeOptions = { sid: 1, channels: 6, pending: 64, learner: familyNamed("pa")!, options: {} };

const late = (distances: readonly number[]) => {
  const lateness = new Lateness();
  for (const distance of distances) lateness.add(distance);
  return lateness;
};

test("the pending that late labels need holds all but one in a hundred, rounded up to two digits", () => {
  for (const [distances, pending] of [
    [[64], 65],
    [[99, 100], 110],
    [[796, 2, 1], 800],
    [[60_000, ...Array.from({ length: 199 }, () => 700)], 710],
    [[64_999], 65_000],
    [[70_000], 71_000],
  ] as const)
    assert.is(late(distances).remedy()?.pending, pending);
  assert.is(late([]).remedy(), undefined);
  const both = late([3]);
  both.addAll(late(Array.from({ length: 200 }, () => 90)));
  assert.is(both.remedy()?.pending, 91);
});

test("the sentence has the share, the pending and its bytes, where the node's options are known", () => {
  const lateness = late(Array.from({ length: 198 }, () => 790));
  const bytes = nodeLayout({ ...NODE, pending: 800 }).bytes - nodeLayout(NODE).bytes;
  const what = "99 % of the labels came after their sample was discarded: set pending to about 800";
  assert.is(lateText(198, 200, lateness.remedy()), what);
  assert.is(lateText(198, 200, lateness.remedy(NODE)), `${what}, ${(bytes / 1000).toFixed(1)} KB more`);
  assert.match(lateText(1, 900, late([70]).remedy(NODE)), /^less than 1 % .* about 71, \d+ bytes more$/);
  assert.match(lateText(9, 9, late([70_000]).remedy(NODE)), /no node keeps samples so long/);
});

test("a simulation names the pending that mends late labels, in a line of each task and in its result", async () => {
  const scenarioOf = (pending: number) => ({
    schema: "motelearn.scenario/1",
    stream: { type: "scene", nodes: 2, samples: 1500, channels: 2 },
    node: { pending },
    labels: { delayMean: 300, delaySpread: 20 },
    tasks: [
      { name: "presence", task: "classification", learners: [{ learner: "pa" }] },
      { name: "swift", task: "classification", learners: [{ learner: "pa" }], labels: { delayMean: 3 } },
    ],
  });
  const result = await runScenario(scenarioOf(64));
  const shown = renderTable({ ...result, repeat: "" }, { columns: 200 });
  const lines = shown.split("\n").filter((line) => line.startsWith("late "));
  assert.is(lines.length, 1, shown);
  const [, share, pending] =
    /^late +(\d+) % of the labels came after .*: set pending to about (\d+), /.exec(lines[0]) ?? [];
  assert.ok(Number(share) > 90, lines[0]); // the last samples stay in the ring
  const { labels } = result.nodes[0].learners[0];
  assert.is(labels.remedy?.pending, Number(pending));
  const mended = await runScenario(scenarioOf(Number(pending)));
  for (const { learners } of mended.nodes)
    for (const { labels: own } of learners) assert.ok(own.late <= 0.01 * own.issued, `${own.late}`);
  assert.not.match(renderTable({ ...mended, repeat: "" }, { columns: 200 }), /^late /m);
});

test("late labels of a long run are counted in pages that are reused", async () => {
  const result = await runScenario({
    schema: "motelearn.scenario/1",
    stream: { type: "scene", nodes: 1, samples: 3000, channels: 2 },
    node: { pending: 20, checkpointEvery: 10 },
    labels: { delayMean: 25, delaySpread: 10 },
    tasks: [{ name: "presence", task: "classification", learners: [{ learner: "pa" }] }],
  });
  const { labels } = result.nodes[0].learners[0];
  assert.ok(labels.late > 1000, `${labels.late}`);
  // 99 in 100 of those late come within the delay's 99.5th percentile or so: 25 + 2.6 * 10.
  assert.ok(
    labels.remedy && labels.remedy.pending > 44 && labels.remedy.pending < 57,
    `${labels.remedy?.pending}`,
  );
});

test.run();
