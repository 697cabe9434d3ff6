import type { Socket } from "node:net";
import type { Aedes, AedesPublishPacket, AuthenticateError, Client } from "aedes";
import { parseJson } from "../../host/json.ts";
import { nodeTopics } from "../../src/wire/topics.ts";
import { parseAddress } from "../../tools/ports/address.ts";
import { mayDo } from "../access/access.ts";
import { sameText, tokenHash } from "../access/secrets.ts";
import { AVAILABILITY, entityTopics } from "../home-assistant/discovery.ts";
import type { Fleet } from "./fleet.ts";
import { isInside } from "./fleet-file.ts";

/** The gateway's user at its own broker, with a character that no node's and no user's name has. */
export const GATEWAY = "$gateway";

/** Most bytes of a payload from a node or a user. */
export const PAYLOAD_MAX = 4096;
const NAME_SHOWN = 64;
const TOPIC_SHOWN = 100;
/** MQTT 3.1.1, table 3.1. */
const [UNAVAILABLE, BAD_USER] = [3, 4] as const;
/** Connections of a node or a user at once: fewer than the broker has to spare besides those of its nodes. */
const OF_USER_MAX = 256;

/** A client's rights at the broker. */
interface Rights {
  readonly hash: string;
  readonly publishes: ReadonlySet<string>;
  readonly subscribes: string | undefined;
  /** True if it publishes labels, which get its name. */
  readonly labels: boolean;
  /** Topics that Home Assistant and other programs, with a user's token, read and publish. */
  readonly watches?: BrokerReads;
}

/** What Home Assistant and other programs read at the broker. */
interface BrokerReads {
  /** Home Assistant's own status, which it publishes; undefined: it is elsewhere. */
  readonly status: string | undefined;
  /** Everything below these: Home Assistant's discovery prefix, and the topic of the alarms. */
  readonly below: readonly string[];
  readonly topics: ReadonlySet<string>;
}

export type AccessRules = Pick<Fleet, "nodes" | "users" | "broker" | "homeAssistant" | "alarms">;

/** Rights by name; undefined: no node has a token, and every client may do everything. */
export function collectRights(fleet: AccessRules): ReadonlyMap<string, Rights> | undefined {
  const { nodes, users = [], broker } = fleet;
  const rights = new Map<string, Rights>();
  const labelTopics = new Set<string>();
  for (const { port, token, labels } of nodes) {
    const address = parseAddress(port);
    if (token !== undefined && address.kind === "mqtt") {
      const { up, status, down } = nodeTopics(address.name);
      const publishes = new Set([up, status]);
      rights.set(address.name, { hash: token, publishes, subscribes: down, labels: false });
    }
    if (labels === undefined || !/^mqtts?:/.test(labels)) continue;
    const topic = parseAddress(labels);
    if (isInside(topic, broker)) labelTopics.add(topic.name);
  }
  if (rights.size === 0) return undefined;
  const watches = watchedBroker(fleet);
  for (const { name, role, token } of users) {
    const labels = mayDo(role, "label");
    if (token !== undefined && (labels || watches) && !rights.has(name))
      rights.set(name, {
        hash: token,
        publishes: labels ? labelTopics : NOTHING,
        subscribes: undefined,
        labels,
        watches,
      });
  }
  return rights;
}

const NOTHING: ReadonlySet<string> = new Set();

/** Undefined: neither Home Assistant nor the alarms are at the built-in broker. */
function watchedBroker({ nodes, broker, homeAssistant, alarms }: AccessRules): BrokerReads | undefined {
  const inside = (text: string | undefined) => {
    const at = text === undefined ? undefined : parseAddress(text);
    return at && isInside(at, broker) ? [at.name] : [];
  };
  const prefixes = inside(homeAssistant);
  const below = [...prefixes, ...inside(alarms?.mqtt)];
  if (below.length === 0) return undefined;
  const presences = nodes.flatMap(({ port }) => {
    const address = parseAddress(port);
    return address.kind === "mqtt" ? [nodeTopics(address.name).status] : [];
  });
  const topics = prefixes.flatMap((prefix) => [
    ...presences,
    ...nodes.map(({ name }) => entityTopics(prefix, name).state),
  ]);
  return { status: prefixes.map((prefix) => `${prefix}/status`)[0], below, topics: new Set(topics) };
}

/** True if a program may subscribe to that: its filters begin with a topic that it reads all below of. */
function mayWatch(topic: string, watched: BrokerReads | undefined): boolean {
  if (!watched) return false;
  const { status, below, topics } = watched;
  const isPresence = status !== undefined && AVAILABILITY.test(topic);
  return below.some((above) => topic.startsWith(`${above}/`)) || topics.has(topic) || isPresence;
}

/**
 * Restricts a broker to clients with a token. A node publishes NAME/up and NAME/status, and subscribes to
 * NAME/down; a user who may label publishes on the topics of labels. The gateway, with its own token, may do
 * everything. Returns the user of a client; undefined until it has authenticated.
 */
export function guard(
  aedes: Aedes,
  rights: ReadonlyMap<string, Rights>,
  gatewayHash: string,
  refused: (from: string, who: string, text: string) => void,
): (client: Client) => string | undefined {
  const users = new WeakMap<Client, string>();
  const connections = new UserConnections();
  const refuse = (client: Client, text: string) => {
    refused((client.conn as Socket).remoteAddress ?? "", users.get(client) ?? "", `MQTT: ${text}`);
    return new Error(text);
  };
  const refuseLogin = (client: Client, returnCode: 3 | 4, text: string) =>
    Object.assign(refuse(client, text) as AuthenticateError, { returnCode });
  aedes.authenticate = (client, user = "", password, done) => {
    const hash = user === GATEWAY ? gatewayHash : rights.get(user)?.hash;
    if (hash === undefined || !sameText(tokenHash(String(password)), hash))
      return done(
        refuseLogin(client, BAD_USER, `wrong user or password, ${user.slice(0, NAME_SHOWN)}`),
        false,
      );
    if (user !== GATEWAY && connections.count(user) >= OF_USER_MAX)
      return done(refuseLogin(client, UNAVAILABLE, `more than ${OF_USER_MAX} connections of ${user}`), false);
    users.set(client, user);
    connections.add(user, client.conn as Socket);
    // The broker ends a connection when another comes with its id. So no client may use another's id, and a
    // node has one connection.
    Object.assign(client, { id: rights.get(user)?.subscribes === undefined ? `${user} ${client.id}` : user });
    return done(null, true);
  };
  restrictTopics(aedes, rights, { findUser: (client) => users.get(client), refuse });
  return (client) => users.get(client);
}

/** How many open connections each user has. */
class UserConnections {
  private readonly open = new Map<string, Set<Socket>>();

  count(user: string): number {
    return this.open.get(user)?.size ?? 0;
  }

  add(user: string, socket: Socket): void {
    if (socket.destroyed) return; // its close may have been before
    const its = this.open.get(user) ?? new Set();
    this.open.set(user, its.add(socket));
    socket.once("close", () => its.delete(socket));
  }
}

interface GuardedClients {
  findUser(client: Client): string | undefined;
  refuse(client: Client, text: string): Error;
}

function restrictTopics(
  aedes: Aedes,
  rights: ReadonlyMap<string, Rights>,
  { findUser, refuse }: GuardedClients,
): void {
  aedes.authorizePublish = (client, packet, done) => {
    const user = client ? findUser(client) : GATEWAY;
    const { topic, payload } = packet as AedesPublishPacket;
    if (user === GATEWAY) return done(null);
    const its = rights.get(user ?? "");
    if (topic === its?.watches?.status) return done(null);
    if (!its?.publishes.has(topic) || payload.length > PAYLOAD_MAX)
      return done(refuse(client as Client, `may not publish ${topic.slice(0, TOPIC_SHOWN)}`));
    if (its.labels) packet.payload = signLabel(payload, user as string);
    return done(null);
  };
  aedes.authorizeSubscribe = (client, subscription, done) => {
    const user = findUser(client) ?? "";
    const { topic } = subscription;
    const its = rights.get(user);
    if (user === GATEWAY || topic === its?.subscribes || mayWatch(topic, its?.watches))
      return done(null, subscription);
    refuse(client, `may not subscribe to ${topic.slice(0, TOPIC_SHOWN)}`);
    return done(null, null);
  };
}

/**
 * Sets a label's `by` to its publisher. A message that isn't an object stays unchanged, and is refused when
 * it is read.
 */
function signLabel(payload: string | Buffer, by: string): string | Buffer {
  try {
    const label = parseJson(String(payload));
    return typeof label === "object" && label !== null ? JSON.stringify({ ...label, by }) : payload;
  } catch {
    return payload;
  }
}
