import type { Server, Socket } from "node:net";
import { networkPrefix } from "../access/network.ts";

/**
 * Connections of a network by their addresses and ports, the oldest first: TLS wraps a socket in another, which has the same.
 */
type Sockets = Map<string, Socket>;

type End = Pick<Socket, "remoteAddress" | "remotePort">;

/** The limit, and the listener for connections beyond it. */
interface ConnectionLimit {
  readonly most: number;
  /** Most idle ones of one network: an IPv4 address, or a /64 of IPv6; default: as many as there are. */
  readonly mostOfNetwork?: number;
  /** Called for each ended connection, with its address. */
  readonly crowded?: (from: string) => void;
}

/** Marks a connection as busy, which is never ended for others, or as idle, the initial state. */
export interface ConnectionMarks {
  busy(of: Socket): void;
  idle(of: Socket): void;
}

/**
 * Limits a server's connections. For one more, the network with most idle ones loses its oldest, so one that
 * holds many open keeps nobody else out. If none is idle, the new one is refused.
 */
export function boundedSockets(server: Server, bound: ConnectionLimit): ConnectionMarks {
  const { most, mostOfNetwork = most, crowded = () => {} } = bound;
  const idle = new Map<string, Sockets>();
  let count = 0;
  const remove = ({ remoteAddress = "", remotePort }: End) => {
    const network = networkPrefix(remoteAddress);
    const its = idle.get(network);
    its?.delete(`${remoteAddress} ${remotePort}`);
    if (its?.size === 0) idle.delete(network);
  };
  const add = (socket: Socket) => {
    const { remoteAddress = "", remotePort } = socket;
    if (socket.destroyed) return; // it knows its address still
    const network = networkPrefix(remoteAddress);
    const its = idle.get(network) ?? new Map();
    idle.set(network, its.set(`${remoteAddress} ${remotePort}`, socket));
  };
  const end = (socket: Socket) => {
    crowded(socket.remoteAddress ?? "");
    remove(socket);
    socket.destroy();
  };
  server.on("connection", (socket: Socket) => {
    const own = idle.get(networkPrefix(socket.remoteAddress ?? ""));
    if (own && own.size >= mostOfNetwork) end(oldestIn(own) as Socket);
    else if (count >= most) {
      const oldest = oldestIn(largest(idle)) ?? socket;
      end(oldest);
      if (oldest === socket) return;
    }
    count++;
    add(socket);
    const { remoteAddress, remotePort } = socket;
    socket.once("close", () => {
      count--;
      remove({ remoteAddress, remotePort });
    });
  });
  return { busy: remove, idle: add };
}

function oldestIn(sockets: Sockets | undefined): Socket | undefined {
  const [oldest] = sockets?.values() ?? [];
  return oldest;
}

/** The connections of the network that has most of them. */
function largest(all: ReadonlyMap<string, Sockets>): Sockets | undefined {
  let most: Sockets | undefined;
  for (const its of all.values()) if (!most || its.size > most.size) most = its;
  return most;
}
