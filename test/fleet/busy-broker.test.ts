import { connectAsync } from "mqtt";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { startBroker } from "../../fleet/gateway/broker.ts";
import { type MqttAddress, parseAddress } from "../../tools/ports/address.ts";
import { connectAt, openMqtt } from "../../tools/ports/mqtt.ts";
import { awaited } from "../tools/awaited.ts";
import { freePort } from "../tools/ports.ts";

const FRAMES = 5000;

test("a broker takes thousands of frames that one client sends at once", async () => {
  const broker = await startBroker(0);
  const address = parseAddress(`mqtt://127.0.0.1:${broker.port}/n1`) as MqttAddress;
  const listener = connectAt(address);
  let came = 0;
  const all = new Promise<void>((done) => {
    listener.on("message", () => ++came === FRAMES && done());
  });
  await listener.subscribeAsync("many");
  const sender = connectAt(address);
  await new Promise((done) => sender.once("connect", done));
  sender.stream.cork();
  for (let i = 0; i < FRAMES; i++) sender.publish("many", "frame", { qos: 0 });
  sender.stream.uncork();
  await awaited(`${FRAMES} frames`, all, () => `${came} frames`);
  assert.is(came, FRAMES);
  await Promise.all([sender.endAsync(true), listener.endAsync(true)]);
  await broker.close();
});

test("however many frames wait, no more than 64 are taken before timers and requests have their turn", async () => {
  const broker = await startBroker(0);
  const address = parseAddress(`mqtt://127.0.0.1:${broker.port}/n1`) as MqttAddress;
  const station = connectAt(address);
  await new Promise((done) => station.once("connect", done));
  await station.publishAsync("n1/status", "online", { qos: 1, retain: true });
  let [came, row, longest] = [0, 0, 0];
  let all = () => {};
  const hasAll = new Promise<void>((done) => {
    all = done;
  });
  const turn = () => {
    row = 0;
    if (came < FRAMES) setImmediate(turn);
  };
  const channel = await openMqtt(address, {
    data: () => {
      longest = Math.max(longest, ++row);
      if (++came === FRAMES) all();
    },
    closed: () => {},
  });
  station.stream.cork();
  for (let i = 0; i < FRAMES; i++) station.publish("n1/up", "a frame", { qos: 0 });
  station.stream.uncork();
  turn();
  await awaited(`${FRAMES} frames`, hasAll, () => `${came} frames`);
  assert.is(came, FRAMES);
  assert.ok(longest <= 64, `${longest} in a row`);
  await channel.close();
  await station.endAsync(true);
  await broker.close();
});

test("nodes at one broker share a connection, and each hears its own frames", async () => {
  const broker = await startBroker(0);
  const at = (name: string) => parseAddress(`mqtt://127.0.0.1:${broker.port}/${name}`) as MqttAddress;
  const station = connectAt(at("station"));
  await new Promise((done) => station.once("connect", done));
  const names = ["n1", "n2", "n3"];
  for (const name of names) await station.publishAsync(`${name}/status`, "online", { qos: 1, retain: true });
  const heard = new Map(names.map((name) => [name, ""]));
  const lost: string[] = [];
  let last = () => {};
  const hasAll = new Promise<void>((done) => {
    last = done;
  });
  const channels = await Promise.all(
    names.map((name) =>
      openMqtt(at(name), {
        data: (bytes) => {
          const text = heard.get(name) + Buffer.from(bytes).toString();
          heard.set(name, text);
          if (text.endsWith("again")) last();
        },
        closed: () => lost.push(name),
      }),
    ),
  );
  assert.is(broker.clients, 2);
  for (const name of names) await station.publishAsync(`${name}/up`, `<${name}>`, { qos: 1 });
  await station.publishAsync("n2/status", "offline", { qos: 1, retain: true });
  await channels[0].close();
  await station.publishAsync("n1/up", "late", { qos: 1 });
  await station.publishAsync("n3/up", "again", { qos: 1 });
  await awaited("the last frame", hasAll, () => JSON.stringify([...heard]));
  assert.equal([...heard.values()], ["<n1>", "<n2>", "<n3>again"]);
  assert.equal(lost, ["n2"]);
  await channels[2].close();
  await station.endAsync(true);
  await broker.close();
});

test("the gateway reaches its own broker at whichever address of this machine that listens", async () => {
  const port = await freePort();
  const broker = await startBroker(port, { listen: { host: "127.0.0.2" } });
  const { servers, user, password } = broker.inside(`mqtt://127.0.0.2:${port}/n1`) as MqttAddress;
  const client = await connectAsync({ ...servers[0], username: user, password, reconnectPeriod: 0 });
  assert.ok(client.connected);
  await client.endAsync();
  await broker.close();
});

test.run();
