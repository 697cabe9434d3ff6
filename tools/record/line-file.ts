import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from "node:fs";
import { UserError } from "../../host/errors.ts";
import { writeFault } from "../../host/files/write-fault.ts";
import { writeText } from "../../host/files/write-text.ts";

const TAIL_MAX = 1 << 20;

/** Runs `act` on a file; a system error becomes a UserError. */
function onFile<T>(file: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST")
      throw new UserError(`${file}: exists; give another name, or --append`);
    throw new UserError(`${file}: ${writeFault(file, error)}`);
  }
}

/** Ends the last line, or cuts it off if it is torn. */
function cutTornLine(descriptor: number): void {
  const { size } = fstatSync(descriptor);
  const tail = Buffer.alloc(Math.min(size, TAIL_MAX));
  readSync(descriptor, tail, 0, tail.length, size - tail.length);
  const line = tail.subarray(tail.lastIndexOf(10) + 1);
  if (line.length === 0) return;
  try {
    JSON.parse(line.toString());
    writeText(descriptor, "\n");
  } catch {
    ftruncateSync(descriptor, size - line.length);
  }
}

/**
 * A growing NDJSON file. Each line is written in one call, so nothing is lost however the program ends. A
 * torn line from an earlier end is cut off first, and so is one for which the disk has no room.
 */
export class LineFile {
  private readonly descriptor: number;

  /** @param mode `open`'s: "a+", "ax+" or "w+". Throws a UserError if the file can't be written. */
  constructor(
    private readonly file: string,
    mode: "a+" | "ax+" | "w+",
  ) {
    this.descriptor = onFile(file, () => openSync(file, mode));
    onFile(file, () => cutTornLine(this.descriptor));
  }

  /** Throws a UserError if the disk refuses the line, or the file was removed. */
  write(line: object): void {
    const { nlink, size } = fstatSync(this.descriptor);
    if (nlink === 0) throw new UserError(`${this.file}: was removed meanwhile; lines would be lost`);
    onFile(this.file, () => {
      try {
        writeText(this.descriptor, `${JSON.stringify(line)}\n`);
      } catch (error) {
        ftruncateSync(this.descriptor, size);
        throw error;
      }
    });
  }

  /** Closes it; returns its bytes. */
  close(): number {
    const { size } = fstatSync(this.descriptor);
    closeSync(this.descriptor);
    return size;
  }
}
