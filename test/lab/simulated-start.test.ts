import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { easyStream } from "../../host-sim/conformance/easy-streams.ts";
import { perform, planRuns } from "../../host-sim/runs/runs.ts";
import { readScenario } from "../../host-sim/scenario/scenario.ts";
import type { LearnerResult } from "../../host-sim/scoring/result.ts";
import type { Task } from "../../src/learn/learner.ts";
import { runJsonHere, temporaryFolder } from "../cli/program.ts";

const file = temporaryFolder();
const SAMPLES = 120;
const HALF = 70;

/** The stream's samples from one to another as a file. */
function csv(name: string, task: Task, from: number, to: number): string {
  const rows = easyStream(task, 2, SAMPLES, 1).slice(from, to);
  return file(name, rows.map(({ x, y }) => `${[...x]},${y}\n`).join(""));
}

const evaluated = (train: string, ...args: string[]) =>
  runJsonHere("motelearn.evaluate/1", "evaluate", "--train", train, ...args);

/** A scenario of one node that samples the rest of the stream, with these options beside `node` and `tasks`. */
function writeScenario(task: string, learner: object, node: object, options: object = {}): string {
  const stream = { type: "files", files: [{ node: "mote", path: "rest.csv" }] };
  const tasks = [{ name: task, task, learners: [learner] }];
  return file(
    "scenario.json",
    JSON.stringify({ schema: "motelearn.scenario/1", stream, node, tasks, ...options }),
  );
}

/** The result of the scenario's node. */
async function simulated(scenario: string): Promise<LearnerResult> {
  const [run] = planRuns(readScenario(scenario), scenario);
  return (await perform(run)).nodes[0].result;
}

for (const [learner, task] of [
  ["auto", "classification"],
  ["olk-c", "classification"],
  ["qkrls", "regression"],
] as const) {
  test(`${learner}: a simulated node goes on from a file's state to the hash of one run over all`, async () => {
    const name = `${learner}.json`; // a run keeps what it read by the file's name
    const state = file(name, "");
    const saved = await evaluated(csv("half.csv", task, 0, HALF), "--learner", learner, "--save", state);
    csv("rest.csv", task, HALF, SAMPLES);
    const whole = await evaluated(csv("whole.csv", task, 0, SAMPLES), "--learner", learner);
    const node = { state: name };
    const one = await simulated(writeScenario(task, { learner }, node));
    assert.is(one.stateHash, whole.stateHash);
    assert.is.not(one.stateHash, saved.stateHash);
    assert.equal(
      [one.samples, one.labels.issued, one.labels.applied],
      [SAMPLES - HALF, SAMPLES - HALF, SAMPLES - HALF],
    );
    assert.equal([one.labels.open, one.labels.late, one.power.restored, one.power.fresh], [0, 0, 1, 0]);
    assert.equal(one.metrics, one.ideal, "labels come at once, so the reference starts from the state too");
  });
}

test("power cuts and late labels: a node falls back to the state that it started from, and no further", async () => {
  const state = file("state.json", "");
  csv("rest.csv", "classification", HALF, SAMPLES);
  await evaluated(csv("half.csv", "classification", 0, HALF), "--learner", "olk-c", "--save", state);
  const scenario = writeScenario(
    "classification",
    { learner: "olk-c" },
    { state: "state.json" },
    {
      labels: { delayMean: 5 },
      power: { at: [20], off: 0 },
    },
  );
  const one = await simulated(scenario);
  assert.equal([one.power.cuts, one.power.restored, one.power.fresh], [1, 2, 0]);
  assert.is(one.labels.issued, SAMPLES - HALF);
  assert.is(one.labels.applied + one.labels.died + one.labels.late, SAMPLES - HALF);
  assert.is(one.nodeCounters.applied, HALF + one.labels.applied);
});

test("a state of other options, of another file's form, or for a fed node is refused", async () => {
  const state = file("state.json", "");
  csv("rest.csv", "classification", HALF, SAMPLES);
  await evaluated(csv("half.csv", "classification", 0, HALF), "--learner", "olk-c", "--save", state);
  const refused = async (learner: object, node: object, said: RegExp) => {
    try {
      await simulated(writeScenario("classification", learner, node));
    } catch (error) {
      assert.match((error as Error).message, said);
      return;
    }
    assert.unreachable(`${said}`);
  };
  const own = { learner: "olk-c" };
  await refused(
    { learner: "pa" },
    { state: "state.json" },
    /^node.state: state.json: .*learner is olk-c, not pa/,
  );
  const small = { learner: "olk-c", options: { budget: 8 } };
  await refused(small, { state: "state.json" }, /learner.budget is 64, not 8; give the options/);
  await refused(own, { state: "state.json", pending: 32 }, /pending is 64, not 32/);
  await refused(
    own,
    { state: "state.json", fed: true },
    /^node.state: a node that is fed begins with sample 1/,
  );
  await refused(own, { state: "nowhere.json" }, /nowhere.json: can't be read/);
  const { words, ...copy } = JSON.parse(readFileSync(state, "utf8"));
  file("changed.json", JSON.stringify({ ...copy, words, hash: "0".repeat(16) }));
  await refused(own, { state: "changed.json" }, /changed.json: its learner has the hash/);
});

test.run();
