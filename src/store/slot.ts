import type { Checksum } from "../math/crc32.ts";
import { frozen } from "../memory/frozen.ts";
import type { BlockDevice } from "./block-device.ts";

/** The words of a slot's header, in order: 32 bits each, little-endian. */
export const HEADER_FIELDS = frozen([
  ["magic", "the bytes `MLCP`"],
  ["version", "1, of this format; the words up to `check` stay what they are in all versions"],
  ["schemaHigh", "schema hash, its first 8 hex digits"],
  ["schemaLow", "schema hash, its last 8 hex digits"],
  ["generation", "number of the save: one more than any before; after 2^32 - 1 comes 0"],
  ["length", "bytes of the payload"],
  ["cycles", "how often this slot was erased, this time included"],
  ["check", "CRC-32 of the bytes before it"],
  ["seal", "CRC-32 of the words before `check`, then of the payload; programmed last"],
] as const);

type Field = (typeof HEADER_FIELDS)[number][0];

/** The place of each word in a header. */
export const WORD = frozen(
  Object.fromEntries(HEADER_FIELDS.map(([name], i) => [name, i])) as Record<Field, number>,
);

/** Bytes before the payload: the header's words, then erased. */
export const HEADER_BYTES = 64;
/** A slot is read by pages of this many bytes. */
export const PAGE_BYTES = 256;
export const CHECKED_BYTES = 4 * WORD.check;
const SEAL_AT = 4 * WORD.seal;
export const MAGIC = 0x50434c4d;
export const VERSION = 1;
const ERASED = 0xffffffff;
/** Attempts to read a slot that doesn't read as whole: a disturbed transfer passes, a bad cell doesn't. */
const READS = 3;

/**
 * The content of a slot. `blank`: an erased header. `broken`: neither blank nor a whole checkpoint. `version`, `schema`:
 * a good header, but another format's, or another learner's or length's. `whole`: a checkpoint that can be loaded. `unsound`: one whose
 * state the node refused.
 */
export const CONTENT = Object.freeze({
  blank: 0,
  broken: 1,
  version: 2,
  schema: 3,
  whole: 4,
  unsound: 5,
} as const);
export type SlotContent = (typeof CONTENT)[keyof typeof CONTENT];

/** Requirements of a checkpoint that is loaded. */
export interface Schema {
  /** The two halves of the schema's hash, 32 bits each. */
  readonly high: number;
  readonly low: number;
  /** The state's bytes. */
  readonly length: number;
}

/** Whether generation a came after b, both modulo 2^32. */
export function newer(a: number, b: number): boolean {
  return ((a - b) | 0) > 0;
}

/** The buffer that both slots of a store read and write with, in turn: a page, and views of its first bytes. */
export class Page {
  readonly bytes = new Uint8Array(PAGE_BYTES);
  readonly words = new Uint32Array(this.bytes.buffer);
  readonly opening = this.bytes.subarray(0, SEAL_AT);
  readonly seal = this.bytes.subarray(SEAL_AT, SEAL_AT + 4);
  readonly rest = this.bytes.subarray(HEADER_BYTES);
}

/**
 * One of the two places for a checkpoint. Its fields hold what the last read found or the last write left. No method relies on the
 * page's content from another.
 */
export class Slot {
  content: SlotContent = CONTENT.broken;
  /** Whether `generation` and `cycles` come from the header, as last read. */
  known = false;
  generation = 0;
  cycles = 0;
  /** The seal that was read last. */
  private found = 0;
  /** Whether every bit of the seal was programmed to its end since the start. */
  private settled = false;

  constructor(
    private readonly block: BlockDevice,
    private readonly base: number,
    private readonly schema: Schema,
    private readonly crc: Checksum,
    private readonly page: Page,
  ) {
    this.inspect();
  }

  /** Reads the whole slot, and returns its content. */
  inspect(): SlotContent {
    for (let reads = 0; reads < READS; reads++) {
      this.content = this.examine();
      if (this.content !== CONTENT.broken && this.content !== CONTENT.blank) break;
    }
    return this.content;
  }

  private examine(): SlotContent {
    const content = this.examineHeader();
    if (content !== CONTENT.whole) return content;
    this.found = this.page.words[WORD.seal];
    return this.sealOfFlash() === this.found ? CONTENT.whole : CONTENT.broken;
  }

  /** Reads the page at that place of the slot, a multiple of its length. */
  readPage(at: number): boolean {
    return this.block.read(this.base + at, this.page.bytes);
  }

  /** Reads the header into the page. `whole`: the header of a checkpoint of this node; the payload wasn't read. */
  private examineHeader(): SlotContent {
    const { bytes, words: header } = this.page;
    if (!this.block.read(this.base, bytes)) return CONTENT.broken;
    if (this.erased()) return CONTENT.blank;
    const content = this.described();
    if (content === CONTENT.broken) return content;
    this.known = true;
    this.generation = header[WORD.generation];
    this.cycles = header[WORD.cycles];
    return content;
  }

  /** What the header in the page describes. `whole`: a checkpoint of this node. */
  described(): SlotContent {
    const { schema } = this;
    const { bytes, words: header } = this.page;
    if (header[WORD.magic] !== MAGIC || header[WORD.check] !== this.crc.crc32(bytes, 0, CHECKED_BYTES, 0))
      return CONTENT.broken;
    if (header[WORD.version] !== VERSION) return CONTENT.version;
    if (header[WORD.schemaHigh] !== schema.high || header[WORD.schemaLow] !== schema.low)
      return CONTENT.schema;
    return header[WORD.length] === schema.length ? CONTENT.whole : CONTENT.schema;
  }

  private erased(): boolean {
    const { words } = this.page;
    for (let i = 0; i < HEADER_BYTES / 4; i++) if (words[i] !== ERASED) return false;
    return true;
  }

  /** The right seal for the header, just read into the page, and the payload; -1 if they can't be read. */
  private sealOfFlash(): number {
    const { bytes } = this.page;
    const end = HEADER_BYTES + this.schema.length;
    let sum = this.crc.crc32(bytes, 0, CHECKED_BYTES, 0);
    sum = this.crc.crc32(bytes, HEADER_BYTES, Math.min(PAGE_BYTES, end), sum);
    for (let at = PAGE_BYTES; at < end; at += PAGE_BYTES) {
      if (!this.block.read(this.base + at, bytes)) return -1;
      sum = this.crc.crc32(bytes, 0, Math.min(PAGE_BYTES, end - at), sum);
    }
    return sum;
  }

  /**
   * Copies the payload to `into`, and checks the copied bytes. Returns false if they aren't whole; then the slot is broken, and the content
   * of `into` is undefined.
   */
  read(into: Uint8Array): boolean {
    for (let reads = 0; reads < READS; reads++) if (this.copied(into)) return true;
    this.content = CONTENT.broken;
    return false;
  }

  /** Whether the node takes the state that was read last; if not, the slot counts as broken. */
  takes(isSound: boolean): boolean {
    if (!isSound) this.content = CONTENT.unsound;
    return isSound;
  }

  private copied(into: Uint8Array): boolean {
    if (this.examineHeader() !== CONTENT.whole) return false;
    const { bytes, words: header } = this.page;
    const sum = this.crc.crc32(bytes, 0, CHECKED_BYTES, 0);
    if (!this.block.read(this.base + HEADER_BYTES, into)) return false;
    return this.crc.crc32(into, 0, into.length, sum) === header[WORD.seal];
  }

  /**
   * Whether the checkpoint is still whole, and will be after a power cut. A cut during an earlier start may have interrupted the
   * programming of its seal, and bits between 0 and 1 read as either. Programming the same seal again completes them.
   */
  secure(): boolean {
    if (this.inspect() !== CONTENT.whole || this.settled) return this.content === CONTENT.whole;
    this.settled = this.programSeal(this.found);
    return this.inspect() === CONTENT.whole;
  }

  /**
   * Erases the slot and writes a checkpoint: first the header (generation, wear), then the payload, then the seal
   * that makes it whole. Returns whether it reads back as written.
   */
  write(payload: Uint8Array, generation: number): boolean {
    const sum = this.begin(generation);
    return this.isKept(this.erase(HEADER_BYTES + payload.length) && this.program(payload, sum));
  }

  /** Begins a checkpoint: fills in its header, in the page, and nothing in flash. Returns `check`. */
  begin(generation: number): number {
    const { page, schema } = this;
    const { bytes, words: header } = page;
    this.content = CONTENT.broken;
    this.settled = false;
    this.known = true;
    this.generation = generation;
    this.cycles++;
    header[WORD.magic] = MAGIC;
    header[WORD.version] = VERSION;
    header[WORD.schemaHigh] = schema.high;
    header[WORD.schemaLow] = schema.low;
    header[WORD.generation] = generation;
    header[WORD.length] = schema.length;
    header[WORD.cycles] = this.cycles;
    const check = this.crc.crc32(bytes, 0, CHECKED_BYTES, 0);
    header[WORD.check] = check;
    return check;
  }

  /** Keeps the page at that place of the checkpoint, a multiple of its length; of the first all but the seal. */
  keep(at: number): boolean {
    const { base, block, page } = this;
    if (at % block.sectorBytes === 0 && !block.erase(base + at)) return false;
    if (at > 0) return block.program(base + at, page.bytes);
    return block.program(base, page.opening) && block.program(base + HEADER_BYTES, page.rest);
  }

  /** Makes the checkpoint whole. Returns whether it reads back with that sum. */
  seal(sum: number): boolean {
    return this.isKept(this.programSeal(sum));
  }

  private isKept(isWritten: boolean): boolean {
    this.settled = this.inspect() === CONTENT.whole && isWritten;
    return this.settled;
  }

  /** Breaks the checkpoint for good, by a seal of zeros. Returns whether the seal reads as zeros. */
  discard(): boolean {
    this.programSeal(0);
    return this.inspect() === CONTENT.broken;
  }

  private erase(bytes: number): boolean {
    const { block, base } = this;
    for (let at = 0; at < bytes; at += block.sectorBytes) if (!block.erase(base + at)) return false;
    return true;
  }

  private program(payload: Uint8Array, sum: number): boolean {
    const { block, base } = this;
    return (
      block.program(base, this.page.opening) &&
      block.program(base + HEADER_BYTES, payload) &&
      this.programSeal(this.crc.crc32(payload, 0, payload.length, sum))
    );
  }

  private programSeal(seal: number): boolean {
    const { page } = this;
    page.words[WORD.seal] = seal;
    return this.block.program(this.base + SEAL_AT, page.seal);
  }
}
