import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { familyNamed } from "../../src/learn/registry.ts";
import { type NodeOptions, SensorNode } from "../../src/node/node.ts";
import { LABEL_STATUS, NO_STORAGE } from "../../src/node/ports.ts";
import { Stream } from "../../targets/emulator/programs/stream.ts";
import type { NodeState } from "../../tools/gateway/node-keeper.ts";
import { FleetStore } from "../../tools/gateway/store.ts";
import { Session } from "../../tools/session/session.ts";
import { become } from "./awaited.ts";
import { TestBroker } from "./broker.ts";
import { fleet, kill, startGateway } from "./fleets.ts";
import { refuses, start } from "./program.ts";
import { inFolder, killStation, startStation } from "./stations.ts";

const LABELS = 8;
const CHANNELS = 2;
const SAMPLE_MS = 200;
const CHIP = "rv32imac";
const BUDGET = 8;
const learner = familyNamed("olk-c")!;
const NODE: NodeOptions = {
  sid: 1,
  channels: CHANNELS,
  learner,
  options: { budget: BUDGET },
  checkpointEvery: 4,
};

const hex = (...words: number[]) => words.map((word) => word.toString(16).padStart(8, "0")).join("");

/** The nodes' readings, known here by their number. */
const READINGS: Record<string, (n: number) => number[]> = {
  board: (n) => {
    const stream = new Stream(CHANNELS);
    for (let i = 0; i < n; i++) stream.next(learner.task);
    return [...stream.x];
  },
  linux: (n) => Array.from({ length: CHANNELS }, (_, i) => ((7 * (CHANNELS * (n - 1) + i + 1) + i) % 11) / 4),
};

/** Processes to end if a test fails. */
const running = new Set<() => unknown>();
test.after(async () => {
  for (const end of running) await end();
});

/** Starts a board in QEMU that samples by itself, with its serial line at a Unix socket. */
async function startBoard(unix: string): Promise<{ close(): Promise<void> }> {
  const emulator = await import(pathToFileURL(join(process.cwd(), "targets/emulator/board.mjs")).href);
  const firmware = await emulator.boardFirmware(CHIP, join(process.cwd(), "dist/programs-for-xs.js"));
  const node = { ...NODE, learner: learner.name };
  const argument = { run: "station", node, sampleMs: SAMPLE_MS, selfTest: false };
  return emulator.startBoard({ firmware, argument, uart: { unix }, flash: inFolder("flash") });
}

async function statesAt(url: string): Promise<NodeState[]> {
  const response = await fetch(`${url}/api/nodes`);
  return ((await response.json()) as { nodes: NodeState[] }).nodes;
}

/** Labels the nodes' newest samples, until each node has dealt with enough labels. */
async function teach(url: string): Promise<void> {
  const taken = new Map<string, Set<number>>();
  let states: NodeState[] = [];
  const done = () => states.length > 0 && states.every(({ labelled = 0 }) => labelled >= LABELS);
  const round = async () => {
    states = await statesAt(url);
    for (const { name, node, seq = 0 } of states) {
      const own = taken.get(name) ?? new Set();
      taken.set(name, own);
      if (!node || seq === 0 || own.size >= LABELS || own.has(seq)) continue;
      const response = await fetch(`${url}/api/nodes/${name}/labels`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ seq, label: seq % 3 === 0 ? 1 : -1, by: "anna" }),
      });
      if (response.status === 202) own.add(seq);
    }
  };
  let over = false;
  const rounds = (async () => {
    while (!over) {
      await round();
      await new Promise((again) => setTimeout(again, 50));
    }
  })();
  await become("labels of both nodes", done, () => JSON.stringify(states)).finally(() => {
    over = true;
  });
  await rounds;
}

/** The hash of the learner of a node at the broker, and how many labels it has dealt with. */
async function hashAt(port: string): Promise<{ labelled: number; hash: string }> {
  const session = await Session.open({ port, giveUp: 0 });
  const { labelled, learnerHigh, learnerLow } = await session.ask("state");
  await session.close();
  return { labelled, hash: hex(learnerHigh, learnerLow) };
}

/** The hash of a simulated node that takes a node's labels in the gateway's database, each once. */
function simulated(store: FleetStore, name: string): { labelled: number; hash: string } {
  const plain = new SensorNode(NODE, { now: () => 0 }, { predicted() {}, acknowledge() {} }, NO_STORAGE);
  const rows = [...store.rows("label", name)].sort((a, b) => Number(a.number) - Number(b.number));
  rows.forEach(({ seq, y, source, confidence }, i) => {
    plain.sample(READINGS[name](Number(seq)));
    const given = { y: Number(y), source: Number(source), confidence: Number(confidence) };
    assert.is(plain.label({ number: i + 1, sid: 1, seq: i + 1, ...given }), LABEL_STATUS.applied);
  });
  return { labelled: rows.length, hash: plain.learner.stateHash() };
}

test("a board in QEMU, bridged to a broker, and a Linux node there learn at one gateway as simulated nodes do", async () => {
  const broker = await TestBroker.start();
  running.add(() => broker.close());
  const listen = inFolder("wire");
  const board = await startBoard(listen);
  running.add(() => board.close());
  const bridge = start("bridge", "--port", `unix:${listen}`, "--to", broker.address("board"));
  running.add(() => bridge.child.kill("SIGKILL"));
  await bridge.says("is at");
  const linux = await startStation({
    listen: broker.address("linux"),
    node: { ...NODE, learner: learner.name },
    sampleMs: SAMPLE_MS,
    checkpoint: inFolder("linux.ck"),
  });
  const names = ["board", "linux"];
  const nodes = names.map((name) => ({ name, port: broker.address(name) }));
  const gateway = await startGateway(fleet("both", nodes));
  running.add(() => gateway.child.kill("SIGKILL"));
  await teach(gateway.url);
  await kill(gateway.child);
  const store = new FleetStore(inFolder("both.db"));
  for (const name of names) assert.equal(await hashAt(broker.address(name)), simulated(store, name), name);
  store.close();
  bridge.child.kill("SIGINT");
  assert.is((await bridge.ended).code, 130);
  await killStation(linux);
  await board.close();
  await broker.close();
  running.clear();
});

test("a bridge that can't be is refused in one line, and one without port or broker ends", async () => {
  refuses(
    ["bridge", "--port", "mqtt://host/n", "--to", "mqtt://host/n"],
    "--port mqtt://host/n",
    "unix:PATH",
  );
  refuses(["bridge", "--port", "unix:/tmp/n", "--to", "tcp://host:1"], "--to tcp://host:1", "mqtt://");
  refuses(["bridge", "--port", "unix:/tmp/n"], "--to");
  const nowhere = start("bridge", "--port", `unix:${inFolder("nobody")}`, "--to", "mqtt://127.0.0.1:1/n");
  const { code, stderr } = await nowhere.ended;
  assert.equal([code, /^motelearn: [^\n]+no such device or socket[^\n]*\n$/.test(stderr)], [4, true], stderr);
  const broker = await TestBroker.start();
  const linux = await startStation({
    ...{ listen: inFolder("alone"), node: { ...NODE, learner: learner.name }, sampleMs: SAMPLE_MS },
  });
  const to = broker.address("n");
  await broker.close();
  const port = `unix:${inFolder("alone")}`;
  const alone = await start("bridge", "--port", port, "--to", to, "--give-up", "1").ended;
  assert.is(alone.code, 4, alone.stderr);
  assert.match(alone.stderr, /\(for 1 s\)\n$/);
  await killStation(linux);
});

test.run();
