import type { Checksum } from "../math/crc32.ts";
import { frozen } from "../memory/frozen.ts";
import { OptionError } from "../memory/option-error.ts";
import type { SensorNode } from "../node/node.ts";
import type { CheckpointStore } from "../store/checkpoint-store.ts";
import type { Uptime } from "./uptime.ts";

/** Deep sleep between a node's samples. The machine then loses everything but `retained` memory and flash. */
export interface SleepOptions {
  /** Samples from one talk with the peer to the next, a whole number >= 1. Default 1. */
  readonly talkEvery?: number;
  /** Milliseconds that a talk lasts, >= 0. Default 2000. */
  readonly talkMs?: number;
}

export const SLEEP_DEFAULTS = frozen({ talkEvery: 1, talkMs: 2000 });

/** The options with their defaults. Throws an OptionError that names the option, what it got and what it takes. */
export function resolveSleep({
  talkEvery = SLEEP_DEFAULTS.talkEvery,
  talkMs = SLEEP_DEFAULTS.talkMs,
}: SleepOptions): Required<SleepOptions> {
  if (!(Number.isInteger(talkEvery) && talkEvery >= 1))
    throw new OptionError("sleep", "talkEvery", talkEvery, "a whole number >= 1");
  if (!(talkMs >= 0 && talkMs < Number.POSITIVE_INFINITY))
    throw new OptionError("sleep", "talkMs", talkMs, "milliseconds >= 0");
  return { talkEvery, talkMs };
}

/** The values that a sleep keeps besides state and counters. Times are by the node's `Uptime`. */
export interface Sleeping {
  /** Session, and number of the last sample. A state kept in flash must have the same. */
  sid: number;
  seq: number;
  /** Samples since the start. */
  samples: number;
  /** The clock's value when the uptime was 0, mod 2^32, and the uptime. */
  startedAt: number;
  passed: number;
  /** When the next sample is due, when the last checkpoint was saved, and when one came from elsewhere. */
  nextAt: number;
  savedAt: number;
  takenAt: number;
}

const WORDS = frozen([
  ...["magic", "schemaHigh", "schemaLow", "length", "hashes", "sid", "seq", "samples", "startedAt"],
  ...["passed", "passedHigh", "nextAt", "nextAtHigh", "savedAt", "savedAtHigh"],
  ...["takenAt", "takenAtHigh", "check"],
]);
const WORD = frozen(Object.fromEntries(WORDS.map((name, i) => [name, i])) as { [name: string]: number });
const MAGIC = 0x50534c4d;
const HEADER_BYTES = 4 * WORDS.length;
const TWO_32 = 0x100000000;

/** Bytes of retained memory that a sleep needs, for these bytes of state and counters; 0 if flash keeps those. */
export function retainedBytes(hashes: number, payload: number): number {
  return HEADER_BYTES + 4 * hashes + payload;
}

/** Memory that keeps its bytes in deep sleep, but not without power: an ESP32's RTC memory. */
export interface SleepMemory {
  /** Its length. */
  readonly bytes: number;
  /** Fills `into` with the bytes from `offset` on. */
  read(offset: number, into: Uint8Array): void;
  /** Writes `from` at `offset`. */
  write(offset: number, from: Uint8Array): void;
}

const PAGE_BYTES = 256;

/**
 * Keeps a node in retained memory during a deep sleep: times, session, the hashes of the self-test, and state and
 * counters if they fit. `take` works once, so that a node that fails later doesn't use the numbers of its samples again.
 */
export class RetainedNode {
  private readonly header = new Uint8Array(HEADER_BYTES);
  private readonly words = new Uint32Array(this.header.buffer);
  private readonly schemaHigh: number;
  private readonly schemaLow: number;

  /** @param schema identifies the meaning of state and counters, 16 hex digits. */
  constructor(
    private readonly memory: SleepMemory,
    schema: string,
    private readonly crc: Checksum,
  ) {
    this.schemaHigh = Number.parseInt(schema.slice(0, 8), 16);
    this.schemaLow = Number.parseInt(schema.slice(8), 16);
    if (memory.bytes >= HEADER_BYTES) memory.read(0, this.header);
  }

  /** True if it holds an undamaged sleeping node of this schema. */
  get holds(): boolean {
    const { words, memory } = this;
    if (words[WORD.magic] !== MAGIC) return false;
    if (words[WORD.schemaHigh] !== this.schemaHigh || words[WORD.schemaLow] !== this.schemaLow) return false;
    const end = retainedBytes(words[WORD.hashes], words[WORD.length]);
    return end <= memory.bytes && this.sumOfMemory(end) === words[WORD.check];
  }

  /** The hashes of the self-test that this node ran at power-up. */
  get hashes(): Uint32Array {
    const hashes = new Uint32Array(this.words[WORD.hashes]);
    this.memory.read(HEADER_BYTES, new Uint8Array(hashes.buffer));
    return hashes;
  }

  /** Copies state and counters to `payload` if it holds them; otherwise flash has them. */
  takePayload(payload: Uint8Array): boolean {
    const { words, memory } = this;
    if (words[WORD.length] !== payload.length) return false;
    memory.read(retainedBytes(words[WORD.hashes], 0), payload);
    return true;
  }

  /** Removes its content, and returns it. */
  take(): Sleeping {
    const { words } = this;
    words[WORD.magic] = 0;
    this.memory.write(0, this.header);
    return {
      sid: words[WORD.sid],
      seq: words[WORD.seq],
      samples: words[WORD.samples],
      startedAt: words[WORD.startedAt],
      passed: this.time(WORD.passed),
      nextAt: this.time(WORD.nextAt),
      savedAt: this.time(WORD.savedAt),
      takenAt: this.time(WORD.takenAt),
    };
  }

  /** Stores everything; `payload` is empty if flash has state and counters. Throws a RangeError if there is no room. */
  put(sleeping: Sleeping, hashes: Uint8Array, payload: Uint8Array): void {
    const { words, header, memory, crc } = this;
    words[WORD.magic] = MAGIC;
    words[WORD.schemaHigh] = this.schemaHigh;
    words[WORD.schemaLow] = this.schemaLow;
    words[WORD.length] = payload.length;
    words[WORD.hashes] = hashes.length >> 2;
    words[WORD.sid] = sleeping.sid;
    words[WORD.seq] = sleeping.seq;
    words[WORD.samples] = sleeping.samples;
    words[WORD.startedAt] = sleeping.startedAt;
    this.putTime(WORD.passed, sleeping.passed);
    this.putTime(WORD.nextAt, sleeping.nextAt);
    this.putTime(WORD.savedAt, sleeping.savedAt);
    this.putTime(WORD.takenAt, sleeping.takenAt);
    const sum = crc.crc32(hashes, 0, hashes.length, this.sumOfHeader());
    words[WORD.check] = crc.crc32(payload, 0, payload.length, sum);
    memory.write(HEADER_BYTES, hashes);
    memory.write(HEADER_BYTES + hashes.length, payload);
    memory.write(0, header);
  }

  /** `check` is the header's last word. */
  private sumOfHeader(): number {
    return this.crc.crc32(this.header, 0, 4 * WORD.check, 0);
  }

  private sumOfMemory(end: number): number {
    const page = new Uint8Array(PAGE_BYTES);
    let sum = this.sumOfHeader();
    for (let at = HEADER_BYTES; at < end; at += PAGE_BYTES) {
      const part = page.subarray(0, Math.min(PAGE_BYTES, end - at));
      this.memory.read(at, part);
      sum = this.crc.crc32(part, 0, part.length, sum);
    }
    return sum;
  }

  private time(word: number): number {
    return this.words[word] + TWO_32 * this.words[word + 1];
  }

  private putTime(word: number, ms: number): void {
    this.words[word] = ms;
    this.words[word + 1] = Math.floor(ms / TWO_32);
  }
}

/** A shorter sleep isn't worth the start after it. */
const SLEEP_MS_MIN = 100;

/** The parts of a node that may sleep, and where they are kept meanwhile. */
export interface SleeperParts {
  readonly options: Required<SleepOptions>;
  readonly retained: RetainedNode;
  readonly node: SensorNode;
  readonly uptime: Uptime;
  /** True if retained memory has room for state and counters; otherwise flash has them. */
  readonly isRetained: boolean;
  readonly store: CheckpointStore | undefined;
  readonly hashes: Uint32Array;
  /** The state that it kept when it fell asleep; undefined after power-up. */
  readonly before: Sleeping | undefined;
}

/** Decides when a node talks and when it may sleep, and keeps the state that a sleep would lose. */
export class Sleeper {
  private samples: number;
  private talksUntil: number;
  private hasFailed = false;
  private readonly hashes: Uint8Array;
  private readonly payload: Uint8Array;

  constructor(private readonly parts: SleeperParts) {
    const { options, node, uptime, hashes, isRetained, before } = parts;
    this.samples = before?.samples ?? 0;
    this.talksUntil = before ? Number.NEGATIVE_INFINITY : uptime.now() + options.talkMs;
    this.hashes = new Uint8Array(hashes.slice().buffer);
    const view = node.checkpointView;
    this.payload = isRetained ? view : view.subarray(0, 0);
  }

  /** True if it talks to its peer now. */
  get talks(): boolean {
    return this.parts.uptime.now() < this.talksUntil || this.hasFailed;
  }

  /** A sample was taken. */
  sampled(): void {
    const { options, uptime } = this.parts;
    this.hasFailed = false;
    this.samples++;
    if (this.samples % options.talkEvery === 0) this.talksUntil = uptime.now() + options.talkMs;
  }

  /** Keeps the node until its next sample, if that is far enough off. Returns whether it may sleep. */
  keep(nextAt: number): boolean {
    const { node, retained, store, uptime } = this.parts;
    if (nextAt - uptime.now() < SLEEP_MS_MIN) return false;
    if (this.payload.length === 0 && !node.checkpoint()) {
      this.hasFailed = true; // it stays awake, and tries again after its next sample
      return false;
    }
    const { sid, seq } = node;
    const times = { startedAt: uptime.startedAt, passed: uptime.now(), nextAt };
    const kept = { savedAt: store?.last ?? 0, takenAt: store?.lastIntake ?? 0 };
    retained.put({ sid, seq, samples: this.samples, ...times, ...kept }, this.hashes, this.payload);
    return true;
  }
}
