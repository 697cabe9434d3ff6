import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { connectAsync } from "mqtt";
import * as assert from "uvu/assert";
import { newToken, tokenHash } from "../../fleet/access/secrets.ts";
import { type BrokerOptions, startBroker } from "../../fleet/gateway/broker.ts";
import { endsWithTest, test } from "./contained.ts";

const TOKEN = newToken();
/** CONNECT of MQTT 3.1.1 that says it has 200 MB. */
const ENDLESS = Buffer.from("10ffffff5f00044d515454040200", "hex");
const STRANGERS = 4;

async function brokerWith(options: BrokerOptions = {}) {
  const refusals: string[] = [];
  const crowded: string[] = [];
  const node = { name: "n1", port: "mqtt://localhost:1/n1", baud: 115200, token: tokenHash(TOKEN) };
  const broker = await startBroker(0, {
    fleet: { nodes: [node], broker: 1 },
    refused: (_from, who, text) => refusals.push(`${who}${text}`),
    crowded: (from) => crowded.push(from),
    ...options,
  });
  endsWithTest(() => broker.close());
  const stranger = async (localAddress = "127.0.0.1") => {
    const socket = connect({ port: broker.port, host: "127.0.0.1", localAddress }).on("error", () => {});
    const closed = new Promise<void>((done) => socket.once("close", () => done()));
    socket.resume();
    await once(socket, "connect");
    return { socket, closed };
  };
  const member = () =>
    connectAsync(`mqtt://127.0.0.1:${broker.port}`, { username: "n1", password: TOKEN, reconnectPeriod: 0 });
  return { broker, refusals, crowded, stranger, member };
}

/** Writes until the other end has closed. */
async function pour(socket: Socket, first: Buffer): Promise<number> {
  let bytes = 0;
  for (let chunk = first; !socket.destroyed; chunk = Buffer.alloc(256)) {
    bytes += chunk.length;
    await new Promise((done) => socket.write(chunk, done));
  }
  return bytes;
}

test("who hasn't logged in sends a kilobyte at most, whatever it says that it will send", async () => {
  const { refusals, stranger, member } = await brokerWith();
  const { socket, closed } = await stranger();
  await pour(socket, ENDLESS);
  await closed;
  assert.equal(refusals, ["MQTT: over 1024 bytes before its login"]);
  const { socket: short, closed: refused } = await stranger();
  short.write(Buffer.from("c000", "hex")); // a ping before CONNECT
  await refused;
  const client = await member();
  await client.publishAsync("n1/up", Buffer.alloc(4000), { qos: 1 });
  await client.publishAsync("n1/up", Buffer.alloc(4000), { qos: 1 });
  await client.endAsync();
  assert.is(refusals.length, 1);
});

test("an address that opens connections and doesn't log in keeps a few, and nobody else out", async () => {
  const { crowded, stranger, member } = await brokerWith({ strangers: STRANGERS });
  const client = await member();
  const many = [];
  for (let i = 0; i < 3 * STRANGERS; i++) many.push(await stranger());
  const other = await stranger("127.0.0.2");
  await Promise.all(many.slice(0, 2 * STRANGERS).map(({ closed }) => closed));
  assert.equal(crowded, Array(2 * STRANGERS).fill("127.0.0.1"));
  assert.is(many.slice(2 * STRANGERS).filter(({ socket }) => socket.destroyed).length, 0);
  assert.is(other.socket.destroyed, false);
  const second = await connectAsync(`mqtt://127.0.0.1:${(client.options as { port: number }).port}`, {
    ...{ username: "n1", password: TOKEN, reconnectPeriod: 0 },
  });
  assert.ok(second.connected);
  await second.endAsync();
  for (const { socket } of [...many, other]) socket.destroy();
});

test("a connection that begins its CONNECT and doesn't end it is ended", async () => {
  const { stranger } = await brokerWith({ connectMs: 50 });
  const silent = await stranger();
  const { socket, closed } = await stranger();
  socket.write(ENDLESS);
  await closed;
  await silent.closed;
});

test.run();
