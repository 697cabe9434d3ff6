import type { Directory, File } from "embedded:storage/files";
import type { BlockDevice } from "../../src/store/block-device.ts";

/**
 * Flash emulated in a file (Linux, or littlefs on ESP32). Each erase or write is stored when the call
 * returns.
 *
 *     const block = new FileFlash(device.files, "checkpoints", storeBytes(layout));
 */
export class FileFlash implements BlockDevice {
  readonly bytes: number;
  readonly sectorBytes = 4096;
  readonly programBytes = 4;
  private readonly file: File;
  private readonly erased = new Uint8Array(this.sectorBytes).fill(0xff);

  /**
   * Opens or makes the file, and extends it to that length with erased bytes. Throws the file system's
   * errors.
   * @param bytes a multiple of 4096.
   */
  constructor(directory: Directory, path: string, bytes: number) {
    this.file = openOrMake(directory, path);
    const whole = this.sectorBytes * Math.floor(this.file.status().size / this.sectorBytes);
    for (let at = whole; at < bytes; at += this.sectorBytes) this.file.write(this.erased, at);
    this.file.flush();
    this.bytes = Math.max(bytes, whole);
  }

  read(offset: number, into: Uint8Array): boolean {
    try {
      return this.file.read(into, offset) === into.length;
    } catch {
      return false;
    }
  }

  erase(offset: number): boolean {
    return this.program(offset, this.erased);
  }

  program(offset: number, from: Uint8Array): boolean {
    try {
      this.file.write(from, offset);
      this.file.flush();
      return true;
    } catch {
      return false;
    }
  }

  close(): void {
    this.file.close();
  }
}

function openOrMake(directory: Directory, path: string): File {
  try {
    return directory.openFile({ path, mode: "r+" });
  } catch {
    return directory.openFile({ path, mode: "w+" });
  }
}
