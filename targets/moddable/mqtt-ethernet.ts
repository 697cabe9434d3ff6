/** The module `motelearn/mqtt` over the Ethernet of an emulated ESP32, which has no radio. */
import Timer from "timer";
import { Ethernet } from "./ethernet.ts";
import { type OpenLine, prepareLine } from "./mqtt-wire.ts";
import type { Network } from "./network.ts";

/** Milliseconds from one look for an address to the next. */
const LOOK_MS = 100;

/** The network's `wifi` is for a board. */
function joinEthernet(_network: Network, joined: () => void): void {
  const ethernet = new Ethernet();
  const timer = Timer.repeat(() => {
    if (!ethernet.addressed()) return;
    Timer.clear(timer);
    joined();
  }, LOOK_MS);
}

/** As `prepareLine` has it, over Ethernet. */
export function openMqtt(network: Network | "stored" | undefined): Promise<OpenLine> {
  return prepareLine(network, joinEthernet);
}
