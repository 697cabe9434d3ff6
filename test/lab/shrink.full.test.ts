import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { lowerWhole, rounder, spare } from "../../lab/shrink/parts.ts";
import { refusesHere, runHere, runJsonHere, temporaryFolder } from "../cli/program.ts";
import { words } from "../words.ts";

const write = temporaryFolder();
let folders = 0;
/** A folder that isn't there yet. */
const fresh = () => join(write("beside", ""), "..", `small-${++folders}`);

const read = (out: string) => JSON.parse(readFileSync(join(out, "scenario.json"), "utf8"));

/** The sign of the first reading is the class; rows from 40 on have the opposite label. */
const ROWS = Array.from({ length: 60 }, (_, i) => {
  const sign = i % 2 ? 1 : -1;
  return `${sign * (1 + (i % 5))},${i % 3},${i < 40 ? sign : -sign}`;
});
const FILES = {
  schema: "motelearn.scenario/1",
  seed: 3,
  stream: {
    type: "files",
    files: ["left", "right"].map((node) => ({ node, path: "rows.csv" })),
  },
  node: { standardise: false, pending: 32 },
  labels: { delayMean: 2, noise: { symmetric: { rate: 0.1 } } },
  link: { loss: 0.1 },
  tasks: [
    {
      name: "a",
      task: "classification",
      learners: [{ learner: "arow" }, { learner: "pa", options: { C: 0.5 } }],
    },
    { name: "b", task: "classification", learners: [{ learner: "lol", options: { budget: 8 } }] },
  ],
};
write("rows.csv", `x,y,label\n${ROWS.join("\n")}\n`);

test("parts are spared until each single one is needed", async () => {
  const needed = [3, 17, 18, 40];
  const enough = async (rest: readonly number[]) => needed.every((each) => rest.includes(each));
  assert.equal(await spare([...Array(50).keys()], enough), needed);
  assert.equal(await spare([1], async () => true), []);
  assert.is(await lowerWhole(1000, async (value) => value >= 137), 137);
  assert.is(await lowerWhole(1000, async () => false), 1000);
  assert.is(await rounder(0.12345, async (value) => value > 0.1), 1);
  assert.is(await rounder(0.12345, async (value) => value > 0.1 && value < 1), 0.12);
});

test("one task, one learner, one node and few rows are left of a run with wrong predictions", async () => {
  const out = fresh();
  const wrong = 'learners.some(({ learner, name, metrics }) => name === "pa" && metrics.error > 0.25)';
  const result = await runJsonHere(
    "motelearn.shrink/1",
    ...["shrink", write("wrong.json", JSON.stringify(FILES)), "--while", wrong, "--out", out],
  );
  const { tasks, stream } = read(out);
  assert.equal(
    tasks.map((task: { learners: { learner: string }[] }) => task.learners.map(({ learner }) => learner)),
    [["pa"]],
  );
  assert.is(stream.files.length, 1);
  assert.ok(result.to.samples <= 4, `${result.to.samples} samples`);
  assert.ok(result.to.values < result.from.values);
  const { code, stdout } = await runHere(["simulate", join(out, "scenario.json"), "--json", "--report", out]);
  assert.is(code, 0);
  assert.ok(JSON.parse(stdout).nodes[0].learners[0].metrics.error > 0.25);
});

test("the same command finds the same scenario", async () => {
  const path = write("same.json", JSON.stringify(FILES));
  const texts: string[] = [];
  for (let i = 0; i < 2; i++) {
    const out = fresh();
    const { code } = await runHere(["shrink", path, "--while", "learners[0].labels.wrong > 0", "--out", out]);
    assert.is(code, 0);
    texts.push(
      readFileSync(join(out, "scenario.json"), "utf8") + readFileSync(join(out, "1-rows.csv"), "utf8"),
    );
  }
  assert.is(texts[0], texts[1]);
});

test("a generated stream gets fewer samples and nodes, of sizes that the scenario left to the defaults", async () => {
  const out = fresh();
  const scenario = { ...FILES, stream: { type: "scene", samples: 300 } };
  const path = write("scene.json", JSON.stringify(scenario));
  const { code, stdout } = await runHere(["shrink", path, "--while", "learners[0].size >= 3", "--out", out]);
  assert.is(code, 2, "pa stores no vectors, arow neither");
  assert.is(stdout, "");
  const lol = 'learners.some(({ name, size }) => name === "lol" && size >= 3)';
  assert.is((await runHere(["shrink", path, "--while", lol, "--out", out])).code, 0);
  const { stream } = read(out);
  assert.is(stream.nodes, 1);
  assert.is(stream.channels, 1);
  assert.ok(stream.samples < 20, `${stream.samples} samples`);
});

test("a scenario that is refused keeps the key that it is refused for", async () => {
  const out = fresh();
  const tasks = [{ ...FILES.tasks[0], learners: [{ learner: "olk-c", options: { budget: -5, nu: 0.5 } }] }];
  const path = write("refused.json", JSON.stringify({ ...FILES, tasks }));
  const expression = 'exit === 2 && message.includes("budget")';
  assert.is((await runHere(["shrink", path, "--while", expression, "--out", out])).code, 0);
  assert.ok("budget" in read(out).tasks[0].learners[0].options);
});

test("what can't be done is said in one line, and makes no folder", async () => {
  const path = write("plain.json", JSON.stringify(FILES));
  const out = fresh();
  await refusesHere(
    ["shrink", path, "--while", "learners[", "--out", out],
    "--while learners[",
    "JavaScript expression",
  );
  await refusesHere(
    ["shrink", path, "--while", "errors > 1", "--out", out],
    "errors is not defined",
    "learners, xs",
  );
  await refusesHere(["shrink", path, "--while", "exit === 3", "--out", out], "doesn't hold", "exit code 0");
  await refusesHere(["shrink", path, "--out", out], "--while");
  await refusesHere(["shrink", "./none.json", "--while", "true", "--out", out], "none.json", "ENOENT");
  await refusesHere(
    ["shrink", write("broken.json", "{"), "--while", "true", "--out", out],
    "broken.json",
    "not JSON",
  );
  await refusesHere(
    ["shrink", write("list.json", "[]"), "--while", "true", "--out", out],
    "list.json",
    "not a JSON object",
  );
  await refusesHere(
    ["shrink", path, "--while", "true", "--out", join(out, "..")],
    "--out",
    "exists; give a new folder",
  );
  assert.not.ok(existsSync(out));
});

test("a folder that can't be made is refused before anything is run, and one that can isn't made yet", async () => {
  const file = write("a-file", "");
  const args = ["shrink", write("scenario.json", JSON.stringify(FILES)), "--while", "false", "--out"];
  await refusesHere([...args, join(file, "small")], "--out", "not a folder, but a file");
  await refusesHere([...args, "/proc/small"], "--out", "can't be written");
  await refusesHere([...args, ""], "--out", "takes a folder's name");
  const deep = fresh();
  await refusesHere([...args, join(deep, "small")], "--while");
  assert.not.ok(existsSync(deep));
});

test("the messages before and after are printed: another failure may hold the condition, too", async () => {
  const rows = ROWS.map((row, i) => (i === 20 ? row.replace(",", ",1e39,").replace(/,[^,]*$/, "") : row));
  write("beyond.csv", `x,y,label\n${rows.join("\n")}\n`);
  const stream = { type: "files", files: [{ node: "n", path: "beyond.csv" }] };
  const scenario = write("beyond.json", JSON.stringify({ ...FILES, stream }));
  const { code, stdout } = await runHere(["shrink", scenario, "--while", "exit === 2", "--out", fresh()]);
  assert.is(code, 0);
  const [, was, is] = /^was {5}(.*)\nis {6}(.*)$/m.exec(stdout) as RegExpExecArray;
  assert.match(was, /^1-beyond\.csv:\d+: column .*1e39 is beyond float32/);
  assert.not.match(is, /float32|motelearn-shrink/);
  const kept = 'exit === 2 && message.includes("beyond float32")';
  const result = await runJsonHere(
    "motelearn.shrink/1",
    ...words`shrink ${scenario} --while ${kept} --out`,
    fresh(),
  );
  assert.match(result.to.message, /beyond float32/);
});

test("--runs ends it with the smallest so far", async () => {
  const out = fresh();
  const path = write("few.json", JSON.stringify(FILES));
  const { code, stderr } = await runHere([
    "shrink",
    path,
    "--while",
    "exit === 0",
    "--runs",
    "5",
    "--out",
    out,
  ]);
  assert.is(code, 0);
  assert.match(stderr, /stopped after 5 runs/);
  assert.ok(existsSync(join(out, "scenario.json")));
});

test.run();
