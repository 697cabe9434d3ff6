import type { Task } from "../../../src/learn/learner.ts";
import { type NodeOptions, nodeLayout } from "../../../src/node/node.ts";
import type { Sensor } from "../../../src/start/sensors.ts";
import { startNode } from "../../../src/start/start-node.ts";
import { storeBytes } from "../../../src/store/checkpoint-store.ts";
import type { Host } from "./host.ts";
import type { Arithmetic } from "./loops.ts";
import { Board, Engine, NorFlash, Uart } from "./peripherals.ts";
import { nodeOptionsOf, type ServedOptions } from "./served-options.ts";
import { Stream } from "./stream.ts";

/** A whole node on the emulated board. */
export interface StationArgument {
  readonly run: "station";
  readonly node: ServedOptions;
  /** Milliseconds between two samples of the program's stream; 0, the default: the peer feeds the samples. */
  readonly sampleMs?: number;
  /** Milliseconds that a turn takes at least; default 0. */
  readonly turnMs?: number;
  /** Whether it tries its arithmetic when it starts, which takes it seconds; default true. */
  readonly selfTest?: boolean;
  /** Milliseconds between two reports of statistics; default 10,000. */
  readonly statisticsMs?: number;
}

/** The stream that every engine sees, as a sensor. */
class StreamSensor implements Sensor {
  readonly channels: number;
  private readonly stream: Stream;
  private readonly task: Task;

  constructor({ channels, learner }: NodeOptions) {
    this.channels = channels;
    this.stream = new Stream(channels);
    this.task = learner.task;
  }

  read(to: Float32Array, first: number): void {
    const { x } = this.stream;
    this.stream.next(this.task);
    for (let j = 0; j < x.length; j++) to[first + j] = x[j];
  }
}

const POWER = 1;
const WARNING = 1;

/** Runs the node as long as there is power. Throws a RangeError that names what it can't take. */
export function runStation(host: Host, argument: StationArgument, memory: Arithmetic): void {
  const { sampleMs = 0, turnMs = 0, statisticsMs, selfTest } = argument;
  const board = new Board();
  const transport = new Uart();
  const options = nodeOptionsOf(argument.node);
  const machine = {
    ...{ firmware: "emulator", boot: board.noise(), reset: POWER, statisticsMs, selfTest },
    ...{ clock: board, transport, memory, engine: new Engine(host), feed: () => host.feed() },
    block: new NorFlash(storeBytes(nodeLayout(options), NorFlash.SECTOR_BYTES)),
  };
  const node =
    sampleMs > 0
      ? startNode({ ...machine, node: options, sensors: [new StreamSensor(options)], periodMs: sampleMs })
      : startNode({ ...machine, node: options });
  let overruns = 0;
  host.collect();
  for (;;) {
    host.feed();
    const now = board.now();
    const wait = node.turn();
    if (transport.overruns !== overruns) {
      overruns = transport.overruns;
      node.station.log(WARNING, `uart: ${overruns} bytes overran the FIFO`);
    }
    if (turnMs > 0) while (board.now() - now < turnMs);
    else if (wait > 0) board.idle(wait);
  }
}
