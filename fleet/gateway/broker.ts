import { once } from "node:events";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { Aedes, type Client } from "aedes";
import { DeviceError } from "../../host/errors.ts";
import { type MqttAddress, parseAddress } from "../../tools/ports/address.ts";
import { isLoopback } from "../../tools/ports/listen.ts";
import { newToken, tokenHash } from "../access/secrets.ts";
import { boundedSockets } from "./bounded.ts";
import { type AccessRules, collectRights, GATEWAY, guard, PAYLOAD_MAX } from "./broker-guard.ts";
import type { Listen } from "./fleet.ts";
import { isInside } from "./fleet-file.ts";
import { PacketBound } from "./packet-bound.ts";

const CONNECTIONS_MAX = 20_000;
/** Milliseconds in which a connection must authenticate. */
const CONNECT_MS = 10_000;
/** Bytes of a packet from a node or a user: a payload, its topic, and some to spare. */
const PACKET_MAX = 2 * PAYLOAD_MAX;
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
  const findUser = rights ? guard(aedes, rights, tokenHash(word), refused) : () => GATEWAY;
  const handle = connectionHandler(aedes, findUser, refused);
  const { host, tls } = listen;
  const server = tls
    ? createTlsServer({ ...tls, minVersion: "TLSv1.2", handshakeTimeout: connectMs }, handle)
    : createServer(handle);
  const { busy } = boundedSockets(server, { most: connections, mostOfNetwork: strangers, crowded });
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
  for (const each of servers) each.on("error", ({ message }) => failed(message)); // it couldn't accept a connection
  return {
    port: listeningPort(server),
    get clients() {
      return aedes.connectedClients;
    },
    inside: (given) => {
      const address = parseAddress(given);
      if (!isInside(address, port)) return undefined;
      const { kind, name } = address;
      const servers = [{ host: own === server ? host : "127.0.0.1", port: listeningPort(own) }];
      return { kind, name, tls: false, servers, user: GATEWAY, password: word };
    },
    close: async () => {
      await new Promise<void>((done) => aedes.close(done));
      await Promise.all([...servers].map((each) => new Promise((done) => each.close(done))));
    },
  };
}

/** Hands connections to the broker, with a bound for their packets; the gateway's own have none. */
function connectionHandler(
  aedes: Aedes,
  findUser: (client: Client) => string | undefined,
  refused: (from: string, who: string, text: string) => void,
): (socket: Socket) => void {
  const bounds = new WeakMap<Client, PacketBound>();
  aedes.on("client", (client: Client) =>
    bounds.get(client)?.admit(findUser(client) === GATEWAY ? undefined : PACKET_MAX),
  );
  return (socket) => {
    const client = aedes.handle(socket.setNoDelay(true));
    const tooLong = (why: string) =>
      refused(socket.remoteAddress ?? "", findUser(client) ?? "", `MQTT: ${why}`);
    bounds.set(client, new PacketBound(socket, tooLong));
  };
}

async function openAedes(connectTimeout: number): Promise<Aedes> {
  const aedes = await Aedes.createBroker({ connectTimeout });
  // Sessions lie in memory: each client that never returns would leave one, with all messages for it. The gateway's own return.
  aedes.preConnect = (_client, packet, done) => {
    packet.clean ||= packet.username !== GATEWAY;
    done(null, true);
  };
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

function listeningPort(server: Server): number {
  return (server.address() as AddressInfo).port;
}
