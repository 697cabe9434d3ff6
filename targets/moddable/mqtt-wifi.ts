/** The module `motelearn/mqtt` over Wi-Fi. */
import WiFi from "embedded:network/interface/wifi";
import Timer from "timer";
import { type OpenLine, prepareLine } from "./mqtt-wire.ts";
import type { Network } from "./network.ts";
import { WifiStation } from "./wifi-station.ts";

function joinWifi({ wifi }: Network, joined: () => void): void {
  new WifiStation({
    ...wifi,
    open: (onChanged) => new WiFi({ onChanged }),
    later: (what, ms) => Timer.set(what, ms),
    joined,
  });
}

/** As `prepareLine` has it, over the board's Wi-Fi. */
export function openMqtt(network: Network | "stored" | undefined): Promise<OpenLine> {
  return prepareLine(network, joinWifi);
}
