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
  /** Most connections of one user that stay while they are answered; default: as many as there are. Further ones count as idle. */
  readonly mostOfUser?: number;
  /** Called for each ended connection, with its address. */
  readonly crowded?: (from: string) => void;
}

/** Marks a connection as busy, which is never ended for others, or as idle, the initial state. */
export interface ConnectionMarks {
  /** @param user who is answered there; default: nobody that is known. */
  busy(of: Socket, user?: string): void;
  /** An answer is over; with the last of its answers a connection is idle. */
  idle(of: Socket): void;
}

/** Answers under way on each connection of each user. */
class Answers {
  private readonly ofUsers = new Map<string, Map<Socket, number>>();

  constructor(private readonly mostOfUser: number) {}

  /** False if the user has as many connections as may be busy. */
  begin(socket: Socket, user: string): boolean {
    const its = this.ofUsers.get(user) ?? new Map<Socket, number>();
    if (its.size >= this.mostOfUser && !its.has(socket)) return false;
    this.ofUsers.set(user, its.set(socket, (its.get(socket) ?? 0) + 1));
    return true;
  }

  /** True if it was the last on that connection. */
  end(socket: Socket): boolean {
    for (const [user, its] of this.ofUsers) {
      const left = (its.get(socket) ?? 0) - 1;
      if (left > 0) its.set(socket, left);
      else its.delete(socket);
      if (its.size === 0) this.ofUsers.delete(user);
    }
    return ![...this.ofUsers.values()].some((its) => its.has(socket));
  }
}

/**
 * Limits a server's connections. For one more, the network with most idle ones loses its oldest, so one that
 * holds many open keeps nobody else out. If none is idle, the new one is refused.
 */
export function boundedSockets(server: Server, bound: ConnectionLimit): ConnectionMarks {
  const { most, mostOfNetwork = most, mostOfUser = most, crowded = () => {} } = bound;
  const answers = new Answers(mostOfUser);
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
  return {
    busy: (socket, user = "") => {
      if (answers.begin(socket, user)) remove(socket);
    },
    idle: (socket) => {
      if (answers.end(socket)) add(socket);
    },
  };
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
