import Timer from "timer";
import { nodeLayout } from "../../src/node/node.ts";
import type { BytePort } from "../../src/node/ports.ts";
import { type StartedNode, startNode } from "../../src/start/start-node.ts";
import { storeBytes } from "../../src/store/checkpoint-store.ts";
import { nodeOptionsOf, type ServedOptions } from "../emulator/programs/served-options.ts";
import { keysOf } from "../moddable/keys.ts";
import { mqttLine } from "../moddable/mqtt-client.ts";
import { nativeF32 } from "../moddable/native-f32.ts";
import type { Network } from "../moddable/network.ts";
import { FileFlash, type LinuxHost, StandardPort } from "./host.ts";

/** A whole node, fed over its port, with the options of the program's argument. */
export interface NodeArgument {
  readonly run: "station";
  readonly node: ServedOptions;
  /** The file that is its flash. */
  readonly flash: string;
  /** Keys, 32 hex digits each: of its line, and of labels; default none. */
  readonly key?: string;
  readonly labelKey?: string;
}

/** The same node at an MQTT broker. */
export interface MqttNodeArgument extends NodeArgument {
  readonly network: Network;
}

function startStation(host: LinuxHost, argument: NodeArgument, transport: BytePort): StartedNode {
  const options = nodeOptionsOf(argument.node);
  const started = Date.now();
  return startNode({
    node: options,
    firmware: "motelearn linux",
    boot: host.noise(),
    ...keysOf(argument),
    random: () => host.noise(),
    clock: { now: () => Date.now() - started },
    transport,
    block: new FileFlash(argument.flash, storeBytes(nodeLayout(options))),
    memory: (bytes) => nativeF32(new ArrayBuffer(bytes)),
  });
}

/** Runs until stdin ends. Throws a RangeError that names a wrong option. */
export function runStation(host: LinuxHost, argument: NodeArgument): void {
  const transport = new StandardPort();
  const node = startStation(host, argument, transport);
  while (!transport.ended) transport.pause(node.turn());
}

/** Runs by a timer, as a board does, until stdin ends. */
export function runMqttStation(host: LinuxHost, argument: MqttNodeArgument): void {
  const line = mqttLine(argument.network, () => host.noise());
  const node = startStation(host, argument, line);
  const input = new StandardPort();
  const nothing = new Uint8Array(1);
  host.stay(true);
  line.connect();
  const timer = Timer.repeat(() => {
    const wait = Math.max(1, node.turn());
    input.read(nothing);
    if (input.ended) host.stay(false);
    Timer.schedule(timer, wait, wait);
  }, 1);
}
