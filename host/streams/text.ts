import { open } from "node:fs/promises";
import { createGunzip } from "node:zlib";
import { fileWord } from "../terminal/command-line.ts";
import { detectEncoding } from "../text-encoding.ts";
import { refuseKind, refusePage } from "./file-kinds.ts";
import { StreamError, UnskippableError } from "./stream-error.ts";

const CHUNK_BYTES = 1 << 15;
/** Characters that a line may have. */
export const LINE_LENGTH_MAX = 1 << 22;

/** Lines of a text, `text` from `from` to `to`: whole ones, except at the end of the file. */
export interface Piece {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** The text's bytes, where each is a character; valid until the next piece is requested. */
  readonly bytes: Uint8Array | undefined;
}

interface Chunk {
  readonly text: string;
  readonly bytes: Uint8Array | undefined;
}

/** The text of a file in UTF-8, or in UTF-16 with a byte order mark, read once. A gzipped file is recognised by its magic number, whatever its name. */
export class TextSource {
  private readonly text: AsyncGenerator<Chunk>;
  private head = "";
  /** True when the last line was read, and nothing ends it. */
  isLineOpen = false;

  /** @param file a path; a pipe will do. Nothing is opened before the first read. */
  constructor(readonly file: string) {
    this.text = decodeFile(file);
  }

  /** The first line that isn't blank, or "". `pieces` still yields it. */
  async firstLine(): Promise<string> {
    for (;;) {
      const head = this.head.trimStart();
      const end = head.indexOf("\n");
      if (end >= 0 || head.length > LINE_LENGTH_MAX) return head.slice(0, end).trimEnd();
      const next = await this.text.next();
      if (next.done) return head.trimEnd();
      this.head += next.value.text;
    }
  }

  /** All of the text; messages call a line that is too long a `noun`. */
  async *pieces(noun: "line" | "row"): AsyncGenerator<Piece> {
    let rest = "";
    let read = 0;
    for await (const { text, bytes } of this.chunks()) {
      const first = text.indexOf("\n") + 1;
      const last = text.lastIndexOf("\n") + 1;
      // The remainder is joined with one line at most: joined strings are read more slowly.
      const whole = rest + text.slice(0, first);
      if (first > 0) {
        rest = text.slice(last);
        yield { text: whole, from: 0, to: whole.length, bytes: undefined };
        if (last > first) yield { text, from: first, to: last, bytes };
        read += lineEnds(text);
      } else {
        rest += text;
      }
      if (rest.length > LINE_LENGTH_MAX) {
        const what = `a ${noun} of more than ${LINE_LENGTH_MAX} characters`;
        throw new UnskippableError(this.file, read + 1, what, "one row a line is needed");
      }
    }
    if (rest === "") return;
    this.isLineOpen = true;
    yield { text: rest, from: 0, to: rest.length, bytes: undefined };
  }

  /** Closes the file, wherever reading stopped. */
  async close(): Promise<void> {
    await this.text.return(undefined);
  }

  /** All lines, several at a time, without their ends. */
  async *lines(): AsyncGenerator<string[]> {
    for await (const { text, from, to } of this.pieces("line")) yield splitLines(text.slice(from, to));
  }

  /** All of the text, as it comes. */
  async *texts(): AsyncGenerator<string> {
    for await (const { text } of this.chunks()) yield text;
  }

  private async *chunks(): AsyncGenerator<Chunk> {
    if (this.head !== "") yield { text: this.head, bytes: undefined };
    yield* this.text;
  }
}

/** The lines of a piece, without their ends. */
function splitLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines[lines.length - 1] === "") lines.pop();
  return lines;
}

async function* decodeFile(file: string): AsyncGenerator<Chunk> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let line = 1;
  try {
    for await (const bytes of contents(file)) {
      const isFirst = decoder === undefined;
      if (isFirst) refuseKind(file, bytes);
      decoder ??= new TextDecoder(encodingIn(bytes));
      const text = decoder.decode(bytes, { stream: true });
      const bad = firstNonText(text);
      if (isFirst) {
        refusePage(file, text);
        refuseReturns(file, text);
      }
      const good = bad < 0 ? text : text.slice(0, bad);
      line += lineEnds(good);
      yield { text: good, bytes: good.length === bytes.length ? bytes : undefined };
      if (bad >= 0) throw notText(file, line, !text.includes("\0"));
    }
  } catch (error) {
    throw error instanceof StreamError ? error : fromSystem(file, line, error as NodeJS.ErrnoException);
  }
  if (decoder && decoder.decode() !== "") throw notText(file, line, true);
}

/** The encoding of a text that begins with these bytes; of one that isn't UTF-8, Windows', which has a sign for each byte. */
function encodingIn(bytes: Uint8Array): string {
  const encoding = detectEncoding(bytes);
  try {
    if (encoding === "utf-8") new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
    return encoding;
  } catch {
    return bytes.includes(0) ? encoding : WINDOWS;
  }
}

export const WINDOWS = "windows-1252";

/** True for a file that isn't UTF-8 from its beginning on, so that it is read as Windows-1252. */
export async function isWindowsText(file: string): Promise<boolean> {
  const pieces = contents(file);
  const first = await pieces.next();
  await pieces.return(undefined);
  return !first.done && encodingIn(first.value) === WINDOWS;
}

const TEXT_NEEDED = "a text file in UTF-8, gzipped or not, is needed";

/** Throws an UnskippableError for a file that has the lines of an old spreadsheet's text. */
function refuseReturns(file: string, text: string): void {
  if (text.includes("\n") || !/\r[^\0]/.test(text)) return;
  const right = `tr '\\r' '\\n' < ${fileWord(file)} > NEW makes lines of it`;
  throw new UnskippableError(file, 1, "lines that end in a carriage return alone", right);
}

/** @param isLetters whether the text has no zero byte, as another encoding's. */
function notText(file: string, line: number, isLetters: boolean): UnskippableError {
  const what = isLetters ? "not UTF-8" : "not text";
  const how = `${TEXT_NEEDED}: iconv -f WINDOWS-1252 -t UTF-8 ${fileWord(file)} > NEW`;
  return new UnskippableError(file, line, what, isLetters ? how : TEXT_NEEDED);
}

/** Where a zero byte or one that isn't UTF-8 was decoded, or -1. */
function firstNonText(text: string): number {
  const zero = text.indexOf("\0");
  const malformed = text.indexOf("\uFFFD");
  return zero < 0 || malformed < 0 ? Math.max(zero, malformed) : Math.min(zero, malformed);
}

function lineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

async function* contents(file: string): AsyncGenerator<Buffer> {
  const pieces = readBytes(file);
  const first = await pieces.next();
  if (first.done) return;
  const all = chain(first.value, pieces);
  yield* first.value[0] === 0x1f && first.value[1] === 0x8b ? gunzip(all) : all;
}

/** Each piece lies where the one before it lay. */
async function* readBytes(file: string): AsyncGenerator<Buffer> {
  const handle = await open(file);
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  try {
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

async function* chain(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield first;
    yield* rest;
  } finally {
    await rest.return(undefined);
  }
}

/**
 * Everything that could be unpacked before an error is yielded before it is thrown, unlike from a pipeline.
 */
async function* gunzip(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES });
  const ready: Buffer[] = [];
  let failure: Error | undefined;
  gunzip.on("data", (piece: Buffer) => ready.push(piece));
  gunzip.on("error", (error) => {
    failure = error;
  });
  const closed = new Promise<void>((done) => gunzip.once("close", done));
  try {
    for await (const piece of packed) {
      const written = new Promise<void>((done) => gunzip.write(piece, () => done()));
      await Promise.race([written, closed]); // damaged data closes it without an error to the writer
      yield* ready.splice(0);
      if (failure) throw failure;
    }
    gunzip.end();
    await closed;
    yield* ready.splice(0);
    if (failure) throw failure;
  } finally {
    gunzip.destroy();
  }
}

function fromSystem(file: string, line: number, error: NodeJS.ErrnoException): StreamError {
  switch (error.code) {
    case "ENOENT":
      return new StreamError(file, undefined, "no such file", "the path of a data file is needed");
    case "EISDIR":
      return new StreamError(file, undefined, "a directory", "the path of a data file is needed");
    case "EACCES":
      return new StreamError(file, undefined, "not readable", "permission to read it is needed");
    case "Z_BUF_ERROR":
      return new UnskippableError(file, line, "the gzip data ends too early", "the whole file is needed");
    case "Z_DATA_ERROR":
      return new UnskippableError(file, line, "the gzip data is damaged", "an undamaged copy is needed");
    default:
      return new StreamError(file, undefined, `can't be read (${error.message})`, "a data file is needed");
  }
}
