import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { StreamError } from "./stream-error.ts";

const CHUNK_BYTES = 1 << 18;
const LINE_LENGTH_MAX = 1 << 22;

/** The text of a file in UTF-8, gzipped (told by its magic number, whatever its name) or not, read once. */
export class TextSource {
  private readonly text: AsyncGenerator<string>;
  private head = "";

  /** @param file a path; a pipe will do. Nothing is opened before the first read. */
  constructor(readonly file: string) {
    this.text = decoded(file);
  }

  /** The first line that isn't blank, which stays in what `chunks` yields. "" if there is none. */
  async firstLine(): Promise<string> {
    for (;;) {
      const head = this.head.trimStart();
      const end = head.indexOf("\n");
      if (end >= 0 || head.length > LINE_LENGTH_MAX) return head.slice(0, end).trimEnd();
      const next = await this.text.next();
      if (next.done) return head.trimEnd();
      this.head += next.value;
    }
  }

  /** All of the text, in pieces of any length. */
  async *chunks(): AsyncGenerator<string> {
    if (this.head !== "") yield this.head;
    yield* this.text;
  }

  /** All lines, several at a time, without their ends. */
  async *lines(): AsyncGenerator<string[]> {
    let rest = "";
    let read = 0;
    for await (const chunk of this.chunks()) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() as string;
      read += lines.length;
      if (rest.length > LINE_LENGTH_MAX) {
        const what = `a line of more than ${LINE_LENGTH_MAX} characters`;
        throw new StreamError(this.file, read + 1, what, "one row a line is needed");
      }
      yield lines;
    }
    if (rest !== "") yield [rest];
  }
}

async function* decoded(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let line = 1;
  try {
    for await (const bytes of contents(file)) {
      const text = decoder.decode(bytes, { stream: true });
      const bad = firstNonText(text);
      const good = bad < 0 ? text : text.slice(0, bad);
      line += lineEnds(good);
      yield good;
      if (bad >= 0) throw notText(file, line);
    }
  } catch (error) {
    throw error instanceof StreamError ? error : fromSystem(file, line, error as NodeJS.ErrnoException);
  }
  if (decoder.decode() !== "") throw notText(file, line);
}

function notText(file: string, line: number): StreamError {
  return new StreamError(file, line, "not text", "a text file in UTF-8, gzipped or not, is needed");
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

async function* contents(file: string): AsyncGenerator<Uint8Array> {
  const raw = createReadStream(file, { highWaterMark: CHUNK_BYTES });
  const pieces = raw[Symbol.asyncIterator]() as AsyncIterableIterator<Buffer>;
  const first = await pieces.next();
  if (first.done) return;
  const all = chain(first.value, pieces);
  yield* first.value[0] === 0x1f && first.value[1] === 0x8b ? gunzipped(all) : all;
}

async function* chain(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

/** Everything that could be unpacked before an error is yielded before it is thrown, unlike from a pipeline. */
async function* gunzipped(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
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
      await Promise.race([written, closed]); // damaged data closes it without a word to the writer
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
      return new StreamError(file, line, "the gzip data ends too early", "the whole file is needed");
    case "Z_DATA_ERROR":
      return new StreamError(file, line, "the gzip data is damaged", "an undamaged copy is needed");
    default:
      return new StreamError(file, undefined, `can't be read (${error.message})`, "a data file is needed");
  }
}
