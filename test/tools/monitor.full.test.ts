import { rmSync, writeFileSync } from "node:fs";
import * as assert from "uvu/assert";
import { UserError } from "../../host/errors.ts";
import { readTable } from "../../host/streams/index.ts";
import { sharedSession } from "../../tools/monitor/shared-session.ts";
import { openSession } from "../../tools/session/open-session.ts";
import { Session } from "../../tools/session/session.ts";
import { stateFields } from "../../tools/session/state-fields.ts";
import { runJson } from "../cli/program.ts";
import { LabelQueue } from "../peer/label-queue.ts";
import { awaited } from "./awaited.ts";
import { test } from "./contained.ts";
import { readJsonLines } from "./growing.ts";
import { COUNT, labelAt, NODE, reading } from "./monitored-node.ts";
import { RunningMonitor } from "./monitors.ts";
import { inFolder, killStation, startStation } from "./stations.ts";

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
  const lines = readJsonLines(log);
  const seqs = lines.filter(({ x }) => x).map(({ seq }) => seq);
  assert.ok(seqs.length >= 20 && seqs.every((seq, i) => seq === seqs[0] + i), "every sample, in order");
  seqs.forEach((seq, i) => {
    const x = [0, 1].map((channel) => ((7 * (2 * (seq - 1) + channel + 1) + channel) % 11) / 4);
    assert.equal([...data.rows.subarray(2 * i, 2 * i + 2)], x);
  });
  const said = lines.filter(({ type }) => type === "prediction").map(({ seq }) => seq);
  assert.ok(seqs.every((seq) => said.includes(seq)));
  const [{ node }, , { type, seq }, { samples }] = readJsonLines(`${log}.stays`);
  assert.equal([node, samples, type, seq], ["logged", seqs.length, "mark", mark.seq]);
});

test("what it logs while labels are handed over is a stream: simulate replays it to the node's own state", async () => {
  const [listen, share, log] = [inFolder("replayed"), inFolder("replayed-share"), inFolder("room.ndjson")];
  const station = await startStation({ listen, node: NODE, fed: true, checkpoint: inFolder("replayed.ck") });
  const monitor = new RunningMonitor("--port", `unix:${listen}`, "--share", `unix:${share}`, "--log", log);
  await monitor.record("start");
  const queue = new LabelQueue();
  for (let seq = 1; seq <= COUNT; seq++) queue.add({ sid: 5, seq, y: labelAt(seq) });
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
  const { stateHash: hash } = stateFields(await session.ask("state"));
  await monitor.record("status", ({ seq, labelled }) => seq === COUNT + 3 && labelled === COUNT);
  await session.close();
  monitor.interrupt();
  assert.is(await monitor.ended(), 130, monitor.stderr);
  await killStation(station);
  const stay = readJsonLines(`${log}.stays`).at(-1);
  assert.equal([stay.samples, stay.predictions, stay.labels, stay.missing], [COUNT + 3, COUNT + 3, COUNT, 0]);
  const told = readJsonLines(log).filter(({ type }) => type === "label");
  assert.equal(
    told.map(({ number, sid, seq, label, status }) => [number, sid, seq, label, status]),
    Array.from({ length: COUNT }, (_, i) => [i + 1, 5, i + 1, labelAt(i + 1), "applied"]),
  );
  const simulated = runJson(
    "motelearn.simulate/1",
    "simulate",
    quietScenario("room.ndjson"),
    "--report",
    inFolder("replayed-reports"),
  );
  const [{ node, learners }] = simulated.nodes;
  // The node went on sampling after the last label: such samples are predicted, too.
  assert.equal([node, learners[0].stateHash], ["room", hash]);
  assert.ok(learners[0].samples >= COUNT, learners[0].samples);
  const { train } = runJson("motelearn.evaluate/1", "evaluate", "--learner", "olk-c", "--train", log);
  assert.is(train.count - (train.unlabelled ?? 0), COUNT);
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
    () => sharedSession(port, `unix:${share}`, flags, { message: full }),
    async () => {
      const session = await openSession(port, flags, { message: full });
      return { session, close: () => session.close() };
    },
  ]) {
    const { session, close } = await open();
    const wait = session.until(() => false).catch((error) => error.message);
    assert.is(await awaited("the fault", wait, () => "nothing"), "room.ndjson: can't be written (ENOSPC)");
    await close();
  }
  await killStation(station);
});

test("the monitor reports a lost link, welcomes the node again when it restarts, and configures its options again", async () => {
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

test("it ends after the configured seconds or bytes", async () => {
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

test.run();
