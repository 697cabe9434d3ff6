import { type Checksum, Crc32 } from "../math/crc32.ts";
import type { BlockDevice } from "./block-device.ts";
import { IMAGE_STATUS, type Image, PagedImage, sameImage } from "./paged-image.ts";
import { PAGE_BYTES } from "./slot.ts";

/** Spares the flash. */
export interface Turns {
  /** True if an image may be begun now: then it is. @param intervalMs milliseconds between two, on average. Default: always. */
  takesTurn?(intervalMs: number): boolean;
}

/** Which firmware a board starts. */
export interface BootRecord {
  /** Writes it again, for the firmware that runs alone. False if it can't. */
  secure(): boolean;
}

/** Milliseconds between two images, on average. */
const TURN_MS = 600_000;

const MAGIC = 0x494d4c4d;
/** The journal's header in words, little-endian as the machine is: magic, length, check sum, self-test, check sum of these; behind them a mark a sector. */
const HEADER_WORDS = 5;
const CHECK = HEADER_WORDS - 1;
const CHECKED_BYTES = 4 * CHECK;
const HEADER_BYTES = 4 * HEADER_WORDS;
const MARKS_AT = 64;
const MARK_BYTES = 4;
/** Attempts to write a page that doesn't read back as received, each time with its whole sector. */
const TRIES = 3;

/** The image that a slot's journal describes, whether all of it is there or not; undefined: none. */
export function imageIn(block: BlockDevice, crc: Checksum = new Crc32()): Image | undefined {
  const words = new Uint32Array(HEADER_WORDS);
  const header = new Uint8Array(words.buffer);
  if (!block.read(block.bytes - block.sectorBytes, header)) return undefined;
  if (words[0] !== MAGIC || words[CHECK] !== crc.crc32(header, 0, CHECKED_BYTES, 0)) return undefined;
  return { bytes: words[1], crc: words[2], selfTest: words[3] };
}

/**
 * Writes an image of firmware into a slot of flash, from its first byte to its last. The slot's last sector is a journal:
 * the image's description, and a mark for each written sector. So after a power cut it resumes at the sector that was
 * being written. It counts as whole once its check sum, read from the flash, is right. Nothing is allocated after construction.
 */
export class ImageSlot extends PagedImage {
  private readonly words = new Uint32Array(this.page.buffer);
  private readonly header = this.page.subarray(0, HEADER_BYTES);
  private readonly mark = new Uint8Array(MARK_BYTES);
  private faults = 0;

  /** @param block the slot: its sectors are multiples of 256 bytes. */
  constructor(
    private readonly block: BlockDevice,
    private readonly checksum: Checksum = new Crc32(),
    private readonly turns: Turns = {},
  ) {
    super(new Uint8Array(PAGE_BYTES));
  }

  /** Bytes of the longest image. */
  get room(): number {
    const { bytes, sectorBytes } = this.block;
    const marks = Math.floor((sectorBytes - MARKS_AT) / MARK_BYTES);
    return Math.min(bytes - sectorBytes, marks * sectorBytes);
  }

  /**
   * Begins an image, or resumes it where the slot holds its first sectors: `received` and `status` say how far it is. One that is refused as
   * too long or too early leaves the one that comes as it was, so that nothing is erased again when that one is begun again.
   * @param record secured before the slot is touched, so that no half image can start.
   */
  begin(image: Image, record?: BootRecord): void {
    const { block, checksum } = this;
    const isSame = sameImage(this, image);
    const isHere = isSame && this.received < this.bytes;
    const isResumed = isHere || sameImage(imageIn(block, checksum), image);
    if (!(image.bytes >= 1 && image.bytes <= this.room)) this.status = IMAGE_STATUS.tooLong;
    else if (!isResumed && this.turns.takesTurn?.(TURN_MS) === false) this.status = IMAGE_STATUS.early;
    else if (!isHere && record?.secure() === false) this.status = IMAGE_STATUS.failed;
    else {
      this.faults = 0;
      if (!isHere) {
        this.expect(image.bytes, image.crc, image.selfTest);
        if (isResumed) this.received = Math.min(this.marked() * block.sectorBytes, image.bytes);
      }
      this.status =
        (isSame && isResumed) || this.writeHeader(isResumed) ? IMAGE_STATUS.coming : IMAGE_STATUS.failed;
      if (this.received === image.bytes) this.verify();
    }
  }

  /** Programs the page that is full, or the image's last; on a fault the image goes back to the beginning of its sector. */
  protected keepPage(): boolean {
    const { sectorBytes } = this.block;
    const at = PAGE_BYTES * Math.floor((this.received - 1) / PAGE_BYTES);
    const sector = sectorBytes * Math.floor(at / sectorBytes);
    this.page.fill(0xff, ((this.received - 1) % PAGE_BYTES) + 1);
    if (this.keeps(at, sector)) {
      const ends = this.received % sectorBytes === 0 || this.received === this.bytes;
      if (ends) this.faults = 0;
      if (!ends || this.block.program(this.markAt(sector), this.mark)) return true;
    }
    this.received = sector;
    if (++this.faults === TRIES) this.status = IMAGE_STATUS.failed;
    return false;
  }

  /** True if the page reads back as received. Erases the sector before its first page. */
  private keeps(at: number, sector: number): boolean {
    const { block, checksum, page } = this;
    if (at === sector && !block.erase(sector)) return false;
    const before = checksum.crc32(page, 0, PAGE_BYTES, 0);
    return (
      block.program(at, page) && block.read(at, page) && checksum.crc32(page, 0, PAGE_BYTES, 0) === before
    );
  }

  /** Reads the whole image. Erases the journal of a damaged one, so that it isn't resumed. */
  protected verify(): void {
    const { block, bytes, checksum, page } = this;
    let found = 0;
    let isRead = true;
    for (let at = 0; at < bytes && isRead; at += PAGE_BYTES) {
      isRead = block.read(at, page);
      found = checksum.crc32(page, 0, Math.min(PAGE_BYTES, bytes - at), found);
    }
    this.status = isRead && found === this.crc ? IMAGE_STATUS.whole : IMAGE_STATUS.damaged;
    if (this.status === IMAGE_STATUS.damaged) block.erase(this.journal);
  }

  private get journal(): number {
    return this.block.bytes - this.block.sectorBytes;
  }

  private markAt(sector: number): number {
    return this.journal + MARKS_AT + MARK_BYTES * (sector / this.block.sectorBytes);
  }

  /** Sectors from the first on whose marks are set, all bits of each. */
  private marked(): number {
    const { block, page, words } = this;
    const sectors = Math.ceil(this.bytes / block.sectorBytes);
    for (let i = 0; i < sectors; i++) {
      const place = MARKS_AT + MARK_BYTES * i;
      const within = place % PAGE_BYTES;
      if ((i === 0 || within === 0) && !block.read(this.journal + place - within, page)) return i;
      if (words[within / MARK_BYTES] !== 0) return i;
    }
    return sectors;
  }

  /** Programs the journal's header, in an erased journal. `isThere`: it reads right, and a cut may have left bits of it between 0 and 1. */
  private writeHeader(isThere: boolean): boolean {
    const { block, bytes, checksum, crc, header, journal, selfTest, words } = this;
    words[0] = MAGIC;
    words[1] = bytes;
    words[2] = crc;
    words[3] = selfTest;
    words[CHECK] = checksum.crc32(header, 0, CHECKED_BYTES, 0);
    return (isThere || block.erase(journal)) && block.program(journal, header);
  }
}
