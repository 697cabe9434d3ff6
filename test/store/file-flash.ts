import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import type { BlockDevice } from "../../src/store/block-device.ts";

/** A file as if it were flash. Erased and programmed bytes are on the disk when the call returns. */
export class FileFlash implements BlockDevice {
  readonly bytes: number;
  readonly sectorBytes = 4096;
  readonly programBytes = 4;
  private readonly file: number;
  private readonly erased = new Uint8Array(this.sectorBytes).fill(0xff);

  /**
   * Opens or makes the file, and makes it at least that long, erased where it was shorter. Throws what the
   * file system does.
   * @param bytes a multiple of 4096.
   */
  constructor(path: string, bytes: number) {
    this.file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o644);
    const whole = this.sectorBytes * Math.floor(fstatSync(this.file).size / this.sectorBytes);
    for (let at = whole; at < bytes; at += this.sectorBytes) writeSync(this.file, this.erased, 0, null, at);
    fsyncSync(this.file);
    this.bytes = Math.max(bytes, whole);
  }

  read(offset: number, into: Uint8Array): boolean {
    try {
      return readSync(this.file, into, 0, into.length, offset) === into.length;
    } catch {
      return false;
    }
  }

  erase(offset: number): boolean {
    return this.program(offset, this.erased);
  }

  program(offset: number, from: Uint8Array): boolean {
    try {
      const written = writeSync(this.file, from, 0, from.length, offset);
      fsyncSync(this.file);
      return written === from.length;
    } catch {
      return false;
    }
  }

  close(): void {
    closeSync(this.file);
  }
}
