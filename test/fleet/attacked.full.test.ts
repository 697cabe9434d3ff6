import { writeFileSync } from "node:fs";
import { connectAsync, type MqttClient } from "mqtt";
import * as assert from "uvu/assert";
import { FleetStore } from "../../fleet/store/fleet-store.ts";
import { loneNode } from "../../host-sim/state/lone-node.ts";
import { LABEL_STATUS } from "../../src/node/ports.ts";
import { Encoder } from "../../src/wire/encoder.ts";
import { Receiver } from "../../src/wire/receiver.ts";
import { nameLearner } from "../../tools/fusion/lines.ts";
import { TestBroker } from "../tools/broker.ts";
import { ended, test } from "../tools/contained.ts";
import { inFolder, killStation, startStation, takeSamples } from "../tools/stations.ts";
import { fetchNodes, NODE, readState, replayed, stateBecomes } from "../tools/taught-node.ts";
import { fleet, startGateway } from "./fleets.ts";

const LABELS = 24;
const CHECKPOINT_EVERY = NODE.checkpointEvery as number;
const KEY = "000102030405060708090a0b0c0d0e0f";
const LABEL_KEY = "00112233445566778899aabbccddeeff";
const OTHER_KEY = "ffeeddccbbaa99887766554433221100";
/** The state of an untrained node. */
const FRESH = loneNode(NODE).learner.stateHash();
const trueLabel = (seq: number) => (seq % 3 === 0 ? 1 : -1);

interface Keys {
  readonly key?: string;
  readonly labelKey?: string;
}

/** Puts keys where a fleet file finds them. */
function keyFiles(name: string, keys: Keys): Keys {
  const files = Object.entries(keys).map(([what, key]) => {
    writeFileSync(inFolder(`${name}.${what}`), key, { mode: 0o600 });
    return [what, `${name}.${what}`];
  });
  return Object.fromEntries(files);
}

/** A gateway and its node at a broker where everybody may do everything, each with keys. */
async function fleetAtBroker(name: string, nodesKeys: Keys, gatewaysKeys: Keys = nodesKeys) {
  const broker = await TestBroker.start();
  const port = broker.address("n1");
  const station = await startStation({
    ...{ listen: port, node: nameLearner(NODE), ...nodesKeys },
    ...{ checkpoint: inFolder(`${name}.flash`), checkpointMs: 0 },
  });
  const file = fleet(name, [{ name: "n1", port, ...keyFiles(name, gatewaysKeys) }]);
  const gateway = await startGateway(file);
  return {
    ...{ broker, port, station, gateway },
    /** Ends the gateway; returns its labels by number. */
    close: async () => {
      assert.is(await ended(gateway.child, "SIGTERM"), 0);
      const store = new FleetStore(inFolder(`${name}.db`));
      const rows = [...store.rows("label", "n1")].sort((a, b) => Number(a.number) - Number(b.number));
      store.close();
      return rows;
    },
    end: async () => {
      await killStation(station);
      await broker.close();
    },
  };
}

/** Has the node take a sample, and gives the gateway its true label. */
async function sampleAndLabel({ station, gateway }: Awaited<ReturnType<typeof fleetAtBroker>>, seq: number) {
  takeSamples(station, 1);
  await stateBecomes(gateway.url, `sample ${seq}`, (said) => said.seq === seq);
  const options = { method: "POST", headers: { "content-type": "application/json" } };
  const body = JSON.stringify({ seq, label: trueLabel(seq), by: "anna" });
  const { status } = await fetch(`${gateway.url}/api/nodes/n1/labels`, { ...options, body });
  assert.is(status, 202);
}

/** An attacker that reads all messages on the node's topics, repeats them, and forges labels from them. */
class Enemy {
  /** Labels that it forged, and packets that it repeated. */
  readonly did = { forged: 0, repeated: 0 };
  private readonly own = new Set<string>();
  private readonly receiver = new Receiver(["label"]);
  private readonly encoder = new Encoder(["label", "prediction"]);

  private constructor(private readonly client: MqttClient) {
    client.on("message", (topic, payload) => {
      const text = payload.toString("hex");
      if (this.own.has(text)) return;
      this.send(topic, payload);
      this.did.repeated++;
      if (topic === "n1/down") this.forge(payload);
    });
  }

  static async at(broker: TestBroker): Promise<Enemy> {
    const client = await connectAsync({ port: broker.port, reconnectPeriod: 0 });
    const enemy = new Enemy(client);
    await client.subscribeAsync(["n1/up", "n1/down"]);
    return enemy;
  }

  async leave(): Promise<void> {
    await this.client.endAsync();
  }

  private send(topic: string, bytes: Uint8Array): void {
    const payload = Buffer.from(bytes);
    this.own.add(payload.toString("hex"));
    this.client.publish(topic, payload);
  }

  /** Each label with another value, with another sample's tag, under the next number, and without a tag. */
  private forge(payload: Uint8Array): void {
    const heard = this.receiver.message("label");
    const label = this.encoder.message("label");
    for (const byte of payload) {
      if (this.receiver.take(byte) === undefined) continue;
      for (const change of [
        { y: -heard.y },
        { seq: heard.seq - 1 },
        { number: heard.number + 1, y: -heard.y },
        { number: heard.number + 1, y: -heard.y, length: 0 },
      ]) {
        Object.assign(label, heard, change);
        this.send("n1/down", this.encoder.frame.subarray(0, this.encoder.encode("label")));
        this.did.forged++;
      }
    }
  }

  /** A label and a prediction of an attacker without a recording or a key. */
  forgeBlindly(seq: number): void {
    Object.assign(this.encoder.message("label"), { start: 1, number: seq, sid: NODE.sid, seq, y: 1 });
    this.send("n1/down", this.encoder.frame.subarray(0, this.encoder.encode("label")));
    Object.assign(this.encoder.message("prediction"), { sid: NODE.sid, seq: seq + 1e6, decision: 9 });
    this.send("n1/up", this.encoder.frame.subarray(0, this.encoder.encode("prediction")));
    this.did.forged += 2;
  }
}

/** Labels more samples until every label lies in a checkpoint; returns the last sample. */
async function labelToCheckpoint(its: Awaited<ReturnType<typeof fleetAtBroker>>): Promise<number> {
  const said = async () => (await fetchNodes(its.gateway.url))[0];
  for (;;) {
    const { seq, labelled } = await said();
    await sampleAndLabel(its, seq + 1);
    const { waiting } = await stateBecomes(
      its.gateway.url,
      `an answer to label ${labelled + 1}`,
      (now) => now.labelled > labelled && now.waiting <= now.labelled % CHECKPOINT_EVERY,
    );
    if (waiting === 0) return seq + 1;
  }
}

/** Labels all samples during the attack; returns the applied labels, and the node's state. */
async function attacked(name: string, keys: Keys) {
  const its = await fleetAtBroker(name, keys);
  const enemy = await Enemy.at(its.broker);
  for (let seq = 1; seq <= LABELS; seq++) {
    await sampleAndLabel(its, seq);
    if (keys.key) enemy.forgeBlindly(seq);
  }
  const said = await its.gateway.says("forgery");
  await enemy.leave();
  const seq = await labelToCheckpoint(its);
  const rows = await its.close();
  assert.ok(enemy.did.forged >= LABELS && enemy.did.repeated > LABELS, JSON.stringify(enemy.did));
  return { ...its, said, seq, rows };
}

test("with a label key alone, labels forged and replayed at an open broker teach nothing that nobody gave", async () => {
  const { said, rows, station, broker, gateway } = await attacked("forged", { labelKey: LABEL_KEY });
  assert.match(said, /^\d+ labels that came to the node had a wrong tag: /);
  assert.is(gateway.count("forged"), 0, "the gateway's key is right, whatever the enemy had the node refuse");
  for (const { seq, y } of rows) assert.is(y, trueLabel(Number(seq)));
  assert.equal(
    rows.map(({ number, status }) => [number, status]),
    rows.map((_, i) => [i + 1, LABEL_STATUS.applied]),
  );
  const { hash } = await readState(broker.address("n1"));
  assert.is(hash, replayed(rows));
  await killStation(station);
  await broker.close();
});

test("with a line key, too, no frame of another is taken, and no label is lost", async () => {
  const { said, seq, rows, station, broker, port } = await attacked("keyed", {
    key: KEY,
    labelKey: LABEL_KEY,
  });
  assert.match(said, /^\d+ frames (to|from) the node lacked its key: /);
  assert.ok(seq > LABELS);
  assert.equal(
    rows.map(({ number, seq, status }) => [number, seq, status]),
    rows.map((_, i) => [i + 1, i + 1, LABEL_STATUS.applied]),
  );
  assert.is(rows.length, seq);
  const { hash, labelled } = await readState(port, Buffer.from(KEY, "hex"));
  assert.equal([hash, labelled], [replayed(rows), seq]);
  await killStation(station);
  await broker.close();
});

test("a gateway with another line key never meets the node, and says so", async () => {
  const its = await fleetAtBroker("other-line", { key: KEY }, { key: OTHER_KEY });
  takeSamples(its.station, 3);
  assert.match(await its.gateway.says("obstructed"), /^every frame comes with another key, or none/);
  const [said] = await fetchNodes(its.gateway.url);
  assert.is(said.node, undefined);
  await its.close();
  assert.equal(await readState(its.port, Buffer.from(KEY, "hex")), { hash: FRESH, labelled: 0 });
  await its.end();
});

test("a gateway with another label key teaches nothing, and says so", async () => {
  const its = await fleetAtBroker("other-label", { labelKey: LABEL_KEY }, { labelKey: OTHER_KEY });
  for (let seq = 1; seq <= 4; seq++) await sampleAndLabel(its, seq);
  assert.match(await its.gateway.says("forged"), /labelKey isn't its label key$/);
  const rows = await its.close();
  assert.is(its.gateway.count("forged"), 1, "said once");
  assert.ok(rows.every(({ status }) => status === LABEL_STATUS.forged || status === null));
  assert.equal(await readState(its.port), { hash: FRESH, labelled: 0 });
  await its.end();
});

test.run();
