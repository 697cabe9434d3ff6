import { rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { UserError } from "../cli/exit.ts";
import { type Address, parseAddress } from "./address.ts";
import { portFault } from "./fault.ts";

type SocketAddress = Exclude<Address, { kind: "serial" }>;

/** A server, and where it listens: the address, with the port that a port 0 became. */
export interface Listening {
  readonly server: Server;
  readonly address: string;
}

/** Reads an address at which one can listen. `what` names who asks. Throws a UserError for any other. */
export function parseSocketAddress(what: string, name: string): SocketAddress {
  const address = parseAddress(name);
  if (address.kind === "serial") throw new UserError(`${what} ${name}: takes tcp://HOST:PORT or unix:PATH`);
  return address;
}

/**
 * Listens at tcp://HOST:PORT or unix:PATH; a socket file at which nothing listens any more is taken over. `what` names
 * who asks. Throws a UserError for another address, a DeviceError if it can't.
 */
export async function listen(what: string, name: string): Promise<Listening> {
  const address = parseSocketAddress(what, name);
  const server = createServer();
  try {
    await listenAt(server, address);
  } catch (error) {
    const taken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
    if (!taken || address.kind === "tcp" || (await answers(address.path))) {
      throw portFault(`${what} ${name}`, address, error as Error);
    }
    rmSync(address.path);
    await listenAt(server, address);
  }
  const bound = server.address();
  const tcp = address.kind === "tcp" && typeof bound === "object" && bound !== null;
  return { server, address: tcp ? `tcp://${address.host}:${bound.port}` : name };
}

function listenAt(server: Server, address: SocketAddress): Promise<void> {
  const where = address.kind === "tcp" ? { host: address.host, port: address.port } : { path: address.path };
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(where, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
