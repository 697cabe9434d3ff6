import type { Server, Socket } from "node:net";

/** Connections of an address by its port, the oldest first: TLS wraps a socket in another, which has the same. */
type Sockets = Map<number, Socket>;

/** The limit, and the listener for connections beyond it. */
export interface Bound {
  readonly most: number;
  /** Called for each ended connection, with its address. */
  readonly crowded?: (from: string) => void;
}

/** Marks a connection as busy, which is never ended for others, or as idle, the initial state. */
export interface Bounded {
  busy(of: Socket): void;
  idle(of: Socket): void;
}

/**
 * Limits a server's connections. For one more, the address with most idle ones loses its oldest, so an
 * address that holds many open keeps nobody else out. If none is idle, the new one is refused.
 */
export function boundedSockets(server: Server, { most, crowded = () => {} }: Bound): Bounded {
  const idle = new Map<string, Sockets>();
  let count = 0;
  const remove = ({ remoteAddress = "", remotePort = 0 }: Socket) => {
    const its = idle.get(remoteAddress);
    its?.delete(remotePort);
    if (its?.size === 0) idle.delete(remoteAddress);
  };
  const add = (socket: Socket) => {
    const { remoteAddress, remotePort = 0 } = socket;
    if (remoteAddress === undefined) return; // it is gone already
    const its = idle.get(remoteAddress);
    if (its) its.set(remotePort, socket);
    else idle.set(remoteAddress, new Map([[remotePort, socket]]));
  };
  server.on("connection", (socket: Socket) => {
    if (count >= most) {
      const oldest = oldestOfMost(idle) ?? socket;
      crowded(oldest.remoteAddress ?? "");
      remove(oldest);
      oldest.destroy();
      if (oldest === socket) return;
    }
    count++;
    add(socket);
    const { remoteAddress, remotePort } = socket;
    socket.once("close", () => {
      count--;
      remove({ remoteAddress, remotePort } as Socket);
    });
  });
  return { busy: remove, idle: add };
}

/** The oldest connection of the address that has most of them. */
function oldestOfMost(all: ReadonlyMap<string, Sockets>): Socket | undefined {
  let most: Sockets | undefined;
  for (const its of all.values()) if (!most || its.size > most.size) most = its;
  const [oldest] = most?.values() ?? [];
  return oldest;
}
