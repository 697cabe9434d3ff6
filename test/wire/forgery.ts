import { Random } from "../../host/random.ts";
import { Crc32 } from "../../src/math/crc32.ts";
import { stuff, unstuff } from "../../src/wire/cobs.ts";
import { Encoder } from "../../src/wire/encoder.ts";
import {
  type DownName,
  MESSAGES,
  type MessageName,
  messageNames,
  seedsById,
  type UpName,
} from "../../src/wire/messages.ts";
import { SipHash } from "../../src/wire/siphash.ts";
import { Ends } from "./ends.ts";
import { finished, recorded, stream, withoutWire } from "./recorded.ts";

export const KEY = Uint8Array.from({ length: 16 }, (_, i) => 255 - 13 * i);

/** An attacker's attempts on the line. */
export const ATTACKS = [
  "replay",
  "splice",
  "truncated tag",
  "key off by a bit",
  "reflection",
  "no tag",
  "random tag",
  "changed fields",
  "counter moved on",
] as const;
export type Attack = (typeof ATTACKS)[number];

/** Behind id and fields of a frame: tag and check word. */
const TAIL = 12;
const SPREAD = 0x9e3779b1;
/** Attempts between two looks at the whole state. */
const BLOCK = 250;
const SEEDS = seedsById();
const CRC = new Crc32();

type End = "node" | "peer";

/** Id, fields, nonce, tag and check word of a frame. */
function unpackPayload(frame: Uint8Array): Uint8Array {
  const bytes = frame.slice();
  unstuff(bytes, 1, bytes.length - 1);
  return bytes.slice(2, -1);
}

function packFrame(payload: Uint8Array): Uint8Array {
  const frame = new Uint8Array(payload.length + 3);
  frame.set(payload, 2);
  stuff(frame, 1, frame.length - 1);
  return frame;
}

/** Gives a payload the check word of that counter: who makes it needs no key. */
function checked(payload: Uint8Array, counter: number): Uint8Array {
  const end = payload.length - 4;
  const check = ~CRC.crc32(payload, 0, end, SEEDS[payload[0]]) ^ Math.imul(counter, SPREAD);
  new DataView(payload.buffer, payload.byteOffset).setInt32(end, check, true);
  return payload;
}

/**
 * A keyed node and its peer, in their second session, and an attacker who read every frame of both sessions
 * and writes anything to either. No honest frame is under way meanwhile.
 */
export class Enemy {
  /** Frames tried, by attack. */
  readonly tried = new Map<Attack, number>();
  private readonly ends: Ends;
  private readonly random: Random;
  /** Payloads that came to each end. */
  private readonly heard: { readonly [end in End]: Uint8Array[] } = { node: [], peer: [] };
  private readonly plain = {
    node: new Encoder(messageNames("down")),
    peer: new Encoder(messageNames("up")),
  };
  private readonly sip = new SipHash();
  private readonly samples = stream(9);
  private labels = 30;
  private count = 0;
  private readonly before: string;

  constructor(private readonly seed: number) {
    this.random = new Random(seed, "enemy");
    const source = recorded(this.samples);
    const peer = {
      ...source,
      labels: { at: (number: number) => (number <= this.labels ? source.labels.at(number) : undefined) },
    };
    this.ends = new Ends({ seed, rate: 0, fed: true, key: KEY, peer });
    this.tap("down", "node");
    this.tap("up", "peer");
    this.settle(30);
    this.ends.restartPeer();
    this.labels = 60;
    this.settle(60);
    this.before = this.state();
  }

  private tap(way: "down" | "up", end: End): void {
    const line = this.ends[way];
    const send = line.send.bind(line);
    line.send = (now, frame) => {
      this.heard[end].push(unpackPayload(frame));
      send(now, frame);
    };
  }

  /** Runs until so many labels are answered and no frame is on its way. */
  private settle(labels: number): void {
    const { ends } = this;
    ends.until(() => ends.station.node.labelled === labels, 60);
    ends.until(() => false, 2);
  }

  /** Everything that only a holder of the key may change. */
  private state(): string {
    const { station, peer } = this.ends;
    const { node } = station;
    const saved = node.count("saved");
    return JSON.stringify([node.stateHash(), node.checkpointEvery, saved, peer.node, peer.counts.starts]);
  }

  /** Makes so many attempts. Throws an Error that names seed and attempt if one of them changes anything. */
  attack(attempts: number): void {
    for (const end of ["node", "peer"] as const) {
      const way = end === "node" ? "down" : "up";
      this.ends[way].send = () => {};
    }
    for (let i = 0; i < attempts; i++) {
      const attack = ATTACKS[this.count % ATTACKS.length];
      const end: End = this.random.below(4) === 0 ? "peer" : "node";
      this.give(end, packFrame(this[attack](end)));
      this.tried.set(attack, (this.tried.get(attack) ?? 0) + 1);
      if (++this.count % BLOCK === 0 || i === attempts - 1) this.check();
    }
  }

  private check(): void {
    if (this.state() === this.before) return;
    throw new Error(`seed ${this.seed}, attempt ${this.count}: ${this.before} became ${this.state()}`);
  }

  private give(end: End, frame: Uint8Array): void {
    const { ends } = this;
    if (end === "peer") {
      ends.peer.receive(frame);
      return;
    }
    ends.uart.arrive([...frame]);
    while (ends.station.poll());
  }

  /** Lets the honest ends continue after the attack; returns whether they reach their undisturbed state. */
  recovers(): boolean {
    const { ends, samples } = this;
    for (const line of [ends.down, ends.up]) delete (line as { send?: unknown }).send;
    this.labels = samples.length;
    ends.until(() => finished(ends), 120);
    return ends.station.node.stateHash() === withoutWire(samples).stateHash();
  }

  /** The control: whether a frame made with the session's key changes the checked state. */
  teachesWithTheKey(): boolean {
    const labels = this.heard.node.filter((payload) => payload[0] === MESSAGES.label.id);
    const payload = labels[labels.length - 1].slice();
    const { boot, sid, seq, labelled } = this.ends.peer.node;
    const view = new DataView(payload.buffer);
    [(boot ^ this.peerId) >>> 0, labelled + 1, sid, seq].forEach((word, i) => {
      view.setUint32(1 + 4 * i, word, true);
    });
    this.give(
      "node",
      packFrame(this.tagged(payload, this.keyed("node").session.words, this.counter("node"), 0)),
    );
    return this.state() !== this.before;
  }

  private pick<T>(list: readonly T[]): T {
    return list[this.random.below(list.length)];
  }

  private any(end: End): Uint8Array {
    return this.pick(this.heard[end]).slice();
  }

  private get peerId(): number {
    return Reflect.get(this.ends.peer, "options").id;
  }

  /** The counter that the end expects next. */
  private counter(end: End): number {
    return this.keyed(end).session.taken + 1;
  }

  private keyed(end: End): { session: { words: Int32Array; taken: number } } {
    const { station, peer } = this.ends;
    const framing =
      end === "node" ? Reflect.get(station, "wire") : Reflect.get(Reflect.get(peer, "line"), "framing");
    return Reflect.get(Reflect.get(framing, "encoder"), "keyed");
  }

  private isOpen(payload: Uint8Array): boolean {
    return payload[0] === MESSAGES.hello.id || (payload[0] === MESSAGES.request.id && payload[1] === 1);
  }

  /** A frame's id and fields, with room for tag and check word. Now and then a message of the enemy's own. */
  private body(end: End): Uint8Array {
    if (this.random.below(2) === 0) return this.any(end);
    const own = this["no tag"](end);
    const payload = new Uint8Array(own.length - 4 + TAIL);
    payload.set(own.subarray(0, -4));
    return payload;
  }

  private replay(end: End): Uint8Array {
    return this.any(end);
  }

  private splice(end: End): Uint8Array {
    const [one, other] = [this.any(end), this.any(end)];
    const payload = new Uint8Array(one.length);
    payload.set(one.subarray(0, -TAIL));
    payload.set(other.subarray(-TAIL), one.length - TAIL);
    const same = one.every((byte, i) => byte === payload[i]);
    if (same) return payload;
    return this.random.below(2) === 0 ? payload : checked(payload, this.counter(end));
  }

  private "truncated tag"(end: End): Uint8Array {
    const payload = this.any(end);
    const cut = 1 + this.random.below(8);
    const short = payload.slice(0, payload.length - cut);
    return checked(short, this.isOpen(payload) ? 0 : this.counter(end));
  }

  private "key off by a bit"(end: End): Uint8Array {
    const payload = this.body(end);
    const open = this.isOpen(payload);
    const words = new Int32Array(KEY.slice().buffer);
    const key = open ? words : this.keyed(end).session.words.slice(0, 4);
    const bit = this.random.below(128);
    key[bit >> 5] ^= 1 << (bit & 31);
    return this.tagged(payload, key, open ? 0 : this.counter(end), end === "node" ? 0 : 1);
  }

  private tagged(payload: Uint8Array, key: Int32Array, counter: number, way: number): Uint8Array {
    const at = payload.length - TAIL;
    this.sip.start(key);
    this.sip.block(SEEDS[payload[0]] | 0, counter | 0);
    this.sip.finish(Uint8Array.of(way, ...payload.subarray(0, at)), 0, at + 1);
    const view = new DataView(payload.buffer);
    view.setInt32(at, this.sip.low, true);
    view.setInt32(at + 4, this.sip.high, true);
    return checked(payload, counter);
  }

  private reflection(end: End): Uint8Array {
    const payload = this.any(end === "node" ? "peer" : "node");
    return this.random.below(2) === 0 ? payload : checked(payload, this.counter(end));
  }

  private "no tag"(end: End): Uint8Array {
    const encoder = this.plain[end] as Encoder<MessageName>;
    const name = this.pick<DownName | UpName>(end === "node" ? messageNames("down") : messageNames("up"));
    const { boot, sid, seq, labelled } = this.ends.peer.node;
    const fields = { boot, sid, seq: seq + 1, labelled: labelled + 1, number: labelled + 1, y: 1, what: 3 };
    const peer = this.peerId;
    Object.assign(encoder.message(name), fields, { peer, start: (boot ^ peer) >>> 0, durable: labelled + 1 });
    return unpackPayload(encoder.frame.slice(0, encoder.encode(name)));
  }

  private "random tag"(end: End): Uint8Array {
    const payload = this.body(end);
    for (let i = payload.length - TAIL; i < payload.length - 4; i++) payload[i] = this.random.below(256);
    return checked(payload, this.isOpen(payload) ? 0 : this.counter(end));
  }

  private "changed fields"(end: End): Uint8Array {
    const payload = this.any(end);
    const at = this.random.below(payload.length - 4);
    payload[at] ^= 1 << this.random.below(8);
    return checked(payload, this.isOpen(payload) ? 0 : this.counter(end));
  }

  private "counter moved on"(end: End): Uint8Array {
    return checked(this.any(end), this.counter(end) + this.random.below(100));
  }
}
