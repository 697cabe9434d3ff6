import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { boundedSockets } from "../../fleet/gateway/bounded.ts";

const MOST = 8;
const OF_USER = 5;

/** A server of at most eight connections; `connected` opens one from an address of this machine. */
async function boundedServer() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const ended: string[] = [];
  const sockets = boundedSockets(server, {
    most: MOST,
    mostOfUser: OF_USER,
    crowded: (from) => ended.push(from),
  });
  const { port } = server.address() as AddressInfo;
  const all: Socket[] = [];
  return {
    ...{ ended, sockets },
    connected: async (localAddress: string) => {
      const client = connect({ port, host: "127.0.0.1", localAddress }).on("error", () => {});
      const closed = new Promise<void>((done) => client.once("close", () => done()));
      const [socket]: Socket[] = await once(server, "connection");
      all.push(client, socket);
      return { socket, closed, client };
    },
    close: () => {
      for (const socket of all) socket.destroy();
      server.close();
    },
  };
}

test("a connection too many ends the oldest idle one of the address that has most", async () => {
  const { connected, ended, close } = await boundedServer();
  const one = await connected("127.0.0.1");
  const many = [];
  for (let i = 0; i < 3 * MOST; i++) many.push(await connected("127.0.0.2"));
  const gone = many.slice(0, 3 * MOST - (MOST - 1));
  await Promise.all(gone.map(({ closed }) => closed));
  assert.is(one.socket.destroyed, false);
  assert.is(many.filter(({ socket }) => !socket.destroyed).length, MOST - 1);
  assert.equal(
    ended,
    gone.map(() => "127.0.0.2"),
  );
  close();
});

test("a busy connection is ended for no other; where all are busy, the new one is refused", async () => {
  const { connected, sockets, close } = await boundedServer();
  const busy = [];
  for (let i = 0; i < MOST; i++) busy.push(await connected("127.0.0.1"));
  for (const [i, { socket }] of busy.entries()) sockets.busy(socket, i < OF_USER ? "anna" : "ben");
  await (await connected("127.0.0.2")).closed;
  assert.is(busy.filter(({ socket }) => socket.destroyed).length, 0);
  sockets.idle(busy[3].socket);
  const next = await connected("127.0.0.2");
  await busy[3].closed;
  assert.is(next.socket.destroyed, false);
  close();
});

test("a user who has all connections answered at once keeps nobody out", async () => {
  const { connected, sockets, close } = await boundedServer();
  const greedy = [];
  for (let i = 0; i < MOST; i++) greedy.push(await connected("127.0.0.1"));
  for (const { socket } of greedy) sockets.busy(socket, "anna");
  for (let i = OF_USER; i < MOST; i++) {
    const { socket } = await connected("127.0.0.2");
    sockets.busy(socket, "ben");
    await greedy[i].closed;
    assert.is(socket.destroyed, false);
  }
  assert.is(greedy.filter(({ socket }) => !socket.destroyed).length, OF_USER);
  close();
});

test("a connection stays busy until the last of its answers is over", async () => {
  const { connected, sockets, close } = await boundedServer();
  const all = [];
  for (let i = 0; i < MOST; i++) all.push(await connected("127.0.0.1"));
  for (const [i, { socket }] of all.entries()) sockets.busy(socket, `${i % 2}`);
  sockets.busy(all[0].socket, "0");
  sockets.idle(all[0].socket);
  await (await connected("127.0.0.2")).closed; // all are busy
  sockets.idle(all[0].socket);
  assert.is((await connected("127.0.0.2")).socket.destroyed, false);
  await all[0].closed;
  close();
});

test("a connection that is gone leaves its place, and isn't idle", async () => {
  const { connected, sockets, ended, close } = await boundedServer();
  for (let i = 0; i < 3 * MOST; i++) {
    const { socket, client } = await connected("127.0.0.1");
    sockets.busy(socket);
    const closed = once(socket, "close");
    client.destroy();
    socket.resume();
    await closed;
    sockets.idle(socket);
  }
  for (let i = 0; i < MOST; i++) sockets.busy((await connected("127.0.0.1")).socket, `${i % 2}`);
  assert.equal(ended, []);
  close();
});

test.run();
