import type { Task } from "../../../src/learn/learner.ts";
import { nodeLayout } from "../../../src/node/node-layout.ts";
import type { NodeOptions } from "../../../src/node/node-options.ts";
import type { Sensor } from "../../../src/start/sensors.ts";
import { startNode } from "../../../src/start/start-node.ts";
import type { BlockDevice } from "../../../src/store/block-device.ts";
import { storeBytes } from "../../../src/store/checkpoint-store.ts";
import { readKeys } from "../../moddable/keys.ts";
import { EmulatedSlots, Restart } from "./firmware-slots.ts";
import type { Host } from "./host.ts";
import type { Arithmetic } from "./loops.ts";
import { Board, Engine, NorFlash, Uart } from "./peripherals.ts";
import { type ServedOptions, servedNodeOptions } from "./served-options.ts";
import { Stream } from "./stream.ts";

/** A whole node on the emulated board. */
export interface StationArgument {
  readonly run: "station";
  readonly node: ServedOptions;
  /** Milliseconds between two samples of the program's stream; 0, the default: the peer feeds the samples. */
  readonly sampleMs?: number;
  /** Least milliseconds of a turn; default 0. */
  readonly turnMs?: number;
  /** True if it runs the self-test at start, which takes seconds; default true. */
  readonly selfTest?: boolean;
  /** Milliseconds between two reports of statistics; default 10,000. */
  readonly statisticsMs?: number;
  /** Keys, 32 hex digits each: of its line, and of labels; default none. */
  readonly key?: string;
  readonly labelKey?: string;
  /**
   * True if its flash has two slots of firmware, see `EmulatedSlots`; default false. The code that runs is
   * the same in both: a slot's image begins with the name that the node says its firmware has.
   */
  readonly slots?: boolean;
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
const FIRMWARE = "emulator";
/** Sectors of a slot of firmware (the last one is its journal), and of checkpoints. */
const SLOT_SECTORS = 2;
const CHECKPOINT_SECTORS = 2;
const NAME_BYTES = 16;

/** The name in a slot's image; the board's usual name where there is none. */
function firmwareIn(slot: BlockDevice): string {
  const head = new Uint8Array(NAME_BYTES);
  slot.read(0, head);
  let name = "";
  for (let i = 0; i < NAME_BYTES && head[i] >= 0x20 && head[i] < 0x7f; i++)
    name += String.fromCharCode(head[i]);
  return name || FIRMWARE;
}

/**
 * Lays out the board's flash: checkpoints and, if requested, two slots of firmware. Chooses the one to run.
 */
function makeFlash({ slots }: StationArgument, node: NodeOptions) {
  const { SECTOR_BYTES } = NorFlash;
  if (!slots) return { block: new NorFlash(storeBytes(nodeLayout(node), SECTOR_BYTES)), firmware: FIRMWARE };
  const bank = new NorFlash(SECTOR_BYTES * EmulatedSlots.sectors(SLOT_SECTORS, CHECKPOINT_SECTORS));
  const found = new EmulatedSlots(bank, SLOT_SECTORS, CHECKPOINT_SECTORS);
  return { block: found.checkpoints, slots: found, firmware: firmwareIn(found.running) };
}

/**
 * Runs the node until the power fails or its firmware restarts; the machine then ends, and its runner powers
 * it on again. Throws a RangeError that names a wrong option.
 */
export function runStation(host: Host, argument: StationArgument, memory: Arithmetic): void {
  try {
    runUntilRestart(host, argument, memory);
  } catch (error) {
    if (!(error instanceof Restart)) throw error;
  }
}

function runUntilRestart(host: Host, argument: StationArgument, memory: Arithmetic): void {
  const { sampleMs = 0, turnMs = 0, statisticsMs, selfTest } = argument;
  const board = new Board();
  const transport = new Uart();
  const options = servedNodeOptions(argument.node);
  const machine = {
    ...{ boot: board.noise(), reset: POWER, statisticsMs, selfTest },
    ...{ ...readKeys(argument), random: () => board.noise() },
    ...{ clock: board, transport, memory, engine: new Engine(host), feed: () => host.feed() },
    ...makeFlash(argument, options),
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
    if (turnMs > 0) while (((board.now() - now) | 0) < turnMs);
    else if (wait > 0) board.idle(wait);
  }
}
