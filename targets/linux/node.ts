import Timer from "timer";
import { nodeLayout } from "../../src/node/node-layout.ts";
import type { BytePort } from "../../src/node/ports.ts";
import { type StartedNode, startNode } from "../../src/start/start-node.ts";
import { storeBytes } from "../../src/store/checkpoint-store.ts";
import { type ServedOptions, servedNodeOptions } from "../emulator/programs/served-options.ts";
import { readKeys } from "../moddable/keys.ts";
import { mqttLine, TCP_SOCKET } from "../moddable/mqtt-client.ts";
import type { MqttLine } from "../moddable/mqtt-line.ts";
import { nativeF32 } from "../moddable/native-f32.ts";
import type { Network } from "../moddable/network.ts";
import { tlsSocket } from "../moddable/tls-socket.ts";
import { FileFlash, type LinuxHost, StandardInput } from "./host.ts";
import { GeneratedReadings, makeSensor, type Readings, RecordedReadings } from "./readings.ts";

/** A node's broker, whose `ca` is a file, and its name there. */
type LinuxNetwork = Pick<Network, "broker" | "node">;

/** A whole node at an MQTT broker, with the options of the program's argument. */
interface MqttNodeArgument {
  readonly run: "mqtt";
  readonly network: LinuxNetwork;
  /** `sid` and, with `readings`, `channels` follow from the rest. */
  readonly node: Omit<ServedOptions, "sid" | "channels"> & Partial<Pick<ServedOptions, "sid" | "channels">>;
  /** The file that is its flash. */
  readonly flash: string;
  /** Least milliseconds between two checkpoints; default 0. */
  readonly checkpointMs?: number;
  /** Milliseconds between two samples that it takes by itself. Default: its peer feeds the samples. */
  readonly sampleMs?: number;
  /** The recorded stream from which it takes them, see `RecordedReadings`; default: `GeneratedReadings`. */
  readonly readings?: string;
  /** Keys, 32 hex digits each: of its line, and of labels; default none. */
  readonly key?: string;
  readonly labelKey?: string;
}

/** The readings of a node that samples by itself; undefined for one that is fed. */
function makeReadings(host: LinuxHost, { node, sampleMs, readings }: MqttNodeArgument): Readings | undefined {
  if (sampleMs === undefined && readings === undefined) return undefined;
  if (!(Number(sampleMs) >= 1))
    throw new RangeError(`sampleMs: got ${sampleMs}; takes milliseconds, 1 or more`);
  if (readings !== undefined) return new RecordedReadings(host.text(readings), readings);
  const { channels = 1, learner } = servedNodeOptions({ sid: 1, channels: 1, ...node });
  return new GeneratedReadings(channels, learner.task);
}

function startStation(host: LinuxHost, argument: MqttNodeArgument, transport: BytePort): StartedNode {
  const readings = makeReadings(host, argument);
  const given = { sid: 1, channels: 1, ...argument.node, ...(readings && { channels: readings.channels }) };
  const options = servedNodeOptions(given);
  const started = host.milliseconds();
  const machine = {
    firmware: "motelearn linux",
    boot: host.noise(),
    ...readKeys(argument),
    random: () => host.noise(),
    clock: { now: () => host.milliseconds() - started },
    transport,
    block: new FileFlash(argument.flash, storeBytes(nodeLayout(options))),
    checkpointMs: argument.checkpointMs,
    memory: (bytes: number) => nativeF32(new ArrayBuffer(bytes)),
  };
  if (!readings) return startNode({ ...machine, node: options });
  const node: StartedNode = startNode({
    ...machine,
    node: options,
    sensors: [makeSensor(readings, () => node.station.node.seq)],
    periodMs: argument.sampleMs,
  });
  return node;
}

/** The node's line, which prints why a broker's certificate is refused. */
function openLine(host: LinuxHost, { broker, node }: LinuxNetwork): MqttLine {
  const { ca, ...address } = broker;
  const socket =
    ca === undefined
      ? TCP_SOCKET
      : tlsSocket(new Uint8Array(host.bytes(ca)), true, (why) => host.print(`${node}: ${why}`));
  return mqttLine({ node, broker: address }, () => host.noise(), socket);
}

/**
 * Runs by a timer, as a board does: until a signal ends it if it samples by itself, else until stdin ends.
 * Prints a line when it has started. Throws a RangeError that names a wrong option.
 */
export function runMqttStation(host: LinuxHost, argument: MqttNodeArgument): void {
  const { network, sampleMs } = argument;
  if (!network?.node || !network.broker?.host)
    throw new RangeError('network: takes {"broker": {"host": HOST, ...}, "node": NAME}');
  const line = openLine(host, network);
  const node = startStation(host, argument, line);
  const input = new StandardInput();
  host.stay(true);
  line.connect();
  host.print(
    `${network.node}: ${node.restored}, session ${node.station.node.sid}, sample ${node.station.node.seq}`,
  );
  const timer = Timer.repeat(() => {
    const wait = Math.max(1, node.turn());
    if (sampleMs === undefined && input.hasEnded()) host.stay(false);
    Timer.schedule(timer, wait, wait);
  }, 1);
}
