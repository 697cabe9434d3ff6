/** The SDK's MQTT client over TCP; the system's own resolver looks up its broker. */
import TCP from "embedded:io/socket/tcp";
import MQTTClient from "embedded:network/mqtt/client";
// biome-ignore lint/style/useNodejsImportProtocol: the SDK's own module of that name
import Net from "net";
import Timer from "timer";
import { type MqttClient, type MqttClientOptions, MqttLine } from "./mqtt-line.ts";
import type { Network } from "./network.ts";

/** The class of the client's socket, and the options that it takes. */
export interface Socket {
  readonly io: unknown;
  readonly nodelay: boolean;
  /** The broker's port if it has none; default 1883. */
  readonly port?: number;
}

/** Follows the SDK's JavaScript, from which its typings differ. */
const Client = MQTTClient as unknown as new (
  options: MqttClientOptions & {
    readonly dns: { readonly io: typeof SystemResolver };
    readonly socket: Socket;
  },
) => MqttClient;

interface Question {
  readonly host: string;
  onResolved(host: string, address: string): void;
  onError(host: string): void;
}

/** The SDK's resolver needs a list of servers; this one takes the network's. */
class SystemResolver {
  resolve({ host, onResolved, onError }: Question): void {
    Net.resolve(host, (name, address) => (address === undefined ? onError(name) : onResolved(name, address)));
  }
}

export const TCP_SOCKET: Socket = { io: TCP, nodelay: true };

/** A client that connects at once. */
export function openClient(options: MqttClientOptions, socket: Socket): MqttClient {
  return new Client({ ...options, dns: { io: SystemResolver }, socket });
}

/** A line to the network's broker, not connected yet. */
export function mqttLine(
  { node, broker }: Pick<Network, "node" | "broker">,
  random: () => number,
  socket = TCP_SOCKET,
): MqttLine {
  return new MqttLine({
    name: node,
    broker: { port: socket.port, ...broker },
    open: (options) => openClient(options, socket),
    later: (what, ms) => Timer.set(what, ms),
    random,
  });
}
