import { closeSync, mkdtempSync, openSync, readSync, rmdirSync, unlinkSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Rows a page. */
const PAGE_ROWS = 256;
/** Rows for which a page has room at first. */
const FIRST_ROWS = 16;
/** Bytes of full pages that stay in memory where the others may go to a file. */
const MEMORY_BYTES = 1 << 20;

type Numbers = Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/** There is no room for a temporary file. */
export class NoRoomError extends Error {
  constructor(
    readonly folder: string,
    { code, message }: NodeJS.ErrnoException,
  ) {
    super(code ?? message);
  }
}

/** A temporary file without a name, so that it always disappears with the process. */
class NamelessFile {
  private readonly descriptor: number;
  private length = 0;

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), "motelearn-rows-"));
    const path = join(folder, "rows");
    this.descriptor = openSync(path, "wx+", 0o600);
    unlinkSync(path);
    rmdirSync(folder);
  }

  /** Returns the place at which the numbers lie. */
  append(numbers: Numbers): number {
    const at = this.length;
    this.write(at, numbers);
    this.length += numbers.byteLength;
    return at;
  }

  write(at: number, numbers: Numbers): void {
    const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    for (let done = 0; done < bytes.length; )
      done += writeSync(this.descriptor, bytes, done, bytes.length - done, at + done);
  }

  read(at: number, into: Numbers): void {
    const bytes = new Uint8Array(into.buffer, into.byteOffset, into.byteLength);
    for (let done = 0, read = 1; done < bytes.length && read > 0; done += read)
      read = readSync(this.descriptor, bytes, done, bytes.length - done, at + done);
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

/** Rows of `stride` numbers each: in memory, or, without `numbers`, in the file at `at`. */
interface Page<T> {
  stride: number;
  numbers: T | undefined;
  at: number;
}

/**
 * Rows of numbers in the order in which they came, each as wide as it came, or padded with zeros. With
 * `overflows`, rows beyond 1 MB go to a temporary file.
 */
export class Pages<T extends Numbers> {
  count = 0;
  private readonly pages: Page<T>[] = [];
  private file: NamelessFile | undefined;
  private held = 0;
  /** The page that was fetched from the file last, and the row that was read last. */
  private fetched: Page<T> | undefined;
  private numbers: T;
  private lastRow = -1;

  constructor(
    private readonly make: (length: number) => T,
    private readonly overflows: boolean,
  ) {
    this.numbers = make(0);
  }

  /** Throws a NoRoomError. */
  add(values: ArrayLike<number>): void {
    const row = this.count % PAGE_ROWS;
    if (row === 0) this.pages.push({ stride: this.lastStride(), numbers: undefined, at: 0 });
    const page = this.pages[this.pages.length - 1];
    const width = values.length;
    if (width > page.stride) this.widen(page, row, row === 0 ? width : Math.ceil(1.5 * width));
    const needed = (row + 1) * page.stride;
    if (!page.numbers || needed > page.numbers.length) this.lengthen(page, row);
    const numbers = page.numbers as T;
    const first = row * page.stride;
    for (let j = 0; j < width; j++) numbers[first + j] = values[j];
    this.count++;
    if (row + 1 === PAGE_ROWS) this.end(page);
  }

  /** Changes the first number of a row. */
  set(row: number, value: number): void {
    const page = this.pages[Math.floor(row / PAGE_ROWS)];
    const at = (row % PAGE_ROWS) * page.stride;
    if (page.numbers) {
      page.numbers[at] = value;
    } else {
      this.fetched = undefined;
      this.file?.write(page.at + at * this.make(0).BYTES_PER_ELEMENT, this.make(1).fill(value) as T);
    }
  }

  /**
   * Reads a row, as many numbers as there is room for. One that follows the row read before comes with its
   * page.
   */
  read(row: number, into: T): void {
    const page = this.pages[Math.floor(row / PAGE_ROWS)];
    const width = Math.min(page.stride, into.length);
    const first = (row % PAGE_ROWS) * page.stride;
    const numbers = page.numbers ?? this.fetch(page, row);
    if (numbers) for (let j = 0; j < width; j++) into[j] = numbers[first + j];
    else this.file?.read(page.at + first * into.BYTES_PER_ELEMENT, into.subarray(0, width) as T);
    if (width < into.length) into.fill(0, width);
    this.lastRow = row;
  }

  /** The row's page, if it was the last one fetched or rows are read in order; else only the row is read. */
  private fetch(page: Page<T>, row: number): T | undefined {
    if (page === this.fetched) return this.numbers;
    if (row !== this.lastRow + 1) return undefined;
    if (this.numbers.length !== PAGE_ROWS * page.stride) this.numbers = this.make(PAGE_ROWS * page.stride);
    this.file?.read(page.at, this.numbers);
    this.fetched = page;
    return this.numbers;
  }

  /** The first `width` numbers of all rows, one row behind the other. */
  joinRows(width: number): T {
    const all = this.make(this.count * width);
    const row = this.make(width);
    for (let i = 0; i < this.count; i++) {
      this.read(i, row);
      all.set(row, i * width);
    }
    return all;
  }

  close(): void {
    this.file?.close();
    this.file = undefined;
  }

  private lastStride(): number {
    return this.pages.length > 0 ? this.pages[this.pages.length - 1].stride : 0;
  }

  private lengthen(page: Page<T>, rows: number): void {
    const next = this.make(Math.min(PAGE_ROWS, Math.max(FIRST_ROWS, 2 * rows)) * page.stride);
    if (page.numbers) next.set(page.numbers.subarray(0, rows * page.stride));
    page.numbers = next;
  }

  private widen(page: Page<T>, rows: number, stride: number): void {
    const next = this.make(Math.max(FIRST_ROWS, rows) * stride);
    for (let row = 0; page.numbers && row < rows; row++) {
      const start = row * page.stride;
      next.set(page.numbers.subarray(start, start + page.stride), row * stride);
    }
    page.stride = stride;
    page.numbers = next;
  }

  /** Leaves a full page in memory, or writes it to the file. */
  private end(page: Page<T>): void {
    const numbers = page.numbers as T;
    const full =
      numbers.length > PAGE_ROWS * page.stride ? numbers.slice(0, PAGE_ROWS * page.stride) : numbers;
    this.held += full.byteLength;
    if (!this.overflows || this.held <= MEMORY_BYTES) {
      page.numbers = full as T;
      return;
    }
    try {
      this.file ??= new NamelessFile();
      page.at = this.file.append(full);
      page.numbers = undefined;
    } catch (error) {
      throw new NoRoomError(tmpdir(), error as NodeJS.ErrnoException);
    }
  }
}
