import { test } from "uvu";
import * as assert from "uvu/assert";
import { renderTable } from "../../host-sim/report/terminal.ts";
import type { LearnerResult, SimulateResult } from "../../host-sim/scoring/result.ts";
import { network } from "./results.ts";

const LINES_MAX = 54;

/** A network of one task whose learners' balanced accuracies and labels are these. */
function oneTask(nodes: number, balanced: (node: number, learner: number) => number | undefined) {
  const result = network({ nodes });
  const changed = (each: LearnerResult, node: number, learner: number): LearnerResult => {
    const balancedAccuracy = balanced(node, learner) ?? { why: "one class" };
    return { ...each, metrics: { ...each.metrics, balancedAccuracy } };
  };
  return {
    ...result,
    fusion: [],
    nodes: result.nodes.map(({ node, learners }, n) => ({
      node,
      learners: learners.filter(({ task }) => task === "faults").map((each, l) => changed(each, n, l)),
    })),
  } satisfies SimulateResult;
}

const splitLines = (text: string) => text.split("\n");

test("up to 12 nodes are printed one by one, and any number of them with allNodes", () => {
  for (const [nodes, allNodes] of [
    [12, false],
    [13, true],
  ] as const) {
    const lines = splitLines(renderTable(network({ nodes }), { columns: 120, allNodes }));
    for (let n = 1; n <= nodes; n++) assert.is(lines.filter((line) => line === `mote-${n}`).length, 2);
    assert.not.ok(lines.some((line) => line.includes("--all-nodes")));
  }
  const page = renderTable(network({ nodes: 13 }), { columns: 120 });
  assert.ok(page.includes("--all-nodes prints all 13 nodes"));
});

test("at 80 columns and 40 each figure stays that 200 columns have, in blocks that fit", () => {
  const result = network({ nodes: 3 });
  const wide = splitLines(renderTable(result, { columns: 200 }));
  const words = (lines: readonly string[]) =>
    lines.flatMap((line) => line.split(/\s+/)).filter((word) => /\d|error|vectors|evicted|AUC/.test(word));
  for (const columns of [120, 80, 40]) {
    const lines = splitLines(renderTable(result, { columns }));
    for (const line of lines) assert.ok(line.length <= columns, line);
    const here = new Set(words(lines));
    assert.equal(
      words(wide).filter((word) => !here.has(word)),
      [],
      `${columns} columns`,
    );
    assert.ok(lines.some((line) => /\berror\b.*\bbal\. acc\./.test(line)) || columns < 80);
  }
  const large = renderTable(
    oneTask(64, (node) => 0.5 + node / 200),
    { columns: 80 },
  );
  assert.match(large, /\berror\b/);
});

test("64 nodes with three learners take a page, in one task or two, at 80 columns or 120", () => {
  for (const columns of [80, 120])
    for (const result of [oneTask(64, (node) => 0.5 + node / 200), network({ nodes: 64 })]) {
      const lines = splitLines(renderTable(result, { columns }));
      assert.ok(lines.length <= LINES_MAX, `${lines.length} lines of ${columns}`);
      for (const line of lines) assert.ok(line.length <= columns, line);
    }
});

test("totals are means, ranges and sums over the nodes; those without the figure aren't counted", () => {
  const text = renderTable(
    oneTask(20, (node, learner) => (node === 7 ? undefined : 0.9 - 0.1 * learner - (node === 3 ? 0.19 : 0))),
    { columns: 200 },
  );
  // 18 nodes of 0.9 and one of 0.71
  assert.match(text, /^olk-c +0\.890 0\.710\.\.0\.900 /m);
  assert.match(text, /^dual-greedy +0\.790 0\.610\.\.0\.800 /m);
  assert.match(text, /^\(majority received\) .* 0\/440 /m);
  assert.match(text, /^\(last received\) .* 440\/440 /m);
  assert.match(text, /Worst 10 nodes by bal\. acc\.[^\n]*; 1 more has none/);
});

test("the worst nodes come worst first, by the mean of their learners", () => {
  const text = renderTable(
    oneTask(30, (node, learner) => (node === 21 ? 0.4 : node === 4 ? 0.5 + 0.1 * learner : 0.9)),
    { columns: 120 },
  );
  const worst = splitLines(text.slice(text.indexOf("Worst"))).filter((line) => line.startsWith("mote-"));
  assert.is(worst.length, 10);
  assert.match(worst[0], /^mote-22 +0\.400 +0\.400 +0\.400 /);
  assert.match(worst[1], /^mote-5 +0\.500 +0\.600 +0\.700 /);
});

test("a regression's worst nodes have the largest RMSE", () => {
  const result = network({ nodes: 20, kind: "regression" });
  const rmse = result.nodes.map(({ node, learners }) => {
    const own = learners.filter(({ task }) => task === "faults").map(({ metrics }) => metrics.rmse as number);
    return { node, mean: own.reduce((sum, value) => sum + value, 0) };
  });
  const [{ node }] = rmse.sort((a, b) => b.mean - a.mean);
  const text = renderTable(result, { columns: 120 });
  const [, first] = /by RMSE[^\n]*\n[^\n]*\n[^\n]*\n─+\n(\S+)/.exec(text) ?? [];
  assert.is(first, node);
});

test("a regression's first baseline is called the mean, which it is, at few nodes and at many", () => {
  for (const nodes of [2, 20]) {
    const text = renderTable(network({ nodes, kind: "regression" }), { columns: 120 });
    const regression = text.slice(text.indexOf("Task faults"), text.indexOf("Fusion, faults"));
    assert.match(regression, /^ *\(mean received\) /m);
    assert.not.match(regression, /majority/);
    assert.match(text.slice(0, text.indexOf("Task faults")), /^ *\(majority received\) /m);
  }
});

test("of many nodes that stopped, err more often or vote, some are printed and the rest is counted", () => {
  const result = network({ nodes: 64 });
  const [{ alarms, ...fusion }] = result.fusion;
  const votes = Object.fromEntries(result.nodes.map(({ node }, n) => [node, n / 100]));
  const stop = { sample: 9, why: "out of memory", asked: 8 };
  const text = renderTable(
    {
      ...result,
      nodes: result.nodes.map(({ node, learners }) => ({
        node,
        learners: learners.map((each) => ({ ...each, stop, drift: { labels: [1], margins: [] } })),
      })),
      fusion: [{ ...fusion, votes, estimated: votes, alarms: result.nodes.map(() => alarms[0]) }],
    },
    { columns: 120 },
  );
  assert.is(text.match(/out of memory/g)?.length, 5);
  assert.ok(text.includes("and 379 more"));
  assert.is(text.match(/errs more often/g)?.length, 5);
  assert.ok(text.includes("and 59 more"));
  assert.ok(text.includes("votes      mote-64 0.630, mote-63 0.620,"));
  assert.ok(text.includes("in the mean of all 0.315"));
  assert.ok(text.includes("olk-c: alarms by labels at 64 nodes, by margins at 0"));
});

test.run();
