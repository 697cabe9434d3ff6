import type { BlockDevice } from "../../../src/store/block-device.ts";

/** The smallest sectors that a store accepts, since this flash lies in the machine's memory. */
export const SECTOR = 256;

/** Flash of a machine that has none. */
export class MemoryFlash implements BlockDevice {
  readonly sectorBytes = SECTOR;
  readonly programBytes = 4;
  private readonly kept: Uint8Array;
  /**
   * Its sectors: a store reads by their size, and the engine copies one at a time, as a board's driver does,
   * not a byte.
   */
  private readonly sectors: Uint8Array[] = [];

  constructor(readonly bytes: number) {
    this.kept = new Uint8Array(bytes).fill(0xff);
    for (let at = 0; at < bytes; at += SECTOR) this.sectors.push(this.kept.subarray(at, at + SECTOR));
  }

  read(offset: number, into: Uint8Array): boolean {
    const { kept, sectors } = this;
    const count = into.length;
    if (count === SECTOR && offset % SECTOR === 0) into.set(sectors[offset / SECTOR]);
    else for (let i = 0; i < count; i++) into[i] = kept[offset + i];
    return true;
  }

  erase(offset: number): boolean {
    this.kept.fill(0xff, offset, offset + this.sectorBytes);
    return true;
  }

  program(offset: number, from: Uint8Array): boolean {
    this.kept.set(from, offset);
    return true;
  }
}
