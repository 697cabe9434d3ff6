const NEWLINE = 10;
const FIRST_BYTES = 256;

/**
 * Splits bytes into lines of UTF-8, without empty ones. It reads and keeps each byte once, however they
 * arrive. Of a line longer than `lineMax` bytes it keeps the first lineMax + 1, so that the reader sees that
 * it is too long.
 */
export class LineSplitter {
  private readonly decoder = new TextDecoder();
  private rest = new Uint8Array(FIRST_BYTES);
  private length = 0;

  constructor(private readonly lineMax: number) {}

  take(bytes: Uint8Array): string[] {
    const lines: string[] = [];
    for (let from = 0; from < bytes.length; ) {
      const end = bytes.indexOf(NEWLINE, from);
      this.keep(bytes.subarray(from, end < 0 ? bytes.length : end));
      if (end < 0) break;
      const line = this.decoder.decode(this.rest.subarray(0, this.length));
      if (line.trim() !== "") lines.push(line);
      this.length = 0;
      from = end + 1;
    }
    return lines;
  }

  /** True if the present, unfinished line is already too long. */
  get overlong(): boolean {
    return this.length > this.lineMax;
  }

  private keep(bytes: Uint8Array): void {
    const some = bytes.subarray(0, this.lineMax + 1 - this.length);
    const needed = this.length + some.length;
    if (needed > this.rest.length) {
      const larger = new Uint8Array(Math.min(this.lineMax + 1, Math.max(needed, 2 * this.rest.length)));
      larger.set(this.rest.subarray(0, this.length));
      this.rest = larger;
    }
    this.rest.set(some, this.length);
    this.length = needed;
  }
}
