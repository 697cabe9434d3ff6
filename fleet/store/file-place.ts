import { mkdirSync, rmSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { isFolder } from "../../host/files/make-folder.ts";

/** A disk with less free space is full: SQLite says of it "disk I/O error". */
const FULL_BYTES = 1 << 20;

/** Which file lies there, of all files of the machine; undefined: none that can be seen. */
function fileAt(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return undefined;
  }
}

/**
 * An open database's place on the disk, where other programs may do something. This SQLite shares no lock with others: one that
 * opened the file, even to read, would take the journal away when it closes, and what is in there would be lost at the next kill.
 * So a folder lies where they make their index of the journal, `FILE-shm`: they read without it, and can't write.
 */
export class FilePlace {
  private readonly own: string | undefined;
  private readonly index: string;
  private journal: string | undefined;

  /** @param path of the open database. */
  constructor(private readonly path: string) {
    this.own = fileAt(path);
    this.index = `${path}-shm`;
    if (!isFolder(this.index)) rmSync(this.index, { force: true });
    mkdirSync(this.index, { recursive: true });
  }

  /** Throws an Error where the file was removed or replaced: what is written into it now, nobody would find. */
  check(): void {
    if (fileAt(this.path) === this.own) return;
    throw new Error("it was moved, removed or replaced; put it back, or start the gateway anew");
  }

  /** True once where the journal isn't the one of the call before. */
  hasLostJournal(): boolean {
    const before = this.journal;
    this.journal = fileAt(`${this.path}-wal`);
    return before !== undefined && before !== this.journal;
  }

  isFull(): boolean {
    try {
      const { bavail, bsize } = statfsSync(dirname(this.path));
      return bavail * bsize < FULL_BYTES;
    } catch {
      return false;
    }
  }

  /** To be called when the database is closed. */
  release(): void {
    rmSync(this.index, { recursive: true, force: true });
  }
}
