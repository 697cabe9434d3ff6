import { dirname, resolve } from "node:path";
import { createSecureContext } from "node:tls";
import { Ajv, type ErrorObject } from "ajv";
import { readBounded } from "../../host-sim/bounded-file.ts";
import { parseJson } from "../../host-sim/json.ts";
import { schemaFault } from "../../host-sim/schema-fault.ts";
import { type FeaturesOption, settleFeatures } from "../../src/signal/features.ts";
import { WAVELETS } from "../../src/signal/wavelet.ts";
import { NATS_SERVER } from "../cli/arguments.ts";
import { UserError } from "../cli/exit.ts";
import { keyOf } from "../keys/key-file.ts";
import { ADDRESS_FORMS, type Address, type MqttAddress, parseAddress } from "../ports/address.ts";
import { isLoopback } from "../ports/listen.ts";
import { ROLES, type User } from "./access.ts";
import type { ClusterOptions } from "./cluster/cluster.ts";
import { checkSource, isFile } from "./intake/intake.ts";
import { PASSWORD_HASH, TOKEN_HASH } from "./secrets.ts";

export const FLEET_VERSION = "motelearn.fleet/1";
const DAYS_MAX = 36500;
/** Of "." and ".." browsers make another address. */
const NODE_NAME = "^(?!\\.\\.?$)[\\w.-]+(/[\\w.-]+)*$";
const USER_NAME = "^[\\w.@-]{1,64}$";
const CLUSTER_NAME = "^[\\w-]{1,32}$";
/** What would be right where a text has another form. */
const FORMS: { readonly [pattern: string]: string } = {
  [NODE_NAME]: 'takes letters, digits, "_", "-" and ".", with "/" between levels; not "." or ".."',
  [USER_NAME]: 'takes 1 to 64 letters, digits, "_", "-", "." and "@"',
  [CLUSTER_NAME]: 'takes 1 to 32 letters, digits, "_" and "-"',
  [PASSWORD_HASH]: "takes the hash of a password; gateway --hash-password prints one",
  [TOKEN_HASH]: "takes the hash of a token; gateway --new-token prints one",
  [NATS_SERVER]: "takes nats://HOST:PORT or tls://HOST:PORT",
};
/** Somebody may give a secret itself instead of its hash: that isn't printed. */
const SECRETS: readonly string[] = [PASSWORD_HASH, TOKEN_HASH];

/** A reading's name and unit. */
export interface Channel {
  readonly name: string;
  readonly unit?: string;
}

/** A node of the fleet. */
export interface FleetNode {
  readonly name: string;
  readonly port: string;
  readonly baud: number;
  /** Its readings, in their order. */
  readonly channels?: readonly Channel[];
  /** Its learner's options that aren't the defaults, for explanations. */
  readonly options?: { readonly [name: string]: unknown };
  /** What it makes of its readings, for explanations. */
  readonly features?: FeaturesOption;
  /** Hash of the token that is its password at the broker inside. */
  readonly token?: string;
  /** The key of its line, and its label key. */
  readonly key?: Uint8Array;
  readonly labelKey?: Uint8Array;
  /** A source of its labels besides the page: see `openIntake`. */
  readonly labels?: string;
  /** Its name at the fusion centre, or its place there, from 1; default: its name here. */
  readonly labelsOf?: string | number;
}

/** Where one listens. */
export interface Listen {
  readonly host: string;
  /** Certificate and private key, PEM; undefined: in clear. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** A fleet file, every default filled in, its paths resolved, its keys read. */
export interface Fleet {
  /** Where the page, the figures and the interface for labels are. */
  readonly port: number;
  /** Of page and broker. */
  readonly listen: Listen;
  /** The users and their roles; undefined: every user of this machine may do everything. */
  readonly users?: readonly User[];
  /** Hours after which a page must log in again. */
  readonly sessionHours: number;
  /** Labels that each user may give in a minute. */
  readonly labelsPerMinute: number;
  /** The database. */
  readonly store: string;
  /** TCP port of the broker inside; undefined: there is none. */
  readonly broker?: number;
  /** Home Assistant's broker and discovery prefix, mqtt://HOST/PREFIX; undefined: it isn't told of the nodes. */
  readonly homeAssistant?: string;
  /** The NATS servers by which gateways share the fleet; undefined: this gateway alone has it. */
  readonly cluster?: ClusterOptions;
  /** Days that samples and predictions are kept. */
  readonly keepDays: number;
  /** Megabytes beyond which the oldest of them go sooner; undefined: any. */
  readonly keepMegabytes?: number;
  /** Hours between two copies of each node's memory; undefined: none but those asked for. */
  readonly copyHours?: number;
  /** Copies of each node that are kept. */
  readonly keepCopies: number;
  readonly nodes: readonly FleetNode[];
}

interface FleetText extends Omit<Fleet, "nodes" | "listen"> {
  readonly listen: { readonly host: string; readonly tls?: { readonly cert: string; readonly key: string } };
  readonly nodes: readonly (Omit<FleetNode, "key" | "labelKey"> & { key?: string; labelKey?: string })[];
}

const tcpPort = (description: string) => ({ type: "integer", minimum: 0, maximum: 65535, description });

/** The fleet file as a JSON schema: the one place where its keys, ranges, defaults and meanings stand. */
export const FLEET_SCHEMA = {
  type: "object",
  additionalProperties: false,
  required: ["schema", "nodes"],
  properties: {
    $schema: { type: "string" },
    schema: { const: FLEET_VERSION },
    port: { ...tcpPort("HTTP port; 0: any that is free"), default: 8080 },
    listen: {
      type: "object",
      additionalProperties: false,
      default: {},
      description: "where page and broker listen; beyond this machine they need tls and users",
      properties: {
        host: { type: "string", minLength: 1, default: "127.0.0.1", description: "address of this machine" },
        tls: {
          type: "object",
          additionalProperties: false,
          required: ["cert", "key"],
          properties: {
            cert: {
              type: "string",
              description: "file with the certificate, and those that vouch for it, PEM",
            },
            key: { type: "string", description: "file with its private key, PEM" },
          },
        },
      },
    },
    users: {
      type: "array",
      minItems: 1,
      maxItems: 1000,
      description: "who may do what; default: whoever is on this machine may do everything",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["name", "role"],
        properties: {
          name: { type: "string", pattern: USER_NAME },
          role: { enum: ROLES, description: "look; label, too; or operate: command nodes, read the trail" },
          password: {
            type: "string",
            pattern: PASSWORD_HASH,
            description: "hash of a password, from gateway --hash-password",
          },
          token: {
            type: "string",
            pattern: TOKEN_HASH,
            description: "hash of a token, from gateway --new-token",
          },
        },
      },
    },
    sessionHours: {
      type: "number",
      exclusiveMinimum: 0,
      maximum: 8760,
      default: 12,
      description: "hours after which a page must log in again",
    },
    labelsPerMinute: {
      type: "integer",
      minimum: 1,
      maximum: 1000000,
      default: 6000,
      description: "labels that each user may give",
    },
    store: { type: "string", minLength: 1, default: "fleet.db", description: "file of the database" },
    broker: tcpPort("TCP port of an MQTT broker inside, on this machine; 0: any that is free; default: none"),
    homeAssistant: {
      type: "string",
      minLength: 1,
      description:
        "Home Assistant's broker and discovery prefix, mqtt://HOST/homeassistant: it shows the nodes as devices; default: it doesn't",
    },
    cluster: {
      type: "object",
      additionalProperties: false,
      required: ["servers"],
      description: "gateways with the same servers and name share the nodes; default: this one has all",
      properties: {
        servers: {
          type: "array",
          minItems: 1,
          maxItems: 16,
          items: { type: "string", pattern: NATS_SERVER },
          description: "NATS servers with JetStream, nats://HOST:PORT or tls://HOST:PORT",
        },
        name: {
          type: "string",
          pattern: CLUSTER_NAME,
          default: "fleet",
          description: "what the fleet is called there",
        },
        replicas: {
          type: "integer",
          minimum: 1,
          maximum: 5,
          default: 3,
          description: "servers that keep each label",
        },
        user: {
          type: "string",
          minLength: 1,
          description: "user at the servers; MOTELEARN_NATS_PASSWORD has the password",
        },
      },
    },
    keepDays: {
      type: "number",
      exclusiveMinimum: 0,
      maximum: DAYS_MAX,
      default: 30,
      description: "days that samples and predictions are kept, of those in which the gateway runs",
    },
    keepMegabytes: {
      type: "number",
      minimum: 1,
      description:
        "megabytes of the database beyond which the oldest samples and predictions go sooner; default: any",
    },
    copyHours: {
      type: "number",
      minimum: 0.01,
      maximum: 8760,
      description:
        "hours between two copies of each node's memory, which hold what a checkpoint does; default: only those asked for",
    },
    keepCopies: {
      type: "integer",
      minimum: 1,
      maximum: 1000,
      default: 8,
      description: "copies of each node that are kept, the newest",
    },
    nodes: {
      type: "array",
      minItems: 1,
      maxItems: 10000,
      items: {
        type: "object",
        additionalProperties: false,
        required: ["name", "port"],
        properties: {
          name: {
            type: "string",
            pattern: NODE_NAME,
            maxLength: 64,
            description: "its name here",
          },
          port: { type: "string", description: `a device, ${ADDRESS_FORMS}` },
          baud: {
            type: "integer",
            minimum: 50,
            maximum: 4000000,
            default: 115200,
            description: "of a device",
          },
          channels: {
            type: "array",
            maxItems: 65535,
            description: "its readings in their order, as pages show them",
            items: {
              type: "object",
              additionalProperties: false,
              required: ["name"],
              properties: {
                name: { type: "string", minLength: 1, maxLength: 32 },
                unit: { type: "string", maxLength: 16 },
              },
            },
          },
          options: {
            type: "object",
            description: "its learner's options, as it was flashed with them: explanations need them",
          },
          features: {
            type: "object",
            additionalProperties: false,
            description: "what it makes of its readings, as it was flashed: explanations need it",
            properties: {
              window: { type: "integer", minimum: 0, maximum: 65536 },
              wavelet: { enum: ["none", ...WAVELETS] },
              standardise: { type: "boolean" },
              horizon: { type: "integer" },
              stepAfter: { type: "integer" },
              bands: { type: "integer" },
              lines: { type: "array", items: { type: "number" } },
              burst: { type: "integer" },
            },
          },
          key: { type: "string", description: "file with the key of its line" },
          token: {
            type: "string",
            pattern: TOKEN_HASH,
            description:
              "hash of its password at the broker inside, where its user is its name there; from gateway --new-token",
          },
          labelKey: { type: "string", description: "file with its label key" },
          labels: {
            type: "string",
            minLength: 1,
            description:
              "where its labels come from, besides the page: a fusion centre (tcp://HOST:PORT, unix:PATH, a device, fusion:SCENARIO), mqtt://HOST/TOPIC, or a file, NDJSON or .csv, of sid, seq, label, source, confidence, by",
          },
          labelsOf: {
            anyOf: [{ type: "string" }, { type: "integer", minimum: 1 }],
            description: "its name at the fusion centre, or its place there, from 1; default: its name here",
          },
        },
      },
    },
  },
} as const;

function textOf(path: string): string {
  try {
    return readBounded(path);
  } catch (error) {
    throw new UserError(
      `${path}: can't be read (${(error as NodeJS.ErrnoException).code}); give a fleet file`,
    );
  }
}

/** One line about a fleet file that fails its schema. */
function faultOf(error: ErrorObject): string {
  const form = error.keyword === "pattern" ? FORMS[error.params.pattern] : undefined;
  if (form === undefined) return schemaFault(error, "the fleet");
  if (!SECRETS.includes(error.params.pattern)) return schemaFault({ ...error, message: form }, "the fleet");
  return `${error.instancePath.slice(1).replaceAll("/", ".")}: ${form}`;
}

/** Reads and checks a fleet file. Its paths are relative to its folder. Throws a UserError that names file and key. */
export function readFleet(path: string): Fleet {
  let given: unknown;
  try {
    given = parseJson(textOf(path));
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`${path}: ${(error as Error).message}`);
  }
  const check = new Ajv({ useDefaults: true, verbose: true }).compile<FleetText>(FLEET_SCHEMA);
  if (!check(given)) throw new UserError(`${path}: ${faultOf((check.errors as ErrorObject[])[0])}`);
  const from = dirname(path);
  const keyAt = (place: string, file: string | undefined) =>
    file === undefined ? undefined : keyOf(`${path}: ${place}`)(resolve(from, file));
  const nodes = given.nodes.map(({ key, labelKey, ...node }, index) => {
    const place = `nodes.${index}`;
    checkNode(`${path}: ${place}`, node, given.nodes.slice(0, index));
    const labels =
      node.labels !== undefined && isFile(node.labels) ? resolve(from, node.labels) : node.labels;
    return {
      ...node,
      ...(labels && { labels }),
      key: keyAt(`${place}.key`, key),
      labelKey: keyAt(`${place}.labelKey`, labelKey),
    };
  });
  const listen = listenOf(path, given, from);
  checkUsers(path, given);
  checkHomeAssistant(path, given);
  checkCluster(path, given);
  checkTokens(path, given);
  return { ...given, store: resolve(from, given.store), listen, nodes };
}

/** Where it listens, certificate and key read. */
function listenOf(path: string, { listen, users }: FleetText, from: string): Listen {
  const { host, tls } = listen;
  if (!isLoopback(host) && (!tls || !users))
    throw new UserError(
      `${path}: listen.host: other machines reach ${host}; give ${tls ? "users" : "listen.tls"}, too, or leave it out`,
    );
  if (!tls) return { host };
  const file = (key: "cert" | "key") => {
    try {
      return readBounded(resolve(from, tls[key]));
    } catch (error) {
      throw new UserError(
        `${path}: listen.tls.${key}: ${tls[key]}: can't be read (${(error as NodeJS.ErrnoException).code})`,
      );
    }
  };
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

/** Whether that is the address of a node at the broker in the gateway. */
export function isInside(address: Address, broker: number | undefined): address is MqttAddress {
  return (
    address.kind === "mqtt" && address.servers.some(({ host, port }) => isLoopback(host) && port === broker)
  );
}

/** Nodes at the broker inside have tokens all or none; beyond this machine all. */
function checkTokens(path: string, { listen, broker, nodes, users = [] }: FleetText): void {
  const guarded = !isLoopback(listen.host) || nodes.some(({ token }) => token !== undefined);
  nodes.forEach(({ name, port, token }, index) => {
    const place = `${path}: nodes.${index}`;
    const address = parseAddress(port);
    const inside = isInside(address, broker);
    if (token !== undefined && !inside)
      throw new UserError(`${place}.token: ${name} isn't at the broker inside, mqtt://localhost:${broker}`);
    if (guarded && inside && token === undefined)
      throw new UserError(
        `${place}: ${name} needs a token, as others at the broker; gateway --new-token makes one`,
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
    throw new UserError(`${path}: broker: gateways of a cluster need one outside; remove it, or cluster`);
  const filed = nodes.findIndex(({ labels }) => labels !== undefined && isFile(labels));
  if (filed >= 0)
    throw new UserError(
      `${path}: nodes.${filed}.labels: a file is on one gateway's machine; a cluster takes a topic or a fusion centre`,
    );
}

function checkHomeAssistant(path: string, { homeAssistant }: FleetText): void {
  if (homeAssistant === undefined) return;
  const takes = "takes mqtt://HOST/homeassistant, the broker and the discovery prefix";
  try {
    if (parseAddress(homeAssistant).kind === "mqtt") return;
  } catch {} // that says what a node's port takes
  throw new UserError(`${path}: homeAssistant: ${homeAssistant}: not an address; ${takes}`);
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

function checkNode(
  place: string,
  { name, port, labels, features }: Pick<FleetNode, "name" | "port" | "labels" | "features">,
  before: readonly { readonly name: string; readonly port: string }[],
): void {
  try {
    parseAddress(port);
  } catch (error) {
    throw new UserError(`${place}.port: ${(error as Error).message}`);
  }
  try {
    settleFeatures(features);
  } catch (error) {
    throw new UserError(`${place}: ${(error as Error).message}`);
  }
  try {
    if (labels !== undefined) checkSource(labels);
  } catch (error) {
    throw new UserError(`${place}.labels: ${(error as Error).message}`);
  }
  if (before.some((other) => other.name === name))
    throw new UserError(`${place}.name: ${name} is another node's, too; each needs a name of its own`);
  if (before.some((other) => other.port === port))
    throw new UserError(`${place}.port: ${port} is another node's, too; one port leads to one node`);
}
