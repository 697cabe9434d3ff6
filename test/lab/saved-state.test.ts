import { readFileSync } from "node:fs";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { flashedNode } from "../../cli/commands/flash.ts";
import { sha256 } from "../../host/identity.ts";
import { chooseFamily } from "../../host-sim/catalogue/learner-choice.ts";
import { easyStream } from "../../host-sim/conformance/easy-streams.ts";
import { readCopy } from "../../host-sim/state/copy-file.ts";
import { loneNode } from "../../host-sim/state/lone-node.ts";
import type { Task } from "../../src/learn/learner.ts";
import type { SensorNode } from "../../src/node/node.ts";
import { LABEL_STATUS } from "../../src/node/ports.ts";
import { nodeSchema } from "../../src/node/schema.ts";
import { refusesHere, runHere, runJsonHere, temporaryFolder } from "../cli/program.ts";
import { words } from "../words.ts";

const file = temporaryFolder();
const SAMPLES = 120;
const HALF = 70;
/** The session in which the file's samples are. */
const FILE_SESSION = 1;
const NODE_SESSION = 77;
/** Two of a board's sensors. */
const SENSORS = JSON.stringify([{ analog: 0 }, { analog: 1 }]);

/** The stream's first samples as a file, the last of them without labels. */
function csv(name: string, task: Task, count: number, unlabelled = 0): string {
  const rows = easyStream(task, 2, SAMPLES, 1).slice(0, count);
  return file(name, rows.map(({ x, y }, i) => `${[...x]},${i < count - unlabelled ? y : ""}\n`).join(""));
}

const evaluated = (train: string, ...args: string[]) =>
  runJsonHere("motelearn.evaluate/1", "evaluate", "--train", train, ...args);

/** A node that resumes from the copy in a session of its own. */
function resumed(path: string): SensorNode {
  const { learner, options } = JSON.parse(readFileSync(path, "utf8"));
  const { words, checkpoint, hash, seq, labelled } = readCopy(path);
  const own = { ...options, learner: chooseFamily(learner) };
  const node = loneNode(own);
  new Uint32Array(node.checkpointView.buffer, node.checkpointView.byteOffset).set(words);
  assert.ok(node.adopt());
  assert.equal([nodeSchema(own), node.learner.stateHash()], [checkpoint, hash]);
  assert.equal([node.seq, node.labelled], [seq, labelled]);
  node.renew(NODE_SESSION);
  return node;
}

/** Samples and labels after the file's, each label so many samples late: the file's last ones, too. */
function goOn(node: SensorNode, task: Task, delay: number): void {
  const rows = easyStream(task, 2, SAMPLES, 1);
  for (let k = HALF; k < SAMPLES + delay; k++) {
    if (k < SAMPLES) node.sample(rows[k].x);
    const row = k - delay;
    const sid = row < HALF ? FILE_SESSION : NODE_SESSION;
    const status = node.label({ number: node.labelled + 1, sid, seq: row + 1, y: rows[row].y });
    assert.is(status, LABEL_STATUS.applied, `label of sample ${row + 1}`);
  }
}

/** A learner, its task, and how late labels come. */
const CASES: readonly (readonly [string, Task, number])[] = [
  ["olk-c", "classification", 0],
  ["auto", "classification", 0],
  ["auto", "classification", 5],
  ["auto-r", "regression", 0],
  ["lol", "multiclass", 5],
  ["olk-c", "multiclass", 0],
  ["qkrls", "regression", 5],
  ["olk-n", "novelty", 5],
];

test("auto takes prompt labels as a node does, also where readings vary in scale", async () => {
  const path = file("prompt.json", "");
  const train = "examples/own-sensor/recorded.csv";
  const saved = await evaluated(train, "--learner", "auto", "--save", path);
  assert.is(readCopy(path).hash, saved.stateHash);
});

for (const [learner, task, delay] of CASES) {
  test(`${learner}, ${task}, labels ${delay} late: a node goes on from the file's state to the bits of one run`, async () => {
    const path = file(`${learner}-${task}-${delay}.json`, "");
    const late = ["--delay", `${delay}`];
    const half = csv("half.csv", task, HALF, delay);
    const saved = await evaluated(half, "--learner", learner, ...late, "--save", path);
    assert.is(readCopy(path).hash, saved.stateHash);
    const node = resumed(path);
    assert.is(node.seq, HALF);
    assert.is(node.labelled, HALF - delay);
    goOn(node, task, delay);
    const whole = await evaluated(csv("whole.csv", task, SAMPLES), "--learner", learner, ...late);
    assert.is(node.learner.stateHash(), whole.stateHash);
    assert.is.not(whole.stateHash, saved.stateHash);
  });
}

test("--scale none saves a node that takes its features as they are, of two readings and of windows", async () => {
  const path = file("unscaled.json", "");
  const train = csv("unscaled.csv", "classification", HALF);
  for (const [features, flags] of [
    [{ standardise: false }, []],
    [{ standardise: false, window: 4 }, words`--window 4`],
  ] as const) {
    const saved = await evaluated(train, ...words`--learner olk-c --scale none`, ...flags, "--save", path);
    assert.is(readCopy(path).hash, saved.stateHash);
    assert.equal(JSON.parse(readFileSync(path, "utf8")).options.features, features);
    const named = { schema: "motelearn.node/1", learner: "olk-c", channels: 2, ...features };
    const node = file("unscaled-node.json", JSON.stringify(named));
    const flash = ["flash", "--node", node, "--target", "esp32c3", "--sensors", SENSORS, "--dry-run"];
    const { code, stderr } = await runHere([...flash, "--state", path]);
    assert.is(code, 0, stderr);
  }
});

test("the file says where the state is from, and it fits the node that flash makes of the same options", async () => {
  const path = file("origin.json", "");
  const train = csv("origin.csv", "classification", HALF);
  await evaluated(train, "--learner", "olk-c", "--budget", "16", "--save", path);
  const { trained, checkpoint, learner, options } = JSON.parse(readFileSync(path, "utf8"));
  const classes = ["-1", "1"];
  assert.equal(trained, { file: train, sha256: sha256(readFileSync(train)), samples: HALF, classes });
  assert.is(learner, "olk-c");
  assert.equal(options.options, { budget: 16, dimension: 2 });
  const flags = { learner: "olk-c", dimension: 2, options: "{}", window: 0, target: "esp32c3", period: 1000 };
  const flashed = (budget: number) => nodeSchema(flashedNode({ ...flags, budget } as never).node);
  assert.is(flashed(16), checkpoint);
  assert.is.not(flashed(8), checkpoint);
});

test("with --node the state is one of the file's node: its window of labels, prediction sets and models of a fleet", async () => {
  const beside = {
    coverage: 0.9,
    coverageBy: "classes",
    labelFlips: [0.1, 0.2],
    labelWindow: 8,
    fleetBudget: 4,
  };
  const named = {
    schema: "motelearn.node/1",
    learner: "olk-c",
    options: { budget: 16 },
    channels: 2,
    pending: 32,
  };
  const node = file("whole-node.json", JSON.stringify({ ...named, ...beside }));
  const path = file("whole-node-state.json", "");
  await evaluated(csv("whole-node.csv", "classification", HALF), "--node", node, "--save", path);
  const flags = { learner: "olk-c", dimension: 2, budget: 16, options: "{}", pending: 32, window: 0 };
  const board = { target: "esp32c3", period: 1000, node: JSON.stringify(beside) };
  assert.is(readCopy(path).checkpoint, nodeSchema(flashedNode({ ...flags, ...board } as never).node));
  assert.is(resumed(path).seq, HALF);
});

test("inspect --copy shows vectors of 16 bits as numbers within half a step of those in float32, and counts as counts", async () => {
  const train = csv("lanes.csv", "classification", HALF);
  const shown = async (storage: string) => {
    const path = file(`lanes-${storage}.json`, "");
    const options = JSON.stringify({ budget: 500, storage, kernel: { type: "gaussian", p: 1 } });
    await evaluated(train, "--learner", "olk-c", "--options", options, "--save", path);
    const { regions, size } = await runJsonHere("motelearn.inspect/1", "inspect", "--copy", path);
    const find = (name: string) => regions.find((region: { name: string }) => region.name === name).values;
    return { rows: find("rows").slice(0, size) as number[][], errors: find("errors"), size };
  };
  const [whole, half] = [await shown("float32"), await shown("q15")];
  assert.is(half.size, whole.size);
  const step = 10 / 32766; // of +-5, rounded up to a power of two
  half.rows.forEach((row, i) => {
    for (const [j, value] of row.entries())
      assert.ok(Math.abs(value - whole.rows[i][j]) <= step, `${value} ${whole.rows[i][j]}`);
  });
  assert.ok(Number.isInteger(half.errors[1]) && half.errors[1] > 0, `${half.errors}`);
});

test("inspect --copy shows the state in the file, and refuses one that was changed", async () => {
  const path = file("inspected.json", "");
  const train = csv("inspected.csv", "classification", HALF);
  const { stateHash, counters } = await evaluated(train, ...words`--learner olk-c --budget 4 --save ${path}`);
  const seen = await runJsonHere("motelearn.inspect/1", "inspect", "--copy", path);
  assert.equal([seen.seq, seen.labelled, seen.capacity, seen.hashes.learner], [HALF, HALF, 4, stateHash]);
  assert.is(seen.counters.learner.learned, counters.learned);
  const { code, stdout } = await runHere(["inspect", "--copy", path]);
  assert.is(code, 0);
  assert.ok(stdout.startsWith(`olk-c in ${path}: sample ${HALF} of session 1, label ${HALF}\n`), stdout);
  await refusesHere(["inspect", "--copy", path, "--window", "4"], "--copy and --window");
  const { options, ...copy } = JSON.parse(readFileSync(path, "utf8"));
  const wrong: [object, string][] = [
    [copy, "doesn't name its node's options"],
    [{ ...copy, options: { channels: 2 } }, "doesn't name its node's options"],
    [{ ...copy, options: { ...options, pending: 32 } }, "its options have another schema"],
    [{ ...copy, options: { ...options, channels: 0 } }, "channels"],
    [{ ...copy, options, hash: "0".repeat(16) }, `the file names ${"0".repeat(16)}`],
    [{ ...copy, options, words: "A".repeat(32) }, "has 6 words; takes "],
  ];
  for (const [content, said] of wrong)
    await refusesHere(["inspect", "--copy", file("wrong.json", JSON.stringify(content))], "wrong.json", said);
});

test("explain --copy explains what a node decides after the state, with the bits of one run over all", async () => {
  const path = file("explained.json", "");
  const rest = easyStream("classification", 2, SAMPLES, 1).slice(HALF);
  const log = file("rest.csv", rest.map(({ x, y }) => `${[...x]},${y}\n`).join(""));
  const whole = csv("explained-whole.csv", "classification", SAMPLES);
  await evaluated(csv("explained.csv", "classification", HALF), "--learner", "olk-c", "--save", path);
  const explained = (...args: string[]) => runJsonHere("motelearn.explain/1", "explain", ...args);
  const all = await explained("--learner", "olk-c", "--log", whole, "--at", `${HALF + 30}`);
  const after = await explained("--copy", path, "--log", log, "--at", "30");
  const listParts = ({ parts }: typeof all) =>
    parts.map(({ of, part }: { of: string; part: number }) => [of, part]);
  assert.equal([after.bits, listParts(after)], [all.bits, listParts(all)]);
  const asked = ["explain", "--copy", path, "--log", log];
  const { stdout } = await runHere([...asked, "--at", "30"]);
  assert.match(stdout, / before *\n/);
  await refusesHere([...asked, "--at", "30", "--window", "4"], "--copy", "its node makes other features");
  await refusesHere([...asked, "--at", "30", "--budget", "8"], "--copy", "its learner has other options");
  await refusesHere([...asked, "--seq", "3"], "--copy", "takes --at in place of --seq");
});

test("a state that no node can have is refused before the run", async () => {
  const path = file("refused.json", "as it was");
  const train = csv("refused.csv", "classification", HALF);
  const args = ["evaluate", "--learner", "olk-c", "--train", train, "--save", path];
  await refusesHere([...args, "--scale", "minmax"], "--save", "takes --scale node or none, got minmax");
  await refusesHere([...args, "--repeat", "2"], "--save", "takes one pass, got --repeat 2");
  const plugin = ["--plugin", "examples/learner-plugin/adaline.mjs", "--learner", "adaline"];
  await refusesHere([...args, ...plugin], "--save: adaline is a plugin's");
  await refusesHere([...args.slice(0, -1), train], "--save", "would replace a file that is read");
  await refusesHere([...args.slice(0, -1), "nowhere/state.json"], "--save nowhere/state.json");
  assert.is(readFileSync(path, "utf8"), "as it was");
});

test.run();
