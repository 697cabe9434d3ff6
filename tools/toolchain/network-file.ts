/** A node's network, in a file that only its user may access; `flash --wifi` puts it on a board. */
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { Ajv } from "ajv";
import { UserError } from "../../host/errors.ts";
import { parseJson } from "../../host/json.ts";
import { OptionError } from "../../src/memory/option-error.ts";
import { nodeTopics } from "../../src/wire/topics.ts";
import { AUTHORITY_BYTES, NETWORK_BYTES, type Network } from "../../targets/moddable/network.ts";
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
        ca: text,
      },
    },
    node: { type: "string" },
    time: text,
  },
};

export interface NetworkFile {
  readonly file: string;
  readonly network: Network;
  /** The certificate of who signs the broker's, PEM, and its bytes, DER; undefined: no TLS. */
  readonly authority?: { readonly pem: string; readonly der: Uint8Array };
}

/** Reads the certificate that a network's `broker.ca` names, beside its file. Throws a UserError if it is none, or too long for a board. */
function readAuthority(file: string, { broker: { ca } }: Network): NetworkFile["authority"] {
  if (ca === undefined) return undefined;
  const fault = (what: string) =>
    new UserError(`${OPTION} ${file}: broker.ca: ${what}; takes the file of one certificate, PEM or DER`);
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(readFileSync(resolve(dirname(file), ca)));
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    throw fault(syscall === undefined ? "not a certificate" : `can't be read (${code})`);
  }
  const der = certificate.raw;
  if (der.length > AUTHORITY_BYTES)
    throw fault(`${der.length} bytes as DER, and a board has room for ${AUTHORITY_BYTES}`);
  return { pem: certificate.toString(), der };
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
  if (value.time !== undefined && value.broker.ca === undefined)
    return "time: is for the dates of a broker's certificate, which goes with broker.ca";
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
  const network = value as Network;
  return { file, network, authority: readAuthority(file, network) };
}

/** The address of a node in that network, in the form of `--port`. */
export function brokerAddress({ broker: { host, port, user, ca }, node }: Network): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return `${ca === undefined ? "mqtt" : "mqtts"}://${user === undefined ? "" : `${user}@`}${name}${port === undefined ? "" : `:${port}`}/${node}`;
}
