import { once } from "node:events";
import { createServer, type Server } from "node:net";

/**
 * Below the ports that Linux gives to connections (32768 on): one of those might take a port between the look
 * and its use, or while its server is down.
 */
const FIRST = 10_240;
/** Ports of a room; its first is the lock, which its process holds until it ends. */
const ROOM = 22;
const ROOMS = 1000;
const ADDRESS = "127.0.0.1";

/** Listens at a port; undefined: it isn't free. */
async function listening(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, ADDRESS);
  const [error] = await Promise.race([
    once(server, "listening").then(() => [undefined]),
    once(server, "error"),
  ]).catch((fault) => [fault]);
  return error ? undefined : server;
}

/** A room that no other process has, and keeps it. */
async function ownRoom(): Promise<number> {
  for (let i = 0; i < ROOMS; i++) {
    const first = FIRST + ROOM * ((process.pid + i) % ROOMS);
    const lock = await listening(first);
    if (!lock) continue;
    lock.unref();
    return first;
  }
  throw new Error(`no ${ROOM} ports from ${FIRST} on are free of other tests`);
}

let room: Promise<number> | undefined;
let next = 0;

/** A TCP port of this machine at which nobody listens. Processes that run at once take from rooms of their own. */
export async function freePort(): Promise<number> {
  room ??= ownRoom();
  const first = await room;
  for (;;) {
    const port = first + 1 + (next++ % (ROOM - 1));
    const server = await listening(port);
    if (!server) continue;
    await new Promise((done) => server.close(done));
    return port;
  }
}
