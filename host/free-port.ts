import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/**
 * A TCP port of this machine that is free: the wanted one if it is, else another. For what must know a port before anything listens there.
 */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer().listen(wanted, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (error) {
    if (wanted === 0) throw error;
    return freePort();
  }
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}
