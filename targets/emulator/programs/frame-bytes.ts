import { Crc32 } from "../../../src/math/crc32.ts";
import {
  type Fields,
  FORMATS,
  type Format,
  type NodeRecords,
  nodeRecords,
  records,
} from "../../../src/wire/format.ts";
import { chooseFrames, type FrameBytes } from "../../../src/wire/frame-bytes.ts";
import { FRAME_MAX, MESSAGES, type MessageName } from "../../../src/wire/messages.ts";
import { PortableFrames } from "../../../src/wire/portable-frames.ts";
import type { Arithmetic } from "./loops.ts";

const NAMES = Object.keys(MESSAGES) as MessageName[];
const KEY = Int32Array.of(1, -2, 3, -4);
/** A keyed session, in the words of frame-bytes.ts. */
const SESSION = Int32Array.of(...KEY, 1, 1, 41, 0);

function same(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
  return a.length === b.length;
}

function sameRecord(a: Fields, b: Fields): boolean {
  return Object.keys(a).every((field) => {
    const [left, right] = [a[field], b[field]];
    return typeof left !== "object" || typeof right !== "object" ? Object.is(left, right) : same(left, right);
  });
}

/** Compares two implementations that make and read frames, of any message and of any bytes. */
class Comparison {
  private readonly left = new Uint8Array(FRAME_MAX);
  private readonly right = new Uint8Array(FRAME_MAX);
  private readonly given = records(NAMES);
  private readonly read = [records(NAMES), records(NAMES)];
  /** A node's records, sent and received, in two copies. */
  private readonly sent = nodeRecords("up");
  private readonly come = [nodeRecords("down"), nodeRecords("down")];
  private state = 1;
  /** Frames that were made and read. */
  sound = 0;

  constructor(
    private readonly a: FrameBytes,
    private readonly b: FrameBytes,
  ) {}

  private next(): number {
    this.state = (this.state + 0x9e3779b9) | 0;
    let h = Math.imul(this.state ^ (this.state >>> 16), 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    return (h ^ (h >>> 16)) >>> 0;
  }

  private check(what: string, name: string, holds: boolean): void {
    if (!holds || !same(this.left, this.right)) throw new Error(`${what} of ${name} differs`);
  }

  private fill(record: Fields, { names }: Format): void {
    for (const field of names) {
      const value = record[field];
      if (typeof value === "number") record[field] = this.next() % 3 === 0 ? this.next() / 3 : this.next();
      else for (let i = 0; i < value.length; i++) value[i] = this.next() % 2 === 0 ? 0x41 : this.next();
    }
    record.length = this.next() % 200;
  }

  private recordIn(own: NodeRecords, name: MessageName): Fields {
    return own[name] ?? own.shared;
  }

  /** Makes a message, and reads it back. */
  checkMessage(): void {
    const { a, b, left, right } = this;
    const name = NAMES[this.next() % NAMES.length];
    const format = FORMATS[name];
    const isNodes = this.next() % 2 === 0;
    const record =
      isNodes && MESSAGES[name].way !== "down" ? this.recordIn(this.sent, name) : this.given[name];
    this.fill(record as Fields, format);
    this.whole(format, record as Fields);
    left[1] = right[1] = left[2] = right[2] = format.id;
    const end = a.pack(left, 3, format, record as Fields);
    this.check("packing", name, end === b.pack(right, 3, format, record as Fields));
    const [seed, mask] = [this.next(), this.next() | 0];
    const bytes = a.close(left, end, seed, mask);
    this.check("closing", name, bytes === b.close(right, end, seed, mask));
    left.copyWithin(0, 1);
    right.copyWithin(0, 1);
    this.checkBytes(name, bytes - 2, seed);
  }

  /**
   * Makes a frame in one call, with or without a keyed session, perhaps damages it, and reads it in one call.
   */
  private whole({ name }: Format, record: Fields): void {
    const { a, b, left, right } = this;
    const most = FRAME_MAX - 8 - FORMATS[name].fixed;
    if (FORMATS[name].restBytes > 0)
      record.length = this.next() % (1 + Math.floor((most - 8) / FORMATS[name].restBytes));
    const keyed = this.next() % 2 === 0 && FORMATS[name].fixed + 16 <= FRAME_MAX;
    const [one, two] = [SESSION.slice(), SESSION.slice()];
    const bytes = a.make(left, FORMATS[name], record, keyed ? one : undefined);
    const too = b.make(right, FORMATS[name], record, keyed ? two : undefined);
    this.check("making", name, bytes === too && same(one, two));
    left.copyWithin(0, 1);
    right.copyWithin(0, 1);
    a.unstuff(left, bytes - 2);
    b.unstuff(right, bytes - 2);
    if (this.next() % 4 === 0) left[1] = right[1] ^= 1;
    one[4] = two[4] = 1 - one[4];
    one[7] = two[7] = one[6] - (this.next() % 2);
    const [into, also] = [this.read[0][name] as Fields, this.read[1][name] as Fields];
    const read = a.read(left, bytes - 2, FORMATS[name], into, keyed ? one : undefined);
    const reads = b.read(right, bytes - 2, FORMATS[name], also, keyed ? two : undefined);
    this.check("reading", name, read === reads && same(one, two) && (!read || sameRecord(into, also)));
    this.sound += read ? 1 : 0;
  }

  /** Reads random bytes as a frame. */
  random(): void {
    const { a, b, left, right } = this;
    for (let i = 0; i < FRAME_MAX; i++) left[i] = right[i] = this.next() % 3 === 0 ? 0 : this.next();
    const [length, from] = [this.next() % (2 * FRAME_MAX), this.next() % FRAME_MAX];
    const bytes = left.slice();
    const end = a.gather(left, length, bytes, from, FRAME_MAX);
    this.check("gathering", "bytes", end === b.gather(right, length, bytes, from, FRAME_MAX));
    const to = this.next() % (FRAME_MAX - 8);
    const word = this.next();
    a.sign(left, from % (to + 1), to, KEY, word, from);
    b.sign(right, from % (to + 1), to, KEY, word, from);
    this.check("the tag", "bytes", a.isSigned(left, from % (to + 1), to, KEY, word, from));
    left[to] = right[to] ^= 1;
    this.check("a wrong tag", "bytes", !a.isSigned(left, from % (to + 1), to, KEY, word, from));
  }

  private checkBytes(name: MessageName, length: number, seed: number): void {
    const { a, b, left, right, read } = this;
    const undone = a.unstuff(left, length);
    this.check("unstuffing", name, undone === b.unstuff(right, length));
    const end = length - 4;
    this.check("the residue", name, a.residue(left, end, seed) === b.residue(right, end, seed));
    const isNodes = MESSAGES[name].way !== "up" && this.next() % 2 === 0;
    const [into, too] = isNodes
      ? this.come.map((own) => this.recordIn(own, name))
      : [read[0][name] as Fields, read[1][name] as Fields];
    const printable = a.unpack(left, 2, end - 2, FORMATS[name], into);
    const also = b.unpack(right, 2, end - 2, FORMATS[name], too);
    this.check("unpacking", name, printable === also && (!printable || sameRecord(into, too)));
  }
}

/**
 * Compares an engine's own frame code with the one in TypeScript, so many times; calls `feed` before each.
 * Throws an Error where they differ.
 */
export function frameBytes(arithmetic: Arithmetic, times: number, feed: () => void): number {
  const comparison = new Comparison(chooseFrames(arithmetic(0)), new PortableFrames(new Crc32()));
  for (let i = 0; i < times; i++) {
    feed();
    comparison.checkMessage();
    comparison.random();
  }
  if (comparison.sound < times / 4) throw new Error(`only ${comparison.sound} frames were made and read`);
  return times;
}
