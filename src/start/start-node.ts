import type { Primitives } from "../math/primitives.ts";
import type { MemoryRange } from "../memory/layout.ts";
import { type NodeOptions, nodeLayout, nodeLearner } from "../node/node.ts";
import type { BytePort, Clock, EngineFigures, FramePort, Storage } from "../node/ports.ts";
import { nodeStore } from "../node/schema.ts";
import { Station, type StationOptions } from "../node/station.ts";
import { selfTest, selfTestBytes } from "../selftest/self-test.ts";
import type { BlockDevice } from "../store/block-device.ts";
import { RESTORE, type RestoreStatus } from "../store/checkpoint-store.ts";
import { type Sensor, Sensors } from "./sensors.ts";

/** A node's end of the wire is polled after so many milliseconds, at most. */
const POLL_MS = 20;
const PERIOD_MS = 1000;
const PERIOD_MS_END = 0x80000000;
const SESSIONS = 0xffffffff;

/** What a node that has sensors of its own is started from. */
export interface SensingOptions {
  /** Its channels are the sensors', and each start begins a session of its own, which follows from `boot`. */
  readonly node: Omit<NodeOptions, "sid" | "channels">;
  readonly sensors: readonly Sensor[];
  /**
   * Milliseconds from one sample to the next; default 1000; 0: `sample` is called for each. The first comes after one
   * period. A sample that a long turn missed isn't made up for.
   */
  readonly periodMs?: number;
}

/** What a node without sensors is started from: its peer feeds it samples, and names its session. */
export interface FedOptions {
  readonly node: NodeOptions;
  readonly sensors?: undefined;
  readonly periodMs?: undefined;
}

/** The machine that a node runs on, and what the node says of itself. */
export interface MachineOptions extends Omit<StationOptions, "node" | "fed" | "selfTest"> {
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
  /** What the engine uses, for reports; default: 0. */
  readonly engine?: EngineFigures;
  /** Whether the arithmetic is tried first, which takes a microcontroller seconds; default true. */
  readonly selfTest?: boolean;
  /** Tells a watchdog during the self-test that the machine is alive. */
  readonly feed?: () => void;
}

export type StartOptions = MachineOptions & (SensingOptions | FedOptions);

/** Keeps nothing: a node without flash. */
class NoStorage implements Storage {
  save(): boolean {
    return false;
  }

  load(): typeof RESTORE.fresh {
    return RESTORE.fresh;
  }
}

/** A node that runs: whoever started it has it take its turns. */
export class StartedNode {
  private next: number;

  constructor(
    readonly station: Station,
    /** Where its state came from. */
    readonly restored: RestoreStatus,
    private readonly clock: Clock,
    private readonly sensors: Sensors | undefined,
    private readonly periodMs: number,
  ) {
    this.next = clock.now() + periodMs;
  }

  /** Takes a sample of its own sensors now. Returns the prediction: NaN if a reading isn't finite, or it has no sensors. */
  sample(): number {
    return this.sensors ? this.station.sample(this.sensors.read()) : Number.NaN;
  }

  /**
   * One turn: a sample of its own sensors if it is time for one, then the wire. Never waits; allocates nothing. Returns
   * the milliseconds until the next turn is due, 0 to 20: 0 if more has come than a turn deals with.
   */
  turn(): number {
    const { clock, periodMs } = this;
    if (periodMs > 0 && elapsed(this.next, clock.now()) >= 0) this.sampleInTime();
    if (this.station.poll()) return 0;
    if (periodMs === 0) return POLL_MS;
    const due = elapsed(clock.now(), this.next);
    return due < 0 ? 0 : due < POLL_MS ? due : POLL_MS;
  }

  private sampleInTime(): void {
    this.next += this.periodMs;
    const now = this.clock.now();
    if (elapsed(this.next, now) >= 0) this.next = now + this.periodMs;
    this.sample();
  }
}

/** Whole milliseconds from one reading of a clock to another, also of one that counts in 32 bits and wrapped between them. */
function elapsed(from: number, to: number): number {
  return (to - from) | 0;
}

/** The session of that start, 1..2^32-1. */
function sessionOf(boot: number): number {
  return ((boot >>> 0) % SESSIONS) + 1;
}

function checkPeriod(periodMs: number): void {
  if (periodMs >= 0 && periodMs < PERIOD_MS_END) return;
  throw new RangeError(`startNode: option periodMs: got ${periodMs}; takes milliseconds >= 0, < 2^31`);
}

/**
 * Boots a node on any machine: tries its arithmetic, lays out its memory, restores it from the newest whole checkpoint and
 * says so to its peer. Then call `turn` again and again, as it says.
 *
 *     const node = startNode({ node: { learner, options }, sensors, clock, transport, block, memory, firmware, boot });
 *     for (;;) wait(node.turn());
 *
 * Throws a RangeError that names the option, what it got and what it takes.
 */
export function startNode(options: StartOptions): StartedNode {
  const { clock, transport, block, checkpointMs, memory, engine, boot, feed } = options;
  const sensors = options.sensors && new Sensors(options.sensors);
  const periodMs = sensors ? (options.periodMs ?? PERIOD_MS) : 0;
  checkPeriod(periodMs);
  const node = sensors
    ? { ...options.node, sid: sessionOf(boot), channels: sensors.channels }
    : (options as FedOptions).node;
  const layout = nodeLayout(node);
  const tested = nodeLearner(node);
  const test = options.selfTest ?? true;
  const bytes = test ? Math.max(layout.bytes, selfTestBytes(tested)) : layout.bytes;
  const range = typeof memory === "function" ? layout.range(memory(bytes)) : memory;
  const hashes = test ? selfTest(tested, range, feed) : undefined;
  const storage = block ? nodeStore(node, block, clock, checkpointMs, range.f32) : new NoStorage();
  const station = new Station(
    { ...options, node, fed: !sensors, selfTest: hashes },
    { clock, port: transport, storage, engine },
    range,
  );
  const restored = station.node.restore();
  station.begin(restored);
  return new StartedNode(station, restored, clock, sensors, periodMs);
}
