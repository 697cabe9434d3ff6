import { type Checksum, Crc32 } from "../math/crc32.ts";
import type { BlockDevice } from "./block-device.ts";
import { IMAGE_STATUS, PagedImage } from "./paged-image.ts";
import { PAGE_BYTES } from "./slot.ts";

/** A firmware image, as its sender describes it. */
export interface Image {
  /** Its length in bytes, at least 1. */
  readonly bytes: number;
  /** Its CRC-32. */
  readonly crc: number;
  /** The hash that this firmware's self-test must give; 0: unknown. */
  readonly selfTest: number;
}

const MAGIC = 0x494d4c4d;
/** The journal's header in words: magic, length, check sum, self-test, check sum of these; behind them a mark a sector. */
const HEADER_WORDS = 5;
const CHECKED_BYTES = 4 * (HEADER_WORDS - 1);
const MARKS_AT = 64;
const MARK_BYTES = 4;
/** Attempts to write a page that doesn't read back as received, each time with its whole sector. */
const TRIES = 3;

/** Whether both describe the same image. */
export function sameImage(a: Image | undefined, b: Image): boolean {
  return a !== undefined && a.bytes === b.bytes && a.crc === b.crc && a.selfTest === b.selfTest;
}

/** The image that a slot's journal describes, whether all of it is there or not; undefined: none. */
export function imageIn(block: BlockDevice, crc: Checksum = new Crc32()): Image | undefined {
  const header = new Uint8Array(4 * HEADER_WORDS);
  const view = new DataView(header.buffer);
  if (!block.read(block.bytes - block.sectorBytes, header)) return undefined;
  const right = view.getUint32(0, true) === MAGIC;
  if (!right || view.getUint32(CHECKED_BYTES, true) !== crc.crc32(header, 0, CHECKED_BYTES, 0))
    return undefined;
  return {
    bytes: view.getUint32(4, true),
    crc: view.getUint32(8, true),
    selfTest: view.getUint32(12, true),
  };
}

/**
 * Writes an image of firmware into a slot of flash, from its first byte to its last. The slot's last sector is a journal:
 * the image's description, and a mark for each written sector. So after a power cut it resumes at the sector that was
 * being written. It counts as whole once its check sum, read from the flash, is right. Nothing is allocated after construction.
 */
export class ImageSlot extends PagedImage {
  private image: Image | undefined;
  private readonly view = new DataView(this.page.buffer);
  private readonly mark = new Uint8Array(MARK_BYTES);
  private faults = 0;

  /** @param block the slot: its sectors are multiples of 256 bytes. */
  constructor(
    private readonly block: BlockDevice,
    private readonly crc: Checksum = new Crc32(),
  ) {
    super(new Uint8Array(PAGE_BYTES));
  }

  /** Bytes of the longest image. */
  get room(): number {
    const { bytes, sectorBytes } = this.block;
    const marks = Math.floor((sectorBytes - MARKS_AT) / MARK_BYTES);
    return Math.min(bytes - sectorBytes, marks * sectorBytes);
  }

  /** Begins an image, or resumes it where the slot holds its first sectors: `received` and `status` say how far it is. */
  begin(image: Image): void {
    this.faults = 0;
    this.received = 0;
    this.image = image;
    this.end = image.bytes;
    if (!(image.bytes >= 1 && image.bytes <= this.room)) {
      this.image = undefined;
      this.status = IMAGE_STATUS.tooLong;
      return;
    }
    const same = sameImage(imageIn(this.block, this.crc), image);
    if (same) this.received = Math.min(this.marked() * this.block.sectorBytes, image.bytes);
    this.status = same || this.writeHeader(image) ? IMAGE_STATUS.coming : IMAGE_STATUS.failed;
    if (this.status === IMAGE_STATUS.coming && this.received === image.bytes) this.verify();
  }

  /** Programs the page that is full, or the image's last; on a fault the image goes back to the beginning of its sector. */
  protected keepPage(): boolean {
    const { sectorBytes } = this.block;
    const at = PAGE_BYTES * Math.floor((this.received - 1) / PAGE_BYTES);
    const sector = sectorBytes * Math.floor(at / sectorBytes);
    this.page.fill(0xff, ((this.received - 1) % PAGE_BYTES) + 1);
    if (this.keeps(at, sector)) {
      const ends = this.received % sectorBytes === 0 || this.received === this.end;
      if (ends) this.faults = 0;
      if (!ends || this.block.program(this.markAt(sector), this.mark)) return true;
    }
    this.received = sector;
    if (++this.faults === TRIES) this.status = IMAGE_STATUS.failed;
    return false;
  }

  /** Whether the page reads back as received. Erases the sector before its first page. */
  private keeps(at: number, sector: number): boolean {
    const { block, crc, page } = this;
    if (at === sector && !block.erase(sector)) return false;
    const before = crc.crc32(page, 0, PAGE_BYTES, 0);
    return block.program(at, page) && block.read(at, page) && crc.crc32(page, 0, PAGE_BYTES, 0) === before;
  }

  /** Reads the whole image. Erases the journal of a damaged one, so that it isn't resumed. */
  protected verify(): void {
    const { block, crc, end: bytes, image, page } = this;
    let found = 0;
    let isRead = true;
    for (let at = 0; at < bytes && isRead; at += PAGE_BYTES) {
      isRead = block.read(at, page);
      found = crc.crc32(page, 0, Math.min(PAGE_BYTES, bytes - at), found);
    }
    this.status = isRead && found === image?.crc ? IMAGE_STATUS.whole : IMAGE_STATUS.damaged;
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
    const { block, page, view } = this;
    const sectors = Math.ceil(this.end / block.sectorBytes);
    for (let i = 0; i < sectors; i++) {
      const place = MARKS_AT + MARK_BYTES * i;
      const within = place % PAGE_BYTES;
      if ((i === 0 || within === 0) && !block.read(this.journal + place - within, page)) return i;
      if (view.getUint32(within, true) !== 0) return i;
    }
    return sectors;
  }

  private writeHeader({ bytes, crc: sum, selfTest }: Image): boolean {
    const { block, crc, page, view } = this;
    page.fill(0xff);
    view.setUint32(0, MAGIC, true);
    view.setUint32(4, bytes, true);
    view.setUint32(8, sum, true);
    view.setUint32(12, selfTest, true);
    view.setUint32(CHECKED_BYTES, crc.crc32(page, 0, CHECKED_BYTES, 0), true);
    return block.erase(this.journal) && block.program(this.journal, page);
  }
}
