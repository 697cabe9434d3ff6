import { Random } from "../../host/random.ts";
import type { BlockDevice } from "../../src/store/block-device.ts";

/** The power fails: nothing that was in memory is left. */
export class PowerCut extends Error {}

/** Each cut throws this one: a stack of its own takes an eighth of the time of a test that cuts the power again and again. */
const CUT = new PowerCut("the power fails");

/**
 * `atomic`: the operation isn't done. `torn`: done up to somewhere, and half done there. `scattered`: each unit of a page,
 * or each byte of a sector, is done, not done, or half done. `faint`: not done, or done, but for a few of its bits.
 * A bit that a cut left half done is 0, or 1, or reads as either by chance, each time, until it is programmed or erased.
 */
export type CutKind = "atomic" | "torn" | "scattered" | "faint";
export const CUT_KINDS: readonly CutKind[] = ["atomic", "torn", "scattered", "faint"];

/** Other faults of a flash; each may change at any time. */
export interface Faults {
  /** True if a cut leaves each bit 0 or 1, and none that reads as either. */
  firm?: boolean;
  /** True if a read fails now and then, at most one in 24: refused, or with some bits flipped. */
  disturbedReads?: boolean;
  /** Sectors that can't be read: `refused`, or `wrong`, with the same bits flipped each time. */
  unreadable?: Map<number, "refused" | "wrong">;
  /** Share of pages with bits that aren't programmed, though the flash says so. */
  badPages?: number;
}

const PAGE = 256;
const [NOT_DONE, HALF_DONE, DONE] = [0, 1, 2];

/**
 * NOR flash in memory: erasing a sector sets all its bits, programming clears bits and sets none. What is programmed
 * goes page by page, each an operation of its own, as in the chip. The power can be cut at any operation.
 */
export class EmulatedFlash implements BlockDevice {
  readonly sectorBytes = 4096;
  readonly programBytes = 4;
  /** Erases of each sector, begun or done. */
  readonly erases: number[];
  /** Erases and page programs so far. */
  operations = 0;
  /** True if every erase and program fails, as of a worn-out chip. */
  broken = false;
  /** A byte that stays erased, whatever is programmed there. */
  stuck: number | undefined;
  readonly faults: Faults = {};
  private cutAt = Number.POSITIVE_INFINITY;
  private cutKind: CutKind = "atomic";
  /** Bits that read by chance. */
  private readonly unsettled: Uint8Array;
  private areUnsettled = false;
  private quietReads = 0;

  /** @param seed of what the power cuts and the faults do. */
  constructor(
    readonly contents: Uint8Array,
    private readonly seed = 0,
    private readonly random = new Random(seed, "flash"),
  ) {
    this.erases = new Array(contents.length / this.sectorBytes).fill(0);
    this.unsettled = new Uint8Array(contents.length);
  }

  static ofSectors(sectors: number, seed = 0): EmulatedFlash {
    return new EmulatedFlash(new Uint8Array(4096 * sectors).fill(0xff), seed);
  }

  get bytes(): number {
    return this.contents.length;
  }

  /** The power will fail at that many operations from now; 0: at the next. */
  cutAfter(operations: number, kind: CutKind): void {
    this.cutAt = this.operations + operations;
    this.cutKind = kind;
  }

  /** The flash as it is when the power returns. */
  restarted(): EmulatedFlash {
    const flash = new EmulatedFlash(this.contents.slice(), this.seed, this.random);
    for (let i = 0; i < this.erases.length; i++) flash.erases[i] = this.erases[i];
    flash.unsettled.set(this.unsettled);
    flash.areUnsettled = this.areUnsettled;
    flash.quietReads = this.quietReads;
    Object.assign(flash.faults, this.faults);
    return flash;
  }

  /** True if bytes from..end-1 can be read, and read as the same each time. */
  isFirm(from: number, end: number): boolean {
    const { unreadable } = this.faults;
    for (let sector = Math.floor(from / this.sectorBytes); sector * this.sectorBytes < end; sector++)
      if (unreadable?.has(sector)) return false;
    return !this.areUnsettled || this.unsettled.subarray(from, end).every((bits) => bits === 0);
  }

  read(offset: number, into: Uint8Array): boolean {
    if (offset < 0 || offset + into.length > this.bytes)
      throw new Error(`read outside the flash at ${offset}`);
    const { disturbedReads, unreadable } = this.faults;
    const disturbed = disturbedReads && this.quietReads-- <= 0;
    if (disturbed) this.quietReads = 24 + this.random.below(24);
    const lasting = unreadable?.get(Math.floor(offset / this.sectorBytes));
    if (lasting === "refused" || (disturbed && this.random.below(2))) return false;
    into.set(this.contents.subarray(offset, offset + into.length));
    if (this.areUnsettled) this.readUnsettled(offset, into);
    if (lasting === "wrong") into[into.length >> 1] ^= 0x10;
    if (disturbed) into[this.random.below(into.length)] ^= 1 + this.random.below(255);
    return true;
  }

  private readUnsettled(offset: number, into: Uint8Array): void {
    for (let i = 0; i < into.length; i++) {
      const bits = this.unsettled[offset + i];
      if (bits !== 0) into[i] ^= bits & this.random.below(256);
    }
  }

  erase(offset: number): boolean {
    if (offset % this.sectorBytes || offset >= this.bytes) throw new Error(`no sector begins at ${offset}`);
    if (this.broken) return false;
    const cut = this.begin();
    if (cut !== "atomic") this.erases[offset / this.sectorBytes]++;
    if (cut) this.tear(cut, offset, this.sectorBytes, 1, () => 0xff);
    this.contents.fill(0xff, offset, offset + this.sectorBytes);
    this.unsettled.fill(0, offset, offset + this.sectorBytes);
    return true;
  }

  program(offset: number, from: Uint8Array): boolean {
    if (offset % this.programBytes || from.length % this.programBytes || offset + from.length > this.bytes)
      throw new Error(`can't program ${from.length} bytes at ${offset}`);
    if (this.broken) return false;
    for (let at = 0; at < from.length; ) {
      const end = Math.min(from.length, at + PAGE - ((offset + at) % PAGE));
      this.programPage(offset + at, from.subarray(at, end));
      at = end;
    }
    return true;
  }

  private programPage(offset: number, from: Uint8Array): void {
    const { contents, unsettled, faults, stuck = -1 } = this;
    const page = contents.subarray(offset, offset + from.length);
    if (from.some((byte, i) => (byte & ~page[i] & ~unsettled[offset + i]) !== 0))
      throw new Error(`not erased at ${offset}`);
    const cut = this.begin();
    if (cut) this.tear(cut, offset, from.length, this.programBytes, (i) => page[i] & from[i]);
    const { badPages = 0 } = faults;
    const bad = badPages > 0 && this.random.uniform() < badPages ? this.random.below(from.length) : -1;
    for (let i = 0; i < from.length; i++) {
      const programmed = i === bad ? from[i] | (1 << this.random.below(8)) : from[i];
      page[i] &= programmed;
      unsettled[offset + i] &= programmed;
    }
    if (stuck >= offset && stuck < offset + from.length) contents[stuck] = 0xff;
  }

  /** Leaves a stretch in units as the cut has it, where byte i was to become `goal(i)`; then the power fails. */
  private tear(
    cut: CutKind,
    offset: number,
    bytes: number,
    unit: number,
    goal: (i: number) => number,
  ): never {
    const { random } = this;
    if (cut === "faint") this.tearFaintly(offset, bytes, goal);
    const stop = unit * random.below(bytes / unit);
    for (let at = 0; (cut === "torn" || cut === "scattered") && at < bytes; at += unit) {
      const fate =
        cut === "scattered" ? random.below(3) : at < stop ? DONE : at === stop ? HALF_DONE : NOT_DONE;
      for (let i = at; i < at + unit; i++) this.change(offset + i, goal(i), fate);
    }
    throw CUT;
  }

  /** Leaves all as it was, or as it was to become, but for one to three bits that were to change. */
  private tearFaintly(offset: number, bytes: number, goal: (i: number) => number): void {
    const { contents, random } = this;
    const changing: number[] = [];
    for (let i = 0; i < bytes; i++) if (contents[offset + i] !== goal(i)) changing.push(i);
    const isDone = random.below(2) === 0;
    const left = Array.from({ length: changing.length > 0 ? 1 + random.below(3) : 0 }, () => {
      const at = offset + changing[random.below(changing.length)];
      const bits = contents[at] ^ goal(at - offset);
      const bit = 1 << random.below(8);
      return { at, bit: bits & bit || bits & -bits };
    });
    if (isDone) for (const i of changing) this.change(offset + i, goal(i), DONE);
    for (const { at, bit } of left) this.unsettle(at, bit);
  }

  private change(at: number, goal: number, fate: number): void {
    const { contents, unsettled, random } = this;
    const changing = contents[at] ^ goal;
    if (changing === 0 || fate === NOT_DONE) return;
    if (fate === DONE) {
      contents[at] = goal;
      unsettled[at] &= ~changing;
      return;
    }
    contents[at] ^= changing & random.below(256);
    this.unsettle(at, changing & random.below(256) & random.below(256));
  }

  private unsettle(at: number, bits: number): void {
    if (this.faults.firm) return;
    this.unsettled[at] |= bits;
    this.areUnsettled ||= bits !== 0;
  }

  /** Counts an operation; how it is cut, if it is. */
  private begin(): CutKind | undefined {
    return this.operations++ === this.cutAt ? this.cutKind : undefined;
  }
}

/** Bytes that follow from a number, which is the first word. */
export function makeBytes(number: number, length: number): Uint8Array {
  const words = new Uint32Array(length / 4).fill(number);
  for (let i = 1; i < words.length; i++) words[i] = Math.imul(words[i - 1] ^ i, 0x9e3779b1);
  return new Uint8Array(words.buffer);
}
