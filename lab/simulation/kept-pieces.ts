import { createHash } from "node:crypto";
import { appendFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import { writeFault } from "../../host/files/write-fault.ts";
import type { DonePiece } from "../../host-sim/runs/pieces.ts";

/** A file's state for a key: its path, bytes and time of change; a missing file has none. */
function fileState(file: string): readonly unknown[] {
  const stat = statSync(file, { throwIfNoEntry: false });
  return [file, stat?.size, stat?.mtimeMs];
}

/**
 * Everything that determines a run's outcomes: equal keys, equal outcomes. `files`: the files that it reads,
 * the program's among them.
 */
export function piecesKey(options: unknown, files: readonly string[]): string {
  return createHash("sha256")
    .update(JSON.stringify([options, files.map(fileState)]))
    .digest("hex");
}

/**
 * The finished pieces of an unfinished run, in a file from which the same command continues. A record is its
 * length in 4 bytes, then a piece serialised by `node:v8`; the first is the key. A torn record ends the file.
 */
export class KeptPieces {
  /** What a run with this key left there. */
  readonly pieces: readonly DonePiece[];
  /** Why it stores nothing more. */
  fault: string | undefined;
  /** Bytes of the file that are ours; undefined once it ends with them. */
  private sound: number | undefined;

  constructor(
    readonly path: string,
    private readonly key: string,
  ) {
    const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
    const { records, end } = decodeRecords(isFile ? readFileSync(path) : Buffer.alloc(0));
    const isOurs = records[0] === key;
    this.sound = isOurs ? end : 0;
    this.pieces = isOurs ? (records.slice(1) as DonePiece[]) : [];
  }

  /** Stores a piece. On a full disk the run continues without storing. */
  add(piece: DonePiece): void {
    if (this.fault !== undefined) return;
    try {
      this.prepareFile();
      appendFileSync(this.path, encodeRecord(piece));
    } catch (error) {
      this.fault = writeFault(this.path, error);
    }
  }

  /** Before the first piece: cuts off a torn record, or empties the file if it is another run's. */
  private prepareFile(): void {
    if (this.sound === undefined) return;
    if (this.sound === 0) writeFileSync(this.path, encodeRecord(this.key));
    else truncateSync(this.path, this.sound);
    this.sound = undefined;
  }

  /** The run is over: removes the file. */
  remove(): void {
    rmSync(this.path, { force: true });
  }
}

function encodeRecord(value: unknown): Buffer {
  const body = serialize(value);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([length, body]);
}

/** The records of a file, and where the last whole one ends. */
function decodeRecords(bytes: Buffer): { readonly records: readonly unknown[]; readonly end: number } {
  const records: unknown[] = [];
  let at = 0;
  while (at + 4 <= bytes.length) {
    const end = at + 4 + bytes.readUInt32LE(at);
    if (end > bytes.length) break;
    try {
      records.push(deserialize(bytes.subarray(at + 4, end)));
    } catch {
      break; // not ours
    }
    at = end;
  }
  return { records, end: at };
}
