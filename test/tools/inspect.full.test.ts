import { writeFileSync } from "node:fs";
import * as assert from "uvu/assert";
import { loneNode } from "../../host-sim/state/lone-node.ts";
import { oneVsAllFamily } from "../../src/learn/one-vs-all.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import type { SensorNode } from "../../src/node/node.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { nameLearner } from "../../tools/fusion/lines.ts";
import { Snapshot } from "../../tools/inspect/snapshot.ts";
import { refusesHere, runHere, start } from "../cli/program.ts";
import { test } from "./contained.ts";
import { inFolder, killStation, startStation } from "./stations.ts";

const ROWS = Array.from({ length: 60 }, (_, i) => ({ x: [Math.fround(Math.sin(i)), i % 3], label: i % 2 }));

function nodeOptions(learner: string, options: object, features = {}): NodeOptions {
  const given = { learner: familyNamed(learner) as NodeOptions["learner"], options: { ...options } };
  return { sid: 9, channels: 2, pending: 16, labelWindow: 16, features, ...given };
}

/** The same node in this process, taught the same. */
function taught(options: NodeOptions): SensorNode {
  const node = loneNode(options);
  ROWS.forEach(({ x, label }, i) => {
    node.sample(x);
    node.label({ number: i + 1, sid: 9, seq: i + 1, y: label ? 1 : -1 });
  });
  return node;
}

for (const [name, options, flags] of [
  ["olk-c", nodeOptions("olk-c", { budget: 24, evict: "oldest" }), []],
  ["lol", nodeOptions("lol", { budget: 10 }, { standardise: true }), []],
  ["pa", nodeOptions("pa", {}, { window: 4 }), ["--window", "4"]],
  [
    "arow",
    nodeOptions("arow", {}, { window: 64, bands: 4, lines: [0.1], burst: 2, standardise: true }),
    ["--window", "64", "--bands", "4", "--lines", "0.1", "--burst", "2"],
  ],
  [
    "watched olk-c",
    {
      ...nodeOptions("olk-c", { budget: 8, evict: "oldest" }),
      coverage: 0.9,
      drift: "watch",
      fleetBudget: 2,
    },
    [],
  ],
] as const) {
  test(`inspect reads a ${name} node's memory and shows what the same node here has`, async () => {
    const given = {
      listen: inFolder(name),
      node: nameLearner(options),
      fed: true,
      checkpoint: inFolder(`${name}.ck`),
    };
    const port = `unix:${given.listen}`;
    const stream = inFolder(`${name}.ndjson`);
    writeFileSync(stream, ROWS.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const station = await startStation(given);
    const labels = await start("labels", "--port", port, "--from", stream).ended;
    assert.is(labels.code, 0, labels.stderr);
    const node = taught(options);
    const { code, stdout, stderr } = await runHere(["inspect", "--port", port, ...flags, "--json"]);
    assert.is(code, 0, stderr);
    const seen = JSON.parse(stdout);
    const { learner } = node;
    assert.equal(seen.same, { learner: true, whole: true });
    assert.equal([seen.seq, seen.labelled, seen.hashes.learner], [60, 60, learner.stateHash()]);
    assert.equal([seen.size, seen.capacity], [learner.size, learner.capacity]);
    assert.is(seen.counters.learner.learned, 60);
    assert.is(seen.counters.node.applied, 60);
    const { dictionary } = learner as unknown as { dictionary?: { coefficient(i: number): number } };
    const region = (wanted: string) => seen.regions.find(({ name }: { name: string }) => name === wanted);
    if (dictionary) {
      const coefficients = Array.from({ length: learner.size }, (_, i) => dictionary.coefficient(i));
      assert.equal(region("coefficients").values.slice(0, learner.size), coefficients);
      for (const row of region("rows").values.slice(0, learner.size)) {
        assert.ok(
          ROWS.some(({ x }) => x.every((value, j) => value === row[j])),
          `${row} is a sample`,
        );
      }
    }
    const text = await runHere(["inspect", "--port", port, ...flags]);
    assert.is(text.code, 0, text.stderr);
    assert.match(text.stdout, new RegExp(`learner's hash +${learner.stateHash()}: the node says so`));
    await killStation(station);
  });
}

test("inspect prints the names of the node's classes, or those that are given", async () => {
  for (const [classes, given, names] of [
    [["ok", "fault"], [], "ok -1, fault \\+1"],
    [undefined, ["--classes", "dry, wet"], "dry -1, wet \\+1"],
  ] as const) {
    const options = { ...nodeOptions("pa", {}), ...(classes && { classes }) };
    const listen = inFolder(`classes-${given.length}`);
    const station = await startStation({ listen, node: nameLearner(options) });
    const args = ["inspect", "--port", `unix:${listen}`, ...given];
    const { code, stdout, stderr } = await runHere(args);
    assert.is(code, 0, stderr);
    assert.match(stdout, new RegExp(`^ *classes +${names}$`, "m"));
    assert.equal(JSON.parse((await runHere([...args, "--json"])).stdout).targets, [-1, 1]);
    await refusesHere([...args, "--classes", "a,b,c"], "--classes a,b,c", "2 classes");
    await killStation(station);
  }
});

test("inspect takes the file of a node of several classes, which names the learner of each class", async () => {
  const classes = ["idle", "run", "worn"];
  const learner = oneVsAllFamily(familyNamed("arow") as NodeOptions["learner"]);
  const options = { ...nodeOptions("arow", { classes: 3 }), learner, classes };
  const listen = inFolder("several");
  const station = await startStation({ listen, node: nameLearner(options) });
  const file = inFolder("several.json");
  writeFileSync(file, JSON.stringify({ schema: "motelearn.node/1", learner: "arow", channels: 2, classes }));
  const { code, stdout, stderr } = await runHere(["inspect", "--node", file, "--port", `unix:${listen}`]);
  assert.is(code, 0, stderr);
  assert.match(stdout, /^ova:arow on .*\n(?:.*\n)* +classes +idle 0, run 1, worn 2$/m);
  await killStation(station);
});

test("inspect names options that don't fit, and bad ones, in one line", async () => {
  const given = {
    listen: inFolder("unfit"),
    node: nameLearner(nodeOptions("olk-c", { budget: 24 }, { window: 4 })),
  };
  const port = ["--port", `unix:${given.listen}`];
  const station = await startStation(given);
  await refusesHere(["inspect", ...port], "6 features of 2 readings, these options 2", "--window");
  await refusesHere(["inspect", ...port, "--window", "4", "--budget", "23"], "--budget", "words");
  await refusesHere(["inspect", ...port, "--learner", "olk-x"], "olk-x");
  await refusesHere(["inspect", ...port, "--wavelet", "sym9"], "--wavelet");
  await refusesHere(["inspect"], "no --port");
  await killStation(station);
});

test("inspect asks again for a snapshot's missing parts; a label restarts it, a sample restarts the regions that samples change", () => {
  const snapshot = new Snapshot();
  const part = (first: number, seq = 1, labelled = 1) => {
    const words = Uint32Array.of(first, first + 1, 0);
    snapshot.take({ start: 3, seq, labelled, first, total: 6, words, length: 2 });
  };
  assert.equal(snapshot.missing, { first: 0, count: 0xffffffff });
  part(0);
  part(4);
  assert.equal(snapshot.missing, { first: 2, count: 2 });
  part(2, 2);
  assert.is(snapshot.missing, undefined);
  assert.equal([...snapshot.words], [0, 1, 2, 3, 4, 5]);
  snapshot.refresh(4, 6, 2);
  assert.equal(snapshot.missing, { first: 0, count: 2 }, "read after sample 1, and none of the learner's");
  part(0, 2, 2);
  assert.equal(snapshot.missing, { first: 2, count: 4 });
  const hostile = {
    start: 3,
    seq: 1,
    labelled: 1,
    first: 0,
    total: 2 ** 32 - 1,
    words: new Uint32Array(2),
    length: 2,
  };
  assert.throws(() => snapshot.take(hostile), /4294967295 words of memory; takes at most 4194304/);
  snapshot.take({ ...hostile, first: 5, total: 6 });
  assert.equal(snapshot.missing, { first: 2, count: 4 }, "a part that goes beyond the end");
});

test.run();
