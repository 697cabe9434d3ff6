import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import * as assert from "uvu/assert";
import { readTable } from "../../host/streams/index.ts";
import { refusesHere, runJson, start, startLimited } from "../cli/program.ts";
import { become } from "./awaited.ts";
import { test } from "./contained.ts";
import { countLines, hasLines, readJsonLines } from "./growing.ts";
import { inFolder, killStation, startStation } from "./stations.ts";

const NODE = { sid: 1, channels: 30, pending: 16, learner: "olk-c", options: { budget: 8 } };

/** The sessions of a recording's complete lines. */
function sidsIn(file: string): ReadonlySet<number> {
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  return new Set(lines.map((line) => JSON.parse(line).sid));
}

test("what is recorded, samples in parts over two stays, replays in evaluate", async () => {
  const listen = inFolder("sensor");
  const station = await startStation({ listen, node: NODE, sampleMs: 15 });
  const out = inFolder("room.ndjson");
  const args = ["record", "--port", `unix:${listen}`, "--out", out, "--node", "room"];
  const first = await start(...args, "--label", "cold", "--max-samples", "20").ended;
  assert.is(first.code, 0, first.stderr);
  assert.match(first.stdout, /^20 samples in .*; 0 missing, 0 unreadable, link lost 0 times\n$/);
  await refusesHere(args, `${out}: exists`, "--append");
  appendFileSync(out, '{"time":1,"x":[0.5,');
  const second = start(...args, "--label", "warm", "--append", "--json");
  await hasLines(out, 30, second);
  second.child.kill("SIGINT");
  const { code, stdout } = await second.ended;
  assert.is(code, 130);
  assert.is(JSON.parse(stdout).label, "warm");
  const rows = readJsonLines(out);
  rows.forEach(({ time, ticks, node, seq, x }, i) => {
    assert.equal([node, x.length], ["room", 30]);
    assert.ok(time > 1.6e12 && ticks > 0);
    if (i > 0 && i !== 20) assert.is(seq, rows[i - 1].seq + 1);
  });
  const stays = readJsonLines(`${out}.stays`);
  assert.equal(
    stays.map(({ type }) => type),
    ["stay", "start", "end", "stay", "start", "end"],
  );
  assert.equal(
    [stays[0], stays[3]].map(({ schema, label }) => [schema, label]),
    [
      ["motelearn.stays/1", "cold"],
      ["motelearn.stays/1", "warm"],
    ],
  );
  assert.is(stays[1].hello.learner, "olk-c");
  assert.equal([stays[2].samples, stays[5].samples], [20, rows.length - 20]);
  const data = await readTable(out);
  assert.equal([data.count, data.dimension, data.labelNames], [rows.length, 30, ["cold", "warm"]]);
  const evaluation = runJson("motelearn.evaluate/1", "evaluate", "--learner", "olk-c", "--train", out);
  assert.ok(JSON.stringify(evaluation).includes("olk-c"));
  await killStation(station);
});

test("record asks a node that starts again for its samples again, and prints each start", async () => {
  const listen = inFolder("restarts");
  const options = { listen, node: { ...NODE, channels: 2 }, sampleMs: 15 };
  const out = inFolder("restarts.ndjson");
  let station = await startStation(options);
  const recording = start("record", "--port", `unix:${listen}`, "--out", out);
  await hasLines(out, 10, recording);
  await killStation(station);
  rmSync(listen);
  station = await startStation(options);
  // However many samples of the first node were still under way.
  await become("samples of the node that started again", () => sidsIn(out).size === 2, recording.printed);
  recording.child.kill("SIGINT");
  const { code, stdout } = await recording.ended;
  assert.is(code, 130);
  const recorded = countLines(out);
  assert.match(stdout, new RegExp(`^${recorded} samples .*, link lost 1 times\\n$`));
  const stays = readJsonLines(`${out}.stays`);
  const { samples, linkLosses } = stays[3];
  assert.equal([stays[1].type, stays[2].type, samples, linkLosses], ["start", "start", recorded, 1]);
  assert.is(sidsIn(out).size, 2);
  await killStation(station);
});

test("a port that can't be opened leaves one line and no file; a file that can't be written is named", async () => {
  const out = inFolder("never.ndjson");
  const missing = `unix:${inFolder("no-port")}`;
  for (const more of [[], ["--json"]]) {
    const { code, stdout, stderr } = await start("record", "--port", missing, "--out", out, ...more).ended;
    assert.equal([code, stdout], [4, ""]);
    assert.match(stderr, /^motelearn: unix:[^\n]*no such device or socket\n$/);
    assert.not.ok(existsSync(out));
  }
  await refusesHere(["record", "--port", missing], "no --out");
  await refusesHere(
    ["record", "--port", missing, "--out", inFolder("none/x.ndjson")],
    "none/x.ndjson: there is no folder",
  );
  const foreign = inFolder("foreign.ndjson");
  writeFileSync(foreign, "");
  writeFileSync(`${foreign}.stays`, "{}");
  await refusesHere(["record", "--port", missing, "--out", foreign, "--append"], "motelearn.stays/1");
});

test("each signal that asks a program to stop ends a recording in order, with the signal's exit code", async () => {
  const listen = inFolder("signals");
  const station = await startStation({ listen, node: { ...NODE, channels: 2 }, sampleMs: 15 });
  for (const [signal, wanted] of [
    ["SIGHUP", 129],
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    const out = inFolder(`${signal}.ndjson`);
    const recording = start("record", "--port", `unix:${listen}`, "--out", out);
    await hasLines(out, 3, recording);
    recording.child.kill(signal);
    const { code, stdout, stderr } = await recording.ended;
    assert.equal([code, stderr], [wanted, ""], signal);
    assert.match(stdout, new RegExp(`^${countLines(out)} samples`));
    assert.is(readJsonLines(`${out}.stays`).at(-1).samples, countLines(out));
  }
  await killStation(station);
});

test("a disk without room ends a recording in one line, with whole lines in its file", async () => {
  const listen = inFolder("room");
  const station = await startStation({ listen, node: { ...NODE, channels: 2 }, sampleMs: 15 });
  // With the smaller limit the first line about the recording fails, with the larger one a sample's.
  for (const [blocks, part] of [
    [2, "2.ndjson: the file would be larger"],
    [0, "0.ndjson.stays: the file would be larger"],
  ] as const) {
    const out = inFolder(`${blocks}.ndjson`);
    const words = ["record", "--port", `unix:${listen}`, "--out", out];
    const { code, stdout, stderr } = await startLimited(`ulimit -f ${blocks}`, ...words).ended;
    assert.is(code, 2, stderr);
    assert.match(stderr, /^motelearn: [^\n]+\n$/);
    assert.ok(stderr.includes(part), stderr);
    const text = readFileSync(out, "utf8");
    assert.ok(text === "" || text.endsWith("}\n"), text.slice(-100));
    assert.match(stdout, new RegExp(`^${text.split("\n").length - 1} samples`));
  }
  await killStation(station);
});

test("a recording whose file is removed ends in one line, for its samples would be lost", async () => {
  const listen = inFolder("removed");
  const station = await startStation({ listen, node: { ...NODE, channels: 2 }, sampleMs: 15 });
  const out = inFolder("removed.ndjson");
  const recording = start("record", "--port", `unix:${listen}`, "--out", out);
  await hasLines(out, 3, recording);
  rmSync(out);
  const { code, stderr } = await recording.ended;
  assert.is(code, 2);
  assert.match(stderr, /^motelearn: [^\n]*removed\.ndjson: was removed meanwhile[^\n]*\n$/);
  await killStation(station);
});

test("a silent node gives one line and no file, and so does an interrupt before a node was met", async () => {
  const listen = inFolder("mute");
  const server = createServer(() => {}).listen(listen);
  const out = inFolder("mute.ndjson");
  const args = ["record", "--port", `unix:${listen}`, "--out", out];
  const options = await start(...args, "--give-up", "1").ended;
  assert.equal([options.code, options.stdout], [4, ""]);
  assert.match(options.stderr, /^motelearn: unix:[^\n]*nothing comes from a node \(for 1 s\)\n$/);
  const connected = new Promise((done) => server.once("connection", done));
  const stopped = start(...args);
  await connected;
  await become("the file", () => existsSync(out), stopped.printed);
  stopped.child.kill("SIGINT");
  const { code, stdout, stderr } = await stopped.ended;
  assert.equal([code, stdout, stderr], [130, "no node was met: nothing was recorded\n", ""]);
  assert.not.ok(existsSync(out));
  server.close();
});

test.run();
