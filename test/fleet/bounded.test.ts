import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { boundedSockets } from "../../fleet/gateway/bounded.ts";

const MOST = 8;

/** A server of at most eight connections; `connected` opens one from an address of this machine. */
async function boundedServer() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const ended: string[] = [];
  const sockets = boundedSockets(server, { most: MOST, crowded: (from) => ended.push(from) });
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
  for (const { socket } of busy) sockets.busy(socket);
  await (await connected("127.0.0.2")).closed;
  assert.is(busy.filter(({ socket }) => socket.destroyed).length, 0);
  sockets.idle(busy[3].socket);
  const next = await connected("127.0.0.2");
  await busy[3].closed;
  assert.is(next.socket.destroyed, false);
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
  for (let i = 0; i < MOST; i++) sockets.busy((await connected("127.0.0.1")).socket);
  assert.equal(ended, []);
  close();
});

test.run();
