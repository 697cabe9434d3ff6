import { connectAsync, type IClientOptions, type MqttClient } from "mqtt";
import * as assert from "uvu/assert";
import { newToken, tokenHash } from "../../fleet/access/secrets.ts";
import { nameLearner } from "../../tools/fusion/lines.ts";
import { PASSWORD_VARIABLE } from "../../tools/ports/address.ts";
import { awaited } from "../tools/awaited.ts";
import { TestBroker } from "../tools/broker.ts";
import { ended, endsWithTest, test } from "../tools/contained.ts";
import { freePort } from "../tools/ports.ts";
import { inFolder, killStation, startStation } from "../tools/stations.ts";
import { NODE } from "../tools/taught-node.ts";
import { fleet, kill, startGateway } from "./fleets.ts";

/**
 * A stand-in for Home Assistant: a client that subscribes to a config's topics, and receives retained
 * messages.
 */
class Watcher {
  readonly messages = new Map<string, string>();
  private heard = () => {};

  private constructor(readonly client: MqttClient) {
    client.on("message", (topic, payload) => {
      this.messages.set(topic, String(payload));
      this.heard();
    });
  }

  static async at(port: number, options: IClientOptions = {}): Promise<Watcher> {
    const client = await connectAsync(`mqtt://127.0.0.1:${port}`, { reconnectPeriod: 0, ...options });
    endsWithTest(() => client.end(true));
    const watcher = new Watcher(client);
    await client.subscribeAsync(["homeassistant/+/+/config", "homeassistant/+/+/+/config"]);
    return watcher;
  }

  /** Resolves when the messages are so. */
  until(what: string, so: (messages: ReadonlyMap<string, string>) => boolean): Promise<void> {
    const done = new Promise<void>((resolve) => {
      this.heard = () => so(this.messages) && resolve();
      this.heard();
    });
    return awaited(what, done, () => JSON.stringify([...this.messages]));
  }

  json(topic: string) {
    return JSON.parse(this.messages.get(topic) as string);
  }
}

const CONFIG = "homeassistant/device/motelearn_press-1/config";
const ODD = /^homeassistant\/device\/motelearn_hall_press_1_[0-9a-f]{8}\/config$/;

test("Home Assistant sees each node as a device, its values, and nothing once the option is off", async () => {
  const broker = await TestBroker.start();
  const nodes = [
    { name: "press-1", port: broker.address("plant/press-1") },
    { name: "hall/press.1", port: `unix:${inFolder("odd.s")}` },
  ];
  const node = nameLearner(NODE);
  const stations = [
    await startStation({ listen: nodes[0].port, node, sampleMs: 100 }),
    await startStation({ listen: inFolder("odd.s"), node, sampleMs: 100 }),
  ];
  const on = { homeAssistant: broker.address("homeassistant") };
  const { child } = await startGateway(fleet("seen", nodes, on));
  const watcher = await Watcher.at(broker.port);
  await watcher.until("two devices", ({ size }) => size === 2);

  const config = watcher.json(CONFIG);
  assert.equal(config.device, {
    identifiers: ["motelearn_press-1"],
    name: "press-1",
    manufacturer: "Motelearn",
    model: "olk-c",
    sw_version: "station 1",
  });
  assert.is(config.origin.name, "motelearn");
  const { connection, ...sensors } = config.components;
  assert.equal(Object.keys(sensors), ["accuracy", "decision", "waiting", "asking"]);
  assert.is(connection.state_topic, "plant/press-1/status");
  const ids = new Set<string>();
  for (const message of watcher.messages.values())
    for (const { unique_id } of Object.values<{ unique_id: string }>(JSON.parse(message).components))
      ids.add(unique_id);
  assert.is(ids.size, 10, "unique ids");
  const odd = [...watcher.messages.keys()].find((topic) => ODD.test(topic));
  assert.ok(odd);
  const other = watcher.json(odd as string).components.connection;
  assert.is(other.value_template, "{{ value_json.connection }}");

  const topics = [sensors.decision.state_topic, other.state_topic, connection.state_topic];
  const { availability_topic } = sensors.decision;
  await watcher.client.subscribeAsync([...topics, availability_topic]);
  await watcher.until("values", (messages) => topics.every((topic) => messages.has(topic)));
  assert.is(watcher.messages.get(connection.state_topic), connection.payload_on);
  assert.is(watcher.json(other.state_topic).connection, other.payload_on);
  const { decision, sample } = watcher.json(topics[0]);
  assert.ok([-1, 1].includes(decision), String(decision));
  await watcher.until("later values", () => watcher.json(topics[0]).sample > sample);
  assert.is(watcher.messages.get(availability_topic), "online");
  await killStation(stations[0]);
  await watcher.until("a node that is gone", (all) => all.get(connection.state_topic) === "offline");
  await kill(child);
  await watcher.until("a gateway that is gone", (all) => all.get(availability_topic) === "offline");

  // The gateway removes what it published, though it was killed, and forgets it.
  for (const removes of [true, false]) {
    const again = await startGateway(fleet("seen", nodes));
    if (removes) {
      assert.match(await again.says("homeassistant"), /removed 2 nodes/);
      await watcher.until("nothing", (all) => all.get(CONFIG) === "" && all.get(odd as string) === "");
    }
    assert.is(await ended(again.child, "SIGTERM"), 0);
  }
  const late = await Watcher.at(broker.port);
  await late.client.subscribeAsync("#");
  // Retained messages come before the answer to a subscription that follows theirs.
  await late.client.subscribeAsync("nothing");
  assert.equal([...late.messages.keys()], ["plant/press-1/status"]);
  await killStation(stations[1]);
});

test("at the guarded built-in broker, Home Assistant reads with a user's token, and writes nothing but its status", async () => {
  const tokens = { ha: newToken(), n1: newToken() };
  const broker = await freePort();
  const at = (name: string, user = "") => `mqtt://${user}localhost:${broker}/${name}`;
  const nodes = [{ name: "n1", port: at("n1"), token: tokenHash(tokens.n1) }];
  const alarms = { rules: [{ name: "silent", silentSeconds: 3600 }], mqtt: at("alarms") };
  const users = [{ name: "ha", role: "look", token: tokenHash(tokens.ha) }];
  const { child, says } = await startGateway(
    fleet("inside", nodes, { broker, users, homeAssistant: at("homeassistant"), alarms }),
  );
  process.env[PASSWORD_VARIABLE] = tokens.n1;
  const station = await startStation({ listen: at("n1", "n1@"), node: nameLearner(NODE), sampleMs: 100 });
  delete process.env[PASSWORD_VARIABLE];
  const will = {
    topic: "homeassistant/status",
    payload: Buffer.from("offline"),
    qos: 0 as const,
    retain: false,
  };
  const watcher = await Watcher.at(broker, { username: "ha", password: tokens.ha, will });
  await watcher.client.publishAsync("homeassistant/status", "online");
  await watcher.until("a device", ({ size }) => size === 1);
  const [topic] = watcher.messages.keys();
  const { connection, decision } = watcher.json(topic).components;
  await watcher.client.subscribeAsync([
    connection.state_topic,
    decision.state_topic,
    decision.availability_topic,
  ]);
  await watcher.until("its values", ({ size }) => size === 4);
  await watcher.client.subscribeAsync("alarms/#");
  await watcher.until("an alarm", (all) => all.get("alarms/n1/silent")?.includes('"on":false') ?? false);
  const [forbidden] = await watcher.client.subscribeAsync("n1/up").catch((error) => [error]);
  assert.ok(forbidden instanceof Error || forbidden.qos === 128, "a node's frames");
  const closed = new Promise<void>((done) => watcher.client.once("close", () => done()));
  watcher.client.publish(topic, "{}", { retain: true });
  await awaited("the end of a connection that publishes a device", closed, () => "it lasts");
  assert.match(await says("refused"), /may not/);
  await kill(child);
  await killStation(station);
});

test.run();
