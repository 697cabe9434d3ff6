import { rmSync } from "node:fs";
import * as assert from "uvu/assert";
import type { NodeReplay } from "../../host-sim/network/journal.ts";
import { nameLearner } from "../../tools/fusion/lines.ts";
import { runJson, start } from "../cli/program.ts";
import { parseEvents, replays, SCENARIO } from "../lab/short-network.ts";
import { words } from "../words.ts";
import { test } from "./contained.ts";
import type { StationGiven } from "./station.program.ts";
import { inFolder, killStation, startStation } from "./stations.ts";

function replayStation({ options }: NodeReplay, name: string): StationGiven {
  const node = nameLearner(options);
  return { listen: inFolder(name), node, fed: true, checkpoint: inFolder(`${name}.checkpoint`) };
}

test("two nodes, labels from fusion over TCP: each ends in the state that simulate gives for that seed", async () => {
  const simulated = runJson(
    "motelearn.simulate/1",
    "simulate",
    SCENARIO,
    "--seed",
    "5",
    "--report",
    inFolder("reports"),
  );
  const centre = start(
    "fusion",
    "--listen",
    "tcp://127.0.0.1:0",
    "--scenario",
    SCENARIO,
    "--seed",
    "5",
    "--json",
  );
  await centre.says("listening");
  const { address } = JSON.parse(centre.printed().split("\n")[0]);
  const names = ["first", "second"];
  const stations = await Promise.all(names.map((name, i) => startStation(replayStation(replays[i], name))));
  const ports = names.flatMap((name) => ["--port", `unix:${inFolder(name)}`]);
  const run = await start("labels", ...ports, "--from", address, "--json").ended;
  assert.is(run.code, 0, run.stderr);
  const summaries = parseEvents(run).filter(({ event }) => event === "summary");
  assert.is(summaries.length, 2);
  for (const { node, state, simulated: told, labels, samples, bits } of summaries) {
    const { result } = simulated.nodes
      .map(({ node: name, learners }: { node: string; learners: unknown[] }) => ({
        name,
        result: learners[0],
      }))
      .find(({ name }: { name: string }) => name === node);
    assert.is(state.stateHash, result.stateHash, `${node}: learner`);
    assert.is(state.nodeHash, result.nodeHash, `${node}: the whole node`);
    assert.ok(told.same);
    assert.is(labels.counted.applied, result.labels.applied);
    assert.is(labels.counted.expired, result.labels.late);
    assert.is(labels.durable, result.labels.issued);
    assert.is(samples.fed, result.samples);
    assert.is(bits.verdict, "same bits");
    assert.ok(bits.learner);
  }
  centre.child.kill("SIGINT");
  assert.is((await centre.ended).code, 130);
  await Promise.all(stations.map(killStation));
});

test("with two power cuts of the node and one of the centre, the state is the same and no label is applied twice", async () => {
  const options = replayStation(replays[2], "cut");
  const from = `unix:${inFolder("centre")}`;
  const listen = ["fusion", "--listen", from, "--scenario", SCENARIO, "--seed", "5"];
  let centre = start(...listen);
  await centre.says("listening");
  let station = await startStation({ ...options, node: { ...options.node, checkpointEvery: 100 } });
  const labels = start(
    ...words`labels --port unix:${options.listen} --from ${from} --node`,
    "mote 3",
    "--json",
  );
  for (const number of [200, 600]) {
    await labels.says(`"number":${number},`);
    await killStation(station);
    rmSync(`${options.listen}`);
    station = await startStation({ ...options, node: { ...options.node, checkpointEvery: 100 } });
  }
  await labels.says('"number":800,');
  centre.child.kill("SIGKILL");
  await centre.ended;
  centre = start(...listen);
  const run = await labels.ended;
  assert.is(run.code, 0, run.stderr);
  const events = parseEvents(run);
  const { state, labels: counts, starts, link, simulated } = events[events.length - 1];
  assert.is(state.stateHash, replays[2].stateHash);
  assert.ok(simulated.same);
  assert.is(counts.counted.applied + counts.counted.expired, replays[2].labels.length);
  assert.equal([starts, link.losses, link.sourceLosses], [3, 2, 1]);
  const restored = events.filter(({ event }) => event === "started").map(({ hello }) => hello);
  assert.equal(
    restored.map(({ restore, labelled }) => [restore, labelled % 100]),
    [
      ["fresh", 0],
      ["restored", 0],
      ["restored", 0],
    ],
  );
  assert.ok(restored[2].labelled >= 500);
  centre.child.kill("SIGKILL");
  await killStation(station);
});

test("labels itself may end and start again: the node resumes at its next label", async () => {
  const options = replayStation(replays[3], "twice");
  const station = await startStation(options);
  const args = ["labels", "--port", `unix:${options.listen}`, "--from", `fusion:${SCENARIO}`, "--seed", "5"];
  const first = start(...args, "--node", "4", "--json");
  await first.says('"number":300,');
  first.child.kill("SIGINT");
  const stopped = await first.ended;
  assert.is(stopped.code, 130, stopped.stderr);
  const events = parseEvents(stopped);
  const { event, state, labels } = events[events.length - 1];
  assert.is(event, "summary");
  assert.ok(labels.labelled >= 300 && labels.labelled < replays[3].labels.length);
  assert.is(state.stateHash.length, 16);
  const { stdout, code } = await start(...args, "--node", "4").ended;
  assert.is(code, 0);
  assert.match(stdout, /resumes after sample \d+, label ([3-9]\d\d|\d{4})\n/);
  assert.ok(stdout.includes(`${replays[3].stateHash} (learner)`));
  assert.ok(stdout.includes("the same learner's state"));
  await killStation(station);
});

test.run();
