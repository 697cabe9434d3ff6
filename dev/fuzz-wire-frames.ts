import { familyNamed } from "../src/learn/registry.ts";
import { PortableF32 } from "../src/math/f32.ts";
import { nodeLayout } from "../src/node/node-layout.ts";
import type { NodeOptions } from "../src/node/node-options.ts";
import { NO_STORAGE } from "../src/node/ports.ts";
import { Station } from "../src/node/station.ts";
import { Encoder } from "../src/wire/encoder.ts";
import { type DownName, FRAME_MAX, messageNames } from "../src/wire/messages.ts";

const GUARD = 0x5ca1ab1e;
const GUARD_WORDS = 8;
const NAMES = messageNames("down");
const BOOT = 77;
const PEER = 5;
/** Frames between two welcomes, and between two looks at the whole state. */
const WELCOMED = 16;
const BLOCK = 1000;

/** A node that has learned a little, in memory between guard words, behind a port that these tests fill. */
class Subject {
  readonly station: Station;
  private readonly memory: PortableF32;
  private readonly layoutWords: number;
  private input: Uint8Array = new Uint8Array(0);
  private at = 0;

  constructor() {
    const learner = familyNamed("olk-c");
    if (!learner) throw new Error("no learner olk-c");
    const node: NodeOptions = {
      sid: 7,
      channels: 30,
      pending: 16,
      labelWindow: 8,
      learner,
      options: { budget: 8 },
    };
    const layout = nodeLayout(node);
    this.layoutWords = layout.bytes / 4;
    this.memory = new PortableF32(new ArrayBuffer(layout.bytes + 8 * GUARD_WORDS));
    this.memory.bits.fill(GUARD);
    const port = {
      read: (to: Uint8Array) => {
        const bytes = this.input.subarray(this.at, this.at + to.length);
        to.set(bytes);
        this.at += bytes.length;
        return bytes.length;
      },
      write: (_: Uint8Array, from: number, to: number) => to - from,
    };
    const clock = { now: () => 0 };
    const storage = { ...NO_STORAGE, save: () => true };
    const range = layout.range(this.memory, 4 * GUARD_WORDS);
    this.station = new Station(
      { node, firmware: "fuzz", boot: BOOT, fed: true },
      { clock, port, storage },
      range,
    );
    this.station.begin("fresh");
    const x = new Float32Array(node.channels);
    for (let seq = 1; seq <= 20; seq++) {
      x.fill(seq % 5);
      this.station.sample(x);
      if (seq > 5) this.station.node.label({ number: seq - 5, sid: 7, seq: seq - 5, y: seq % 2 ? 1 : -1 });
    }
  }

  /** Gives the node bytes. */
  take(bytes: Uint8Array): void {
    this.input = bytes;
    this.at = 0;
    while (this.station.poll() || this.at < bytes.length);
  }

  /** True if no word outside the node's range was written. */
  get guarded(): boolean {
    const { bits } = this.memory;
    for (let k = 0; k < GUARD_WORDS; k++) {
      if (bits[k] !== GUARD || bits[GUARD_WORDS + this.layoutWords + k] !== GUARD) return false;
    }
    return true;
  }
}

/**
 * True if the frame lies whole between two zeros of a mutant, as after inserting a zero before it: then it is
 * a good frame.
 */
function holdsFrame(mutant: Uint8Array, length: number, frame: Uint8Array, bytes: number): boolean {
  for (let from = 0; from + bytes <= length; from++) {
    let k = 0;
    while (k < bytes && mutant[from + k] === frame[k]) k++;
    if (k === bytes) return true;
  }
  return false;
}

/**
 * Sends mutated frames to a node: none may pass as a message or change its state, and the next good frame
 * must be understood. Then it sends well-formed frames with random fields: none may write outside the node's
 * range.
 */
export class WireFuzz {
  private readonly encoder = new Encoder(NAMES);
  private readonly good = new Encoder(NAMES);
  private readonly mutated = new Subject();
  private readonly hostile = new Subject();
  private readonly before: string;
  private readonly mutant = new Uint8Array(2 * FRAME_MAX);
  private understood = 0;
  /** Frames of each kind so far. */
  sent = 0;
  private state: number;

  constructor(private readonly seed: number) {
    this.state = seed | 0;
    const welcome = this.good.message("welcome");
    welcome.boot = BOOT;
    welcome.peer = PEER;
    for (const subject of [this.mutated, this.hostile]) this.welcome(subject);
    this.before = this.mutated.station.node.stateHash();
    this.good.message("configuration").checkpointEvery = 0;
  }

  private welcome(subject: Subject): void {
    const bytes = this.good.encode("welcome");
    subject.take(this.good.frame.subarray(0, bytes));
  }

  /** Sends so many frames of each kind. Throws an Error that names seed and frame at the first fault. */
  run(frames: number): void {
    for (let k = 0; k < frames; k++) {
      this.sendMutant();
      this.sendGood();
      this.sendHostile();
      if (++this.sent % BLOCK === 0) this.check();
    }
    this.check();
  }

  /** 32 bits, unsigned. */
  private next(): number {
    this.state = (this.state + 0x9e3779b9) | 0;
    let h = Math.imul(this.state ^ (this.state >>> 16), 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    return (h ^ (h >>> 16)) >>> 0;
  }

  private below(n: number): number {
    return this.next() % n;
  }

  /** A frame of a random message, with small and arbitrary numbers in its fields. */
  private draw(): number {
    const name: DownName = NAMES[this.below(NAMES.length)];
    const record = this.encoder.message(name) as { [field: string]: number | Float32Array | Uint32Array };
    for (const field of Object.keys(record)) {
      const value = record[field];
      if (typeof value === "number") record[field] = this.below(3) === 0 ? this.next() : this.below(32);
      else
        for (let i = 0; i < value.length; i++) value[i] = this.below(4) === 0 ? this.next() : this.below(9);
    }
    if ("start" in record && this.below(4) > 0) record.start = (BOOT ^ PEER) >>> 0;
    if ("sid" in record && this.below(4) > 0) record.sid = 7;
    return this.encoder.encode(name);
  }

  private sendMutant(): void {
    const bytes = this.draw();
    const { frame } = this.encoder;
    const length = this.mutate(frame, bytes);
    const { mutant } = this;
    if (holdsFrame(mutant, length, frame, bytes)) return;
    this.mutated.take(mutant.subarray(0, length));
  }

  /**
   * Writes a mutant of the frame; returns its length. Both delimiters stay, so that two frames never merge
   * into a good one.
   */
  private mutate(frame: Uint8Array, bytes: number): number {
    const { mutant } = this;
    mutant.set(frame.subarray(0, bytes));
    let length = bytes;
    for (let times = 1 + this.below(3); times > 0; times--) {
      const at = 1 + this.below(length - 2);
      const kind = this.below(5);
      if (kind === 0) mutant[at] ^= 1 << this.below(8);
      else if (kind === 1) mutant[at] = this.below(2) === 0 ? 0 : this.below(256);
      else if (kind === 2 && length > 3) {
        mutant.copyWithin(at, at + 1, length);
        length--;
      } else if (kind === 3 && length < mutant.length) {
        mutant.copyWithin(at + 1, at, length);
        mutant[at] = this.below(256);
        length++;
      } else if (kind === 4) for (let k = at; k < length - 1; k++) mutant[k] = this.next();
    }
    return length;
  }

  /** Sends a frame with a visible effect, and checks the effect. */
  private sendGood(): void {
    this.understood = (this.understood + 1) >>> 0;
    this.good.message("configuration").checkpointEvery = this.understood;
    const bytes = this.good.encode("configuration");
    this.mutated.take(this.good.frame.subarray(0, bytes));
    if (this.mutated.station.node.checkpointEvery !== this.understood)
      this.fail("the good frame was not understood");
  }

  /** A hostile frame may have been a valid farewell, so the node is welcomed now and then. */
  private sendHostile(): void {
    if (this.sent % WELCOMED === 0) this.welcome(this.hostile);
    const bytes = this.draw();
    this.hostile.take(this.encoder.frame.subarray(0, bytes));
  }

  private check(): void {
    if (!this.mutated.guarded || !this.hostile.guarded)
      this.fail("a word outside the node's range was written");
    if (this.mutated.station.node.stateHash() !== this.before) this.fail("the state changed");
  }

  private fail(what: string): never {
    throw new Error(`${what}: seed ${this.seed}, frame ${this.sent}`);
  }
}
