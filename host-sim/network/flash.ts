import type { BlockDevice } from "../../src/store/block-device.ts";
import { SECTOR_BYTES } from "../../src/store/checkpoint-store.ts";

/** The power failed while the flash was written: the node's turn ends here. */
export class PowerCut extends Error {}

const PAGE = 256;

/**
 * A node's flash, which keeps its bytes without power: erased by sectors to ones, programmed by pages to
 * zeros. The power can fail at any erase or page, which is then half done.
 */
export class SimulatedFlash implements BlockDevice {
  readonly sectorBytes = SECTOR_BYTES;
  readonly programBytes = 4;
  private readonly contents: Uint8Array;
  private left = Number.POSITIVE_INFINITY;

  constructor(readonly bytes: number) {
    this.contents = new Uint8Array(bytes).fill(0xff);
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
    return true;
  }

  erase(offset: number): boolean {
    const { sectorBytes } = this;
    const whole = this.begin();
    this.contents.fill(0xff, offset, offset + (whole ? sectorBytes : sectorBytes / 2));
    return this.end(whole);
  }

  program(offset: number, from: Uint8Array): boolean {
    for (let at = 0; at < from.length; ) {
      const end = Math.min(from.length, at + PAGE - ((offset + at) % PAGE));
      const whole = this.begin();
      const done = whole ? end : at + (((end - at) >> 3) << 2);
      for (let i = at; i < done; i++) this.contents[offset + i] &= from[i];
      this.end(whole);
      at = end;
    }
    return true;
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
