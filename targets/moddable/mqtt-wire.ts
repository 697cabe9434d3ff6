/** The wire over a broker, which a manifest adds to a firmware: mqtt.json over Wi-Fi, mqtt-ethernet.json over an emulated board's Ethernet. */
import type { BytePort } from "../../src/node/ports.ts";
import { Board } from "./board.ts";
import { mqttLine } from "./mqtt-client.ts";
import type { MqttLine } from "./mqtt-line.ts";
import type { Network } from "./network.ts";
import { StoredKeys } from "./stored-keys.ts";
import { importTls } from "./tls-module.ts";

/** Joins the network, and calls `joined` when the board gets its first address. */
type Join = (network: Network, joined: () => void) => void;

/** Opens the line; `serial` opens the board's serial port, where a line of text says why TLS refuses the broker. */
export type OpenLine = (serial: () => BytePort) => MqttLine;

/** The board's network: the stored one, if there is one. Throws a RangeError if there is none. */
function findNetwork(stored: string | undefined, given: Network | "stored" | undefined): Network {
  const network: Network | "stored" | undefined = stored ? JSON.parse(stored) : given;
  if (network && network !== "stored") return network;
  throw new RangeError("config: network: the board stores none; put it there with motelearn flash --wifi");
}

/**
 * Prepares the line to the network's broker, over TLS if the broker has `ca`. Rejects with a RangeError if there is no network, or the
 * firmware has no TLS.
 */
export async function prepareLine(given: Network | "stored" | undefined, join: Join): Promise<OpenLine> {
  const keys = new StoredKeys();
  const network = findNetwork(keys.network(), given);
  const board = new Board();
  const random = () => board.random();
  if (network.broker.ca === undefined) {
    return () => {
      const line = mqttLine(network, random);
      join(network, () => line.connect());
      return line;
    };
  }
  const { openTls } = await importTls();
  return (serial) => {
    const { socket, awaitClock } = openTls(network, keys.authority(), serial);
    const line = mqttLine(network, random, socket);
    join(network, () => awaitClock(() => line.connect()));
    return line;
  };
}
