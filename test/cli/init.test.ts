import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { perform, planRuns } from "../../host-sim/runs/runs.ts";
import { readNodeFile } from "../../host-sim/scenario/node-file.ts";
import { readScenario } from "../../host-sim/scenario/scenario.ts";
import { readCopy } from "../../host-sim/state/copy-file.ts";
import { makeFolder } from "../folder.ts";
import { freePort } from "../tools/ports.ts";
import { words } from "../words.ts";
import { refusesHere, runHere, runJsonHere } from "./program.ts";

const folder = makeFolder();

const FILES = [
  ".github/workflows/qemu.yml",
  ".gitignore",
  "main.ts",
  "manifest.json",
  "mod.json",
  "node.json",
  "package.json",
  "recorded.csv",
  "scenario.json",
  "soil-moisture.ts",
  "tsconfig.json",
];

test("init writes a project whose package.json names this package's folder, and what to do next", async () => {
  const project = join(folder, "a/new");
  const { code, stdout, stderr } = await runHere(["init", project]);
  assert.equal([code, stderr], [0, ""]);
  const files = readdirSync(project, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  assert.equal(files.map((one) => relative(project, join(one.parentPath, one.name))).sort(), FILES);
  for (const name of FILES) assert.ok(stdout.includes(`wrote ${join(project, name)}\n`), name);
  for (const step of [`cd ${project}`, "npm install", "npx motelearn simulate scenario.json"])
    assert.match(stdout, new RegExp(`^ {2}${step}$`, "m"));
  const { devDependencies } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
  assert.is(join(project, devDependencies.motelearn.replace("file:", "")), process.cwd());
});

test("its workflow gives flash and labels options that they have, with the project's own files", async () => {
  const project = join(folder, "workflow");
  await runHere(["init", project]);
  const lines = readFileSync(join(project, ".github/workflows/qemu.yml"), "utf8").split("\n");
  const words = (name: string) => {
    const line = lines.find((text) => text.includes(`npx motelearn ${name} `)) ?? "";
    const all = line.split("|")[0].trim().split(" ").slice(2);
    return all.map((word) => (FILES.includes(word) ? join(project, word) : word));
  };
  const { code, stdout, stderr } = await runHere([...words("flash"), "--dry-run"]);
  assert.is(code, 0, stderr);
  assert.match(stdout, /-serial tcp:127\.0\.0\.1:5555,server=on/);
  assert.ok(words("labels").includes("tcp://127.0.0.1:5555"));
  const elsewhere = `tcp://127.0.0.1:${await freePort()}`; // a node in QEMU may listen at 5555
  const labels = await runHere(words("labels").map((word) => (word.startsWith("tcp:") ? elsewhere : word)));
  assert.is(labels.code, 4, "no node is there");
  assert.match(labels.stderr, new RegExp(`${elsewhere}: nothing listens there`));
});

test("a second init overwrites nothing, and brings back what is gone", async () => {
  const project = join(folder, "again");
  await runHere(["init", project]);
  writeFileSync(join(project, "main.ts"), "// mine\n");
  rmSync(join(project, "scenario.json"));
  const { code, stdout } = await runHere(["init", project]);
  assert.is(code, 0);
  assert.is(readFileSync(join(project, "main.ts"), "utf8"), "// mine\n");
  assert.ok(stdout.includes(`kept  ${join(project, "main.ts")}\n`));
  assert.ok(stdout.includes(`wrote ${join(project, "scenario.json")}\n`));
});

test("beside a package.json of one's own it says what to install", async () => {
  const project = mkdtempSync(join(folder, "own-"));
  writeFileSync(join(project, "package.json"), '{ "dependencies": { "motelearn": "0.1.0" } }');
  const { stdout } = await runHere(["init", project]);
  assert.match(stdout, /^ {2}npm install --save-dev @moddable\/typings@5\.6\.0 typescript@7\.0\.2$/m);
});

test("a folder that can't be is refused on one line", async () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  await refusesHere(["init"], "folder");
  await refusesHere(["init", file], file, "a file has that name", "give a folder");
  await refusesHere(["init", join(file, "below")], "not a folder, but a file", "give another place");
  await refusesHere(["init", "/proc/motelearn"], "/proc/motelearn", "can't be written");
});

test("the project's node file and its manifest are of one node", () => {
  const node = readNodeFile("examples/own-sensor/node.json");
  const { config } = JSON.parse(readFileSync("examples/own-sensor/manifest.json", "utf8"));
  const {
    learner,
    options = {},
    classes,
    pending,
    standardise,
    checkpointEvery,
    checkpointMs,
    periodMs,
  } = node;
  const features = { window: node.window ?? 0, standardise };
  assert.equal(
    { learner, options, classes, features, pending, checkpointEvery, checkpointMs, periodMs },
    config.node,
  );
});

test("--state: the project's node starts from a state of such a node, and its scenario simulates that", async () => {
  const project = join(folder, "taught");
  await runHere(["init", project]);
  const state = join(folder, "learned.json");
  const train = ["--train", join(project, "recorded.csv"), "--node", join(project, "node.json")];
  const { stateHash } = await runJsonHere(
    "motelearn.evaluate/1",
    "evaluate",
    ...train,
    "--delay",
    "1",
    "--save",
    state,
  );
  const taught = join(folder, "from-state");
  const { code, stdout, stderr } = await runHere(["init", taught, "--state", state]);
  assert.equal([code, stderr], [0, ""]);
  assert.match(stdout, /^ {2}npx motelearn rollback --copy state\.json --port /m);
  assert.is(readNodeFile(join(taught, "node.json")).state, join(taught, "state.json"));
  const saved = readCopy(join(taught, "state.json"));
  assert.is(saved.hash, stateHash);
  const scenario = join(taught, "scenario.json");
  const { nodeCounters, labels } = (await perform(planRuns(readScenario(scenario), scenario)[0])).nodes[0]
    .result;
  assert.is(nodeCounters.applied, saved.labelled + labels.applied);
  await runJsonHere("motelearn.evaluate/1", "evaluate", ...train, "--learner", "pa", "--save", state);
  await refusesHere(
    ["init", join(folder, "other"), "--state", state],
    "--state",
    "learner is pa, not auto",
    "evaluate --node FOLDER/node.json --save FILE",
  );
});

const RAW_NODE = {
  ...{ schema: "motelearn.node/1", learner: "olk-c", options: { budget: 16 }, channels: 128 },
  ...{ classes: ["sound", "worn"], pending: 64, window: 64, bands: 8, burst: 64, standardise: true },
  ...{ periodMs: 500, board: "esp32", sensors: [{ analog: 34 }] },
};

/** A node's file, and the recording that taught it. */
function taughtNode(name: string, node: object, rows: readonly string[]) {
  const [file, train, state] = ["node.json", "csv", "state.json"].map((end) =>
    join(folder, `${name}.${end}`),
  );
  writeFileSync(file, JSON.stringify(node));
  writeFileSync(train, `${rows.join("\n")}\n`);
  return { file, train, state };
}

test("--node: a project of a raw signal's node takes the state that evaluate saved, and its sensor class has the rate", async () => {
  const rows = Array.from({ length: 64 * 50 }, (_, k) => {
    const isWorn = Math.floor(k / 640) % 2 === 1;
    return `${Math.sin(0.3 * k).toFixed(3)},${((isWorn ? 1 : 0.1) * Math.sin(1.3 * k)).toFixed(3)},${isWorn ? "worn" : "sound"}`;
  });
  const { file, train, state } = taughtNode("raw", RAW_NODE, ["x,y,state", ...rows]);
  const { stateHash } = await runJsonHere(
    "motelearn.evaluate/1",
    ...["evaluate", "--node", file, "--train", train, "--rate", "1000", "--period", "64", "--save", state],
  );
  const project = join(folder, "raw");
  const { code, stdout, stderr } = await runHere([
    ...words`init ${project} --node ${file} --rate 1000 --state ${state}`,
  ]);
  assert.equal([code, stderr], [0, ""]);
  assert.match(
    stdout,
    /^ {2}npx motelearn board --project \.\n {2}npx motelearn rollback --copy state\.json /m,
  );
  assert.is(readCopy(join(project, "state.json")).hash, stateHash);
  const { state: saved, sensors, ...text } = readNodeFile(join(project, "node.json"));
  const { sensors: _, ...given } = RAW_NODE;
  assert.equal([text, saved, sensors], [given, join(project, "state.json"), undefined]);
  const { include, config } = JSON.parse(readFileSync(join(project, "manifest.json"), "utf8"));
  assert.ok(include[0].endsWith("/targets/esp32/board.json") && include[1].endsWith("/olk-c.json"), include);
  assert.is(config.readings.pins.length, 2);
  assert.equal([config.readings.burst, config.readings.rate], [64, 1000]);
  assert.equal(
    [config.node.channels, config.node.periodMs, config.node.classes],
    [128, 500, ["sound", "worn"]],
  );
  assert.match(readFileSync(join(project, "sensor.ts"), "utf8"), /Timer\.repeat/);
  await refusesHere(
    ["init", join(folder, "no-rate"), "--node", file],
    "64 readings of each sensor; how many a second? Give --rate HZ",
  );
});

test("--node: readings one by one, and what no project takes", async () => {
  const plain = { schema: "motelearn.node/1", learner: "pa", channels: 3, periodMs: 2000 };
  const { file } = taughtNode("plain", plain, []);
  const project = join(folder, "plain");
  assert.is((await runHere(["init", project, "--node", file])).code, 0);
  const { config, creation } = JSON.parse(readFileSync(join(project, "manifest.json"), "utf8"));
  assert.equal(
    [config.readings.pins.length, config.readings.burst, config.node.learner],
    [3, undefined, "pa"],
  );
  const { stdout } = await runHere(["plan", "--node", join(project, "node.json"), "--creation"]);
  assert.equal(creation, JSON.parse(stdout).creation);
  assert.equal(readdirSync(project).includes("scenario.json"), false);
  const refused = async (node: object, ...parts: readonly string[]) =>
    refusesHere(["init", join(folder, "refused"), "--node", taughtNode("refused", node, []).file], ...parts);
  await refused(
    { ...plain, key: "k" },
    "key: a project's manifest.json says it under config.wire; leave it out",
  );
  await refused({ ...plain, learner: "paa" }, "paa");
  await refusesHere(
    ["init", project, "--node", file, "--rate", "10"],
    "one reading of each sensor; leave --rate out",
  );
  await refusesHere(["init", project, "--rate", "10"], "--rate: is for --node FILE");
});

test("init's template records 400 samples of the emulated board, two readings and a label in each", () => {
  const [head, ...rows] = readFileSync("examples/own-sensor/recorded.csv", "utf8").trim().split("\n");
  assert.is(head, "moisture,temperature,label");
  assert.is(rows.length, 400);
  assert.ok(rows.every((row) => row.split(",").length === 3));
});

test.run();
