import type { ErrorObject } from "ajv";
import { schemaFault } from "../../host/schema-fault.ts";
import { choice, flag, list, name, number, object, text, whole } from "../../host/schema-parts.ts";
import { NATS_SERVER } from "../../host/terminal/arguments.ts";
import { WAVELETS } from "../../src/signal/wavelet.ts";
import { ADDRESS_FORMS } from "../../tools/ports/address.ts";
import { ROLES } from "../access/access.ts";
import { PASSWORD_HASH, TOKEN_HASH } from "../access/secrets.ts";
import type { Fleet, FleetNode } from "./fleet.ts";

export const FLEET_VERSION = "motelearn.fleet/1";
const DAYS_MAX = 36500;
/** Of "." and ".." browsers make another address. */
const NODE_NAME = "^(?!\\.\\.?$)[\\p{L}\\p{M}\\p{N}_.-]+(/[\\p{L}\\p{M}\\p{N}_.-]+)*$";
const USER_NAME = "^[\\p{L}\\p{M}\\p{N}_.@-]{1,64}$";
/** Home Assistant's templates take it as it is. */
const ALARM_NAME = "^\\w{1,32}$";
/** A label's text is compared without the blanks around it. */
const CLASS_NAME = "^\\S(.*\\S)?$";
const WEBHOOK = "^https?://[^\\s/]+";
const CLUSTER_NAME = "^[\\w-]{1,32}$";
/** What would be right where a text has another form. */
const FORMS: { readonly [pattern: string]: string } = {
  [NODE_NAME]: 'takes letters, digits, "_", "-" and ".", with "/" between levels; not "." or ".."',
  [USER_NAME]: 'takes 1 to 64 letters, digits, "_", "-", "." and "@"',
  [ALARM_NAME]: 'takes 1 to 32 of a-z, A-Z, 0-9 and "_"',
  [CLASS_NAME]: "takes a name without blanks around it",
  [WEBHOOK]: "takes https://HOST/PATH, or http://",
  [CLUSTER_NAME]: 'takes 1 to 32 letters, digits, "_" and "-"',
  [PASSWORD_HASH]: "takes the hash of a password; gateway --hash-password prints one",
  [TOKEN_HASH]: "takes the hash of a token; gateway --new-token prints one",
  [NATS_SERVER]: "takes nats://HOST:PORT or tls://HOST:PORT",
};
/** Somebody may give a secret itself instead of its hash: that isn't printed. */
const SECRETS: readonly string[] = [PASSWORD_HASH, TOKEN_HASH, WEBHOOK];

/** A node as a fleet file has it. */
export interface NodeEntry extends Omit<FleetNode, "key" | "labelKey" | "state"> {
  /** Its own file, under whose keys these stand. */
  readonly node?: string;
  readonly key?: string;
  readonly labelKey?: string;
  readonly state?: string;
}

/** A fleet file as it is written: paths in place of what the files hold. */
export interface FleetText extends Omit<Fleet, "nodes" | "listen"> {
  readonly listen: { readonly host: string; readonly tls?: { readonly cert: string; readonly key: string } };
  readonly nodes: readonly NodeEntry[];
}

const tcpPort = (description: string) => whole(0, 65535, description);
const samples = (description: string) => whole(1, 1000000, description);
const seconds = (description: string, minimum = 0) => number(description, { minimum, maximum: 8640000 });

/** An alarm as the fleet file has it. */
const ALARM_RULE = object(
  { required: ["name"] },
  {
    name: { type: "string", pattern: ALARM_NAME },
    classes: list(
      { type: ["string", "number"] },
      { minItems: 1, maxItems: 256 },
      "the classes that raise it, by name or number",
    ),
    silentSeconds: seconds("or the seconds without a sample that raise it", 1),
    nodes: list(
      { type: "string" },
      { minItems: 1 },
      "the nodes that it watches; default: all that have one of the classes",
    ),
    onSamples: samples("samples of its classes in a row that switch it on; default: 3"),
    onSeconds: seconds("seconds that these must last at least; default: 0"),
    offSamples: samples("samples in a row without it that switch it off; default: 3, of silence 1"),
    offSeconds: seconds("seconds that these must last at least; default: 0"),
  },
);

/** Nodes that learn together, by the words of a scenario. */
const TOGETHER = object(
  {
    description:
      "nodes that learn together: the gateway trains models from the labels of all, and sends each node the one that fits it; of two classes. Default: each node learns by itself",
  },
  {
    vectors: whole(
      0,
      4096,
      "vectors of the largest model that is trained; 0: a plane. Each node's `fleetBudget` is as large",
      { default: 64 },
    ),
    groups: list(
      list({ type: "string" }, { minItems: 1, uniqueItems: true }),
      { default: [] },
      "nodes that are alike, by name: a list a group; a node in none learns by itself; empty: all nodes are one group",
    ),
    start: choice(
      ["group", "nothing"],
      "nothing",
      "how the own learner of a node starts that has no checkpoint, and has learned nothing. group: from a first checkpoint, which the gateway makes of the group's labels; nothing: as the node is",
    ),
  },
);

const LISTEN = object(
  { default: {}, description: "where page and broker listen; beyond this machine they need tls and users" },
  {
    host: name("address of this machine", { default: "127.0.0.1" }),
    tls: object(
      { required: ["cert", "key"] },
      {
        cert: text("file with the certificate, and those that vouch for it, PEM"),
        key: text("file with its private key, PEM"),
      },
    ),
  },
);

const USER = object(
  { required: ["name", "role"] },
  {
    name: { type: "string", pattern: USER_NAME },
    role: { enum: ROLES, description: "look; label, too; or operate: command nodes, read the trail" },
    password: text("hash of a password, from gateway --hash-password", { pattern: PASSWORD_HASH }),
    token: text("hash of a token, from gateway --new-token", { pattern: TOKEN_HASH }),
  },
);

const ALARMS = object(
  { required: ["rules"], description: "alarms, which the page and Home Assistant show; default: none" },
  {
    rules: list(ALARM_RULE, { minItems: 1, maxItems: 100 }),
    mqtt: name(
      "a broker and a topic, mqtt://HOST/TOPIC: each alarm is a retained message at TOPIC/NODE/ALARM",
    ),
    webhook: text(
      "an address that gets each change of an alarm by POST; MOTELEARN_WEBHOOK_TOKEN has the token, if it wants one",
      { pattern: WEBHOOK },
    ),
  },
);

const CLUSTER = object(
  {
    required: ["servers"],
    description: "gateways with the same servers and name share the nodes; default: this one has all",
  },
  {
    servers: list(
      { type: "string", pattern: NATS_SERVER },
      { minItems: 1, maxItems: 16 },
      "NATS servers with JetStream, nats://HOST:PORT or tls://HOST:PORT",
    ),
    name: text("what the fleet is called there", { pattern: CLUSTER_NAME, default: "fleet" }),
    replicas: whole(1, 5, "servers that keep each label", { default: 3 }),
    user: name("user at the servers; MOTELEARN_NATS_PASSWORD has the password"),
  },
);

const CHANNEL = object(
  { required: ["name"] },
  { name: { type: "string", minLength: 1, maxLength: 32 }, unit: { type: "string", maxLength: 16 } },
);

const FEATURES = object(
  { description: "what it makes of its readings, as it was flashed: explanations need it" },
  {
    window: { type: "integer", minimum: 0, maximum: 65536 },
    wavelet: { enum: ["none", ...WAVELETS] },
    standardise: { type: "boolean" },
    horizon: { type: "integer" },
    stepAfter: { type: "integer" },
    bands: { type: "integer" },
    lines: list({ type: "number" }, {}),
    burst: { type: "integer" },
  },
);

const NODE = object(
  { required: ["name", "port"] },
  {
    name: text("its name here", { pattern: NODE_NAME, maxLength: 64 }),
    node: name(
      "its own file, motelearn.node/1: channels, options, classes, features, keys and state follow from it, unless they are given here",
    ),
    port: text(`a device, ${ADDRESS_FORMS}`),
    baud: whole(50, 4000000, "of a device", { default: 115200 }),
    channels: list(CHANNEL, {
      maxItems: 65535,
      description: "its readings in their order, as pages show them",
    }),
    options: {
      type: "object",
      description: "its learner's options, as it was flashed with them: explanations need them",
    },
    classes: list(
      { type: "string", pattern: CLASS_NAME, maxLength: 64 },
      { minItems: 2, maxItems: 256, uniqueItems: true },
      "names of its classes, in the order of their targets: -1 and +1, or 0, 1, ...; default: the node's own",
    ),
    features: FEATURES,
    key: text("file with the key of its line"),
    token: text(
      "hash of its password at the built-in broker, where its user is its name there; from gateway --new-token",
      { pattern: TOKEN_HASH },
    ),
    labelKey: text("file with its label key"),
    state: name(
      "file of `evaluate --save`, or of a copy: the node begins with this state while it has learned no label",
    ),
    labels: name(
      "where its labels come from, besides the page: a fusion centre (tcp://HOST:PORT, unix:PATH, a device, fusion:SCENARIO), mqtt://HOST/TOPIC, or a file, NDJSON or .csv, of sid, seq, label, source, confidence, by",
    ),
    labelsOf: {
      anyOf: [{ type: "string" }, { type: "integer", minimum: 1 }],
      description: "its name at the fusion centre, or its place there, from 1; default: its name here",
    },
  },
);

/** The fleet file as a JSON schema: the one place where its keys, ranges, defaults and meanings stand. */
export const FLEET_SCHEMA = object(
  { required: ["schema", "nodes"] },
  {
    $schema: { type: "string" },
    schema: { const: FLEET_VERSION },
    port: { ...tcpPort("HTTP port; 0: any that is free"), default: 8080 },
    listen: LISTEN,
    users: list(USER, {
      minItems: 1,
      maxItems: 1000,
      description: "who may do what; default: whoever is on this machine may do everything",
    }),
    sessionHours: number("hours after which a page must log in again", {
      exclusiveMinimum: 0,
      maximum: 8760,
      default: 12,
    }),
    labelsPerMinute: whole(1, 1000000, "labels that each user may give", { default: 6000 }),
    store: name("file of the database", { default: "fleet.db" }),
    broker: tcpPort("TCP port of a built-in MQTT broker on this machine; 0: any that is free; default: none"),
    ca: name(
      "file with the certificates, PEM, of those who vouch for brokers at mqtts://; default: those that Node.js knows",
    ),
    homeAssistant: name(
      "Home Assistant's broker and discovery prefix, mqtt://HOST/homeassistant: it shows the nodes as devices; default: it doesn't",
    ),
    alarms: ALARMS,
    askName: flag("whether labels over HTTP need the name of who gives them, where there are no users"),
    cluster: CLUSTER,
    together: TOGETHER,
    keepDays: number("days that samples and predictions are kept, of those in which the gateway runs", {
      exclusiveMinimum: 0,
      maximum: DAYS_MAX,
      default: 30,
    }),
    keepMegabytes: number(
      "megabytes of the database beyond which the oldest samples and predictions go sooner",
      { minimum: 1, default: 4000 },
    ),
    copyHours: number(
      "hours between two copies of each node's memory, which hold what a checkpoint does; default: only those asked for",
      { minimum: 0.01, maximum: 8760 },
    ),
    keepCopies: whole(1, 1000, "copies of each node that are kept, the newest", { default: 8 }),
    nodes: list(NODE, { minItems: 1, maxItems: 10000 }),
  },
);

/** One line about a fleet file that fails its schema. */
export function describeFault(error: ErrorObject): string {
  const form = error.keyword === "pattern" ? FORMS[error.params.pattern] : undefined;
  if (form === undefined) return schemaFault(error, "the fleet");
  if (!SECRETS.includes(error.params.pattern)) return schemaFault({ ...error, message: form }, "the fleet");
  return `${error.instancePath.slice(1).replaceAll("/", ".")}: ${form}`;
}
