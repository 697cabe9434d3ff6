import { once } from "node:events";
import { lstatSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import type { Command } from "commander";
import { UserError } from "../../host/errors.ts";
import { listens } from "../../host/listens.ts";
import { parseAddress, type SocketAddress } from "./address.ts";
import { portFault } from "./fault.ts";

/** A server, and its address, with the actual port for port 0. */
interface Listening {
  readonly server: Server;
  readonly address: string;
}

/** Permits listening beyond this machine, where nothing protects it from strangers. */
export interface ListenTrust {
  readonly insecure?: boolean;
}

/** Adds --insecure, without which nothing listens beyond this machine. */
export function addInsecureOption(command: Command): Command {
  return command.option("--insecure", "listen beyond this machine: whoever reaches it may use it");
}

/** True if only programs of this machine reach a host's address. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host);
}

/**
 * Reads an address to listen at. `what` names the option in messages. Throws a UserError for any other
 * address, and for one that other machines reach unless `trust` allows it.
 */
export function parseSocketAddress(what: string, name: string, trust: ListenTrust): SocketAddress {
  const address = parseAddress(name);
  if (address.kind !== "tcp" && address.kind !== "unix")
    throw new UserError(`${what} ${name}: takes tcp://HOST:PORT or unix:PATH`);
  if (address.kind === "tcp" && !isLoopback(address.host) && !trust.insecure) {
    throw new UserError(
      `${what} ${name}: other machines reach this address, and anyone there could use it; give --insecure, or listen at tcp://localhost:${address.port}`,
    );
  }
  return address;
}

/**
 * Listens at tcp://HOST:PORT or unix:PATH, a socket that only the user may open; it replaces a stale socket.
 * `what` names the option in messages. Throws a UserError for an invalid address, a DeviceError if it can't
 * listen there.
 */
export async function listen(what: string, name: string, trust: ListenTrust): Promise<Listening> {
  const address = parseSocketAddress(what, name, trust);
  const server = createServer();
  const fault = (error: unknown) => portFault(`${what} ${name}`, address, error as Error);
  try {
    await listenAt(server, address);
  } catch (error) {
    const taken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
    if (!taken || address.kind === "tcp") throw fault(error);
    await removeStale(`${what} ${name}`, address.path, fault(error));
    await listenAt(server, address).catch((second) => {
      throw fault(second);
    });
  }
  const bound = server.address();
  const tcp = address.kind === "tcp" && typeof bound === "object" && bound !== null;
  return { server, address: tcp ? `tcp://${address.host}:${bound.port}` : name };
}

/** Removes a stale socket; throws `taken` if a program answers there, a UserError if it isn't a socket. */
async function removeStale(name: string, path: string, taken: Error): Promise<void> {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSocket())
    throw new UserError(`${name}: exists, and isn't a socket; give another path`);
  if (await listens({ path })) throw taken;
  rmSync(path, { force: true });
}

/**
 * The socket's mode is 600 from its first moment: the umask sets it while `listen` makes the socket, before
 * it returns.
 */
async function listenAt(server: Server, address: SocketAddress): Promise<void> {
  const where = address.kind === "tcp" ? { host: address.host, port: address.port } : { path: address.path };
  const usual = process.umask(0o177);
  server.listen(where);
  process.umask(usual);
  await once(server, "listening");
}
