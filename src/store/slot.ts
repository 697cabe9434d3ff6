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
  ["seal", "CRC-32 of the words before `check`, then of the payload; programmed behind it. 0: discarded"],
  ["proof", "`seal` again, programmed once that reads back right. 0: about to be discarded"],
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
const OPENING_BYTES = 4 * WORD.seal;
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

/** True if generation a came after b, both modulo 2^32. */
export function newer(a: number, b: number): boolean {
  return ((a - b) | 0) > 0;
}

/** The buffer that both slots of a store read and write with, in turn: a page, and views of its first bytes. */
export class Page {
  readonly bytes = new Uint8Array(PAGE_BYTES);
  readonly words = new Uint32Array(this.bytes.buffer);
  readonly opening = this.bytes.subarray(0, OPENING_BYTES);
  readonly first = this.bytes.subarray(0, 4);
  readonly rest = this.bytes.subarray(HEADER_BYTES);
}

/**
 * One of the two places for a checkpoint. Its fields hold what the last read found or the last write left. No method relies on the
 * page's content from another.
 *
 * A cut leaves bits between 0 and 1, which read as either each time. Whatever is cut, a slot has the bits of its last checkpoint, some
 * of its zeros not yet programmed or half erased. So if it reads as whole, programming the same checkpoint again makes it firm; if it
 * doesn't, an erase ends it for good.
 */
export class Slot {
  content: SlotContent = CONTENT.broken;
  /** True if `generation` and `cycles` come from the header, as last read. */
  known = false;
  generation = 0;
  cycles = 0;
  /** Seal and proof as read last; both 0 if they couldn't be read. */
  private found = 0;
  private proof = 0;
  /** True if every bit was programmed to its end since the start. */
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
    return this.sealOfFlash() === this.found ? CONTENT.whole : CONTENT.broken;
  }

  /** Reads the page at that place of the slot, a multiple of its length. */
  readPage(at: number): boolean {
    return this.block.read(this.base + at, this.page.bytes);
  }

  /** Reads the header into the page. `whole`: the header of a checkpoint of this node; the payload wasn't read. */
  private examineHeader(): SlotContent {
    const { bytes, words: header } = this.page;
    const isRead = this.block.read(this.base, bytes);
    this.found = isRead ? header[WORD.seal] : 0;
    this.proof = isRead ? header[WORD.proof] : 0;
    if (!isRead) return CONTENT.broken;
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

  /** True if the node takes the state that was read last; if not, the slot counts as broken. */
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

  /** True if a power cut may have interrupted its seal, or its erase: then it may read otherwise the next time. */
  get isInDoubt(): boolean {
    return this.found !== 0 && this.proof !== this.found && !this.settled;
  }

  /**
   * True if the checkpoint is still whole, and will be after a power cut: completes a seal that is in doubt. Where a rollback was cut, the
   * rest is in doubt, too, until `secure`.
   */
  holds(): boolean {
    if (this.inspect() !== CONTENT.whole || !this.isInDoubt) return this.content === CONTENT.whole;
    this.isKept(this.programWord(WORD.seal, this.found));
    return this.content === CONTENT.whole;
  }

  /**
   * The same as `read`, then programs the checkpoint again, header and payload as they were just checked. Returns whether it then reads as
   * whole, each time; false: it is broken, or the flash can't be written.
   */
  secure(into: Uint8Array): boolean {
    if (!this.read(into)) return false;
    // The page still has the header.
    if (!this.isKept(this.program(into, this.page.words[WORD.check]))) return false;
    for (let reads = 1; reads < READS; reads++) if (this.examine() !== CONTENT.whole) return false;
    return true;
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
    return this.isKept(this.programWord(WORD.seal, sum));
  }

  private isKept(isWritten: boolean): boolean {
    this.settled = this.inspect() === CONTENT.whole && isWritten;
    // Programming sets no bit: a rollback that was cut has left zeros for good.
    if (this.settled && (this.proof & this.found) === (this.found | 0))
      this.programWord(WORD.proof, this.found);
    return this.settled;
  }

  /**
   * Discards what lies here, for good. Returns whether it is discarded. A cut leaves the checkpoint, in doubt, or a slot that is broken:
   * first its proof ends, so that no start trusts what an interrupted erase has left.
   */
  discard(generation: number): boolean {
    if (!this.programWord(WORD.proof, 0) || !this.block.erase(this.base)) return this.isDiscarded();
    this.begin(generation);
    this.block.program(this.base, this.page.opening);
    this.programWord(WORD.seal, 0);
    return this.isDiscarded();
  }

  private isDiscarded(): boolean {
    return this.inspect() !== CONTENT.whole;
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
      this.programWord(WORD.seal, this.crc.crc32(payload, 0, payload.length, sum))
    );
  }

  private programWord(place: number, value: number): boolean {
    const { page } = this;
    page.words[0] = value;
    return this.block.program(this.base + 4 * place, page.first);
  }
}
