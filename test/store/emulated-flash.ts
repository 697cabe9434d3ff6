import { Random } from "../../host-sim/random.ts";
import type { BlockDevice } from "../../src/store/block-device.ts";

/** The power fails: nothing that was in memory is left. */
export class PowerCut extends Error {}

/** `atomic`: the operation isn't done. `torn`: done in part, and any bits where it stopped. */
export type CutKind = "atomic" | "torn";

const PAGE = 256;

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
  /** Whether every erase and program fails, as of a worn-out chip. */
  broken = false;
  /** A byte that stays erased, whatever is programmed there. */
  stuck: number | undefined;
  private cutAt = Number.POSITIVE_INFINITY;
  private cutKind: CutKind = "atomic";

  constructor(readonly contents: Uint8Array) {
    this.erases = new Array(contents.length / this.sectorBytes).fill(0);
  }

  static ofSectors(sectors: number): EmulatedFlash {
    return new EmulatedFlash(new Uint8Array(4096 * sectors).fill(0xff));
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
    const flash = new EmulatedFlash(this.contents.slice());
    for (let i = 0; i < this.erases.length; i++) flash.erases[i] = this.erases[i];
    return flash;
  }

  read(offset: number, into: Uint8Array): boolean {
    if (offset < 0 || offset + into.length > this.bytes)
      throw new Error(`read outside the flash at ${offset}`);
    into.set(this.contents.subarray(offset, offset + into.length));
    return true;
  }

  erase(offset: number): boolean {
    if (offset % this.sectorBytes || offset >= this.bytes) throw new Error(`no sector begins at ${offset}`);
    if (this.broken) return false;
    const sector = this.contents.subarray(offset, offset + this.sectorBytes);
    const before = this.begin();
    if (before !== "atomic") this.erases[offset / this.sectorBytes]++;
    if (before === "torn") tearErase(sector, new Random(this.operations, "erase"));
    if (before) throw new PowerCut();
    sector.fill(0xff);
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
    const page = this.contents.subarray(offset, offset + from.length);
    if (from.some((byte, i) => (byte & page[i]) !== byte)) throw new Error(`not erased at ${offset}`);
    const before = this.begin();
    if (before === "torn") this.tearProgram(page, from, new Random(this.operations, "program"));
    if (before) throw new PowerCut();
    page.set(from);
    if (this.stuck !== undefined && this.stuck >= offset && this.stuck < offset + from.length)
      this.contents[this.stuck] = 0xff;
  }

  private tearProgram(page: Uint8Array, from: Uint8Array, random: Random): void {
    const done = this.programBytes * random.below(from.length / this.programBytes);
    page.set(from.subarray(0, done));
    for (let i = done; i < done + this.programBytes; i++) page[i] = from[i] | random.below(256);
  }

  /** Counts an operation; how it is cut, if it is. */
  private begin(): CutKind | undefined {
    return this.operations++ === this.cutAt ? this.cutKind : undefined;
  }
}

/** Part is erased, part has some of its bits set, part is as it was; and the parts may be none. */
function tearErase(sector: Uint8Array, random: Random): void {
  const erased = random.below(sector.length + 1);
  const touched = erased + random.below(sector.length - erased + 1);
  sector.fill(0xff, 0, erased);
  for (let i = erased; i < touched; i++) sector[i] |= random.below(256);
}
