import { dirname, resolve } from "node:path";
import { createSecureContext } from "node:tls";
import { Ajv, type ErrorObject } from "ajv";
import { readBounded } from "../../host/bounded-file.ts";
import { placed, UserError } from "../../host/errors.ts";
import { parseJson } from "../../host/json.ts";
import { withoutPassword } from "../../host/terminal/without-password.ts";
import { readNodeFile } from "../../host-sim/scenario/node-file.ts";
import { readCopy } from "../../host-sim/state/copy-file.ts";
import { resolveFeatures } from "../../src/signal/features.ts";
import { keyReader } from "../../tools/keys/key-file.ts";
import { type Address, type MqttAddress, parseAddress, type Server } from "../../tools/ports/address.ts";
import { authorityReader } from "../../tools/ports/authority.ts";
import { isLoopback } from "../../tools/ports/listen.ts";
import { checkSource, isFile } from "../intake/intake.ts";
import { checkAlarms } from "./alarm-rules.ts";
import type { Fleet, FleetNode, Listen } from "./fleet.ts";
import { describeFault, FLEET_SCHEMA, type FleetText, type NodeEntry } from "./fleet-schema.ts";
import { resolveTogether } from "./together-rules.ts";

/** A fleet's node with what its own file says, unless the fleet file says otherwise. */
function withNodeFile(entry: NodeEntry, path: string, place: string): NodeEntry {
  if (entry.node === undefined) return entry;
  const { node: file } = entry;
  const node = placed(`${path}: ${place}.node`, () => readNodeFile(file, dirname(path)));
  const { channels, classes, options, key, labelKey, state } = node;
  const { window, wavelet, bands, lines, burst, standardise, horizon, stepAfter } = node;
  const features = { window, wavelet, bands, lines, burst, standardise, horizon, stepAfter };
  const isNamed = typeof channels === "object" && channels.every(({ name }) => name !== undefined);
  const own = {
    channels: isNamed ? channels.map(({ name = "", unit }) => ({ name, ...(unit && { unit }) })) : undefined,
    classes: typeof classes === "object" ? classes : undefined,
    ...{ options, key, labelKey, state },
  };
  const withoutUndefined = (each: object) =>
    Object.fromEntries(Object.entries(each).filter(([, value]) => value !== undefined));
  return { features: withoutUndefined(features), ...withoutUndefined(own), ...entry };
}

/** Reads and checks a fleet file. Its paths are relative to its folder. Throws a UserError that names file and key. */
export function readFleet(path: string): Fleet {
  const fleet = placed(path, () => parseJson(readBounded(path)), "give a fleet file");
  const check = new Ajv({ useDefaults: true, verbose: true, allowUnionTypes: true }).compile<FleetText>(
    FLEET_SCHEMA,
  );
  if (!check(fleet)) throw new UserError(`${path}: ${describeFault((check.errors as ErrorObject[])[0])}`);
  const from = dirname(path);
  const keyAt = (place: string, file: string | undefined) =>
    file === undefined ? undefined : keyReader(`${path}: ${place}`)(resolve(from, file));
  const [names, ends] = [new Set<string>(), new Map<string, string>()];
  const nodes = fleet.nodes.map((entry, index) => {
    const place = `nodes.${index}`;
    if (names.has(entry.name))
      throw new UserError(
        `${path}: ${place}.name: ${entry.name} is another node's, too; each needs a name of its own`,
      );
    names.add(entry.name);
    const { key, labelKey, state, node: _, ...node } = withNodeFile(entry, path, place);
    checkNode(`${path}: ${place}`, node, ends);
    const labels =
      node.labels !== undefined && isFile(node.labels) ? resolve(from, node.labels) : node.labels;
    return {
      ...node,
      ...(labels && { labels }),
      ...(state !== undefined && {
        state: placed(`${path}: ${place}.state`, () => readCopy(resolve(from, state))),
      }),
      key: keyAt(`${place}.key`, key),
      labelKey: keyAt(`${place}.labelKey`, labelKey),
    };
  });
  const listen = resolveListen(path, fleet, from);
  checkUsers(path, fleet);
  checkTopic(
    `${path}: homeAssistant`,
    fleet.homeAssistant,
    "homeassistant, the broker and the discovery prefix",
  );
  checkTopic(`${path}: alarms.mqtt`, fleet.alarms?.mqtt, "TOPIC, the broker and the topic above the nodes'");
  checkAlarms(`${path}: alarms`, fleet);
  checkCluster(path, fleet);
  checkTokens(path, fleet);
  const ca = fleet.ca === undefined ? undefined : authorityReader(`${path}: ca:`)(resolve(from, fleet.ca));
  const together = resolveTogether(`${path}: together`, fleet, nodes);
  return { ...fleet, store: resolve(from, fleet.store), listen, nodes, ca, together };
}

/** Where it listens, certificate and key read. */
function resolveListen(path: string, { listen, users }: FleetText, from: string): Listen {
  const { host, tls } = listen;
  if (!isLoopback(host) && (!tls || !users))
    throw new UserError(
      `${path}: listen.host: other machines reach ${host}; give ${tls ? "users" : "listen.tls"}, too, or leave it out`,
    );
  if (!tls) return { host };
  const file = (key: "cert" | "key") =>
    placed(`${path}: listen.tls.${key}: ${tls[key]}`, () => readBounded(resolve(from, tls[key])));
  const read = { cert: file("cert"), key: file("key") };
  try {
    createSecureContext(read);
  } catch {
    throw new UserError(
      `${path}: listen.tls: ${tls.cert} and ${tls.key} aren't a certificate and its key, PEM`,
    );
  }
  return { host, tls: read };
}

/** True if that is the address of a node at the broker in the gateway. */
export function isInside(address: Address, broker: number | undefined): address is MqttAddress {
  return (
    address.kind === "mqtt" && address.servers.some(({ host, port }) => isLoopback(host) && port === broker)
  );
}

/** Nodes at the built-in broker have tokens all or none; beyond this machine all. */
function checkTokens(path: string, { listen, broker, nodes, users = [] }: FleetText): void {
  const guarded = !isLoopback(listen.host) || nodes.some(({ token }) => token !== undefined);
  nodes.forEach(({ name, port, token }, index) => {
    const place = `${path}: nodes.${index}`;
    const address = parseAddress(port);
    const inside = isInside(address, broker);
    if (token !== undefined && !inside)
      throw new UserError(`${place}.token: ${name} isn't at the built-in broker, mqtt://localhost:${broker}`);
    if (guarded && inside && token === undefined)
      throw new UserError(
        `${place}: ${name} needs a token, since others at the broker have one; gateway --new-token makes one`,
      );
    if (token !== undefined && inside && users.some((user) => user.name === address.name))
      throw new UserError(
        `${place}.port: ${address.name} is a user's name, too; give the node another there`,
      );
  });
}

/** What one gateway alone would have isn't shared. */
function checkCluster(path: string, { cluster, broker, nodes }: FleetText): void {
  if (!cluster) return;
  if (broker !== undefined)
    throw new UserError(`${path}: broker: gateways of a cluster need an external one; remove it, or cluster`);
  const filed = nodes.findIndex(({ labels }) => labels !== undefined && isFile(labels));
  if (filed >= 0)
    throw new UserError(
      `${path}: nodes.${filed}.labels: a file is on one gateway's machine; a cluster takes a topic or a fusion centre`,
    );
}

function checkTopic(place: string, text: string | undefined, what: string): void {
  if (text === undefined) return;
  try {
    if (parseAddress(text).kind === "mqtt") return;
  } catch {} // that says what a node's port takes
  throw new UserError(`${place}: ${withoutPassword(text)}: not an address; takes mqtt://HOST/${what}`);
}

function checkUsers(path: string, { users = [] }: FleetText): void {
  users.forEach(({ name, password, token }, index) => {
    const place = `${path}: users.${index}`;
    if (users.slice(0, index).some((other) => other.name === name))
      throw new UserError(`${place}.name: ${name} is another user's, too; each needs a name of its own`);
    if (password === undefined && token === undefined)
      throw new UserError(
        `${place}: ${name} has neither password nor token; gateway --hash-password makes one`,
      );
  });
}

/** The ends of the lines to a node: another address of the same node has one of them, however it is written. */
function lineEnds(port: string): readonly string[] {
  const address = parseAddress(port);
  if ("path" in address) return [resolve(address.path)];
  const end = (server: Server) =>
    `${isLoopback(server.host) ? "" : server.host.toLowerCase()}:${server.port}`;
  if (address.kind === "tcp") return [end(address)];
  return address.servers.map((server) => `${end(server)}/${address.name}`);
}

/** @param before the ends of the lines to the nodes before, each with its node's name. */
function checkNode(
  place: string,
  { name, port, labels, features }: Pick<FleetNode, "name" | "port" | "labels" | "features">,
  before: Map<string, string>,
): void {
  const ends = placed(`${place}.port`, () => lineEnds(port));
  placed(place, () => resolveFeatures(features));
  placed(`${place}.labels`, () => labels !== undefined && checkSource(labels));
  for (const end of ends) {
    const other = before.get(end);
    if (other !== undefined && other !== name)
      throw new UserError(`${place}.port: ${port} leads to ${other}, too; one port leads to one node`);
    before.set(end, name);
  }
}
