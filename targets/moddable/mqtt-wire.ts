/**
 * The wire over a broker, which the manifest mqtt.json adds to a firmware: the SDK's Wi-Fi and MQTT client.
 */
import WiFi from "embedded:network/interface/wifi";
import Timer from "timer";
import { Board } from "./board.ts";
import { mqttLine } from "./mqtt-client.ts";
import type { MqttLine } from "./mqtt-line.ts";
import type { Network } from "./network.ts";
import { StoredKeys } from "./stored-keys.ts";
import { WifiStation } from "./wifi-station.ts";

/**
 * Joins the board's network (the stored one, if there is one), then its broker. Throws a RangeError if there
 * is none.
 */
export function openMqtt(options: Network | "stored" | undefined): MqttLine {
  const stored = new StoredKeys().network();
  const network: Network | "stored" | undefined = stored ? JSON.parse(stored) : options;
  if (!network || network === "stored")
    throw new RangeError("config: network: the board stores none; put it there with motelearn flash --wifi");
  const board = new Board();
  const line = mqttLine(network, () => board.random());
  new WifiStation({
    ...network.wifi,
    open: (onChanged) => new WiFi({ onChanged }),
    later: (what, ms) => Timer.set(what, ms),
    joined: () => line.connect(),
  });
  return line;
}
