import { test } from "uvu";
import * as assert from "uvu/assert";
import { renderTable } from "../../host-sim/report/terminal.ts";
import type { LearnerResult, Scores, SimulateResult } from "../../host-sim/scoring/result.ts";
import { COUNTERS, type Task } from "../../src/learn/learner.ts";
import { NODE_COUNTERS } from "../../src/node/node-counters.ts";

const NO_EVENT = { why: "no sample of class +1 in the stream of this mote, which was never opened up" };
const NONE = { at: [], value: [] };

function zeros<Name extends string>(names: readonly Name[], options: Partial<Record<Name, number>>) {
  return { ...Object.fromEntries(names.map((name) => [name, 0])), ...options } as Record<Name, number>;
}

function scores(balancedAccuracy: number, events: number): Scores {
  const defined = (value: number) => (events > 0 ? value : NO_EVENT);
  return {
    error: 0.0412,
    balancedAccuracy: defined(balancedAccuracy),
    f1: defined(0.5),
    auc: defined(0.95),
    events,
    eventsFound: Math.min(events, 12),
    falseAlarms: 37,
    falseAlarmRate: 0.01,
    rmse: 0.43217,
  };
}

const WAY = { frames: 14_066, bytes: 421_980, lost: 470, doubled: 8, damaged: 31, stalls: 2 };

function learner(task: string, kind: Task, name: string, events: number): LearnerResult {
  const { labels, ...rest } = {
    labels: { issued: 4690, applied: 4417, late: 61, lost: 212, wrong: 388, duplicates: 1, held: 2 },
    bytes: 14352,
    bytesUsed: 13120,
    nodeBytes: 19840,
    pending: { samples: 64, from: "default" as const },
    size: 52,
    budget: 64,
  };
  return {
    ...rest,
    name,
    task,
    kind,
    channels: 2,
    classes: 2,
    samples: 4690,
    missed: 0,
    labels: { ...labels, died: 0, refused: 0, open: 0, lagMean: 21.3, lagMax: 63 },
    link: { up: WAY, down: WAY, labelsResent: 455, samplesRefed: 0, overruns: 0 },
    power: { cuts: 0, duringSave: 0, restored: 0, fallback: 0, fresh: 1 },
    metrics: scores(0.912, events),
    ideal: scores(0.95, events),
    trivial: { majority: scores(0.5, events), last: scores(0.77, events) },
    counters: zeros(COUNTERS, { dropped: 12, evicted: 340 }),
    nodeCounters: zeros(NODE_COUNTERS, {}),
    stateHash: "0",
    nodeHash: "0",
    curves: { error: NONE, idealError: NONE, size: NONE, lag: NONE },
  };
}

function network(name = "kernel-perceptron", fusion: SimulateResult["fusion"] = []): SimulateResult {
  const nodes = ["mote-1", "mote-2"].map((node, n) => ({
    node,
    learners: [
      learner("novelty", "novelty", "olk-n", n === 0 ? 14 : 0),
      learner("faults", "classification", name, 14),
      learner("level", "regression", "olk-r", 0),
    ],
  }));
  return {
    schema: "motelearn.simulate/1",
    scenario: "four-motes",
    title: "Four motes",
    seed: 1,
    repeat: "npx motelearn simulate --seed 1",
    engine: "node",
    arithmetic: "typescript",
    nodes,
    fusion,
  };
}

const FUSION = {
  task: "faults",
  rule: "majority",
  decisions: 4690,
  error: 0.0689,
  rules: { majority: 0.0689, "chair-varshney": 0.0412 },
  votes: Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`mote-${i + 1}`, 0.1])),
  estimated: { "mote-1": 0.093 },
  alarms: [{ node: "mote-2", decision: 812, rate: 0.051 }],
};

const widest = (text: string) => Math.max(...text.split("\n").map((line) => [...line].length));
const line = (text: string, part: string) => text.split("\n").find((each) => each.includes(part))!;

if (process.env.MOTELEARN_TABLE)
  console.log(renderTable(network(undefined, [FUSION]), { columns: Number(process.env.MOTELEARN_TABLE) }));

test("no line is wider than the terminal, whatever the names", () => {
  for (const columns of [40, 60, 80, 100, 110, 120, 200]) {
    for (const name of ["pa", "kernel-perceptron", "x".repeat(300), "词".repeat(60)]) {
      const text = renderTable(network(name, [FUSION]), { columns });
      assert.ok(widest(text) <= columns, `${widest(text)} > ${columns}`);
    }
  }
});

test("within 120 columns each task is one block, with every figure of a learner in its line", () => {
  const text = renderTable(network(), { columns: 120 });
  const [row] = text.slice(text.indexOf("Task faults")).match(/ {2}kernel-perceptron .*/)!;
  assert.equal(row.trim().split(/\s+/).slice(1), [
    ...["4690", "4417", "61", "212", "388"],
    ...["0.041", "0.912", "0.950", "12/14", "37"],
    ...["13120/14352", "52/64", "12+340"],
  ]);
});

test("where columns are few, those that don't fit go below, beside the names again", () => {
  const text = renderTable(network(), { columns: 80 });
  assert.ok(text.match(/ {2}kernel-perceptron/g)!.length >= 4);
  for (const figure of ["4417", "0.912", "13120/14352", "12+340"]) assert.ok(text.includes(figure), figure);
});

test("the trivial predictors' scores stand under each node's learners", () => {
  const text = renderTable(network(), { columns: 120 });
  assert.match(line(text, "(majority received)"), /0\.500 +0\.950 +12\/14 +37$/);
  assert.match(line(text, "(last received)"), /0\.770 +0\.950 +12\/14 +37$/);
});

test("an undefined figure prints n/a and the number of a footnote, each reason said once", () => {
  const text = renderTable(network(), { columns: 120 });
  assert.match(line(text.slice(text.indexOf("mote-2")), "olk-n"), /n\/a\[1\] +n\/a\[1\] +n\/a\[2\] +37/);
  assert.is(text.split("never opened up").length, 2);
  assert.match(text, /^\[2\] +no events in the stream of this node$/m);
});

test("a regression task shows its RMSE, and no figures of classes", () => {
  const text = renderTable(network(), { columns: 120 });
  const task = text.slice(text.indexOf("Task level"));
  assert.match(task, /RMSE/);
  assert.match(task, /0\.4322/);
  assert.not.match(task.slice(0, task.indexOf("\n\n")), /AUC|alarms/);
});

test("the table shows fusion when there was any", () => {
  assert.not.match(renderTable(network(), { columns: 120 }), /Fusion/);
  const text = renderTable(network(undefined, [FUSION]), { columns: 80 });
  assert.match(text, /Fusion, faults: rule majority, wrong in 0\.069 of 4690 decisions/);
  assert.match(text, /chair-varshney 0\.041/);
  assert.match(text, /mote-12 0\.100/);
  assert.match(text, /estimated +mote-1 0\.093/);
  assert.match(text, /alarm +mote-2 errs more often, noticed at decision 812; until then 0\.051/);
});

test("there is no colour, and no control character out of a name", () => {
  const text = renderTable(network("bad\u001b[31m\nname"), { columns: 120 });
  assert.not.match(text.replaceAll("\n", ""), /\p{Cc}/u);
  assert.match(text, /bad\\x1b\[31m\\nname/);
});

test("numbers line up at their right ends", () => {
  const text = renderTable(network(), { columns: 120 });
  const task = text.slice(text.indexOf("Task faults"), text.indexOf("Task level"));
  const lines = task.split("\n").filter((each) => each.includes("+340"));
  assert.is(lines.length, 2);
  assert.is(new Set(lines.map((each) => each.length)).size, 1);
});

test.run();
