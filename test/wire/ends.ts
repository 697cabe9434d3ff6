import { Random } from "../../host/random.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import type { BytePort, Storage } from "../../src/node/ports.ts";
import { Station } from "../../src/node/station.ts";
import { Peer, type PeerOptions } from "../../src/peer/peer.ts";
import type { RestoreStatus } from "../../src/store/checkpoint-store.ts";
import { wrappingClock } from "../start/wrapping-clock.ts";

/** 115200 baud, ten bits a byte. */
const BYTES_A_MS = 11.52;
const FIFO = 128;
const STEP_MS = 5;

export const NODE: NodeOptions = {
  sid: 7,
  channels: 3,
  pending: 16,
  labelWindow: 8,
  checkpointEvery: 10,
  features: { window: 4, standardise: true },
  learner: familyNamed("olk-c")!,
  options: { budget: 8, C: 0.5, regularization: 0.05, forgetThreshold: 0.01 },
};

/** Keeps the last checkpoint and the one before over restarts. */
export class Disk implements Storage {
  private kept: Uint8Array | undefined;
  private before: Uint8Array | undefined;
  save(bytes: Uint8Array): boolean {
    this.before = this.kept;
    this.kept = bytes.slice();
    return true;
  }
  load(bytes: Uint8Array): RestoreStatus {
    if (this.kept?.length !== bytes.length) return "fresh";
    bytes.set(this.kept);
    return "restored";
  }
  rollback(bytes: Uint8Array): RestoreStatus {
    if (this.before?.length !== bytes.length) return "fresh";
    this.kept = this.before;
    this.before = undefined;
    bytes.set(this.kept);
    return "fallback";
  }
}

/** One way of a line: frames that are lost, doubled, put off or damaged, then bytes at the line's rate. */
export class Line {
  frames = 0;
  spoilt = 0;
  /** Bytes that no sender counts on: frames that come twice or late, and what damage puts in. Credit keeps no room for them. */
  unforeseen = 0;
  private readonly later: { at: number; bytes: Uint8Array }[] = [];
  private bytes: number[] = [];
  private credit = 0;

  constructor(
    private readonly random: Random,
    /** Part of the frames that don't get through as they are. */
    readonly rate: number,
  ) {}

  send(now: number, frame: Uint8Array): void {
    this.frames++;
    if (this.random.uniform() >= this.rate) {
      this.bytes.push(...frame);
      return;
    }
    this.spoilt++;
    const fate = this.random.below(4);
    if (fate === 1 || fate === 2) this.unforeseen += frame.length;
    if (fate === 1) this.bytes.push(...frame, ...frame);
    else if (fate === 2) this.later.push({ at: now + this.random.below(300), bytes: frame.slice() });
    else if (fate === 3) this.bytes.push(...this.damaged(frame));
  }

  private damaged(frame: Uint8Array): number[] {
    const bytes = [...frame];
    const at = this.random.below(bytes.length);
    const kind = this.random.below(3);
    if (kind === 0) bytes[at] ^= 1 << this.random.below(8);
    else if (kind === 1) bytes.splice(at, 1 + this.random.below(4));
    else {
      bytes.splice(at, 0, this.random.below(256), this.random.below(256));
      this.unforeseen += 2;
    }
    return bytes;
  }

  /** The bytes that come in the next milliseconds. */
  deliver(now: number, milliseconds: number): number[] {
    for (let i = this.later.length - 1; i >= 0; i--) {
      if (this.later[i].at <= now) this.bytes.push(...this.later.splice(i, 1)[0].bytes);
    }
    this.credit += BYTES_A_MS * milliseconds;
    const count = Math.min(Math.floor(this.credit), this.bytes.length);
    this.credit = this.bytes.length === count ? 0 : this.credit - count;
    return this.bytes.splice(0, count);
  }
}

/** The node's UART: an input FIFO that drops what has no room, an output that takes some bytes at once. */
class Uart implements BytePort {
  /** Bytes that came while the FIFO was full. */
  overruns = 0;
  private fifo: number[] = [];
  private frame: number[] = [];

  constructor(private readonly transmit: (frame: Uint8Array) => void) {}

  arrive(bytes: readonly number[]): void {
    for (const byte of bytes) {
      if (this.fifo.length < FIFO) this.fifo.push(byte);
      else this.overruns++;
    }
  }

  read(to: Uint8Array): number {
    const bytes = this.fifo.splice(0, to.length);
    to.set(bytes);
    return bytes.length;
  }

  write(bytes: Uint8Array, from: number, to: number): number {
    const count = Math.min(to - from, 40);
    for (let i = from; i < from + count; i++) {
      this.frame.push(bytes[i]);
      if (bytes[i] !== 0 || this.frame.length === 1) continue;
      this.transmit(Uint8Array.from(this.frame));
      this.frame = [];
    }
    return count;
  }
}

export interface EndsOptions {
  readonly seed: number;
  readonly rate: number;
  readonly fed: boolean;
  readonly node?: NodeOptions;
  readonly peer: Omit<PeerOptions, "write" | "now" | "id">;
  readonly selfTest?: Uint32Array;
  /** Milliseconds between two turns of the node; default 5. */
  readonly turn?: number;
  /** Of the node; its peer has the same unless it is given one of its own. */
  readonly key?: Uint8Array;
  readonly labelKey?: Uint8Array;
  /** Where the node keeps checkpoints, anew for each start; default: a `Disk`. */
  readonly storage?: (options: NodeOptions) => Storage;
}

/** 32 bits at a time, by seed. */
function words(random: Random): () => number {
  return () => random.below(0x10000) * 0x10000 + random.below(0x10000);
}

/** A station and a peer, joined in memory, in simulated time. Either can start again. */
export class Ends {
  now = 0;
  boots = 0;
  peers = 0;
  station: Station;
  peer: Peer;
  readonly disk = new Disk();
  readonly down: Line;
  readonly up: Line;
  uart: Uart;

  constructor(readonly options: EndsOptions) {
    this.down = new Line(new Random(options.seed, "down"), options.rate);
    this.up = new Line(new Random(options.seed, "up"), options.rate);
    this.uart = this.makeUart();
    this.station = this.makeStation();
    this.peer = this.makePeer();
  }

  private makeUart(): Uart {
    return new Uart((frame) => this.up.send(this.now, frame));
  }

  private makeStation(): Station {
    const { fed, selfTest, key, labelKey, seed, node = NODE } = this.options;
    const boot = 1000 + ++this.boots;
    const own = fed ? node : { ...node, sid: boot };
    const random = words(new Random(seed, `nonces/${boot}`));
    const storage = this.options.storage?.(own) ?? this.disk;
    const ports = { clock: wrappingClock(() => this.now), port: this.uart, storage, random };
    const station = new Station({ node: own, firmware: "test", boot, fed, selfTest, key, labelKey }, ports);
    station.begin(station.node.restore());
    return station;
  }

  private makePeer(): Peer {
    const write = (bytes: Uint8Array) => this.down.send(this.now, bytes.slice());
    const { key, seed } = this.options;
    return new Peer({
      key,
      random: words(new Random(seed, `peer/nonces/${this.peers}`)),
      ...this.options.peer,
      window: NODE.labelWindow,
      write,
      now: () => this.now,
      id: Math.imul(++this.peers, 0x9e3779b1) >>> 0, // random: no pair of starts may have another pair's xor
    });
  }

  restartNode(): void {
    this.uart = this.makeUart();
    this.station = this.makeStation();
  }

  restartPeer(): void {
    this.peer = this.makePeer();
  }

  step(): void {
    this.now += STEP_MS;
    this.uart.arrive(this.down.deliver(this.now, STEP_MS));
    if (this.now % (this.options.turn ?? STEP_MS) === 0) this.station.poll();
    this.peer.receive(Uint8Array.from(this.up.deliver(this.now, STEP_MS)));
    this.peer.tick();
  }

  /** Runs until `done`; false if it takes longer than so many simulated seconds. */
  until(done: () => boolean, seconds: number): boolean {
    for (const end = this.now + 1000 * seconds; this.now < end; ) {
      if (done()) return true;
      this.step();
    }
    return false;
  }
}
