import { createHash, type Hash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { parseJson } from "../../host/json.ts";
import { CsvRecords } from "../../host/streams/csv-records.ts";
import { parseNumber } from "../../host/streams/numbers.ts";
import { excerpt } from "../../tools/fusion/read-line.ts";
import { LABEL, type LabelRequest } from "../api/label-request.ts";
import type { LabelIntake } from "./label-intake.ts";

const POLL_MS = 250;
const RETRY_MS = 2000;
const CHUNK = 1 << 16;
const NEWLINE = 0x0a;

/** How far the file was read, and the SHA-256 of the bytes before that, in hex. */
interface Place {
  readonly offset: number;
  readonly hash: string;
}

/** Of no bytes. */
const newHash = () => createHash("sha256");
const hexDigest = (hash: Hash) => hash.copy().digest("hex");

/**
 * Takes the labels of a file, one a line, and appended ones. A file whose bytes before that place aren't those that were read is read from its
 * beginning: it was replaced, cut or rewritten.
 */
export class FileIntake {
  private columns: readonly string[] | undefined;
  private readonly csv: boolean;
  private missing = false;
  /** Of the bytes before the kept place, and the file's state in which it was compared to them. */
  private readonly past = { hash: newHash(), offset: 0, seen: "" };

  constructor(
    private readonly file: string,
    private readonly desk: LabelIntake,
  ) {
    this.csv = /\.csv$/i.test(file);
  }

  async run(): Promise<void> {
    const { desk } = this;
    await desk.awaitMet();
    while (!desk.closed) {
      try {
        const more = await this.readOn();
        this.missing = false;
        if (!more) await desk.pause(POLL_MS);
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        if (!this.missing) desk.refuse(`${this.file}: ${code ? `can't be read (${code})` : message}`);
        this.missing = true;
        await desk.pause(RETRY_MS);
      }
    }
  }

  /** Takes the whole lines of the next piece; false if there is none. */
  async readOn(): Promise<boolean> {
    const handle = await open(this.file, "r");
    try {
      const from = await this.placeIn(handle);
      if (from === 0) this.columns = undefined;
      else if (this.csv && !this.columns) await this.readHead(handle);
      const piece = await bytesAt(handle, from);
      const end = piece.lastIndexOf(NEWLINE) + 1;
      if (end > 0) return await this.take(piece.subarray(0, end));
      if (piece.length < CHUNK) return false;
      this.desk.refuse(`${this.file}: a line of more than ${CHUNK} bytes`);
      this.pass(piece);
      return await this.awaitStored();
    } finally {
      await handle.close();
    }
  }

  /** Where to read on: the kept place, if the file still has the bytes before it. */
  private async placeIn(handle: FileHandle): Promise<number> {
    const { past } = this;
    const kept = JSON.parse(this.desk.ports.place() ?? "null") as Place | null;
    const { ino, size, mtimeMs, ctimeMs } = await handle.stat();
    const seen = [ino, size, mtimeMs, ctimeMs].join();
    if (kept?.offset === past.offset && seen === past.seen) return past.offset;
    const isThere = kept !== null && kept.offset <= size;
    past.offset = isThere ? kept.offset : 0;
    past.hash = await hashStart(handle, past.offset);
    if (isThere && hexDigest(past.hash) !== kept.hash) {
      past.offset = 0;
      past.hash = newHash();
    }
    past.seen = seen;
    return past.offset;
  }

  /** Keeps the place behind those bytes. */
  private pass(bytes: Uint8Array): void {
    const { past } = this;
    past.hash.update(bytes);
    past.offset += bytes.length;
    const place: Place = { offset: past.offset, hash: hexDigest(past.hash) };
    this.desk.ports.keep(JSON.stringify(place));
  }

  private async readHead(handle: FileHandle): Promise<void> {
    const piece = await bytesAt(handle, 0);
    this.columns = splitFields(this.file, piece.subarray(0, piece.indexOf(NEWLINE)).toString());
  }

  private async take(lines: Buffer): Promise<boolean> {
    for (let at = 0; at < lines.length && !this.desk.closed; ) {
      const line = lines.subarray(at, lines.indexOf(NEWLINE, at) + 1);
      const text = line.toString().trim();
      at += line.length;
      if (text !== "") await this.takeLine(text);
      if (this.desk.closed) return true; // a label that waits for its sample is read again
      this.pass(line);
    }
    return this.awaitStored();
  }

  private async takeLine(text: string): Promise<void> {
    const { desk, file } = this;
    const label = this.parseLabel(text);
    if (typeof label === "string") return desk.refuse(`${file}: ${label}: ${excerpt(text)}`);
    if (label === undefined) return;
    await desk.awaitReached(label);
    if (!desk.closed) desk.hand(label, file);
  }

  /** The line's label; undefined: the line is the header; a text: the line's fault. */
  private parseLabel(text: string): LabelRequest | string | undefined {
    try {
      if (!this.csv) return withSession(LABEL.check(parseJson(text)));
      const fields = splitFields(this.file, text);
      if (this.columns) return withSession(LABEL.check(zipColumns(this.columns, fields)));
      this.columns = fields;
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }

  /** Waits until it is on disk. Labels that the disk refuses are read again. */
  private async awaitStored(): Promise<boolean> {
    const why = await this.desk.ports.awaitCommit();
    if (why !== undefined) await this.desk.pause(RETRY_MS);
    return true;
  }
}

/** Of the file's first `count` bytes. */
async function hashStart(handle: FileHandle, count: number): Promise<Hash> {
  const hash = newHash();
  for (let at = 0; at < count; ) {
    const piece = (await bytesAt(handle, at)).subarray(0, count - at);
    if (piece.length === 0) break; // it was cut meanwhile
    hash.update(piece);
    at += piece.length;
  }
  return hash;
}

async function bytesAt(handle: FileHandle, from: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(CHUNK), 0, CHUNK, from);
  return buffer.subarray(0, bytesRead);
}

/** A node's sessions share sample numbers, so in a file a label without its session is ambiguous. */
function withSession(label: LabelRequest | string): LabelRequest | string {
  if (typeof label === "string" || label.sid !== undefined) return label;
  return "a label without its sample's session, sid";
}

function splitFields(file: string, text: string): readonly string[] {
  return new CsvRecords(file).read(text, 0, true)?.fields ?? [];
}

/** A row as an object; empty fields are left out. A text that is no number stays: a label's class, or it is refused later. */
function zipColumns(columns: readonly string[], fields: readonly string[]): object {
  const known = columns.map((name, i) => [name, fields[i] ?? ""]).filter(([, text]) => text.trim() !== "");
  const valueIn = (text: string) => (Number.isNaN(parseNumber(text)) ? text : parseNumber(text));
  return Object.fromEntries(known.map(([name, text]) => [name, name === "by" ? text : valueIn(text)]));
}
