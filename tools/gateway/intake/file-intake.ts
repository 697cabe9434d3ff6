import { type FileHandle, open } from "node:fs/promises";
import { parseJson } from "../../../host-sim/json.ts";
import { CsvRecords } from "../../../host-sim/streams/csv-records.ts";
import { excerptOf } from "../../fusion/read-line.ts";
import { checkLabelRequest, type LabelRequest } from "../label-request.ts";
import type { Desk } from "./desk.ts";

const POLL_MS = 250;
const RETRY_MS = 2000;
const CHUNK = 1 << 16;
const NEWLINE = 0x0a;

/** The file that was read, and how far. */
interface Place {
  readonly inode: number;
  readonly offset: number;
}

/**
 * Takes the labels of a file, one a line, and appended ones. If another file replaces it, that is read from
 * its beginning.
 */
export class FileIntake {
  private columns: readonly string[] | undefined;
  private readonly csv: boolean;
  private missing = false;

  constructor(
    private readonly file: string,
    private readonly desk: Desk,
  ) {
    this.csv = /\.csv$/i.test(file);
  }

  async run(): Promise<void> {
    const { desk } = this;
    await desk.met();
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
  private async readOn(): Promise<boolean> {
    const handle = await open(this.file, "r");
    try {
      const { ino: inode, size } = await handle.stat();
      const kept = JSON.parse(this.desk.ports.place() ?? "null") as Place | null;
      const goesOn = kept !== null && kept.inode === inode && kept.offset <= size;
      const from = goesOn ? kept.offset : 0;
      if (from === 0) this.columns = undefined;
      else if (this.csv && !this.columns) await this.readHead(handle);
      const piece = await bytesAt(handle, from);
      const end = piece.lastIndexOf(NEWLINE) + 1;
      if (end > 0) return await this.take(piece.subarray(0, end), inode, from);
      if (piece.length < CHUNK) return false;
      this.desk.refuse(`${this.file}: a line of more than ${CHUNK} bytes`);
      return await this.kept({ inode, offset: from + piece.length });
    } finally {
      await handle.close();
    }
  }

  private async readHead(handle: FileHandle): Promise<void> {
    const piece = await bytesAt(handle, 0);
    this.columns = fieldsOf(this.file, piece.subarray(0, piece.indexOf(NEWLINE)).toString());
  }

  private async take(lines: Buffer, inode: number, from: number): Promise<boolean> {
    for (let at = 0; at < lines.length && !this.desk.closed; ) {
      const end = lines.indexOf(NEWLINE, at);
      const text = lines.subarray(at, end).toString().trim();
      at = end + 1;
      if (text !== "") await this.takeLine(text);
      if (this.desk.closed) return true; // a label that waits for its sample is read again
      this.desk.ports.keep(JSON.stringify({ inode, offset: from + at }));
    }
    return this.stored();
  }

  private async takeLine(text: string): Promise<void> {
    const { desk, file } = this;
    const label = this.labelOf(text);
    if (typeof label === "string") return desk.refuse(`${file}: ${label}: ${excerptOf(text)}`);
    if (label === undefined) return;
    await desk.reached(label);
    if (!desk.closed) desk.hand(label, file);
  }

  /** The line's label; undefined: the line is the header; a text: the line's fault. */
  private labelOf(text: string): LabelRequest | string | undefined {
    try {
      if (!this.csv) return withSession(checkLabelRequest(parseJson(text)));
      const fields = fieldsOf(this.file, text);
      if (this.columns) return withSession(checkLabelRequest(objectOf(this.columns, fields)));
      this.columns = fields;
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }

  private async kept(place: Place): Promise<boolean> {
    this.desk.ports.keep(JSON.stringify(place));
    return this.stored();
  }

  /** Waits until it is on disk. Labels that the disk refuses are read again. */
  private async stored(): Promise<boolean> {
    const why = await this.desk.ports.committed();
    if (why !== undefined) await this.desk.pause(RETRY_MS);
    return true;
  }
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

function fieldsOf(file: string, text: string): readonly string[] {
  return new CsvRecords(file, ",").read(text, 0, true)?.fields ?? [];
}

/** A row as an object; empty fields are left out. */
function objectOf(columns: readonly string[], fields: readonly string[]): object {
  const given = columns.map((name, i) => [name, fields[i] ?? ""]).filter(([, text]) => text !== "");
  return Object.fromEntries(given.map(([name, text]) => [name, name === "by" ? text : numberOf(text)]));
}

/** A value that isn't a number stays unchanged, and is refused later. */
function numberOf(text: string): number | string {
  const value = Number(text);
  return Number.isNaN(value) ? text : value;
}
