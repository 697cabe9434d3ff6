import { test } from "uvu";
import * as assert from "uvu/assert";
import { Lateness, lateText } from "../../host-sim/labels/late-labels.ts";
import { renderTable } from "../../host-sim/report/terminal.ts";
import { runScenario } from "../../host-sim/runs/run-scenario.ts";
import { choosePending } from "../../host-sim/scenario/pending.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { nodeLayout } from "../../src/node/node-layout.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";

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
  const scenarioWith = (pending: number) => ({
    schema: "motelearn.scenario/1",
    stream: { type: "scene", nodes: 2, samples: 1500, channels: 2 },
    node: { pending },
    labels: { delayMean: 300, delaySpread: 20 },
    tasks: [
      { name: "presence", task: "classification", learners: [{ learner: "pa" }] },
      { name: "swift", task: "classification", learners: [{ learner: "pa" }], labels: { delayMean: 3 } },
    ],
  });
  const result = await runScenario(scenarioWith(64));
  const shown = renderTable({ ...result, repeat: "" }, { columns: 200 });
  const lines = shown.split("\n").filter((line) => line.startsWith("late "));
  assert.is(lines.length, 1, shown);
  const [, share, pending] =
    /^late +(\d+) % of the labels came after .*: set pending to about (\d+), /.exec(lines[0]) ?? [];
  assert.ok(Number(share) > 90, lines[0]); // the last samples stay in the ring
  const { labels } = result.nodes[0].learners[0];
  assert.is(labels.remedy?.pending, Number(pending));
  const mended = await runScenario(scenarioWith(Number(pending)));
  for (const { learners } of mended.nodes)
    for (const { labels: own } of learners) assert.ok(own.late <= 0.01 * own.issued, `${own.late}`);
  assert.not.match(renderTable({ ...mended, repeat: "" }, { columns: 200 }), /^late /m);
});

test("a scenario without pending gets what holds its labels' delay, of each task, and says so", async () => {
  const scenario = {
    schema: "motelearn.scenario/1",
    stream: { type: "scene", nodes: 1, samples: 1500, channels: 2 },
    labels: { delayMean: 300, delaySpread: 20 },
    tasks: [
      { name: "late", task: "classification", learners: [{ learner: "pa" }] },
      { name: "swift", task: "classification", learners: [{ learner: "pa" }], labels: { delayMean: 3 } },
      {
        name: "own",
        task: "classification",
        learners: [{ learner: "pa" }],
        node: { pending: 40 },
      },
    ],
  };
  const result = await runScenario(scenario);
  const [late, swift, own] = result.nodes[0].learners;
  assert.equal(late.pending, { samples: 350, from: "delay" });
  assert.ok(late.labels.late <= 0.01 * late.labels.issued, `${late.labels.late} late`);
  assert.equal(swift.pending, { samples: 64, from: "default" });
  assert.equal(own.pending, { samples: 40, from: "scenario" });
  const told = renderTable({ ...result, repeat: "" }, { columns: 200 });
  assert.is(told.match(/^pending +350 samples wait for their label/gm)?.length, 1, told);
  assert.is(told.match(/^pending/gm)?.length, 1);
  assert.ok(late.nodeBytes > swift.nodeBytes);
});

test("the default of pending is bounded by the delay's maximum and the node's, and knows when a node talks", () => {
  const delay = { delayMean: 0, delaySpread: 0, delayMax: 1000 };
  const choose = (labels: object, node: object = {}) =>
    choosePending({ node, labels: { ...delay, ...labels } }).samples;
  assert.is(choose({}), 64);
  assert.is(choose({ delayMean: 62 }), 64);
  assert.is(choose({ delayMean: 63 }), 65);
  assert.is(choose({ delayMean: 500, delaySpread: 1e6 }), 1100);
  assert.is(choose({ delayMean: 1e6, delayMax: 1e9 }), 65_535);
  assert.is(choose({ delayMean: 20 }, { sleep: { talkEvery: 60, talkMs: 2000 } }), 81);
  assert.is(choose({ delayMean: 500 }, { pending: 7 }), 7);
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
