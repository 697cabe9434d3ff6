import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { Aedes, type Client } from "aedes";
import { DeviceError } from "../cli/exit.ts";
import { type MqttAddress, parseAddress } from "../ports/address.ts";
import { isLoopback } from "../ports/listen.ts";
import { boundedSockets } from "./bounded.ts";
import { GATEWAY, type Guarded, guard, rightsOf } from "./broker-guard.ts";
import type { Listen } from "./fleet.ts";
import { isInside } from "./fleet-file.ts";
import { newToken, tokenHash } from "./secrets.ts";

const CONNECTIONS_MAX = 20_000;
/** Time in which a connection must authenticate. */
const CONNECT_MS = 10_000;
/** The broker processes a client's packets recursively; the limit protects the stack. */
const CALLS_MAX = 32;

export interface BrokerOptions {
  /** Default: 127.0.0.1, in clear. */
  readonly listen?: Listen;
  /** Tokens and their topics. Default: every client may do everything. */
  readonly fleet?: Guarded;
  /** Most connections. A new one beyond them replaces one that hasn't authenticated. */
  readonly connections?: number;
  /** Called for each connection ended for the limit, with its address. */
  readonly crowded?: (from: string) => void;
  /** Called for each refusal. */
  readonly refused?: (from: string, who: string, text: string) => void;
}

/** An MQTT broker in this process. */
export interface Broker {
  readonly port: number;
  /** Clients that are connected. */
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
  // The gateway's own connections need neither TLS nor a name of the certificate.
  const own = tls || !isLoopback(host) ? createServer(handle) : server;
  const servers = new Set([server, own]);
  try {
    await listening(server, port, host);
    if (own !== server) await listening(own, 0, "127.0.0.1");
  } catch (error) {
    aedes.close();
    const { code } = error as NodeJS.ErrnoException;
    throw new DeviceError(`broker: can't listen at port ${port} (${code}); give another in the fleet file`);
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
