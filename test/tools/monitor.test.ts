import { readFileSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { PassThrough } from "node:stream";
import type { WriteStream } from "node:tty";
import * as assert from "uvu/assert";
import { familyNamed } from "../../src/learn/registry.ts";
import { SensorNode } from "../../src/node/node.ts";
import { NO_STORAGE } from "../../src/node/ports.ts";
import { Encoder } from "../../src/wire/encoder.ts";
import { screenOutput } from "../../tools/monitor/outputs.ts";
import { Prequential } from "../../tools/monitor/prequential.ts";
import { draw, type Scene } from "../../tools/monitor/screen.ts";
import { Session } from "../../tools/session/session.ts";
import { stateFields } from "../../tools/session/state-fields.ts";
import { refusesHere, run } from "../cli/program.ts";
import { LabelQueue } from "../peer/label-queue.ts";
import { test } from "./contained.ts";
import { COUNT, labelAt, NODE, reading } from "./monitored-node.ts";
import { RunningMonitor } from "./monitors.ts";
import { inFolder, killStation, startStation } from "./stations.ts";

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
    node.label({ number: seq, sid: NODE.sid, seq, y: labelAt(seq) });
  }
  return node;
}

test("while another program hands labels over the shared line, the monitor shows the node's counts, and changes nothing", async () => {
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
  for (let seq = 1; seq <= COUNT; seq++) queue.add({ sid: 5, seq, y: labelAt(seq) });
  const session = await Session.open({
    port: `unix:${share}`,
    labels: queue,
    samples: { at: (seq) => (seq <= COUNT ? { x: reading(seq), after: seq - 4 } : undefined) },
  });
  await session.until(() => session.peer.node.labelled === COUNT);
  const here = nodeHere();
  assert.is(stateFields(await session.ask("state")).stateHash, here.learner.stateHash());
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

test("a guest that shares the line and reads nothing is cut off, and the monitor continues", async () => {
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

test("accuracy: of all labels, and of the last 100 or a few more; the monitor distinguishes a node that starts again from one that forgot", () => {
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
