import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import type { WriteStream } from "node:tty";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { readTable } from "../../host-sim/streams/index.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { SensorNode } from "../../src/node/node.ts";
import { NO_STORAGE } from "../../src/node/ports.ts";
import { Encoder } from "../../src/wire/encoder.ts";
import { UserError } from "../../tools/cli/exit.ts";
import { ownLine } from "../../tools/monitor/line.ts";
import { screenOutput } from "../../tools/monitor/outputs.ts";
import { Prequential } from "../../tools/monitor/prequential.ts";
import { draw, type Scene } from "../../tools/monitor/screen.ts";
import { sharedLine } from "../../tools/monitor/shared-line.ts";
import { Session } from "../../tools/session/session.ts";
import { LabelQueue } from "../peer/label-queue.ts";
import { awaited } from "./awaited.ts";
import { RunningMonitor } from "./monitors.ts";
import { refusesHere, run, runJson } from "./program.ts";
import { inFolder, killStation, startStation } from "./stations.ts";

const NODE = { sid: 5, channels: 2, pending: 16, labelWindow: 16, learner: "olk-c", options: { budget: 8 } };
const COUNT = 100;
const reading = (seq: number) => [((7 * seq) % 11) / 4 - 1, ((5 * seq) % 13) / 4 - 1];
const labelOf = (seq: number) => (reading(seq)[0] * reading(seq)[1] > 0 ? 1 : -1);

/** The same samples and labels given to a node of this process. */
function nodeHere(): SensorNode {
  const node = new SensorNode(
    { ...NODE, learner: familyNamed(NODE.learner)! },
    { now: () => 0 },
    { predicted: () => {}, acknowledge: () => {} },
    NO_STORAGE,
  );
  for (let seq = 1; seq <= COUNT; seq++) {
    node.sample(reading(seq));
    node.label({ number: seq, sid: NODE.sid, seq, y: labelOf(seq) });
  }
  return node;
}

test("while another program hands labels over the shared line, the monitor tells what the node counts, and changes nothing", async () => {
  const [listen, share] = [inFolder("shared"), inFolder("share")];
  const station = await startStation({
    listen,
    node: NODE,
    fed: true,
    checkpoint: inFolder("shared.checkpoint"),
  });
  const monitor = new RunningMonitor("--port", `unix:${listen}`, "--share", `unix:${share}`);
  const { node } = await monitor.record("start");
  assert.equal([node.learner, node.restore, node.sid], ["olk-c", "fresh", 5]);
  const { bits } = await monitor.record("bits");
  assert.equal([bits.verdict, bits.learner], ["same bits", false]);
  const queue = new LabelQueue();
  for (let seq = 1; seq <= COUNT; seq++) queue.add({ sid: 5, seq, y: labelOf(seq) });
  const session = await Session.open({
    port: `unix:${share}`,
    labels: queue,
    samples: { at: (seq) => (seq <= COUNT ? { x: reading(seq), after: seq - 4 } : undefined) },
  });
  await session.until(() => session.peer.node.labelled === COUNT);
  const here = nodeHere();
  const { learnerHigh, learnerLow } = await session.ask("state");
  const hash = [learnerHigh, learnerLow].map((word) => word.toString(16).padStart(8, "0")).join("");
  assert.is(hash, here.learner.stateHash());
  const { statistics, learning, prequential, durable } = await monitor.record(
    "status",
    (status) => status.statistics?.applied === COUNT && status.learning?.learned === COUNT,
  );
  const mistaken = here.count("mistaken");
  assert.ok(mistaken > 0);
  assert.equal([statistics.mistaken, statistics.size, statistics.capacity], [mistaken, here.learner.size, 8]);
  assert.equal([learning.evicted, durable], [here.learner.count("evicted"), 0]);
  assert.equal(prequential.kind, "accuracy");
  assert.equal(prequential.all, { labels: COUNT, value: 1 - mistaken / COUNT });
  assert.ok(prequential.recent.labels <= COUNT);
  monitor.press("c");
  assert.equal((await monitor.record("checkpoint")).kept, true);
  await monitor.record("status", (status) => status.durable === COUNT);
  assert.is(session.peer.credit.lost, 0, "the monitor's own bytes aren't the peer's");
  await session.close();
  monitor.press("q");
  assert.is(await monitor.ended(), 0);
  await killStation(station);
});

/** The lines of a log. */
// biome-ignore lint/suspicious/noExplicitAny: each type of line has a form of its own, which the test states.
function logLines(file: string): any[] {
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

test("what it logs is a stream: the samples as the node took them, to the bit", async () => {
  const listen = inFolder("logged");
  const log = inFolder("logged.ndjson");
  const station = await startStation({ listen, node: { ...NODE, learner: "olk-n" }, sampleMs: 20 });
  const monitor = new RunningMonitor("--port", `unix:${listen}`, "--log", log);
  await monitor.record("status", ({ seq }) => seq >= 20);
  monitor.press("m");
  const mark = await monitor.record("mark");
  await monitor.record("status", ({ seq }) => seq >= mark.seq + 20);
  monitor.press("q");
  assert.is(await monitor.ended(), 0, monitor.stderr);
  await killStation(station);
  const data = await readTable(log, { unlabelled: true, provenance: true });
  const lines = logLines(log);
  const seqs = lines.filter(({ x }) => x).map(({ seq }) => seq);
  assert.ok(seqs.length >= 20 && seqs.every((seq, i) => seq === seqs[0] + i), "every sample, in order");
  seqs.forEach((seq, i) => {
    const x = [0, 1].map((channel) => ((7 * (2 * (seq - 1) + channel + 1) + channel) % 11) / 4);
    assert.equal([...data.rows.subarray(2 * i, 2 * i + 2)], x);
  });
  const said = lines.filter(({ type }) => type === "prediction").map(({ seq }) => seq);
  assert.ok(seqs.every((seq) => said.includes(seq)));
  const [{ node }, , { type, seq }, { samples }] = logLines(`${log}.stays`);
  assert.equal([node, samples, type, seq], ["logged", seqs.length, "mark", mark.seq]);
});

test("what it logs while labels are handed over is a stream: simulate replays it to the node's own state", async () => {
  const [listen, share, log] = [inFolder("replayed"), inFolder("replayed-share"), inFolder("room.ndjson")];
  const station = await startStation({ listen, node: NODE, fed: true, checkpoint: inFolder("replayed.ck") });
  const monitor = new RunningMonitor("--port", `unix:${listen}`, "--share", `unix:${share}`, "--log", log);
  await monitor.record("start");
  const queue = new LabelQueue();
  for (let seq = 1; seq <= COUNT; seq++) queue.add({ sid: 5, seq, y: labelOf(seq) });
  let logged = false;
  const session = await Session.open({
    port: `unix:${share}`,
    labels: queue,
    samples: { at: (seq) => (logged && seq <= COUNT + 3 ? { x: reading(seq), after: seq - 4 } : undefined) },
  });
  while ((await session.ask("configuration")).samples === 0);
  logged = true;
  const { node: place } = session.peer;
  await session.until(() => place.labelled === COUNT && place.seq === COUNT + 3);
  const { learnerHigh, learnerLow } = await session.ask("state");
  await monitor.record("status", ({ seq, labelled }) => seq === COUNT + 3 && labelled === COUNT);
  await session.close();
  monitor.interrupt();
  assert.is(await monitor.ended(), 130, monitor.stderr);
  await killStation(station);
  const stay = logLines(`${log}.stays`).at(-1);
  assert.equal([stay.samples, stay.predictions, stay.labels, stay.missing], [COUNT + 3, COUNT + 3, COUNT, 0]);
  const told = logLines(log).filter(({ type }) => type === "label");
  assert.equal(
    told.map(({ number, sid, seq, label, status }) => [number, sid, seq, label, status]),
    Array.from({ length: COUNT }, (_, i) => [i + 1, 5, i + 1, labelOf(i + 1), "applied"]),
  );
  const simulated = runJson(
    "motelearn.simulate/1",
    "simulate",
    quietScenario("room.ndjson"),
    "--report",
    inFolder("replayed-reports"),
  );
  const [{ node, learners }] = simulated.nodes;
  const hash = [learnerHigh, learnerLow].map((word) => word.toString(16).padStart(8, "0")).join("");
  assert.equal([node, learners[0].samples, learners[0].stateHash], ["room", COUNT, hash]);
  const { train } = runJson("motelearn.evaluate/1", "evaluate", "--learner", "olk-c", "--train", log);
  assert.is(train.count, COUNT);
});

/** A scenario in which the node of a stream gets every label, right and at once. */
function quietScenario(path: string): string {
  const file = inFolder("quiet.json");
  const { learner, options, pending } = NODE;
  const scenario = {
    schema: "motelearn.scenario/1",
    name: "quiet",
    seed: 1,
    stream: { type: "files", files: [{ node: "room", path }] },
    node: { pending, standardise: false },
    tasks: [{ name: "replay", task: "classification", learners: [{ learner, options }] }],
  };
  writeFileSync(file, JSON.stringify(scenario));
  return file;
}

test("a log that can't be written any more ends the watch with that, on a shared line too", async () => {
  const [listen, share] = [inFolder("full"), inFolder("full-share")];
  const station = await startStation({ listen, node: NODE, sampleMs: 20 });
  const full = () => {
    throw new UserError("room.ndjson: can't be written (ENOSPC)");
  };
  const flags = { baud: 115200, reset: false, giveUp: 0 };
  const port = `unix:${listen}`;
  for (const open of [
    () => sharedLine(port, `unix:${share}`, flags, { message: full }),
    () => ownLine(port, flags, { message: full }),
  ]) {
    const line = await open();
    const wait = line.until(() => false).catch((error) => error.message);
    assert.is(await awaited("the fault", wait, () => "nothing"), "room.ndjson: can't be written (ENOSPC)");
    await line.close();
  }
  await killStation(station);
});

test("a link that is lost is told, and a node that starts again is met again; the options it had are given back", async () => {
  const listen = inFolder("again");
  let station = await startStation({ listen, node: NODE, sampleMs: 50 });
  const monitor = new RunningMonitor("--port", `unix:${listen}`);
  await monitor.record("status", ({ link, statistics }) => link.open && statistics);
  await killStation(station);
  rmSync(listen);
  const { reason } = await monitor.record("lost");
  assert.match(reason, /again: /);
  station = await startStation({ listen, node: NODE, sampleMs: 50 });
  await monitor.record("reopened");
  assert.is((await monitor.record("start", ({ starts }) => starts === 2)).node.restore, "fresh");
  const { link } = await monitor.record("status", ({ starts, statistics }) => starts === 2 && statistics);
  assert.equal([link.open, link.losses], [true, 1]);
  monitor.interrupt();
  assert.is(await monitor.ended(), 130);
  const session = await Session.open({ port: `unix:${listen}` });
  assert.is((await session.ask("configuration")).statisticsMs, 10_000);
  await session.close();
  await killStation(station);
});

test("who shares the line and reads nothing is cut off, and the monitor goes on", async () => {
  const [listen, share] = [inFolder("pouring"), inFolder("pouring-share")];
  const sockets: Socket[] = [];
  const node = createServer((socket) => sockets.push(socket.on("error", () => {}))).listen(listen);
  const monitor = new RunningMonitor("--port", `unix:${listen}`, "--share", `unix:${share}`);
  await monitor.record("status");
  const deaf = connect(share)
    .on("error", () => {})
    .pause();
  await new Promise((done) => deaf.once("connect", done));
  const encoder = new Encoder(["prediction"]);
  const prediction = encoder.frame.slice(0, encoder.encode("prediction"));
  const pour = setInterval(() => sockets[0].write(Buffer.alloc(1 << 16, prediction)), 20);
  const { why } = await monitor.record("obstructed");
  assert.match(why, /doesn't read .* cut off$/);
  clearInterval(pour);
  const { link } = await monitor.record("status", () => true, monitor.records.length);
  assert.ok(link.open);
  monitor.interrupt();
  assert.is(await monitor.ended(), 130, monitor.stderr);
  deaf.destroy();
  node.close();
  for (const socket of sockets) socket.destroy();
});

test("it ends by itself after so many seconds or bytes", async () => {
  const listen = inFolder("limits");
  const station = await startStation({ listen, node: NODE, sampleMs: 50 });
  const bySeconds = new RunningMonitor("--port", `unix:${listen}`, "--max-seconds", "1");
  assert.is(await bySeconds.ended(), 0);
  const byBytes = new RunningMonitor("--port", `unix:${listen}`, "--max-bytes", "500");
  assert.is(await byBytes.ended(), 0);
  assert.ok(byBytes.records.at(-1).link.bytes >= 500);
  assert.ok(byBytes.records.every(({ schema }) => schema === "motelearn.monitor/1"));
  await killStation(station);
});

test("accuracy: of all labels, and of the last 100 or a few more; a node that starts again is told from one that forgot", () => {
  const prequential = new Prequential("accuracy");
  prequential.take(0, 0, 0, 0);
  for (let k = 1; k <= 30; k++) prequential.take(10 * k, 10 * k, k <= 15 ? 5 * k : 75, 0);
  assert.equal(prequential.all, { labels: 300, value: 0.75 });
  assert.equal(prequential.recent, { labels: 100, value: 1 });
  assert.is(prequential.curve.length, 30);
  assert.is(prequential.curve[0].value, 0.5);
  prequential.take(310, 4, 1, 0);
  assert.equal([prequential.all, prequential.recent], [{ labels: 4, value: 0.75 }, undefined]);
  const error = new Prequential("error");
  error.take(5, 5, 0, 9);
  error.take(9, 9, 0, 0.5);
  error.take(11, 11, 0, 2);
  assert.equal(error.all, { labels: 6, value: 1 });
});

/** A scene with everything in it. */
function scene(): Scene {
  const prequential = new Prequential("accuracy");
  for (let k = 0; k <= 400; k++) prequential.take(5 * k, 5 * k, k, 0);
  const hello = {
    protocol: 1,
    restore: "fallback",
    reset: "task watchdog",
    crash: true,
    fed: false,
    boot: 1,
    sid: 77,
    seq: 9,
    labelled: 8,
  };
  const more = {
    durable: 8,
    since: 9,
    channels: 2,
    dimension: 2,
    plan: 5892,
    selfTest: 1,
    waiting: 0,
    pending: 16,
    labelWindow: 8,
    fifo: 128,
    frame: 128,
    firmware: "station 1",
    learner: "olk-c",
  };
  return {
    port: "unix:/a/rather/long/path/of/a/socket/that/does/not/fit/in/a/narrow/terminal",
    seconds: 3725,
    status: {
      node: { ...hello, ...more },
      starts: 2,
      seq: 2000,
      labelled: 2000,
      durable: 1990,
      link: { open: false, losses: 3, bytes: 12345, damaged: 2, damagedBytes: 40, forged: 0 },
      dropped: 1,
      prediction: -0.12345,
      prequential: { kind: "accuracy", all: prequential.all, recent: prequential.recent },
      statistics: {
        applied: 2000,
        mistaken: 400,
        lag: 12,
        waiting: 6,
        size: 60,
        capacity: 64,
        expired: 3,
        saved: 4,
        unsaved: 1,
      },
      learning: { inserted: 100, evicted: 36, dropped: 4 },
      losses: { crc: 2, slots: 40000, chunks: 20000, turn: 14 },
      bits: { verdict: "different bits", first: "gaussianRow" },
      marks: 2,
    },
    prequential,
    marks: [500, 1500],
    notice: "mark 2 at sample 1500",
  };
}

test("a screen of any size is filled line by line, nothing beyond its edges; the most important stays", () => {
  for (const [columns, rows] of [
    [80, 24],
    [40, 10],
    [200, 60],
    [20, 6],
    [1, 1],
  ]) {
    for (const unicode of [true, false]) {
      const lines = draw(scene(), { columns, rows, unicode });
      assert.is(lines.length, rows);
      for (const { text } of lines) {
        assert.ok([...text].length <= columns, `${columns}: ${text}`);
        if (!unicode) assert.match(text, /^[ -~]*$/);
      }
    }
  }
  const text = (columns: number, rows: number) =>
    draw(scene(), { columns, rows, unicode: true })
      .map((line) => line.text)
      .join("\n");
  const large = text(80, 24);
  for (const part of [
    "LINK LOST 1:02:05",
    "accuracy",
    "0.800 of 2000 labels",
    "60 of 64",
    "evicted 36",
    "lag 12",
  ])
    assert.ok(large.includes(part), part);
  for (const part of [
    "fallback after crash (task watchdog)",
    "gaussianRow",
    "▲",
    "not kept 1",
    "slots 40000 B",
    "longest turn 14 ms",
  ])
    assert.ok(large.includes(part), part);
  const small = text(40, 10);
  for (const part of ["LINK LOST", "0.800 of 2000 labels", "60 of 64", "q quit"])
    assert.ok(small.includes(part), part);
});

test("when the screen is given back, what was known last stays", () => {
  const terminal = Object.assign(new PassThrough({ encoding: "utf8" }), { columns: 80, rows: 24 });
  const output = screenOutput(terminal as unknown as WriteStream, 250);
  output.show(scene());
  output.close();
  const [, shown] = (terminal.read() as string).split("\x1b[?1049l");
  assert.match(
    shown,
    /^unix:\/a\/[^\n]*: olk-c, fallback after crash \(task watchdog\), [^\n]*\n {2}accuracy +0\.800 of 2000 labels/,
  );
  assert.match(shown, /\n {2}memory +plan 5892 B, [^\n]*\n$/);
  const never = Object.assign(new PassThrough({ encoding: "utf8" }), { columns: 80, rows: 24 });
  screenOutput(never as unknown as WriteStream, 250).close();
  assert.ok((never.read() as string).endsWith("\x1b[?1049l"));
});

test("what can't be used is refused on one line", async () => {
  await refusesHere(["monitor"], "--port");
  await refusesHere(["monitor", "--port", "nowhere"], "not the address of a port");
  await refusesHere(["monitor", "--port", "unix:/tmp/x", "--every", "0"], "1..3600");
  const log = inFolder("there.ndjson");
  writeFileSync(log, '{"x":[1,2]}\n');
  await refusesHere(["monitor", "--port", "unix:/tmp/x", "--log", log], `${log}: exists`, "--append");
  assert.is(run("monitor", "--port", "unix:/no/port", "--log", log, "--append").code, 4);
  assert.is(readFileSync(log, "utf8"), '{"x":[1,2]}\n', "what there was stays");
  await refusesHere(
    ["monitor", "--port", "unix:/tmp/x", "--share", "/dev/null"],
    "--share",
    "tcp://HOST:PORT",
  );
});

test.run();
