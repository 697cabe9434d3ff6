import { dirname, resolve } from "node:path";
import { Ajv, type ErrorObject } from "ajv";
import { readBounded } from "../../host-sim/bounded-file.ts";
import { parseJson } from "../../host-sim/json.ts";
import { schemaFault } from "../../host-sim/schema-fault.ts";
import { UserError } from "../cli/exit.ts";
import { keyOf } from "../keys/key-file.ts";
import { parseAddress } from "../ports/address.ts";

export const FLEET_VERSION = "motelearn.fleet/1";
const DAYS_MAX = 36500;

/** What a reading is called, and its unit. */
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
  /** The key of its line, and its label key. */
  readonly key?: Uint8Array;
  readonly labelKey?: Uint8Array;
}

/** A fleet file, every default filled in, its paths resolved, its keys read. */
export interface Fleet {
  /** Where the page, the figures and the interface for labels are: a port of this machine. */
  readonly port: number;
  /** The database. */
  readonly store: string;
  /** TCP port of the broker inside; undefined: there is none. */
  readonly broker?: number;
  /** Days that samples and predictions are kept. */
  readonly keepDays: number;
  readonly nodes: readonly FleetNode[];
}

interface FleetText extends Omit<Fleet, "nodes"> {
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
    port: { ...tcpPort("HTTP port on this machine; 0: any that is free"), default: 8080 },
    store: { type: "string", minLength: 1, default: "fleet.db", description: "file of the database" },
    broker: tcpPort("TCP port of an MQTT broker inside, on this machine; 0: any that is free; default: none"),
    keepDays: {
      type: "number",
      exclusiveMinimum: 0,
      maximum: DAYS_MAX,
      default: 30,
      description: "days that samples and predictions are kept",
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
            pattern: "^[\\w.-]+(/[\\w.-]+)*$",
            maxLength: 64,
            description: "its name here",
          },
          port: { type: "string", description: "a device, tcp://HOST:PORT, unix:PATH or mqtt://HOST/NAME" },
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
          key: { type: "string", description: "file with the key of its line" },
          labelKey: { type: "string", description: "file with its label key" },
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
  if (!check(given))
    throw new UserError(`${path}: ${schemaFault((check.errors as ErrorObject[])[0], "the fleet")}`);
  const from = dirname(path);
  const keyAt = (place: string, file: string | undefined) =>
    file === undefined ? undefined : keyOf(`${path}: ${place}`)(resolve(from, file));
  const nodes = given.nodes.map(({ key, labelKey, ...node }, index) => {
    const place = `nodes.${index}`;
    checkNode(`${path}: ${place}`, node, given.nodes.slice(0, index));
    return { ...node, key: keyAt(`${place}.key`, key), labelKey: keyAt(`${place}.labelKey`, labelKey) };
  });
  return { ...given, store: resolve(from, given.store), nodes };
}

function checkNode(
  place: string,
  { name, port }: { readonly name: string; readonly port: string },
  before: readonly { readonly name: string; readonly port: string }[],
): void {
  try {
    parseAddress(port);
  } catch (error) {
    throw new UserError(`${place}.port: ${(error as Error).message}`);
  }
  if (before.some((other) => other.name === name))
    throw new UserError(`${place}.name: ${name} is another node's, too; each needs a name of its own`);
  if (before.some((other) => other.port === port))
    throw new UserError(`${place}.port: ${port} is another node's, too; one port leads to one node`);
}
