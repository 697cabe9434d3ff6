import { once } from "node:events";
import { connect, type NetConnectOpts } from "node:net";

/** True if a program listens there: at a port of this machine, or at a Unix socket. */
export async function listens(at: NetConnectOpts): Promise<boolean> {
  const socket = connect(at);
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
