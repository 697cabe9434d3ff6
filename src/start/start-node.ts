import type { Primitives } from "../math/primitives.ts";
import { frozen } from "../memory/frozen.ts";
import type { Layout, MemoryRange } from "../memory/layout.ts";
import { OptionError } from "../memory/option-error.ts";
import { describeNode } from "../node/description.ts";
import type { SensorNode } from "../node/node.ts";
import { nodeLayout } from "../node/node-layout.ts";
import { type NodeOptions, nodeLearner } from "../node/node-options.ts";
import { type BytePort, type Clock, type FramePort, NO_STORAGE, type Storage } from "../node/ports.ts";
import { nodeSchema, nodeStore } from "../node/schema.ts";
import { Station, sessionId } from "../node/station.ts";
import type { StationOptions, StationPorts } from "../node/station-options.ts";
import { combinedHash, selfTest, selfTestBytes } from "../selftest/self-test.ts";
import type { BlockDevice } from "../store/block-device.ts";
import {
  type CheckpointStore,
  checkpointBytes,
  RESTORE,
  type RestoreStatus,
} from "../store/checkpoint-store.ts";
import { imageIn } from "../store/image-slot.ts";
import { type Sensor, Sensors } from "./sensors.ts";
import {
  RetainedNode,
  resolveSleep,
  retainedBytes,
  Sleeper,
  type Sleeping,
  type SleepMemory,
  type SleepOptions,
} from "./sleep.ts";
import { Trial } from "./trial.ts";
import { Uptime } from "./uptime.ts";

/** The most milliseconds between two polls of the wire. */
const POLL_MS = 20;
const PERIOD_MS = 1000;
const PERIOD_MS_END = 0x80000000;

/** The options of a node that has sensors of its own. */
export interface SensingOptions {
  /** Channels come from the sensors, and so do the ranges by default. Each start begins a new session, derived from `boot`, unless a sensor has one. */
  readonly node: Omit<NodeOptions, "sid" | "channels">;
  /** The sensors, in the order of their channels. */
  readonly sensors: readonly Sensor[];
  /**
   * Milliseconds from one sample to the next; default 1000; 0: the program calls `sample`. The first sample comes after one
   * period. The node doesn't make up for a sample that a long turn missed.
   */
  readonly periodMs?: number;
  /**
   * Deep sleep between samples: see `StartedNode.sleep`. It needs `retained`, a clock that runs in deep
   * sleep, and flash if the state doesn't fit `retained`. Default: none.
   */
  readonly sleep?: SleepOptions;
  /** Memory that keeps its bytes in deep sleep, but not without power: see `retainedBytes`. */
  readonly retained?: SleepMemory;
}

/** The options of a node without sensors: its peer feeds it samples, and names its session. */
export interface FedOptions {
  /** The node, with its session and channels: the peer sends its readings. */
  readonly node: NodeOptions;
  /** Only for a node that has sensors, see `SensingOptions`. */
  readonly sensors?: undefined;
  /** Only for a node that has sensors. */
  readonly periodMs?: undefined;
  /** Only for a node that has sensors. */
  readonly sleep?: undefined;
  /** Only for a node that has sensors. */
  readonly retained?: undefined;
}

/** The machine that a node runs on, and the firmware's description. */
export interface MachineOptions
  extends Omit<StationOptions, "node" | "fed" | "selfTest">,
    Pick<StationPorts, "engine" | "slots" | "random"> {
  /** Milliseconds since any moment, in full or modulo 2^32: it may wrap, as a device's `Time.ticks` does. */
  readonly clock: Clock;
  /** The byte port to the peer. */
  readonly transport: BytePort | FramePort;
  /** Flash for two checkpoints, see `storeBytes`. Without it the node keeps nothing, and each start is fresh. */
  readonly block?: BlockDevice;
  /** Least milliseconds between two checkpoints; default 0. */
  readonly checkpointMs?: number;
  /**
   * Makes the one memory of the node, with its arithmetic: `(bytes) => new PortableF32(new ArrayBuffer(bytes))`; or a range
   * of `nodeLayout(node)` in a memory that is there, which then has room for the self-test, too.
   */
  readonly memory: ((bytes: number) => Primitives) | MemoryRange;
  /** True to run the arithmetic's self-test first, which takes a microcontroller seconds; default true. */
  readonly selfTest?: boolean;
  /** Called between the steps of the start, the self-test's too, to feed a watchdog and let other tasks run. */
  readonly feed?: () => void;
}

/** The options of `startNode`: the machine, and a node that senses or one that is fed. */
export type StartOptions = MachineOptions & (SensingOptions | FedOptions);

/** A running node. The program calls `turn` again and again. */
export class StartedNode {
  constructor(
    /** The node and its end of the wire. */
    readonly station: Station,
    /** The origin of its state. */
    readonly restored: RestoreStatus,
    private readonly clock: Clock,
    private readonly sensors: Sensors | undefined,
    private readonly periodMs: number,
    private next: number,
    private readonly sleeper: Sleeper | undefined,
    private readonly trial: Trial | undefined,
  ) {}

  /** Samples its own sensors now. Returns the prediction: NaN if a reading isn't finite, or it has no sensors. */
  sample(): number {
    const { sensors, sleeper, station } = this;
    if (!sensors) return Number.NaN;
    const decision = station.sample(sensors.read());
    if (sleeper) sleeper.sampled();
    return decision;
  }

  /**
   * One turn: samples its own sensors if a sample is due, then serves the wire. Never waits; allocates nothing. Returns
   * the milliseconds until the next turn is due, 0 to 20; 0 if more has arrived than one turn processes.
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

  /** True if it talks to its peer. Only a node that sleeps ever doesn't, and it does while its firmware is on trial. */
  get talks(): boolean {
    return this.sleeper === undefined || this.sleeper.talks || this.trial?.isOn === true;
  }

  /**
   * For the machine of a node that sleeps, after each turn. Returns 0 as long as the node must stay awake. Otherwise the node has kept
   * everything, and the machine sleeps so many milliseconds (Infinity if the node takes no samples by itself), then starts the node again.
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

/** Retained memory, with the bytes that the last sleep kept in it. */
interface Awakening {
  readonly retained: RetainedNode;
  readonly hashes: Uint32Array;
  readonly before: Sleeping;
}

/** The node that sleeps in retained memory, if any. */
function awaken(retained: RetainedNode): Awakening | undefined {
  return retained.holds ? { retained, hashes: retained.hashes, before: retained.take() } : undefined;
}

/** Restores the node from its sleep, or else from its newest checkpoint. Returns whether no sample was lost. */
function resume(node: SensorNode, { retained, before }: Awakening): [RestoreStatus, boolean] {
  if (retained.takePayload(node.checkpointView) && node.adopt()) return [RESTORE.restored, true];
  const restored = node.restore();
  return [restored, node.sid === before.sid && node.seq === before.seq];
}

/** True if retained memory keeps state and counters during sleep. Throws an OptionError if neither it nor flash can. */
function fits(memory: number, hashes: number, payload: number, hasFlash: boolean): boolean {
  const takes = retainedBytes(hashes, payload);
  const least = hasFlash ? retainedBytes(hashes, 0) : takes;
  if (memory < least) {
    const bytes = hasFlash ? `${least} bytes` : `${least} bytes, or flash beside ${retainedBytes(hashes, 0)}`;
    throw new OptionError("startNode", "retained", memory, `at least ${bytes}`);
  }
  return memory >= takes;
}

/** The session of a sensor that plays a recording, if there is one. */
function findSession({ sensors }: StartOptions): number | undefined {
  return sensors?.find(({ session }) => session !== undefined)?.session;
}

/** The node's options, completed for one with sensors from the sensors and this start. */
function nodeOptions(options: StartOptions, sensors: Sensors | undefined): NodeOptions {
  if (!sensors) return (options as FedOptions).node;
  const { channels, ranges } = sensors;
  const { node, boot } = options;
  const sid = findSession(options) ?? sessionId(boot);
  return { ...node, sid, channels, ranges: node.ranges ?? ranges };
}

function isTested({ selfTest = true }: StartOptions): boolean {
  return selfTest;
}

/** The range of the node's layout, in a memory that also has room for the self-test if it runs. */
function rangeFor(options: StartOptions, node: NodeOptions, layout: Layout): MemoryRange {
  const { memory } = options;
  if (typeof memory !== "function") return memory;
  const needed = isTested(options) ? selfTestBytes(nodeLearner(node)) : 0;
  return layout.range(memory(Math.max(layout.bytes, needed)));
}

/*
 * A start is split into steps. Each step is a function that returns an object. So while one of them goes deep on XS's stack, where each
 * variable takes a slot, the variables of the others aren't there.
 */

/** The node in its memory. */
interface LaidOut {
  readonly node: NodeOptions;
  readonly sensors: Sensors | undefined;
  readonly layout: Layout;
  readonly range: MemoryRange;
  readonly sleep: Required<SleepOptions> | undefined;
  readonly retained: RetainedNode | undefined;
  readonly awakening: Awakening | undefined;
}

function layOut(options: StartOptions): LaidOut {
  const sensors = options.sensors && new Sensors(options.sensors);
  const node = nodeOptions(options, sensors);
  const layout = nodeLayout(node);
  const range = rangeFor(options, node, layout);
  const sleep = options.sleep && resolveSleep(options.sleep);
  const retained = sleep && new RetainedNode(options.retained ?? NO_MEMORY, nodeSchema(node), range.f32);
  return { node, sensors, layout, range, sleep, retained, awakening: retained && awaken(retained) };
}

/** Its clock, and whether its firmware is on trial. */
interface Surroundings {
  readonly clock: Uptime;
  readonly trial: Trial | undefined;
  /** True if retained memory keeps the node in its sleep. */
  readonly isRetained: boolean;
}

function surround(options: StartOptions, laid: LaidOut, hashes: Uint32Array | undefined): Surroundings {
  const { block, slots } = options;
  const { layout, sleep, awakening } = laid;
  const room = options.retained?.bytes ?? 0;
  const count = hashes?.length ?? 0;
  const isRetained = sleep === undefined || fits(room, count, checkpointBytes(layout), block !== undefined);
  const clock = new Uptime(options.clock, awakening?.before.startedAt, awakening?.before.passed);
  const trial = slots && new Trial(slots, clock);
  if (slots && hashes) trial?.judge(imageIn(slots.running, laid.range.f32), combinedHash(hashes));
  return { clock, trial, isRetained };
}

/** Where it keeps its checkpoints, if there is flash. */
function makeStore(options: StartOptions, laid: LaidOut, around: Surroundings): CheckpointStore | undefined {
  if (!options.block) return undefined;
  const intervalMs = around.isRetained ? options.checkpointMs : 0;
  const store = nodeStore(laid.node, options.block, around.clock, intervalMs, laid.range.f32);
  if (laid.awakening) {
    store.last = laid.awakening.before.savedAt;
    store.lastIntake = laid.awakening.before.takenAt;
  }
  return store;
}

/** Not on a board, whose firmware has the text in flash. */
function describe(node: NodeOptions): string {
  return describeNode(node);
}

function makeStation(
  options: StartOptions,
  laid: LaidOut,
  hashes: Uint32Array | undefined,
  around: Surroundings,
  storage: Storage,
): Station {
  return new Station(
    {
      ...options,
      description: options.description ?? describe(laid.node),
      node: laid.node,
      fed: !laid.sensors,
      keepsSession: findSession(options) !== undefined,
      selfTest: hashes?.length ? hashes : undefined,
    },
    {
      clock: around.clock,
      port: options.transport,
      storage,
      engine: options.engine,
      slots: options.slots,
      random: options.random,
    },
    laid.range,
  );
}

/** Restores the station's node, and has it report its start. */
function beginTurns(
  station: Station,
  laid: LaidOut,
  hashes: Uint32Array | undefined,
  around: Surroundings,
  store: CheckpointStore | undefined,
  periodMs: number,
): StartedNode {
  const { sensors, sleep, retained, awakening } = laid;
  const { clock, isRetained } = around;
  const [restored, isWhole] = awakening ? resume(station.node, awakening) : [station.node.restore(), false];
  station.begin(restored, isWhole);
  const before = awakening?.before;
  const parts = { node: station.node, uptime: clock, store, hashes: hashes ?? new Uint32Array(0) };
  const sleeper =
    retained && sleep && new Sleeper({ ...parts, options: sleep, retained, isRetained, before });
  const nextAt = before?.nextAt ?? clock.now() + periodMs;
  return new StartedNode(station, restored, clock, sensors, periodMs, nextAt, sleeper, around.trial);
}

/**
 * Boots a node on any machine: tests its arithmetic, lays out its memory, restores it from the newest whole checkpoint and
 * reports that to its peer. Then call `turn` again after the milliseconds that it returns.
 *
 *     const node = startNode({ node: { learner, options }, sensors, clock, transport, block, memory, firmware, boot });
 *     for (;;) wait(node.turn());
 *
 * Throws an OptionError that names the option, what it got and what it takes.
 */
export function startNode(options: StartOptions): StartedNode {
  const periodMs = options.sensors ? (options.periodMs ?? PERIOD_MS) : 0;
  checkPeriod(periodMs);
  const laid = layOut(options);
  options.feed?.();
  const hashes =
    laid.awakening?.hashes ??
    (isTested(options) ? selfTest(nodeLearner(laid.node), laid.range, options.feed) : undefined);
  options.feed?.();
  const around = surround(options, laid, hashes);
  const store = makeStore(options, laid, around);
  options.feed?.();
  const station = makeStation(options, laid, hashes, around, store ?? NO_STORAGE);
  options.feed?.();
  return beginTurns(station, laid, hashes, around, store, periodMs);
}
