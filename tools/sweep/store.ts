import { appendFileSync, readFileSync, statSync } from "node:fs";
import { sha256 } from "../../host-sim/sweep/identity.ts";
import { UserError } from "../cli/exit.ts";

/** The sweep of a store's runs. */
export interface StoreHead {
  readonly schema: "motelearn.sweep-runs/1";
}

interface KeptRun<Kept> {
  readonly run: string;
  readonly kept: Kept;
}

/** Digits of a line's checksum. */
const CHECK = 16;
const NEWLINE = 10;

/**
 * The finished runs in an append-only file: a line each, after its checksum. A torn or changed line is
 * ignored. So kill -9 costs only the runs under way, and each run is recognised by its sweep.
 */
export class RunStore<Kept extends object> {
  private readonly kept = new Map<string, Kept>();
  /** The sweep that it was last written for. */
  head: StoreHead | undefined;
  /** Why nothing more is kept. */
  fault: string | undefined;
  /** Ends a line that was torn. */
  private separator = "";

  constructor(readonly path: string) {
    if (statSync(path, { throwIfNoEntry: false })?.isFile()) this.include(path);
  }

  /** Takes the runs of another store, which may be of another machine. Throws a UserError where it can't be read. */
  include(path: string): void {
    try {
      this.read(path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const why =
        code === "ERR_FS_FILE_TOO_LARGE" ? "has over 2 GB; split the sweep" : `can't be read (${code})`;
      throw new UserError(`${path}: ${why}`);
    }
  }

  get size(): number {
    return this.kept.size;
  }

  find(id: string): Kept | undefined {
    return this.kept.get(id);
  }

  /** Notes what the runs to come are of, unless the file says that already. */
  begin(head: StoreHead): void {
    if (JSON.stringify(this.head) === JSON.stringify(head)) return;
    this.head = head;
    this.append(head);
  }

  /** Stores a run. On a full disk the sweep continues without storing. */
  add(id: string, kept: Kept): void {
    this.kept.set(id, kept);
    const line: KeptRun<Kept> = { run: id, kept };
    this.append(line);
  }

  private append(value: object): void {
    if (this.fault !== undefined) return;
    const text = JSON.stringify(value);
    try {
      appendFileSync(this.path, `${this.separator}${checked(text)}\n`);
      this.separator = "";
    } catch (error) {
      this.fault = (error as NodeJS.ErrnoException).code ?? "can't be written";
    }
  }

  /** Line by line: the whole may be longer than a string can be. */
  private read(path: string): void {
    const bytes = readFileSync(path);
    this.separator = bytes.length === 0 || bytes[bytes.length - 1] === NEWLINE ? "" : "\n";
    for (let from = 0; from < bytes.length; ) {
      const end = bytes.indexOf(NEWLINE, from);
      if (end < 0) return;
      this.take(bytes.toString("utf8", from, end));
      from = end + 1;
    }
  }

  private take(line: string): void {
    const text = unchecked(line);
    if (text === undefined) return;
    const value = JSON.parse(text) as StoreHead | KeptRun<Kept>;
    if ("schema" in value) this.head = value;
    else this.kept.set(value.run, value.kept);
  }
}

/** The text behind its checksum. */
export function checked(text: string): string {
  return `${checkOf(text)} ${text}`;
}

/** The text of what `checked` made; undefined where it is torn or changed. */
export function unchecked(line: string): string | undefined {
  const text = line.slice(CHECK + 1);
  return line.slice(0, CHECK) === checkOf(text) ? text : undefined;
}

function checkOf(text: string): string {
  return sha256(text).slice(0, CHECK);
}
