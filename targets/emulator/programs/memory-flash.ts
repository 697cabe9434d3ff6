import type { BlockDevice } from "../../../src/store/block-device.ts";

/** The smallest sectors that a store takes: this flash lies in the machine's memory. */
export const SECTOR = 256;

/** Flash of a machine that has none. */
export class MemoryFlash implements BlockDevice {
  readonly sectorBytes = SECTOR;
  readonly programBytes = 4;
  private readonly kept: Uint8Array;

  constructor(readonly bytes: number) {
    this.kept = new Uint8Array(bytes).fill(0xff);
  }

  read(offset: number, into: Uint8Array): boolean {
    const { kept } = this;
    const count = into.length;
    for (let i = 0; i < count; i++) into[i] = kept[offset + i];
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
