import { createHash } from "node:crypto";
import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import type { NetworkOutcome } from "../../host-sim/network/network.ts";

/** A file's state for a key: its path, bytes and time of change; a missing file has none. */
function stateOf(file: string): readonly unknown[] {
  const stat = statSync(file, { throwIfNoEntry: false });
  return [file, stat?.size, stat?.mtimeMs];
}

/**
 * Everything that determines a run's outcomes: equal keys, equal outcomes. `files`: the files that it reads,
 * the program's among them.
 */
export function keyOf(given: unknown, files: readonly string[]): string {
  return createHash("sha256")
    .update(JSON.stringify([given, files.map(stateOf)]))
    .digest("hex");
}

/**
 * The finished networks of an unfinished run, in a file from which the same command continues. A record is
 * its length in 4 bytes, then [place, outcome] serialised by `node:v8`; the first is the key. A torn record
 * ends the file.
 */
export class KeptNetworks {
  /** By place among the runs. */
  readonly outcomes = new Map<number, NetworkOutcome>();
  /** Why it stores nothing more. */
  fault: string | undefined;
  private begun = false;

  /** Reads the outcomes that a run with this key left there. */
  constructor(
    readonly path: string,
    private readonly key: string,
  ) {
    const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
    const [first, ...rest] = isFile ? recordsOf(readFileSync(path)) : [];
    if (first !== key) return;
    for (const record of rest) {
      const [place, outcome] = record as [number, NetworkOutcome];
      this.outcomes.set(place, outcome);
    }
  }

  /** Stores an outcome. On a full disk the run continues without storing. */
  add(place: number, outcome: NetworkOutcome): void {
    this.outcomes.set(place, outcome);
    if (this.fault !== undefined) return;
    try {
      if (this.begun) appendFileSync(this.path, recordOf([place, outcome]));
      else writeFileSync(this.path, Buffer.concat([this.key, ...this.outcomes].map(recordOf)));
      this.begun = true;
    } catch (error) {
      this.fault = (error as NodeJS.ErrnoException).code ?? "can't be written";
    }
  }

  /** The run is over: removes the file. */
  remove(): void {
    rmSync(this.path, { force: true });
  }
}

function recordOf(value: unknown): Buffer {
  const body = serialize(value);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length);
  return Buffer.concat([length, body]);
}

function recordsOf(bytes: Buffer): unknown[] {
  const records: unknown[] = [];
  for (let at = 0; at + 4 <= bytes.length; ) {
    const end = at + 4 + bytes.readUInt32LE(at);
    if (end > bytes.length) break;
    try {
      records.push(deserialize(bytes.subarray(at + 4, end)));
    } catch {
      break; // not ours
    }
    at = end;
  }
  return records;
}
