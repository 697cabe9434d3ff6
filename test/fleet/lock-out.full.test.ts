import { writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import * as assert from "uvu/assert";
import { Encoder } from "../../src/wire/encoder.ts";
import { PROTOCOL, tableHash } from "../../src/wire/messages.ts";
import { Session } from "../../tools/session/session.ts";
import { start } from "../cli/program.ts";
import { parseEvents } from "../lab/short-network.ts";
import { test } from "../tools/contained.ts";
import { inFolder, killStation, startStation } from "../tools/stations.ts";

const NODE = { sid: 5, channels: 1, pending: 16, labelWindow: 16, learner: "pa", options: {} };

/** A line shared by several programs: each receives the node's bytes, and the node receives all. */
function mirror(from: string, to: string): () => void {
  const clients = new Set<Socket>();
  const node = connect(to).on("error", () => {});
  node.on("data", (data) => {
    for (const client of clients) client.write(data);
  });
  const server = createServer((client) => {
    clients.add(client);
    client.on("error", () => {}).on("close", () => clients.delete(client));
    client.on("data", (data) => node.write(data));
  }).listen(from);
  return () => {
    server.close();
    for (const socket of [...clients, node]) socket.destroy();
  };
}

test("labels on a line whose node another program holds says so and by which peer, and gives up in time", async () => {
  const listen = inFolder("held");
  const station = await startStation({ listen, node: NODE, fed: true });
  const port = inFolder("held.mirror");
  const close = mirror(port, listen);
  const stream = inFolder("held.ndjson");
  writeFileSync(stream, '{"x": [1], "label": 1}\n{"x": [-1], "label": -1}\n');
  const holder = await Session.open({ port: `unix:${port}` });
  await holder.ask("statistics");
  const options = ["labels", "--port", `unix:${port}`, "--from", stream];
  const second = await start(...options, "--give-up", "10", "--json").ended;
  assert.is(second.code, 4, second.stderr);
  const line =
    /^motelearn: unix:\S+: another program holds the node \(peer [0-9a-f]{8}\); end it, or have both use one monitor --share \(for 10 s\)\n$/;
  assert.match(second.stderr, line);
  const told = parseEvents(second).filter(({ event }) => event === "obstructed");
  assert.is(told.length, 1);
  assert.match(told[0].why, /^another program holds the node/);
  await holder.close();
  const third = await start(...options, "--json").ended;
  const [summary] = parseEvents(third).slice(-1);
  assert.equal([summary.event, summary.labels.labelled], ["summary", 2], "the holder left");
  close();
  await killStation(station);
});

test("a node that is heard and grants nothing is named within 2 s, and given up in time", async () => {
  const listen = inFolder("ungranting");
  const encoder = new Encoder(["hello"]);
  Object.assign(encoder.message("hello"), { protocol: PROTOCOL, boot: 7, table: tableHash() });
  const frame = encoder.frame.slice(0, encoder.encode("hello"));
  let now = 0;
  const server = createServer((socket) => {
    const timer = setInterval(() => {
      now += 250;
      socket.write(frame);
    }, 5).unref();
    socket.on("error", () => {}).on("close", () => clearInterval(timer));
  }).listen(listen);
  let saidAt = Number.NaN;
  const events = {
    obstructed: () => {
      saidAt = now;
    },
  };
  const session = await Session.open({
    port: `unix:${listen}`,
    giveUp: 5,
    clock: { now: () => now },
    events,
  });
  await session.awaitHello();
  const metAt = now;
  const { message } = await session.ask("state").catch((error) => error);
  assert.ok(saidAt - metAt <= 2000, `${saidAt - metAt} ms`);
  assert.is(
    message,
    `unix:${listen}: the node is heard, and grants no credit: nothing can be sent to it (for 5 s)`,
  );
  assert.ok(now - metAt <= 8000);
  await session.close();
  server.close();
});

test.run();
