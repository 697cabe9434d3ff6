import type { Server as HttpServer, IncomingMessage, ServerResponse } from "node:http";
import type { Server, Socket } from "node:net";

/** Connections by the other end's address and port, the oldest first: TLS wraps a socket in another, which has the same. */
type Sockets = Map<string, Socket>;

function keyOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

/**
 * Lets a server have so many connections. One more takes the place of the oldest idle one, so that who holds many open keeps nobody
 * out; where none is idle, it is refused. Returns what marks a connection as busy or idle; a new one is idle.
 */
export function boundedSockets(
  server: Server,
  most: number,
): { busy(of: Socket): void; idle(of: Socket): void } {
  const idle: Sockets = new Map();
  const busy: Sockets = new Map();
  server.on("connection", (socket: Socket) => {
    const key = keyOf(socket);
    if (idle.size + busy.size >= most) {
      const [oldest] = idle;
      if (!oldest) {
        socket.destroy();
        return;
      }
      idle.delete(oldest[0]);
      oldest[1].destroy();
    }
    idle.set(key, socket);
    socket.once("close", () => {
      for (const sockets of [idle, busy]) if (sockets.get(key) === socket) sockets.delete(key);
    });
  });
  const move = (from: Sockets, to: Sockets) => (of: Socket) => {
    const key = keyOf(of);
    const socket = from.get(key);
    if (!socket) return;
    from.delete(key);
    to.set(key, socket);
  };
  return { busy: move(idle, busy), idle: move(busy, idle) };
}

/** The same for a server of HTTP: a connection is busy while a request of it is answered. */
export function bounded(server: HttpServer, most: number): void {
  const sockets = boundedSockets(server, most);
  server.on("request", ({ socket }: IncomingMessage, response: ServerResponse) => {
    sockets.busy(socket);
    response.once("close", () => sockets.idle(socket));
  });
}
