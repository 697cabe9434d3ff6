import { UserError } from "../../host/errors.ts";
import { OptionError } from "../../src/index.ts";
import { nodeTopics } from "../../src/wire/topics.ts";

/** Where a server listens. */
export interface Server {
  readonly host: string;
  readonly port: number;
}

/** A node at an MQTT broker. */
export interface MqttAddress {
  readonly kind: "mqtt";
  readonly tls: boolean;
  /** The broker, or the servers of one cluster: if one is down, the next is tried. */
  readonly servers: readonly Server[];
  readonly user?: string;
  /** Its password; default: from the environment. */
  readonly password?: string;
  /** Certificates, PEM, of those who vouch for the servers; default: those that Node.js knows. */
  readonly ca?: string;
  /** The node's name: its topics are NAME/up, NAME/down and NAME/status. */
  readonly name: string;
}

/** The address of a byte channel. */
export type Address =
  | { readonly kind: "tcp"; readonly host: string; readonly port: number }
  | { readonly kind: "unix"; readonly path: string }
  | { readonly kind: "serial"; readonly path: string }
  | MqttAddress;

/** An address at which a program of this system listens. */
export type SocketAddress = Extract<Address, { kind: "tcp" | "unix" }>;

/** Most bytes of a socket's path: the system truncates a longer one to another file's name. */
const UNIX_PATH_MAX = process.platform === "linux" ? 107 : 103;

/** The forms of an address besides a serial device, for help and messages. */
export const ADDRESS_FORMS = "tcp://HOST:PORT, unix:PATH or mqtt://HOST/NAME";
const TAKES = `takes a device such as /dev/ttyUSB0 or COM3, ${ADDRESS_FORMS}`;
const MQTT_TAKES = "takes mqtt://[USER@]HOST[:PORT][,HOST[:PORT]...]/NAME, or mqtts:// with TLS";
/** The environment variable with the broker's password: every user of the machine can see a command line. */
export const PASSWORD_VARIABLE = "MOTELEARN_MQTT_PASSWORD";
const MQTT_PORT = 1883;
const MQTTS_PORT = 8883;

/**
 * Reads an address: `tcp://HOST:PORT`, `unix:PATH`, `mqtt://[USER@]HOST[:PORT]/NAME` with more servers after
 * commas, `mqtts://` with TLS, or the path of a serial device or pty. Throws a UserError.
 * @param ca certificates for `mqtts://`.
 *
 *     parseAddress("tcp://[::1]:4000") // { kind: "tcp", host: "::1", port: 4000 }
 */
export function parseAddress(text: string, ca?: string): Address {
  try {
    const address = addressIn(text);
    return address.kind === "mqtt" && address.tls && ca !== undefined ? { ...address, ca } : address;
  } catch (error) {
    if (!WITH_PASSWORD.test(text)) throw error;
    const shown = text.replace(WITH_PASSWORD, "$1:...@");
    throw new UserError(`${shown}: an address has no password; give it in ${PASSWORD_VARIABLE}`);
  }
}

/** What stands before the last "@" of an address with a password, which may have any character. */
const WITH_PASSWORD = /^((?:(?:mqtts?|tcp):|[a-z][a-z0-9+.-]*:(?=\/\/))?\/*[^:/@]*):.*@/is;

function addressIn(text: string): Address {
  if (text.startsWith("tcp:")) return tcpAddress(text);
  if (/^mqtts?:/.test(text)) return mqttAddress(text);
  if (text.startsWith("unix:")) {
    const path = text.slice("unix:".length);
    if (path === "") throw new UserError(`${text}: no path; ${TAKES}`);
    if (Buffer.byteLength(path) > UNIX_PATH_MAX)
      throw new UserError(`${text}: a socket's path has at most ${UNIX_PATH_MAX} bytes; give a shorter one`);
    return { kind: "unix", path };
  }
  if (/^[a-z][a-z0-9+.-]+:/i.test(text)) throw new UserError(`${text}: not the address of a port; ${TAKES}`);
  const isPath = text.includes("/") && !/^[^/.][^/]*:.*@/s.test(text); // or a user's name and password
  if (!isPath && !/^COM\d+$/i.test(text)) {
    throw new UserError(`${text === "" ? '""' : text}: not the address of a port; ${TAKES}`);
  }
  return { kind: "serial", path: text };
}

function tcpAddress(text: string): Address {
  const parts = /^tcp:\/\/(?:\[([^\]]+)\]|([^:/[\]]+)):(\d{1,5})$/.exec(text);
  const port = Number(parts?.[3]);
  if (!parts || port > 65535)
    throw new UserError(`${text}: not an address; takes tcp://HOST:PORT, PORT 0..65535`);
  return { kind: "tcp", host: parts[1] ?? parts[2], port };
}

function mqttAddress(text: string): Address {
  const parts = /^mqtt(s?):\/\/(?:([^@/:,]+)@)?([^/@]+)\/(.+)$/.exec(text);
  const tls = parts?.[1] === "s";
  const servers = parts?.[3].split(",").map((server) => serverAt(server, tls ? MQTTS_PORT : MQTT_PORT));
  if (!parts || !servers?.every((server) => server !== undefined))
    throw new UserError(`${text}: not an address; ${MQTT_TAKES}`);
  const [, , user, , name] = parts;
  try {
    nodeTopics(name);
  } catch (error) {
    if (error instanceof OptionError) throw new UserError(`${text}: not a node's name; takes ${error.takes}`);
    throw error;
  }
  return { kind: "mqtt", tls, servers, ...(user && { user }), name };
}

function serverAt(text: string, usual: number): Server | undefined {
  const parts = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text);
  const port = Number(parts?.[3] ?? usual);
  return parts && port >= 1 && port <= 65535 ? { host: parts[1] ?? parts[2], port } : undefined;
}
