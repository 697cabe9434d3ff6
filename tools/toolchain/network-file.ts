/** A node's network, in a file that only its user may access; `flash --wifi` puts it on a board. */
import { resolve } from "node:path";
import { Ajv } from "ajv";
import { UserError } from "../../host/errors.ts";
import { parseJson } from "../../host/json.ts";
import { OptionError } from "../../src/memory/option-error.ts";
import { nodeTopics } from "../../src/wire/topics.ts";
import { NETWORK_BYTES, type Network } from "../../targets/moddable/network.ts";
import { readSecret } from "../keys/key-file.ts";

const OPTION = "--wifi";
const EXAMPLE =
  '{"wifi": {"ssid": "...", "password": "..."}, "broker": {"host": "...", "user": "...", "password": "..."}, "node": "plant/n1"}';

const text = { type: "string", minLength: 1 };
const closed = { type: "object", additionalProperties: false };
const SCHEMA = {
  ...closed,
  required: ["wifi", "broker", "node"],
  properties: {
    wifi: {
      ...closed,
      required: ["ssid"],
      properties: { ssid: { ...text, maxLength: 32 }, password: { ...text, minLength: 8, maxLength: 63 } },
    },
    broker: {
      ...closed,
      required: ["host"],
      properties: {
        host: text,
        port: { type: "integer", minimum: 1, maximum: 65535 },
        user: text,
        password: text,
      },
    },
    node: { type: "string" },
  },
};

export interface NetworkFile {
  readonly file: string;
  readonly network: Network;
}

/** One line about a wrong network; undefined if it is right. It repeats no value, since some are secret. */
function findFault(value: unknown): string | undefined {
  const validate = new Ajv().compile<Network>(SCHEMA);
  if (!validate(value)) {
    const [{ instancePath, message, params }] = validate.errors ?? [];
    const where = instancePath.slice(1).replaceAll("/", ".");
    const name = params.additionalProperty === undefined ? "" : ` (${params.additionalProperty})`;
    return `${where === "" ? "" : `${where}: `}${message}${name}`;
  }
  try {
    nodeTopics(value.node);
    return undefined;
  } catch (error) {
    if (error instanceof OptionError) return `node: takes ${error.takes}`;
    throw error;
  }
}

function parseNetwork(file: string, json: string): unknown {
  try {
    return parseJson(json);
  } catch {
    throw new UserError(`${OPTION} ${file}: not JSON; takes ${EXAMPLE}`);
  }
}

/**
 * Reads a network. Throws a UserError, which repeats no value, if it is invalid, or others may access its
 * file.
 */
export function networkFile(name: string): NetworkFile {
  const file = resolve(name);
  const bytes = readSecret(OPTION, name, `takes a file of ${EXAMPLE}`); // a character each
  if (bytes.length > NETWORK_BYTES)
    throw new UserError(`${OPTION} ${name}: ${bytes.length} bytes; a board has room for ${NETWORK_BYTES}`);
  const value = parseNetwork(name, Buffer.from(bytes, "latin1").toString("utf8"));
  const fault = findFault(value);
  if (fault !== undefined) throw new UserError(`${OPTION} ${name}: ${fault}; takes ${EXAMPLE}`);
  return { file, network: value as Network };
}

/** The address of a node in that network, in the form of `--port`. */
export function brokerAddress({ broker: { host, port, user }, node }: Network): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return `mqtt://${user === undefined ? "" : `${user}@`}${name}${port === undefined ? "" : `:${port}`}/${node}`;
}
