import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { Aedes, type Client } from "aedes";
import { DeviceError } from "../../host/errors.ts";
import { type MqttAddress, parseAddress } from "../../tools/ports/address.ts";
import { isLoopback } from "../../tools/ports/listen.ts";
import { newToken, tokenHash } from "../access/secrets.ts";
import { boundedSockets } from "./bounded.ts";
import { type AccessRules, collectRights, GATEWAY, guard } from "./broker-guard.ts";
import type { Listen } from "./fleet.ts";
import { isInside } from "./fleet-file.ts";

const CONNECTIONS_MAX = 20_000;
/** Time in which a connection must authenticate, and bytes until then: CONNECT with name, token and last will has fewer. */
const CONNECT_MS = 10_000;
const CONNECT_BYTES_MAX = 1024;
/** Connections of one network that have not authenticated yet. */
const STRANGERS_MAX = 256;
/** The broker processes a client's packets recursively; the limit protects the stack. */
const CALLS_MAX = 32;

export interface BrokerOptions {
  /** Default: 127.0.0.1, in clear. */
  readonly listen?: Listen;
  /** Tokens and their topics. Default: every client may do everything. */
  readonly fleet?: AccessRules;
  /** Most connections. A new one beyond them replaces one that hasn't authenticated. */
  readonly connections?: number;
  /** Most of them from one IPv4 address, or one /64 of IPv6, that have not authenticated. Default 256. */
  readonly strangers?: number;
  /** Milliseconds in which a connection must authenticate. Default 10,000. */
  readonly connectMs?: number;
  /** Called for each connection ended for the limit, with its address. */
  readonly crowded?: (from: string) => void;
  /** Called when it can't accept a connection; it continues. */
  readonly failed?: (why: string) => void;
  readonly refused?: (from: string, who: string, text: string) => void;
}

/** An MQTT broker in this process. */
export interface Broker {
  readonly port: number;
  readonly clients: number;
  /** The gateway's own way to that address; undefined: the address itself. */
  inside(address: string): MqttAddress | undefined;
  close(): Promise<void>;
}

/** Listens at that TCP port; 0: any that is free. Throws a DeviceError if it can't. */
export async function startBroker(port: number, options: BrokerOptions = {}): Promise<Broker> {
  const {
    listen = { host: "127.0.0.1" },
    fleet,
    connections = CONNECTIONS_MAX,
    strangers = STRANGERS_MAX,
    connectMs = CONNECT_MS,
    crowded,
    refused = () => {},
    failed = () => {},
  } = options;
  const aedes = await openAedes(connectMs);
  const word = newToken();
  const rights = fleet && collectRights(fleet);
  if (rights) guard(aedes, rights, tokenHash(word), refused);
  const { host, tls } = listen;
  const server = tls
    ? createTlsServer({ ...tls, minVersion: "TLSv1.2", handshakeTimeout: connectMs }, handle)
    : createServer(handle);
  const met = new WeakMap<Socket, () => void>();
  function handle(socket: Socket): void {
    aedes.handle(socket.setNoDelay(true));
    const most = CONNECT_BYTES_MAX;
    const tooLong = () =>
      refused(socket.remoteAddress ?? "", "", `MQTT: over ${most} bytes before its login`);
    met.set(socket, endBeyond(socket, most, tooLong));
  }
  const { busy } = boundedSockets(server, { most: connections, mostOfNetwork: strangers, crowded });
  aedes.on("client", ({ conn }: Client) => {
    busy(conn as Socket);
    met.get(conn as Socket)?.();
  });
  // The gateway's own connections need neither TLS nor a name of the certificate.
  const own = tls || !isLoopback(host) ? createServer(handle) : server;
  const servers = new Set([server, own]);
  try {
    await listening(server, port, host);
    if (own !== server) await listening(own, 0, "127.0.0.1");
    for (const each of servers) each.on("error", ({ message }) => failed(message)); // it couldn't accept a connection
  } catch (error) {
    aedes.close();
    const { code } = error as NodeJS.ErrnoException;
    throw new DeviceError(`broker: can't listen at port ${port} (${code}); give another in the fleet file`);
  }
  return {
    port: listeningPort(server),
    get clients() {
      return aedes.connectedClients;
    },
    inside: (given) => {
      const address = parseAddress(given);
      if (!isInside(address, port)) return undefined;
      const { kind, name } = address;
      const servers = [{ host: "127.0.0.1", port: listeningPort(own) }];
      return { kind, name, tls: false, servers, user: GATEWAY, password: word };
    },
    close: async () => {
      await new Promise<void>((done) => aedes.close(done));
      await Promise.all([...servers].map((each) => new Promise((done) => each.close(done))));
    },
  };
}

async function openAedes(connectTimeout: number): Promise<Aedes> {
  const aedes = await Aedes.createBroker({ connectTimeout });
  let calls = 0;
  aedes.published = (_packet, _client, done) => {
    if (++calls % CALLS_MAX === 0) setImmediate(done, null);
    else done(null);
  };
  return aedes;
}

/**
 * Ends a connection that sends more bytes than that. Returns a function that lifts the limit. The broker reads
 * the socket when it is readable; so the listener has each chunk before the broker keeps it.
 */
function endBeyond(socket: Socket, most: number, tooLong: () => void): () => void {
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= most || socket.destroyed) return;
    tooLong();
    socket.destroy();
  };
  socket.on("data", count);
  return () => socket.off("data", count);
}

async function listening(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, "listening");
}

function listeningPort(server: Server): number {
  return (server.address() as AddressInfo).port;
}
