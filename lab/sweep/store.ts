import { appendFileSync, closeSync, openSync, readSync, statSync } from "node:fs";
import { UserError } from "../../host/errors.ts";
import { writeFault } from "../../host/files/write-fault.ts";
import { sha256 } from "../../host/identity.ts";

/** What a store's runs are of. */
export interface StoreHead {
  readonly schema: "motelearn.sweep-runs/1" | "motelearn.papers-runs/1";
  readonly version: string;
  /** Hash of the program's code. */
  readonly program: string;
}

interface KeptRun<Kept> {
  readonly run: string;
  readonly kept: Kept;
}

/** Where a run's line lies. */
interface Place {
  readonly path: string;
  readonly from: number;
  readonly bytes: number;
}

/** Digits of a line's checksum. */
const CHECK = 16;
const NEWLINE = 10;
/** Bytes that are read at once. */
const CHUNK = 1 << 20;
/** Of a line of ours. */
const BEGIN = /^[0-9a-f]{16} $/;
/** Bytes of a line at most: a text of more isn't possible. */
const LINE_MAX = 500 << 20;

/**
 * The finished runs in an append-only file: a line each, after its checksum. A torn or changed line is
 * ignored. So kill -9 costs only the runs under way, and each run is recognised by its sweep. Memory has where each line lies; a run's
 * outcome is read when it is asked for.
 */
export class RunStore<Kept extends object> {
  /** Undefined: it lies in the part of the file that wasn't read yet. */
  private readonly places = new Map<string, Place | undefined>();
  /** The runs that the disk didn't take. */
  private readonly unstored = new Map<string, Kept>();
  /** Bytes of the file that have been read. */
  private known = 0;
  /** What it was last written for. */
  head: StoreHead | undefined;
  /** Why nothing more is kept. */
  fault: string | undefined;
  /** Ends a line that was torn. */
  private separator = "";

  constructor(readonly path: string) {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return;
    this.known = this.include(path);
    this.separator = endsLine(path) ? "" : "\n";
  }

  /**
   * Takes the runs of another store, which may be of another machine, from a place on. Returns where its last whole line ends. Throws a
   * UserError where it can't be read.
   */
  include(path: string, from = 0): number {
    let end = from;
    try {
      for (const { text, ...place } of readLines(path, from)) {
        this.take(text, place);
        end = place.from + place.bytes + 1;
      }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const why = code === "EFBIG" ? "has a line that is too long for a run" : `can't be read (${code})`;
      throw new UserError(`${path}: ${why}; give a file that a sweep wrote`);
    }
    return end;
  }

  get size(): number {
    return this.places.size;
  }

  has(id: string): boolean {
    return this.places.has(id);
  }

  /** A run's outcome, read anew. Throws a UserError where another program has changed the file since. */
  find(id: string): Kept | undefined {
    if (!this.has(id)) return undefined;
    const unstored = this.unstored.get(id);
    if (unstored) return unstored;
    if (!this.places.get(id)) this.known = this.include(this.path, this.known);
    const place = this.places.get(id);
    const text = place && checkLine(lineAt(place));
    const { run, kept } = JSON.parse(text ?? "{}") as Partial<KeptRun<Kept>>;
    if (run === id && kept) return kept;
    throw new UserError(
      `${place?.path ?? this.path}: another program changed it meanwhile; the same command performs the missing runs`,
    );
  }

  /** Notes what the runs to come are of, unless the file says that already. */
  begin(head: StoreHead): void {
    if (JSON.stringify(this.head) === JSON.stringify(head)) return;
    this.head = head;
    this.append(head);
  }

  /** Stores a run. On a full disk the sweep continues without storing. */
  add(id: string, kept: Kept): void {
    const line: KeptRun<Kept> = { run: id, kept };
    this.append(line);
    if (this.fault === undefined) this.places.set(id, undefined);
    else if (!this.has(id)) {
      this.places.set(id, undefined);
      this.unstored.set(id, kept);
    }
  }

  private append(value: object): void {
    if (this.fault !== undefined) return;
    const text = JSON.stringify(value);
    try {
      appendFileSync(this.path, `${this.separator}${withChecksum(text)}\n`);
      this.separator = "";
    } catch (error) {
      this.fault = writeFault(this.path, error);
    }
  }

  private take(line: string, place: Place): void {
    const text = checkLine(line);
    if (text === undefined) return;
    const value = JSON.parse(text) as StoreHead | KeptRun<Kept>;
    if ("schema" in value) this.head = value;
    else this.places.set(value.run, place);
  }
}

/** The whole lines of a file from a place on: it may be longer than memory has room for. */
function* readLines(path: string, begin: number): Generator<Place & { readonly text: string }> {
  const file = openSync(path, "r");
  try {
    let buffer = Buffer.allocUnsafe(CHUNK);
    for (let at = begin, held = 0; ; ) {
      const read = readSync(file, buffer, held, buffer.length - held, at + held);
      if (read === 0) return;
      const whole = buffer.subarray(0, held + read);
      let from = 0;
      for (let end = whole.indexOf(NEWLINE, held); end >= 0; end = whole.indexOf(NEWLINE, from)) {
        yield { text: whole.toString("utf8", from, end), path, from: at + from, bytes: end - from };
        from = end + 1;
      }
      held = whole.length - from;
      at += from;
      const isRun = held < CHUNK || BEGIN.test(buffer.toString("latin1", from, from + CHECK + 1));
      if (!isRun || held > LINE_MAX) throw Object.assign(new Error("a long line"), { code: "EFBIG" });
      const room = held < buffer.length ? buffer : Buffer.allocUnsafe(2 * held);
      whole.copy(room, 0, from);
      buffer = room;
    }
  } finally {
    closeSync(file);
  }
}

/** The bytes at a place; fewer where the file has become shorter, none where it is gone. */
function lineAt({ path, from, bytes }: Place): string {
  try {
    const file = openSync(path, "r");
    try {
      const line = Buffer.alloc(bytes);
      return line.toString("utf8", 0, readSync(file, line, 0, bytes, from));
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
}

function endsLine(path: string): boolean {
  const { size } = statSync(path);
  return size === 0 || lineAt({ path, from: size - 1, bytes: 1 }) === "\n";
}

export function withChecksum(text: string): string {
  return `${lineChecksum(text)} ${text}`;
}

/** The text of what `checked` made; undefined where it is torn or changed. */
export function checkLine(line: string): string | undefined {
  const text = line.slice(CHECK + 1);
  return line.slice(0, CHECK) === lineChecksum(text) ? text : undefined;
}

function lineChecksum(text: string): string {
  return sha256(text).slice(0, CHECK);
}
