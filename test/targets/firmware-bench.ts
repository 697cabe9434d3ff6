import { Random } from "../../host/random.ts";
import { SimulatedSleepMemory } from "../../host-sim/network/sleep-memory.ts";
import type { Family } from "../../src/learn/family.ts";
import { encodeModel } from "../../src/learn/model-bytes.ts";
import type { BytePort, Label } from "../../src/node/ports.ts";
import { sessionId } from "../../src/node/station.ts";
import { type Install, installTag } from "../../src/peer/install.ts";
import { Peer } from "../../src/peer/peer.ts";
import type { Sensor } from "../../src/start/sensors.ts";
import type { StartedNode } from "../../src/start/start-node.ts";
import { LabelTag } from "../../src/wire/label-tag.ts";
import { EmulatedFlash } from "../store/emulated-flash.ts";

/** Samples of a run. */
export const SAMPLES = 200;
export const PERIOD_MS = 100;
const STEP_MS = 5;
export const SECTORS = 16;
/** Readings in a sample. */
export const CHANNELS = 2;
/** The first 32 bits of a board's random source, from which its session follows, and of its peer's. */
const NOISE = 7;
const PEER_NOISE = 0xa0a1a2a3;
const PEER = 2;
/** A label comes so many samples later. */
const LATE = 5;
/** In place of each such label comes a model, which a node without the option refuses. */
const INSTALL_EVERY = 40;
const MODEL = encodeModel({
  weights: [0.5, -0.25],
  bias: 0.1,
  gamma: 0.5,
  coefficients: [1, -1],
  vectors: [
    [0.5, 0.5],
    [-0.5, 0.5],
  ],
});
const CHUNK = 128;

/** The keys of a line and of its labels. */
export const KEY_TEXT = "000102030405060708090a0b0c0d0e0f";
export const KEY = Uint8Array.from({ length: 16 }, (_, i) => i);

export interface BenchOptions {
  readonly regression: boolean;
  readonly isKeyed: boolean;
  readonly areLabelsKeyed: boolean;
}

/** One way of a line that loses nothing. */
class Way {
  /** Bytes that it carried, and their FNV-1a hash. */
  count = 0;
  hash = 0x811c9dc5;
  private waiting: number[] = [];

  read(to: Uint8Array): number {
    const bytes = this.waiting.splice(0, to.length);
    to.set(bytes);
    return bytes.length;
  }

  send(bytes: Uint8Array, from: number, to: number): number {
    for (let i = from; i < to; i++) {
      this.waiting.push(bytes[i]);
      this.hash = Math.imul(this.hash ^ bytes[i], 0x01000193) >>> 0;
    }
    this.count += to - from;
    return to - from;
  }
}

/** A node that runs, and the function of its turns. */
export interface Running {
  readonly started: StartedNode;
  readonly turn: () => void;
}

/** What a node did, to be compared between engines. */
export interface BenchOutcome {
  readonly labelled: number;
  /** Frames that its peer refused: on a keyed line the one that comes before the session. */
  readonly faults: number;
  /** Starts of the node: one more for each sleep. */
  readonly starts: number;
  /** Bytes that it sent, and their hash. */
  readonly bytes: number;
  readonly bytesHash: number;
  readonly state: string;
  /** Of the flash's bytes. */
  readonly flash: number;
}

/** A node's surroundings: its time, its line with a peer that labels its predictions, its flash, its retained memory. */
export class Bench {
  now = 0;
  readonly up = new Way();
  readonly down = new Way();
  readonly flash = EmulatedFlash.ofSectors(SECTORS);
  readonly retained = new SimulatedSleepMemory();
  readonly sensor: Sensor;
  readonly port: BytePort = {
    read: (to) => this.down.read(to),
    write: (bytes, from, to) => this.up.send(bytes, from, to),
  };
  private readonly peer: Peer;
  private readonly labels: (Label | Install)[] = [];
  private readonly chunk = new Uint8Array(CHUNK);
  private starts = 0;
  private drawn = 0;
  private peerDrawn = 0;
  private asleepMs = 0;

  constructor({ regression, isKeyed, areLabelsKeyed }: BenchOptions) {
    this.peer = new Peer({
      write: (bytes) => this.down.send(bytes, 0, bytes.length),
      id: PEER,
      now: () => this.now,
      labels: { at: (number) => this.labelAt(number) },
      ...(isKeyed && { key: KEY, random: () => PEER_NOISE + this.peerDrawn++ }),
    });
    const tag = areLabelsKeyed ? new LabelTag(KEY) : undefined;
    const random = new Random(1, "bundle");
    this.sensor = {
      channels: CHANNELS,
      read: (to, first) => {
        const [x, y] = [random.uniform() * 2 - 1, random.uniform() * 2 - 1];
        to.set([x, y], first);
        this.keep(regression ? x * y : x * y > 0 ? 1 : -1, tag);
      },
    };
  }

  /** 32 bits of the board's random source. */
  readonly random = () => NOISE + this.drawn++;

  private keep(y: number, tag: LabelTag | undefined): void {
    const seq = this.labels.length + 1;
    if (seq % INSTALL_EVERY === 0) {
      const install = { number: seq, model: MODEL };
      this.labels.push(tag ? { ...install, tag: installTag(tag, install, sessionId(NOISE)) } : install);
      return;
    }
    const label = { number: seq, sid: sessionId(NOISE), seq, y: Math.fround(y), source: 1, confidence: 255 };
    tag?.compute(label);
    this.labels.push(tag ? { ...label, tag: [tag.low, tag.high] } : label);
  }

  private labelAt(number: number): Label | Install | undefined {
    return number + LATE <= this.peer.node.seq ? this.labels[number - 1] : undefined;
  }

  /** The chip sleeps so many milliseconds, then starts again. */
  sleep(ms: number): void {
    this.asleepMs = ms;
  }

  /** Runs the turns of the node that `boot` starts, again after each sleep, until its samples are predicted. */
  run(boot: () => Running): BenchOutcome {
    const { chunk, peer, up } = this;
    let running = boot();
    for (const end = SAMPLES * PERIOD_MS; this.now < end; this.now += STEP_MS) {
      running.turn();
      for (let count = up.read(chunk); count > 0; count = up.read(chunk))
        peer.receive(chunk.subarray(0, count));
      peer.tick();
      if (this.asleepMs === 0) continue;
      this.now += this.asleepMs;
      this.asleepMs = 0;
      this.starts++;
      running = boot();
    }
    return this.outcome(running.started);
  }

  private outcome({ station }: StartedNode): BenchOutcome {
    const { peer, starts, up, flash } = this;
    return {
      labelled: peer.node.labelled,
      faults: Object.values(peer.thrown).reduce((sum, count) => sum + count, 0) - peer.thrown.bytes,
      starts: starts + 1,
      bytes: up.count,
      bytesHash: up.hash,
      state: station.node.stateHash(),
      flash: sumFlash(flash),
    };
  }
}

/** Bytes that a flash holds, summed. */
function sumFlash(flash: EmulatedFlash): number {
  const bytes = new Uint8Array(flash.bytes);
  flash.read(0, bytes);
  return bytes.reduce((sum, byte, i) => (sum + (i + 1) * byte) % 2 ** 32, 0);
}

/** Stand-ins for the functions of C that aren't arithmetic, by the names that a firmware calls. */
export function boardFunctions(bench: Bench): { readonly [name: string]: (...options: never[]) => unknown } {
  const { retained } = bench;
  return {
    board_debugged: () => false,
    board_reset: () => 1,
    board_feed: () => {},
    board_random: bench.random,
    board_slots: () => 0,
    board_chunks: () => 0,
    deep_sleep_bytes: () => retained.bytes,
    deep_sleep_read: (offset: number, into: Uint8Array) => retained.read(offset, into),
    deep_sleep_write: (offset: number, from: Uint8Array) => retained.write(offset, from),
    deep_sleep_ticks: () => bench.now,
    deep_sleep_begin: (ms: number) => bench.sleep(ms),
    stored_keys_take: () => {},
    stored_keys_read: () => false,
  };
}

/** A partition of `embedded:storage/flash`. */
export const openPartition = (flash: EmulatedFlash) => ({
  status: () => ({ size: flash.bytes, blockLength: flash.sectorBytes, blocks: SECTORS, writeAlign: 1 }),
  read: (into: Uint8Array, offset: number) => flash.read(offset, into),
  write: (from: Uint8Array, offset: number) => flash.program(offset, from),
  eraseBlock: (start: number) => flash.erase(start * flash.sectorBytes),
});

/** As targets/moddable/learner.ts has it. */
export interface FirmwareModule {
  readonly default: Family;
  runFirmware(
    config: object,
    learner: Family,
    own: object,
    slots: undefined,
    wire: () => BytePort,
  ): StartedNode;
}

/** Runs a learner's module; `lastTurn` returns the callback that it last gave to the SDK's timer. */
export function runModule(
  bench: Bench,
  module: FirmwareModule,
  config: object,
  lastTurn: () => () => void,
): BenchOutcome {
  return bench.run(() => {
    const own = { sensors: [bench.sensor] };
    const started = module.runFirmware(config, module.default, own, undefined, () => bench.port);
    return { started, turn: lastTurn() };
  });
}
