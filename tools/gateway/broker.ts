import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { Aedes, type Client } from "aedes";
import { DeviceError } from "../cli/exit.ts";
import { type MqttAddress, parseAddress } from "../ports/address.ts";
import { isLoopback } from "../ports/listen.ts";
import { boundedSockets } from "./bounded.ts";
import { GATEWAY, type Guarded, guard, rightsOf } from "./broker-guard.ts";
import { isInside, type Listen } from "./fleet-file.ts";
import { newToken, tokenHash } from "./secrets.ts";

const CONNECTIONS_MAX = 20_000;
/** A connection says in so long who it is, or ends. */
const CONNECT_MS = 10_000;
/** The broker deals with what a client sent at once by calls within calls: so many at most, lest the stack overflow. */
const CALLS_MAX = 32;

export interface BrokerOptions {
  /** Default: 127.0.0.1, in clear. */
  readonly listen?: Listen;
  /** Who has a token, and for which topics. Default: whoever reaches the broker may do everything. */
  readonly fleet?: Guarded;
  /** Connections at once. A new one beyond them takes the place of one that hasn't said who it is. */
  readonly connections?: number;
  /** Hears of each connection that was ended because there were too many, with the address that had it. */
  readonly crowded?: (from: string) => void;
  /** Hears of who was refused what. */
  readonly refused?: (from: string, who: string, text: string) => void;
}

/** An MQTT broker in this process. */
export interface Broker {
  readonly port: number;
  /** Clients that are connected. */
  readonly clients: number;
  /** Where the gateway itself reaches what that address names; undefined: there. */
  inside(address: string): MqttAddress | undefined;
  close(): Promise<void>;
}

/** Listens at that TCP port; 0: any that is free. Throws a DeviceError if it can't. */
export async function startBroker(port: number, options: BrokerOptions = {}): Promise<Broker> {
  const {
    listen = { host: "127.0.0.1" },
    fleet,
    connections = CONNECTIONS_MAX,
    crowded,
    refused = () => {},
  } = options;
  const aedes = await openAedes();
  const word = newToken();
  const rights = fleet && rightsOf(fleet);
  if (rights) guard(aedes, rights, tokenHash(word), refused);
  const { host, tls } = listen;
  const server = tls
    ? createTlsServer({ ...tls, minVersion: "TLSv1.2", handshakeTimeout: CONNECT_MS }, handle)
    : createServer(handle);
  function handle(socket: Socket): void {
    aedes.handle(socket.setNoDelay(true));
  }
  const { busy } = boundedSockets(server, { most: connections, crowded });
  aedes.on("client", ({ conn }: Client) => busy(conn as Socket));
  // The gateway's own connections need no TLS, and no name that the certificate has.
  const own = tls || !isLoopback(host) ? createServer(handle) : server;
  const servers = new Set([server, own]);
  try {
    await listening(server, port, host);
    if (own !== server) await listening(own, 0, "127.0.0.1");
  } catch (error) {
    aedes.close();
    const { code } = error as NodeJS.ErrnoException;
    throw new DeviceError(`broker: port ${port} can't be listened at (${code})`);
  }
  return {
    port: portOf(server),
    get clients() {
      return aedes.connectedClients;
    },
    inside: (given) => {
      const address = parseAddress(given);
      if (!isInside(address, port)) return undefined;
      const { kind, name } = address;
      const servers = [{ host: "127.0.0.1", port: portOf(own) }];
      return { kind, name, tls: false, servers, user: GATEWAY, password: word };
    },
    close: async () => {
      await new Promise<void>((done) => aedes.close(done));
      await Promise.all([...servers].map((each) => new Promise((done) => each.close(done))));
    },
  };
}

async function openAedes(): Promise<Aedes> {
  const aedes = await Aedes.createBroker({ connectTimeout: CONNECT_MS });
  let calls = 0;
  aedes.published = (_packet, _client, done) => {
    if (++calls % CALLS_MAX === 0) setImmediate(done, null);
    else done(null);
  };
  return aedes;
}

async function listening(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host);
  await once(server, "listening");
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
