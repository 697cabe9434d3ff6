import type { Primitives } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import type { Layout, MemoryRange } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";
import { type NodeOptions, nodeLayout, nodeLearner, type SensorNode } from "../node/node.ts";
import {
  type BytePort,
  type Clock,
  type EngineFigures,
  type FirmwareSlots,
  type FramePort,
  NO_STORAGE,
} from "../node/ports.ts";
import { nodeSchema, nodeStore } from "../node/schema.ts";
import { Station, type StationOptions, sessionOf } from "../node/station.ts";
import { combinedHash, selfTest, selfTestBytes } from "../selftest/self-test.ts";
import type { BlockDevice } from "../store/block-device.ts";
import { checkpointBytes, RESTORE, type RestoreStatus } from "../store/checkpoint-store.ts";
import { imageIn } from "../store/image-slot.ts";
import { type Sensor, Sensors } from "./sensors.ts";
import {
  RetainedNode,
  retainedBytes,
  Sleeper,
  type Sleeping,
  type SleepMemory,
  type SleepOptions,
  settleSleep,
} from "./sleep.ts";
import { Trial } from "./trial.ts";
import { Uptime } from "./uptime.ts";

/** A node's end of the wire is polled after so many milliseconds, at most. */
const POLL_MS = 20;
const PERIOD_MS = 1000;
const PERIOD_MS_END = 0x80000000;

/** What a node that has sensors of its own is started from. */
export interface SensingOptions {
  /** Its channels are the sensors', and so are its ranges unless it has its own; each start begins a session of its own, which follows from `boot`. */
  readonly node: Omit<NodeOptions, "sid" | "channels">;
  readonly sensors: readonly Sensor[];
  /**
   * Milliseconds from one sample to the next; default 1000; 0: `sample` is called for each. The first comes after one
   * period. A sample that a long turn missed isn't made up for.
   */
  readonly periodMs?: number;
  /**
   * Whether it sleeps deeply between samples: see `StartedNode.sleep`. It takes `retained`, a clock that counts on in deep
   * sleep, and flash if its state doesn't fit `retained`. Default: never.
   */
  readonly sleep?: SleepOptions;
  /** Memory that lasts in deep sleep, but not without power: see `retainedBytes`. */
  readonly retained?: SleepMemory;
}

/** What a node without sensors is started from: its peer feeds it samples, and names its session. */
export interface FedOptions {
  readonly node: NodeOptions;
  readonly sensors?: undefined;
  readonly periodMs?: undefined;
  readonly sleep?: undefined;
  readonly retained?: undefined;
}

/** The machine that a node runs on, and what the node says of itself. */
export interface MachineOptions extends Omit<StationOptions, "node" | "fed" | "selfTest"> {
  /** Milliseconds from any moment on, in full or modulo 2^32: it may wrap, as `Time.ticks` of a device does. */
  readonly clock: Clock;
  /** The way to the peer. */
  readonly transport: BytePort | FramePort;
  /** Flash for two checkpoints, see `storeBytes`; none: nothing is ever kept, and each start is fresh. */
  readonly block?: BlockDevice;
  /** Least milliseconds between two checkpoints; default 0. */
  readonly checkpointMs?: number;
  /**
   * Makes the one memory of the node, with its arithmetic: `(bytes) => new PortableF32(new ArrayBuffer(bytes))`; or a range
   * of `nodeLayout(node)` in a memory that is there, which then has room for the self-test, too.
   */
  readonly memory: ((bytes: number) => Primitives) | MemoryRange;
  /** 32 bits that nobody can foresee, from the chip's source of them; `key` needs it. */
  readonly random?: () => number;
  /** What the engine uses, for reports; default: 0. */
  readonly engine?: EngineFigures;
  /** Firmware slots, one of them running; default none: it can't be updated over the wire. */
  readonly slots?: FirmwareSlots;
  /** Whether the arithmetic is tried first, which takes a microcontroller seconds; default true. */
  readonly selfTest?: boolean;
  /** Tells a watchdog during the self-test that the machine is alive. */
  readonly feed?: () => void;
}

/** What `startNode` takes: the machine, and a node that senses or one that is fed. */
export type StartOptions = MachineOptions & (SensingOptions | FedOptions);

/** A node that runs: whoever started it has it take its turns. */
export class StartedNode {
  constructor(
    readonly station: Station,
    /** Where its state came from. */
    readonly restored: RestoreStatus,
    private readonly clock: Clock,
    private readonly sensors: Sensors | undefined,
    private readonly periodMs: number,
    private next: number,
    private readonly sleeper: Sleeper | undefined,
    private readonly trial: Trial | undefined,
  ) {}

  /** Takes a sample of its own sensors now. Returns the prediction: NaN if a reading isn't finite, or it has no sensors. */
  sample(): number {
    const { sensors, sleeper, station } = this;
    if (!sensors) return Number.NaN;
    const decision = station.sample(sensors.read());
    if (sleeper) sleeper.sampled();
    return decision;
  }

  /**
   * One turn: a sample of its own sensors if it is time for one, then the wire. Never waits; allocates nothing. Returns
   * the milliseconds until the next turn is due, 0 to 20: 0 if more has come than a turn deals with.
   */
  turn(): number {
    const { clock, periodMs } = this;
    if (periodMs > 0 && clock.now() >= this.next) this.sampleInTime();
    const more = this.talks && this.station.poll();
    this.trial?.turn(this.station.welcomed);
    if (more) return 0;
    if (periodMs === 0) return POLL_MS;
    const due = this.next - clock.now();
    return due < 0 ? 0 : due < POLL_MS ? due : POLL_MS;
  }

  /** Whether it speaks with its peer: always, but for a node that sleeps, unless its firmware is on trial. */
  get talks(): boolean {
    return this.sleeper === undefined || this.sleeper.talks || this.trial?.isOn === true;
  }

  /**
   * For the machine of a node that sleeps, after each turn: 0 as long as it must stay awake. Else all that must last is
   * kept, and the machine sleeps so many milliseconds, then starts the node anew: without samples of its own, Infinity.
   */
  sleep(): number {
    const { clock, next, periodMs, sleeper } = this;
    const nextAt = periodMs > 0 ? next : Number.POSITIVE_INFINITY;
    return !this.talks && sleeper?.keep(nextAt) ? nextAt - clock.now() : 0;
  }

  private sampleInTime(): void {
    this.next += this.periodMs;
    const now = this.clock.now();
    if (now >= this.next) this.next = now + this.periodMs;
    this.sample();
  }
}

function checkPeriod(periodMs: number): void {
  if (periodMs >= 0 && periodMs < PERIOD_MS_END) return;
  throw new OptionError("startNode", "periodMs", periodMs, "milliseconds >= 0, < 2^31");
}

const NO_MEMORY: SleepMemory = frozen({ bytes: 0, read() {}, write() {} });

/** Memory for what a sleep must keep, and what the sleep before kept in it. */
interface Awakening {
  readonly retained: RetainedNode;
  readonly hashes: Uint32Array;
  readonly before: Sleeping;
}

/** The node that fell asleep here, if one did. */
function awaken(retained: RetainedNode | undefined): Awakening | undefined {
  return retained?.holds ? { retained, hashes: retained.hashes, before: retained.take() } : undefined;
}

/** Restores the node as it fell asleep, or from its newest checkpoint; whether no sample was lost. */
function restore(node: SensorNode, awakening: Awakening | undefined): [RestoreStatus, boolean] {
  if (!awakening) return [node.restore(), false];
  const { retained, before } = awakening;
  if (retained.takePayload(node.checkpointView)) return [RESTORE.restored, true];
  const restored = node.restore();
  return [restored, node.sid === before.sid && node.seq === before.seq];
}

/** Whether state and counters lie in retained memory while the node sleeps. Throws an OptionError if they lie nowhere. */
function fits(memory: number, hashes: number, payload: number, hasFlash: boolean): boolean {
  const takes = retainedBytes(hashes, payload);
  const least = hasFlash ? retainedBytes(hashes, 0) : takes;
  if (memory < least) {
    const bytes = hasFlash ? `${least} bytes` : `${least} bytes, or flash beside ${retainedBytes(hashes, 0)}`;
    throw new OptionError("startNode", "retained", memory, `at least ${bytes}`);
  }
  return memory >= takes;
}

/** The node's own options: of one with sensors, what follows from them and from this start. */
function nodeOf(options: StartOptions, sensors: Sensors | undefined): NodeOptions {
  if (!sensors) return (options as FedOptions).node;
  const { channels, ranges } = sensors;
  const { node, boot } = options;
  return { ...node, sid: sessionOf(boot), channels, ranges: node.ranges ?? ranges };
}

function isTested({ selfTest = true }: StartOptions): boolean {
  return selfTest;
}

/** The range of the node's layout, in a memory that the self-test has room in, too, if there is one. */
function rangeFor(options: StartOptions, node: NodeOptions, layout: Layout): MemoryRange {
  const { memory } = options;
  if (typeof memory !== "function") return memory;
  const needed = isTested(options) ? selfTestBytes(nodeLearner(node)) : 0;
  return layout.range(memory(Math.max(layout.bytes, needed)));
}

/**
 * Boots a node on any machine: tries its arithmetic, lays out its memory, restores it from the newest whole checkpoint and
 * says so to its peer. Then call `turn` again and again, as it says.
 *
 *     const node = startNode({ node: { learner, options }, sensors, clock, transport, block, memory, firmware, boot });
 *     for (;;) wait(node.turn());
 *
 * Throws an OptionError that names the option, what it got and what it takes.
 */
export function startNode(options: StartOptions): StartedNode {
  const { transport, block, checkpointMs, engine, random, feed, slots } = options;
  const sensors = options.sensors && new Sensors(options.sensors);
  const periodMs = sensors ? (options.periodMs ?? PERIOD_MS) : 0;
  checkPeriod(periodMs);
  const node = nodeOf(options, sensors);
  const layout = nodeLayout(node);
  const range = rangeFor(options, node, layout);
  const crc = range.f32;
  const sleep = options.sleep && settleSleep(options.sleep);
  const retained = sleep && new RetainedNode(options.retained ?? NO_MEMORY, nodeSchema(node), crc);
  const awakening = awaken(retained);
  const hashes =
    awakening?.hashes ?? (isTested(options) ? selfTest(nodeLearner(node), range, feed) : undefined);
  const count = hashes?.length ?? 0;
  const room = options.retained?.bytes ?? 0;
  const isRetained = sleep === undefined || fits(room, count, checkpointBytes(layout), block !== undefined);
  const clock = new Uptime(options.clock, awakening?.before.startedAt, awakening?.before.passed);
  const trial = slots && new Trial(slots, clock);
  if (slots && hashes) trial?.judge(imageIn(slots.running, crc)?.selfTest ?? 0, combinedHash(hashes));
  const store = block && nodeStore(node, block, clock, isRetained ? checkpointMs : 0, crc);
  if (store && awakening) store.last = awakening.before.savedAt;
  const station = new Station(
    { ...options, node, fed: !sensors, selfTest: count > 0 ? hashes : undefined },
    { clock, port: transport, storage: store ?? NO_STORAGE, engine, slots, random },
    range,
  );
  const [restored, isWhole] = restore(station.node, awakening);
  station.begin(restored, isWhole);
  const parts = { node: station.node, uptime: clock, store, hashes: hashes ?? new Uint32Array(0) };
  const before = awakening?.before;
  const sleeper = retained && new Sleeper({ ...parts, options: sleep, retained, isRetained, before });
  const nextAt = before?.nextAt ?? clock.now() + periodMs;
  return new StartedNode(station, restored, clock, sensors, periodMs, nextAt, sleeper, trial);
}
