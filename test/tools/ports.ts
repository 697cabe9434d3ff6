import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ports that Linux gives to connections (32768 on): one of those might take a port between the look
 * and its use, or while its server is down.
 */
const FIRST = 10_240;
const ROOM = 22;
const ROOMS = 1000;
const ADDRESS = "127.0.0.1";
let next = 0;

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, ADDRESS);
  const [error] = await Promise.race([
    once(server, "listening").then(() => [undefined]),
    once(server, "error"),
  ]).catch((fault) => [fault]);
  if (error) return false;
  await new Promise((done) => server.close(done));
  return true;
}

/** A TCP port of this machine at which nobody listens. Processes that run at once take from rooms of their own. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + ((ROOM * (process.pid % ROOMS) + next++) % (ROOM * ROOMS));
    if (await isFree(port)) return port;
  }
}
