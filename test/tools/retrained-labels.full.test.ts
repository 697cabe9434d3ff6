import { readFileSync, writeFileSync } from "node:fs";
import * as assert from "uvu/assert";
import type { DueLabel } from "../../src/peer/labels.ts";
import { nameLearner } from "../../tools/fusion/lines.ts";
import { MemorySupply } from "../../tools/labels/memory-supply.ts";
import { RetrainedSupply } from "../../tools/labels/retrained-supply.ts";
import { runHere } from "../cli/program.ts";
import { parseEvents } from "../lab/short-network.ts";
import { words } from "../words.ts";
import { test } from "./contained.ts";
import { readJsonLines } from "./growing.ts";
import { plainStates, SMALL, stream } from "./small-node.ts";
import { inFolder, killStation, startStation } from "./stations.ts";

/** A node that takes models of up to four vectors. */
const TAKING = { ...SMALL, fleetBudget: 4 };
/** After the labels that they are trained from: 1, 2, 3, 4, 6, 9, 13 and so on, each counted with the models before it. */
const MODELS = [2, 4, 6, 8, 11, 15, 20, 27, 37, 52];

test("a node gets models of its own labels, each once, over a restart of both ends, and its learner keeps its bits", async () => {
  const file = inFolder("lessons.ndjson");
  const taught = async (name: string, rows: string) => {
    const listen = inFolder(name);
    const checkpoint = inFolder("retrained.ck");
    const station = await startStation({ listen, node: nameLearner(TAKING), fed: true, checkpoint });
    const run = await runHere([
      ...words`labels --port unix:${listen} --from ${rows} --retrain ${file} --json`,
    ]);
    assert.is(run.code, 0, run.stderr);
    await killStation(station);
    return run;
  };
  const half = await taught("once", stream("half.ndjson", 30));
  const run = await taught("again", stream("whole.ndjson"));
  const { state, labels } = parseEvents(run).at(-1)!;
  assert.is(state.stateHash, plainStates().stateHash);
  assert.is(labels.durable, 48 + MODELS.length);
  const sent = [half, run].map((each) => parseEvents(each).filter(({ event }) => event === "model"));
  assert.equal(
    sent.flat().map(({ number }) => number),
    MODELS,
  );
  assert.ok(sent[0].length > 3 && sent[1].length > 1);
  const lines = readJsonLines(file);
  assert.equal(lines[0], { schema: "motelearn.lessons/1", dimension: 2, vectors: 4 });
  assert.is(lines.filter(({ y }) => y !== undefined).length, 48);
});

test("a node without room for models, another node's file, and labels with tags are refused in one line", async () => {
  const listen = inFolder("plain");
  const station = await startStation({ listen, node: nameLearner(SMALL), fed: true });
  const labels = ["labels", "--port", `unix:${listen}`, "--from", stream("plain.ndjson"), "--retrain"];
  const { code, stderr } = await runHere([...labels, inFolder("none.ndjson")]);
  assert.is(code, 2);
  assert.match(stderr, /^motelearn: --retrain: [^\n]*fleetBudget[^\n]*\n$/);
  await killStation(station);
  const file = inFolder("foreign.ndjson");
  const node = { dimension: 2, vectors: 4, labelled: 0 };
  const label: DueLabel = { number: 1, sid: 1, seq: 1, y: 1, due: 1, tag: [1, 2] };
  const samples = { channels: 2, readings: new Float32Array(2), after: [0] };
  const supply = new MemorySupply("", [label], samples, { labels: 1, samples: 1 });
  const opened = () => new RetrainedSupply(supply, file, node, () => {});
  const head = JSON.stringify({ schema: "motelearn.lessons/1", dimension: 2, vectors: 4 });
  for (const [text, why] of [
    ["{}\n", /foreign\.ndjson:1: no line of lessons of 2 features; give --retrain the file/],
    [`${head.replace("4", "8")}\n`, /:1: models of 2 features and 8 vectors, and the node takes/],
    [`${head}\n{"number":1,"y":1,"x":[1]}\n`, /:2: no line of lessons/],
    [`${head}\n{"model":1}\n`, /:2: no model is due here/],
  ] as const) {
    writeFileSync(file, text);
    assert.throws(opened, why);
  }
  writeFileSync(file, `${head}\n{"number":1,"y":1,"x":[1,2]}\n{"mod`);
  const resumed = opened();
  assert.is(
    readFileSync(file, "utf8"),
    `${head}\n{"number":1,"y":1,"x":[1,2]}\n`,
    "a line that was cut is discarded",
  );
  assert.throws(() => resumed.label(1), /--retrain: the source tags its labels/);
});

test.run();
