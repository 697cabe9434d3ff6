import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Ajv } from "ajv";
import { Command } from "commander";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { argumentOfFile } from "../../cli/commands/board.ts";
import { addLabels } from "../../cli/commands/labels.ts";
import { addMonitor } from "../../cli/commands/monitor.ts";
import { readFleet } from "../../fleet/gateway/fleet-file.ts";
import { perform, planRuns } from "../../host-sim/runs/runs.ts";
import { flashFlags, type NodeText, otherFlags, readNodeFile } from "../../host-sim/scenario/node-file.ts";
import { NODE_SCHEMA, nodeJsonSchema } from "../../host-sim/scenario/node-schema.ts";
import { readScenario } from "../../host-sim/scenario/scenario.ts";
import { refusesHere, runHere, runJsonHere, temporaryFolder } from "../cli/program.ts";
import { keyFile } from "./keyed-node.ts";

const file = temporaryFolder();

/** A node with every key but those of keys and networks. */
const WHOLE = {
  ...{ schema: "motelearn.node/1", learner: "olk-c", options: { budget: 20, forgetThreshold: 0.1 } },
  channels: [{ name: "humidity", unit: "%", range: [0, 100] }, { name: "temperature" }],
  ...{ classes: ["ok", "fault"], pending: 200, window: 4, wavelet: "haar", standardise: true, horizon: 300 },
  ...{
    stepAfter: 40,
    coverage: 0.9,
    coverageBy: "classes",
    labelFlips: [0.1, 0.1],
    drift: "watch",
    labelBudget: 0.5,
    fleetBudget: 16,
    labelWindow: 5,
  },
  ...{ checkpointEvery: 40, checkpointMs: 5000, periodMs: 250, sleep: { talkEvery: 4, talkMs: 300 } },
  ...{ board: "esp32c3", wire: "usb", sensors: [{ analog: 0 }, { analog: 1 }] },
};
const LEAST = { schema: "motelearn.node/1", learner: "olk-c", channels: 2 };

const written = (node: object, name = "node.json") => file(name, JSON.stringify(node));
const planned = (...args: string[]) => runJsonHere("motelearn.plan/1", "plan", ...args);

test("plan and flash take a node's file as they take its options, and options on the line override it", async () => {
  const node = written(WHOLE);
  const words = flashFlags(WHOLE as unknown as NodeText).flatMap(([, flag, value]) =>
    value === undefined ? [] : value === "" ? [flag] : [flag, value],
  );
  const [byFile, byWords] = [await flashed(["--node", node]), await flashed(words)];
  assert.is(byFile, byWords);
  assert.match(byFile, /"coverage": 0.9/);
  assert.match(byFile, /"periodMs": 250/);
  const plain = await planned("--node", written(LEAST, "least.json"));
  assert.is(plain.options.budget, undefined);
  const small = await planned("--budget", "8", "--node", written(LEAST, "least.json"));
  assert.is(small.options.budget, 8);
  const after = await planned("--node", node, "--budget", "8", "--node", '{"coverage":0.5}');
  assert.is(after.options.budget, 8);
  assert.match(await flashed(["--node", '{"coverage":0.5}', "--node", node]), /"coverage": 0.5/);
});

/** The manifest that flash would write. */
async function flashed(args: readonly string[]): Promise<string> {
  const printed = await runHere(["flash", ...args, "--dry-run"]);
  assert.is(printed.code, 0, printed.stderr);
  return printed.stdout;
}

test("a wrong file is refused on one line that names file and key", async () => {
  const refused = (node: object | string, ...said: string[]) =>
    refusesHere(
      ["plan", "--node", file("wrong.json", typeof node === "string" ? node : JSON.stringify(node))],
      "wrong.json: ",
      ...said,
    );
  await refused(
    { ...LEAST, schema: "motelearn.node/2" },
    'schema: got "motelearn.node/2"; takes "motelearn.node/1"',
  );
  await refused({ ...LEAST, lerner: 1 }, "the node: no key lerner; did you mean learner");
  await refused({ schema: LEAST.schema, learner: "pa" }, "the node: key channels is missing");
  await refused({ ...LEAST, channels: [{ nam: "a" }] }, "channels.0: no key nam");
  await refused({ ...LEAST, channels: 0 }, "channels: got 0");
  await refused({ ...LEAST, pending: "many" }, "pending: ");
  await refused({ ...LEAST, options: { dimension: 3 } }, "options: dimension and classes follow");
  await refused({ ...LEAST, classes: ["a,b", "c"] }, "classes.0: ");
  await refused({ ...LEAST, board: "esp8266" }, "board: ", "esp32c3");
  await refused("{", "JSON");
  await refusesHere(
    ["plan", "--node", "nowhere.json"],
    "nowhere.json: can't be read (ENOENT); give a node file",
  );
  const data = file("rows.csv", "1,ok\n2,fault\n");
  const evaluate = [
    "evaluate",
    "--train",
    data,
    "--node",
    written({ ...LEAST, drift: "watch" }, "drift.json"),
  ];
  await refusesHere(evaluate, "drift.json: drift: evaluate runs the learner on a data file");
});

test("evaluate refuses the samples that the node of a file would, and stores 16 bits in the same ranges: its hash is simulate's", async () => {
  const rows = Array.from(
    { length: 200 },
    (_, i) => `${(i % 23) / 10},${(i % 7) / 3},${i % 3 ? "a" : "b"}\n`,
  );
  const data = file("ranged.csv", `x,y,label\n${rows.join("")}`);
  const stream = { type: "files", files: [{ node: "n", path: data }] };
  for (const parts of [{}, { standardise: false }, { window: 4 }]) {
    const node = written(
      {
        ...{
          schema: LEAST.schema,
          learner: "olk-c",
          options: { budget: 8, storage: "q15" },
          classes: ["a", "b"],
        },
        ...{
          channels: [
            { name: "x", range: [0, 2] },
            { name: "y", range: [0, 3] },
          ],
        },
        ...parts,
      },
      "ranged.json",
    );
    const { stateHash, counters } = await runJsonHere(
      "motelearn.evaluate/1",
      "evaluate",
      "--train",
      data,
      "--node",
      node,
    );
    const tasks = [{ name: "t", task: "classification" }];
    const scenario = { schema: "motelearn.scenario/1", stream, node: "ranged.json", tasks };
    const { nodes } = await runJsonHere(
      "motelearn.simulate/1",
      "simulate",
      file("ranged-scenario.json", scenario),
    );
    const [{ learners }] = nodes;
    assert.is(stateHash, learners[0].stateHash, JSON.stringify(parts));
    assert.is(counters.learned, learners[0].counters.learned);
    assert.ok(counters.learned < 190 && counters.learned > 150, counters.learned);
  }
});

test("a budget of auto's several classes, which share option bytes, is refused wherever it is given", async () => {
  const classes = ["low", "usual", "high"];
  const node = { ...LEAST, learner: "auto", classes };
  const refused = (...line: string[]) =>
    refusesHere(line, "auto: option budget: got 16; takes no value for several classes", "leave it out");
  const small = written({ ...node, options: { budget: 16 } }, "small.json");
  await refused("plan", "--node", small);
  await refused("flash", "--target", "esp32c3", "--node", small, "--dry-run");
  await refused("plan", "--node", written(node, "auto.json"), "--budget", "16");
  const data = file("three.csv", "x,label\n1,low\n2,usual\n3,high\n");
  await refused("evaluate", "--train", data, "--learner", "auto", "--budget", "16");
  const learners = [{ learner: "auto", options: { budget: 16 } }];
  const scenario = {
    ...{ schema: "motelearn.scenario/1", name: "three", seed: 1 },
    stream: { type: "files", files: [{ node: "a", path: data }] },
    tasks: [{ name: "t", task: "classification", learners }],
  };
  await refused("simulate", file("three.json", JSON.stringify(scenario)));
  const sensors = JSON.stringify(WHOLE.sensors);
  const manifest = await flashed(["--target", "esp32c3", "--node", written(node), "--sensors", sensors]);
  assert.match(manifest, /"options": \{\s*"classes": 3\s*\}/);
});

test("the emulated board runs the node that flash would make; what the file says isn't given again", async () => {
  const path = written({ ...WHOLE, window: 8, periodMs: 250 }, "board.json");
  const { node, sampleMs } = argumentOfFile(path, { chip: "rv32imac" });
  const flags = ["--node", path, "--dry-run"];
  const { stdout } = await runHere(["flash", "--target", "esp32c3", ...flags]);
  const manifest = JSON.parse(stdout.slice(stdout.indexOf("{"), stdout.lastIndexOf("}") + 1));
  const flashed = manifest.config.node;
  const { dimension: _, ...options } = node.options;
  assert.equal(options, flashed.options);
  const made: Record<string, unknown> = node;
  for (const key of ["channels", "pending", "features", "classes", "coverage", "drift", "ranges"])
    assert.equal(made[key], flashed[key], key);
  assert.is(sampleMs, 250);
  assert.is(argumentOfFile(path, { chip: "rv32imac", sampleMs: 0 }).sampleMs, 0);
  await refusesHere(["board", "--node", path, "--learner", "pa"], "--learner: not with --node");
  await refusesHere(["board", "--node", "nowhere.json"], "nowhere.json");
});

/** The options that a command's line sets. */
function parseLine(add: (program: Command) => void, ...line: string[]) {
  const program = new Command();
  add(program);
  const [command] = program.commands;
  command.parseOptions(line);
  return command.opts();
}

test("labels and monitor take the node's keys from its file, labels its class names; not its learner", () => {
  const hex = ["00112233445566778899aabbccddeeff", "ffeeddccbbaa99887766554433221100"];
  const [key, labelKey] = hex.map((text, i) => keyFile(`${i}.key`, text));
  const path = written({ ...LEAST, classes: ["ok", "fault"], key, labelKey }, "keyed.json");
  const hexText = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
  const ofLabels = parseLine(addLabels, "--node", "mote 2", "--node", path);
  assert.equal([ofLabels.key, ofLabels.labelKey].map(hexText), hex);
  assert.equal([ofLabels.node, ofLabels.classes, ofLabels.learner], [["mote 2"], ["ok", "fault"], undefined]);
  assert.is(hexText(parseLine(addMonitor, "--node", path).key), hex[0]);
  const counted = written({ ...LEAST, classes: 3 }, "counted.json");
  assert.is(parseLine(addLabels, "--node", counted).classes, undefined, "a number names none");
  const lost = written({ ...LEAST, key: "lost.key" }, "lost.json");
  assert.throws(() => parseLine(addMonitor, "--node", lost), /lost\.json: key: .*lost\.key/);
});

/** The hash of the scenario's first node. */
async function hashScenario(scenario: object, name: string): Promise<string> {
  const path = file(name, JSON.stringify(scenario));
  const [run] = planRuns(readScenario(path), path);
  return (await perform(run)).nodes[0].result.nodeHash;
}

test("a scenario whose node names a file simulates the node that it would spell out", async () => {
  const { board, wire, sensors, ...node } = WHOLE;
  written({ ...node, state: undefined });
  const scene = {
    schema: "motelearn.scenario/1",
    stream: { type: "scene", channels: 2, nodes: 1, samples: 300 },
  };
  const task = { name: "seen", task: "classification" };
  const { schema, learner, options, channels, classes, labelBudget, labelWindow, ...others } = node;
  const { checkpointMs, ...settings } = others;
  const spelled = {
    ...scene,
    node: { ...settings, ranges: [[0, 100], null] },
    labels: { budget: labelBudget },
    link: { window: labelWindow },
    tasks: [{ ...task, classes, learners: [{ learner, options }] }],
  };
  const hash = await hashScenario(spelled, "spelled.json");
  assert.is(await hashScenario({ ...scene, node: "node.json", tasks: [task] }, "named.json"), hash);
  const own = { ...scene, tasks: [{ ...task, node: { file: "node.json" } }], link: { window: labelWindow } };
  assert.is(await hashScenario(own, "own.json"), hash);
  const other = { ...scene, node: { file: "node.json", pending: 100 }, tasks: [task] };
  assert.is.not(await hashScenario(other, "other.json"), hash);
  await refusesHere(
    ["simulate", file("lacks.json", JSON.stringify({ ...scene, tasks: [task] }))],
    "tasks.0: key learners is missing",
  );
});

test("a fleet's node takes its file's channels, classes, options, features and state, unless the fleet file says otherwise", async () => {
  const rows = Array.from({ length: 20 }, (_, i) => `${i % 7},${i % 5},${i % 2}\n`);
  const data = file("fleet.csv", rows.join(""));
  const state = file("fleet-state.json", "");
  const learned = ["--train", data, "--learner", "olk-c", "--save", state];
  const { stateHash } = await runJsonHere("motelearn.evaluate/1", "evaluate", ...learned);
  const { board, wire, sensors, ...node } = WHOLE;
  written({
    ...node,
    channels: [{ name: "humidity", unit: "%" }, { name: "temperature" }],
    state: "fleet-state.json",
  });
  const parseFleet = (entry: object) =>
    readFleet(
      file(
        "fleet.json",
        JSON.stringify({ schema: "motelearn.fleet/1", nodes: [{ name: "n1", port: "/dev/null", ...entry }] }),
      ),
    ).nodes[0];
  const { channels, classes, options, features, state: copy } = parseFleet({ node: "node.json" });
  assert.equal(channels, [{ name: "humidity", unit: "%" }, { name: "temperature" }]);
  assert.equal([classes, options], [node.classes, node.options]);
  assert.equal(features, { window: 4, wavelet: "haar", standardise: true, horizon: 300, stepAfter: 40 });
  assert.is(copy?.hash, stateHash);
  assert.equal(parseFleet({ node: "node.json", classes: ["a", "b"] }).classes, ["a", "b"]);
  assert.is(parseFleet({ state: "fleet-state.json" }).state?.hash, stateHash);
  const refused = (entry: object, said: RegExp) => assert.throws(() => parseFleet(entry), said);
  refused({ node: "nowhere.json" }, /fleet\.json: nodes\.0\.node: nowhere\.json: can't be read \(ENOENT\)/);
  refused({ state: "node.json" }, /fleet\.json: nodes\.0\.state: .*no copy of a node's memory/);
  refused({ state: "fleet-state.json", labelKey: "k" }, /nodes\.0\.labelKey \S*k: can't be read/);
});

test("files that a node's file names lie beside it", () => {
  const path = written({ ...LEAST, state: "states/room.json", key: "/etc/key" });
  const { state, key } = readNodeFile(path);
  assert.equal([state, key], [join(dirname(path), "states/room.json"), "/etc/key"]);
});

test("each key of a node's file has an effect: it is an option of flash, or of another command", () => {
  const paths = { key: "k", labelKey: "l", wifi: "w", state: "s", sdkBoard: "b" };
  const rest = { bands: 4, lines: [0.1], burst: 2, grossLabels: 0.1, labelRange: [0, 1] };
  const node = { ...WHOLE, ...paths, ...rest } as unknown as NodeText;
  const said = (each: object) =>
    JSON.stringify([...flashFlags(each as NodeText), ...otherFlags(each as NodeText)]);
  for (const key of Object.keys(NODE_SCHEMA.properties)) {
    if (key === "$schema" || key === "schema") continue;
    const { [key as keyof NodeText]: value, ...without } = node;
    assert.ok(value !== undefined, key);
    assert.is.not(said({ channels: 1, ...without }), said(node), key);
  }
});

test("the schema that ships is this one: npx motelearn simulate --schema node > host-sim/node.schema.json", () => {
  const shipped = JSON.parse(readFileSync("host-sim/node.schema.json", "utf8"));
  assert.equal(shipped, JSON.parse(JSON.stringify(nodeJsonSchema())));
  const check = new Ajv({ allowUnionTypes: true, strictTypes: false }).compile(shipped);
  assert.ok(check(WHOLE), JSON.stringify(check.errors));
});

test("choose writes its choice's node, whose flash command is short", async () => {
  const rows = Array.from(
    { length: 60 },
    (_, i) => `${i % 7},${(3 * i) % 5},${i % 7 < 3 ? "ok" : "fault"}\n`,
  );
  const data = file("chosen.csv", `a,b,state\n${rows.join("")}`);
  const node = file("chosen.json", "");
  const args = ["--train", data, "--budgets", "16", "--seconds", "0.1", "--threads", "1", "--node", node];
  const { advice } = await runJsonHere("motelearn.choose/2", "choose", ...args);
  assert.is(advice[0].flash, `npx motelearn flash --node ${node}`);
  const { learner, channels, classes } = readNodeFile(node);
  assert.is(learner, advice[0].task.learners[0].learner);
  assert.equal(
    [channels, classes],
    [
      [{ name: "a" }, { name: "b" }],
      ["fault", "ok"],
    ],
  );
  const train = await runJsonHere("motelearn.evaluate/1", "evaluate", "--train", data, "--node", node);
  assert.is(train.learner, learner);
});

test.run();
