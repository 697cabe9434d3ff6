import { connect, connectAsync, type IClientOptions, type IConnackPacket, type MqttClient } from "mqtt";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { newToken, tokenHash } from "../../fleet/access/secrets.ts";
import { type Broker, startBroker } from "../../fleet/gateway/broker.ts";
import { become } from "../tools/awaited.ts";

const TOKEN = newToken();
const MEGABYTE = 1 << 20;
/** PUBLISH on n1/up, with a payload of 200 MB. */
const HEAD = Buffer.from([0x30, 0x80, 0x84, 0xaf, 0x5f, 0, 5, ...Buffer.from("n1/up")]);

/** A broker that restricts its clients, and what it refused them. */
async function guardedBroker(): Promise<{ broker: Broker; refused: string[] }> {
  const refused: string[] = [];
  const node = { name: "n1", port: "mqtt://localhost:1884/n1", baud: 115200, token: tokenHash(TOKEN) };
  const nodes = [{ ...node, labels: "mqtt://localhost:1884/labels" }];
  const users = [{ name: "camera", role: "label" as const, token: tokenHash(TOKEN) }];
  const broker = await startBroker(0, {
    fleet: { nodes, users, broker: 1884 },
    refused: (_from, _who, text) => refused.push(text),
  });
  return { broker, refused };
}

const login = ({ port }: Broker): IClientOptions => ({
  ...{ host: "127.0.0.1", port, username: "n1", password: TOKEN, reconnectPeriod: 0 },
});

test("a node's packet of 200 MB is cut off before it is in memory", async () => {
  const { broker, refused } = await guardedBroker();
  const client = (await connectAsync(login(broker))).on("error", () => {});
  const ended = new Promise<void>((done) => client.once("close", done));
  client.stream.write(HEAD);
  client.stream.write(Buffer.alloc(MEGABYTE));
  await ended;
  assert.match(refused.join(), /^MQTT: a packet of more than \d+ bytes$/);
  await broker.close();
});

test("frames that come at once, a megabyte of them, aren't taken for one packet", async () => {
  const { broker, refused } = await guardedBroker();
  const client = await connectAsync(login(broker));
  client.stream.cork();
  for (let i = 0; i < 1024; i++) client.publish("n1/up", Buffer.alloc(1024), { qos: 0 });
  client.stream.uncork();
  await client.publishAsync("n1/status", "online", { qos: 1 });
  assert.equal(refused, []);
  await client.endAsync();
  await broker.close();
});

test("a client that doesn't come back leaves no session behind, whose messages would pile up", async () => {
  const { broker } = await guardedBroker();
  const meet = async (): Promise<[MqttClient, boolean]> => {
    const client = connect({ ...login(broker), clientId: "n1", clean: false });
    const { sessionPresent } = await new Promise<IConnackPacket>((done) => client.once("connect", done));
    return [client, sessionPresent];
  };
  const [client] = await meet();
  await client.subscribeAsync("n1/down", { qos: 1 });
  await client.endAsync();
  const [again, sessionPresent] = await meet();
  assert.is(sessionPresent, false);
  await again.endAsync();
  await broker.close();
});

test("one token holds 256 connections at most, so that nobody takes all those of the nodes", async () => {
  const { broker, refused } = await guardedBroker();
  const connected = async (clientId: string) => {
    const client = await connectAsync({ ...login(broker), username: "camera", clientId });
    return client.on("error", () => {});
  };
  const clients = await Promise.all(Array.from({ length: 256 }, (_, i) => connected(`c${i}`)));
  const code = await connected("one more").then(
    () => "taken in",
    (error) => error.code,
  );
  assert.is(code, 3);
  assert.equal(refused, ["MQTT: more than 256 connections of camera"]);
  const [first, ...others] = clients;
  await first.endAsync();
  await become(
    "room for another",
    async () =>
      (await connected("another").then(
        (c) => others.push(c),
        () => 0,
      )) > 0,
    () => "",
  );
  for (const client of others) await client.endAsync();
  await broker.close();
});

test.run();
