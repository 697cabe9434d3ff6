import { rmSync, writeFileSync } from "node:fs";
import * as assert from "uvu/assert";
import { Session } from "../../tools/session/session.ts";
import { refusesHere, runHere, start } from "../cli/program.ts";
import { parseEvents } from "../lab/short-network.ts";
import { LabelQueue } from "../peer/label-queue.ts";
import { test } from "./contained.ts";
import { inFolder, killStation, SMALL_NODE, startStation, takeSamples } from "./stations.ts";

const NODE = { ...SMALL_NODE, pending: 64, checkpointEvery: 10 };

test("rollback has a node go back to the checkpoint before its newest, once, and survives a start", async () => {
  const options = { listen: inFolder("back"), node: NODE, checkpoint: inFolder("back.checkpoint") };
  const port = `unix:${options.listen}`;
  let station = await startStation(options);
  const queue = new LabelQueue();
  const states = new Map<number, string>();
  const session = await Session.open({ port, labels: queue });
  const { sid } = await session.awaitHello();
  for (const labels of [10, 20, 27]) {
    takeSamples(station, labels - states.size * 10);
    await session.until(() => session.peer.node.seq === labels);
    for (let seq = states.size * 10 + 1; seq <= labels; seq++) queue.add({ sid, seq, y: seq % 2 ? 1 : -1 });
    await session.until(() => session.peer.node.labelled === labels);
    const { learnerHigh, learnerLow } = await session.ask("state");
    states.set(labels, `${learnerHigh} ${learnerLow}`);
  }
  await session.close();
  const { code, stdout, stderr } = await runHere(["rollback", "--port", port, "--json"]);
  assert.is(code, 0, stderr);
  const { before, after, restore } = JSON.parse(stdout);
  assert.equal([before.seq, before.labelled], [27, 27]);
  assert.equal([restore, after.seq, after.labelled, after.durable], ["fallback", 10, 10, 10]);
  assert.is.not(after.sid, before.sid);
  const none = await runHere(["rollback", "--port", port]);
  assert.is(none.code, 4);
  assert.is(
    none.stderr,
    `motelearn: ${port}: the node holds no checkpoint before its newest; nothing was changed\n`,
  );
  const check = async () => {
    const again = await Session.open({ port });
    const { learnerHigh, learnerLow, labelled } = await again.ask("state");
    assert.equal([`${learnerHigh} ${learnerLow}`, labelled], [states.get(10), 10]);
    await again.close();
  };
  await check();
  await killStation(station);
  station = await startStation({ ...options, listen: `${options.listen}2` });
  const restarted = await Session.open({ port: `${port}2` });
  assert.is((await restarted.awaitHello()).labelled, 10, "the flash has it so");
  await restarted.close();
  await killStation(station);
});

test("labels continues with a node that rolls back meanwhile, and ends in the same state", async () => {
  const options = {
    listen: inFolder("meanwhile"),
    node: NODE,
    fed: true,
    checkpoint: inFolder("meanwhile.checkpoint"),
  };
  const port = `unix:${options.listen}`;
  const file = inFolder("meanwhile.ndjson");
  const rows = Array.from({ length: 45 }, (_, i) => ({ x: [(i % 7) / 4, i % 2], label: i % 2 }));
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const hashes = [];
  for (const back of [false, true]) {
    const station = await startStation({ ...options, checkpoint: `${options.checkpoint}${back}` });
    const teach = () => start("labels", "--port", port, "--from", file, "--json").ended;
    let last = await teach();
    assert.is(last.code, 0, last.stderr);
    if (back) {
      assert.is((await runHere(["rollback", "--port", port])).code, 0);
      last = await teach();
      assert.is(last.code, 0, last.stderr);
    }
    const [{ state, labels }] = parseEvents(last).slice(-1);
    assert.is(labels.durable, 45);
    hashes.push(state.stateHash);
    await killStation(station);
    rmSync(options.listen);
  }
  assert.is(hashes[0], hashes[1]);
});

test("rollback says what it can't do in one line", async () => {
  await refusesHere(["rollback"], "no --port");
  const { code, stderr } = await runHere(["rollback", "--port", `unix:${inFolder("nobody")}`]);
  assert.is(code, 4);
  assert.match(stderr, /^motelearn: [^\n]+\n$/);
});

test.run();
