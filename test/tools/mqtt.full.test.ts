import { basename } from "node:path";
import * as assert from "uvu/assert";
import { Random } from "../../host/random.ts";
import { nameLearner } from "../../tools/fusion/lines.ts";
import { type MqttAddress, parseAddress } from "../../tools/ports/address.ts";
import { connectAt } from "../../tools/ports/mqtt.ts";
import { MqttNode } from "../../tools/ports/mqtt-node.ts";
import { type Running, refusesHere, start } from "../cli/program.ts";
import { TestBroker } from "./broker.ts";
import { test } from "./contained.ts";
import { freePort } from "./ports.ts";
import { plainStates, SMALL, stream } from "./small-node.ts";
import { inFolder, killStation, startStation } from "./stations.ts";

function stationAt(broker: TestBroker, name: string) {
  const listen = broker.address(name);
  return startStation({
    listen,
    node: nameLearner(SMALL),
    fed: true,
    checkpoint: inFolder(`${basename(name)}-${broker.port}.ck`),
  });
}

/** Sends the rows and their labels to the node, and returns the program's final report. */
async function taught(address: string, meanwhile?: (running: Running) => Promise<void>) {
  const running = start("labels", "--port", address, "--from", stream("rows.ndjson"), "--json");
  await meanwhile?.(running);
  const run = await running.ended;
  assert.is(run.code, 0, run.stderr);
  return JSON.parse(run.stdout.trim().split("\n").pop()!);
}

test("a node at a broker learns each label once: the state of a node in this process", async () => {
  const broker = await TestBroker.start();
  const station = await stationAt(broker, "plant/n1");
  const { labels, samples, state } = await taught(broker.address("plant/n1"));
  const { stateHash, nodeHash } = plainStates();
  assert.equal([state.stateHash, state.nodeHash], [stateHash, nodeHash]);
  assert.equal([labels.counted.applied, labels.durable, samples.fed], [48, 48, 60]);
  await killStation(station);
  await broker.close();
});

test("frames that a broker loses, repeats and brings late change nothing", async () => {
  const random = new Random(7);
  const broker = await TestBroker.start({
    harm: { lost: 0.1, twice: 0.1, late: 0.1, random: () => random.uniform() },
  });
  const station = await stationAt(broker, "n1");
  const { labels, state } = await taught(broker.address("n1"));
  assert.equal([state.stateHash, state.nodeHash], Object.values(plainStates()));
  assert.equal([labels.counted.applied, labels.durable], [48, 48]);
  for (const [harm, count] of Object.entries(broker.harmed)) assert.ok(count > 0, harm);
  await killStation(station);
  await broker.close();
});

test("a broker that is stopped and started again finds node and tool at it again", async () => {
  const port = await freePort();
  let broker = await TestBroker.start({ port });
  const station = await stationAt(broker, "n1");
  const first = broker;
  const { labels, state } = await taught(first.address("n1"), async (running) => {
    await running.says(`"status":"applied"`);
    await first.close();
    broker = await TestBroker.start({ port });
  });
  assert.equal([state.stateHash, labels.durable], [plainStates().stateHash, 48]);
  await killStation(station);
  await broker.close();
});

test("of two servers, the one that answers is used", async () => {
  const away = await TestBroker.start();
  const closed = away.port;
  await away.close();
  const broker = await TestBroker.start();
  const station = await stationAt(broker, "n1");
  const address = `mqtt://127.0.0.1:${closed},127.0.0.1:${broker.port}/n1`;
  const { labels, state } = await taught(address);
  assert.equal([state.stateHash, labels.durable], [plainStates().stateHash, 48]);
  await killStation(station);
  await broker.close();
});

test("a node that leaves its broker itself reports no lost connection", async () => {
  const broker = await TestBroker.start();
  const left: unknown[] = [];
  const address = parseAddress(broker.address("n1")) as MqttAddress;
  const node = await new Promise<MqttNode>((done) => {
    const made: MqttNode = new MqttNode(address, () => {}, {
      met: () => done(made),
      left: (error) => left.push(error),
    });
  });
  await node.close();
  assert.equal(left, []);
  await broker.close();
});

test("an address that can't be is refused in one line", async () => {
  const wrong = (port: string, ...parts: string[]) =>
    refusesHere(["labels", "--port", port, "--from", stream("rows.ndjson")], port, ...parts);
  await wrong("mqtt://host", "takes mqtt://[USER@]HOST[:PORT][,HOST[:PORT]...]/NAME");
  await wrong("mqtt://host/a+b", "not a node's name");
  await wrong("mqtt://host:0/n", "not an address");
  await wrong("mqtt://host,other:0/n", "not an address");
  await wrong("mqtt://host,/n", "not an address");
});

/** The one line with which it ends where no node can be met. */
async function faultAt(address: string): Promise<string> {
  const run = await start("record", "--port", address, "--out", inFolder("r.ndjson"), "--give-up", "1").ended;
  assert.is(run.code, 4, run.stderr);
  assert.match(run.stderr, /^motelearn: [^\n]+\n$/);
  return run.stderr;
}

test("no broker, no node, a wrong password: one line says which", async () => {
  assert.match(await faultAt("mqtt://127.0.0.1:1/n1"), /mqtt:\/\/127\.0\.0\.1:1\/n1: nothing listens there/);
  const broker = await TestBroker.start({ password: "right" });
  const asAnna = broker.address("n1").replace("//", "//anna@");
  assert.match(await faultAt(asAnna), /the broker refuses/);
  await broker.close();
});

test("a gateway of many nodes may send them all a frame at once without a warning of Node's", async () => {
  const broker = await TestBroker.start();
  const warnings: Error[] = [];
  const keep = (warning: Error) => warnings.push(warning);
  process.on("warning", keep);
  const client = connectAt(parseAddress(broker.address("n1")) as MqttAddress);
  await new Promise((resolve) => client.once("connect", resolve));
  const frame = Buffer.alloc(1024);
  await Promise.all(Array.from({ length: 1500 }, (_, i) => client.publishAsync(`n${i}/down`, frame)));
  process.off("warning", keep);
  assert.equal(warnings, []);
  await client.endAsync();
  await broker.close();
});

test.run();
