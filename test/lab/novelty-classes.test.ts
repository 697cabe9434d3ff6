import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { runHere, runJsonHere, temporaryFolder } from "../cli/program.ts";

const file = temporaryFolder();

/** A tenth of the rows are novel: far from the others. */
function rows(usual: string, novel: string): string {
  const lines = Array.from({ length: 300 }, (_, i) => {
    const isNovel = i % 10 === 7;
    return `${((i * 37) % 100) / 50 + (isNovel ? 6 : 0)},${isNovel ? novel : usual}\n`;
  });
  return `x,label\n${lines.join("")}`;
}

const FILES = [
  ["normal", "odd"],
  ["ok", "fault"],
  ["1", "-1"],
  ["0", "1"],
] as const;

const scenario = (data: string, more: object = {}) => ({
  ...{ schema: "motelearn.scenario/1", stream: { type: "files", files: [{ node: "n", path: data }] } },
  tasks: [{ name: "t", task: "novelty", learners: [{ learner: "olk-n" }] }],
  ...more,
});

async function simulated(given: object) {
  const path = file("scenario.json", given);
  const { nodes } = await runJsonHere(
    "motelearn.simulate/1",
    "simulate",
    path,
    "--report",
    `${path}.reports`,
  );
  return nodes[0].learners[0];
}

test("the same file has the same novelty in evaluate and in simulate, whatever its labels are called", async () => {
  for (const [usual, novel] of FILES) {
    const data = file(`${usual}.csv`, rows(usual, novel));
    const args = ["--learner", "olk-n", "--train", data];
    const { stateHash, cumulativeError } = await runJsonHere("motelearn.evaluate/1", "evaluate", ...args);
    const { stateHash: hash, metrics, classNames } = await simulated(scenario(data));
    assert.is(hash, stateHash, novel);
    assert.is(metrics.error, cumulativeError.mean, novel);
    assert.equal(classNames, [usual, novel], "the truth's, the event last");
  }
});

test("a novelty node's file, and the one that simulate writes, name the novelty first, as its label -1", async () => {
  const data = file("named.csv", rows("ok", "fault"));
  const { stateHash } = await simulated(scenario(data));
  const node = { schema: "motelearn.node/1", learner: "olk-n", channels: 1, classes: ["fault", "ok"] };
  file("own.node.json", node);
  const named = { node: "own.node.json", tasks: [{ name: "t", task: "novelty" }] };
  assert.is((await simulated(scenario(data, named))).stateHash, stateHash);
  const path = file("written.json", scenario(data));
  const folder = `${path}.nodes`;
  const { stdout } = await runHere(["simulate", path, "--nodes", folder, "--report", folder]);
  assert.match(stdout, /^classes +fault -1, ok \+1$/m);
  assert.match(stdout, /^found +n, olk-n: ok \S+ of 270, fault \S+ of 30$/m);
  assert.equal(JSON.parse(readFileSync(`${folder}/t-olk-n.node.json`, "utf8")).classes, ["fault", "ok"]);
});

test("the file of the node that choose writes names the novelty first, the one that --novel says too", async () => {
  const data = file("chosen.csv", rows("ok", "worn"));
  for (const novel of [[], ["--novel", "ok"]]) {
    const node = file("chosen.node.json", "");
    const args = ["--task", "novelty", "--learners", "olk-n", "--budgets", "8", "--seconds", "0.1", ...novel];
    await runJsonHere("motelearn.choose/2", "choose", "--train", data, ...args, "--node", node);
    const { classes } = JSON.parse(readFileSync(node, "utf8"));
    assert.equal(classes, novel.length > 0 ? ["ok", "worn"] : ["worn", "ok"]);
  }
});

test("of a task with injected faults, and of a classifier, the event comes second", async () => {
  const data = file("classified.csv", rows("ok", "fault"));
  file("classifier.node.json", {
    ...{ schema: "motelearn.node/1", learner: "pa", channels: 1 },
    classes: ["ok", "fault"],
  });
  const named = { node: "classifier.node.json", tasks: [{ name: "t", task: "novelty" }] };
  assert.equal((await simulated(scenario(data, named))).classNames, ["ok", "fault"]);
});

test.run();
