import type { Flash } from "embedded:storage/flash";
import type { BlockDevice } from "../../src/store/block-device.ts";

/**
 * A partition of a Moddable device's flash. ESP32 takes writes of any alignment (its status names none),
 * except with flash encryption, which needs 16 bytes at once.
 *
 *     import Flash from "embedded:storage/flash";
 *     const block = new FlashPartition(Flash.open({ path: "checkpoints" }));
 */
export class FlashPartition implements BlockDevice {
  readonly bytes: number;
  readonly sectorBytes: number;
  readonly programBytes: number;

  constructor(private readonly flash: Flash) {
    const { size, blockLength, writeAlign = 4 } = flash.status();
    this.bytes = size;
    this.sectorBytes = blockLength;
    this.programBytes = writeAlign;
  }

  read(offset: number, into: Uint8Array): boolean {
    try {
      this.flash.read(into, offset);
      return true;
    } catch {
      return false;
    }
  }

  erase(offset: number): boolean {
    const start = offset / this.sectorBytes;
    try {
      // Pass both ends: the ESP32 module takes a missing end as 0.
      this.flash.eraseBlock(start, start + 1);
      return true;
    } catch {
      return false;
    }
  }

  program(offset: number, from: Uint8Array): boolean {
    try {
      this.flash.write(from, offset);
      return true;
    } catch {
      return false;
    }
  }
}
