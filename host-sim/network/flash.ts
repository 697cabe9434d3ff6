import { Random } from "../../host/random.ts";
import type { BlockDevice } from "../../src/store/block-device.ts";
import { SECTOR_BYTES } from "../../src/store/checkpoint-store.ts";

/** The power failed while the flash was written: the node's turn ends here. */
export class PowerCut extends Error {}

const PAGE = 256;

/**
 * A node's flash, which keeps its bytes without power: erased by sectors to ones, programmed by pages to
 * zeros. The power can fail at any erase or page, which is then half done: where it stopped, a word's bits that were to change read as 0 or 1
 * by chance, each time, until they are erased or programmed.
 */
export class SimulatedFlash implements BlockDevice {
  readonly sectorBytes = SECTOR_BYTES;
  readonly programBytes = 4;
  private readonly contents: Uint8Array;
  /** Bits that read by chance. */
  private readonly unsettled: Uint8Array;
  private areUnsettled = false;
  private left = Number.POSITIVE_INFINITY;
  private readonly random: Random;

  /** @param seed of what bits read as that a power failure left half done. */
  constructor(
    readonly bytes: number,
    seed = 0,
  ) {
    this.contents = new Uint8Array(bytes).fill(0xff);
    this.unsettled = new Uint8Array(bytes);
    this.random = new Random(seed, "flash");
  }

  /** Erases and pages of a save that fills half of it. */
  get operations(): number {
    return this.bytes / 2 / this.sectorBytes + this.bytes / 2 / PAGE;
  }

  /** Operations from now until the power fails; 0: at the next; infinite: never. */
  cutAfter(operations: number): void {
    this.left = operations;
  }

  read(offset: number, into: Uint8Array): boolean {
    into.set(this.contents.subarray(offset, offset + into.length));
    if (!this.areUnsettled) return true;
    for (let i = 0; i < into.length; i++) {
      const bits = this.unsettled[offset + i];
      if (bits !== 0) into[i] ^= bits & this.random.below(256);
    }
    return true;
  }

  erase(offset: number): boolean {
    const { sectorBytes } = this;
    const whole = this.begin();
    const end = offset + (whole ? sectorBytes : sectorBytes / 2);
    this.contents.fill(0xff, offset, end);
    this.unsettled.fill(0, offset, end);
    if (!whole) this.unsettle(end, (i) => ~this.contents[i] & 0xff);
    return this.end(whole);
  }

  program(offset: number, from: Uint8Array): boolean {
    for (let at = 0; at < from.length; ) {
      const end = Math.min(from.length, at + PAGE - ((offset + at) % PAGE));
      const whole = this.begin();
      const done = whole ? end : at + (((end - at) >> 3) << 2);
      for (let i = at; i < done; i++) {
        this.contents[offset + i] &= from[i];
        this.unsettled[offset + i] &= from[i];
      }
      if (!whole) this.unsettle(offset + done, (i) => this.contents[i] & ~from[i - offset]);
      this.end(whole);
      at = end;
    }
    return true;
  }

  /** Leaves the bits of a word in doubt. @param changing those of byte i that were to change. */
  private unsettle(at: number, changing: (i: number) => number): void {
    for (let i = at; i < at + this.programBytes; i++) this.unsettled[i] |= changing(i);
    this.areUnsettled = true;
  }

  /** Counts an operation; false if the power fails in it. */
  private begin(): boolean {
    return this.left-- > 0;
  }

  private end(whole: boolean): true {
    if (whole) return true;
    this.left = Number.POSITIVE_INFINITY;
    throw new PowerCut();
  }
}
