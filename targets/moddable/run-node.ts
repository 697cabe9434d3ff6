/** The module `motelearn/board`: a node on any board that Moddable runs on. */
import Flash from "embedded:storage/flash";
import Time from "time";
import Timer from "timer";
import type { GivenOptions } from "../../src/learn/family.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import type { NodeOptions } from "../../src/node/node.ts";
import type { Sensor } from "../../src/start/sensors.ts";
import { type StartedNode, startNode } from "../../src/start/start-node.ts";
import { Board } from "./board.ts";
import { FlashPartition } from "./flash-partition.ts";
import { nativeF32 } from "./native-f32.ts";
import { Uart, type UartOptions } from "./uart.ts";

export { type AnalogOptions, type ChannelOptions, openSensors, type SensorOptions } from "./sensors.ts";
export { Uart, type UartOptions } from "./uart.ts";

/** `config` of a firmware's manifest, without its sensors. */
export interface FirmwareConfig {
  readonly node: Omit<NodeOptions, "sid" | "channels" | "learner"> & {
    /** Its name: see `motelearn learners`. */
    readonly learner: string;
    readonly options: GivenOptions;
    /** Milliseconds from one sample to the next; default 1000. */
    readonly periodMs?: number;
    /** Least milliseconds between two checkpoints; default 0. */
    readonly checkpointMs?: number;
  };
  readonly wire: {
    /** Name and version that the node says it has, 16 characters of ASCII. */
    readonly firmware: string;
    /** The UART of the wire; in a build for debugging another, since the debugger takes UART 0. */
    readonly release: UartOptions;
    readonly debug: UartOptions;
  };
}

/**
 * Starts the node that `config` describes, with these sensors, and keeps it going by a timer: it reads its sensors in time,
 * speaks the wire over a UART, and keeps checkpoints in the partition `checkpoints`.
 *
 *     openSensors(config.sensors).then((sensors) => runNode(config, [new OwnSensor(), ...sensors]));
 *
 * Throws a RangeError that names what it can't take.
 */
export function runNode(config: FirmwareConfig, sensors: readonly Sensor[]): StartedNode {
  const { node, wire } = config;
  const learner = familyNamed(node.learner);
  if (!learner) throw new RangeError(`config.node.learner: got ${node.learner}; takes a learner's name`);
  const board = new Board();
  const started = startNode({
    node: { ...node, learner },
    sensors,
    periodMs: node.periodMs,
    clock: { now: () => Time.ticks },
    transport: new Uart(board.debugged() ? wire.debug : wire.release),
    block: new FlashPartition(Flash.open({ path: "checkpoints" })),
    checkpointMs: node.checkpointMs,
    memory: (bytes) => nativeF32(new ArrayBuffer(bytes)),
    engine: board,
    firmware: wire.firmware,
    boot: board.noise(),
    reset: board.reset(),
    feed: () => board.feed(),
  });
  const timer = Timer.repeat(() => {
    const wait = Math.max(1, started.turn()); // at once, too, others have their turn first
    Timer.schedule(timer, wait, wait);
  }, 1);
  return started;
}
