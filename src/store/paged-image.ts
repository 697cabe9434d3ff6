import { frozen } from "../memory/frozen.ts";

/** How far an image is. The number is its code on the wire. */
export const IMAGE_STATUS = frozen({
  /** none has begun since the node started */
  none: 0,
  /** it is arriving; the next byte is `received` */
  coming: 1,
  /** all of it lies in the slot, and its check sum is right */
  whole: 2,
  /** the slot has no room for it */
  tooLong: 3,
  /** all of it arrived, and its check sum is wrong: begin again */
  damaged: 4,
  /** the flash can't keep it */
  failed: 5,
  /** the node starts with it next; a checkpoint: the node resumed from it */
  activated: 6,
  /** the board has no second slot; for a checkpoint: no flash */
  noSlot: 7,
  /** it is the running firmware */
  runs: 8,
  /** it is a checkpoint of another learner, of other options, or of another format */
  other: 9,
  /** a checkpoint that comes too soon after the one before: the flash is spared */
  early: 10,
  /** it came whole, and its state is none that this node can have: the node resumed from the checkpoint before it */
  unsound: 11,
  /** it wasn't tagged with the node's label key, or its bytes aren't those that were */
  forged: 12,
} as const);
/** One of `IMAGE_STATUS`. */
export type ImageStatus = (typeof IMAGE_STATUS)[keyof typeof IMAGE_STATUS];

/** An image, as its sender describes it. */
export interface Image {
  /** Its length in bytes, at least 1. */
  readonly bytes: number;
  /** Its CRC-32. */
  readonly crc: number;
  /** Firmware: the hash that its self-test must give; 0: unknown. A checkpoint: a number, another for each restoration. */
  readonly selfTest: number;
}

/** True if both describe the same image. */
export function sameImage(a: Image | undefined, b: Image): boolean {
  return a !== undefined && a.bytes === b.bytes && a.crc === b.crc && a.selfTest === b.selfTest;
}

/** Bytes that come in blocks, from the first to the last, and are kept page by page: the image that came last, or comes. */
export abstract class PagedImage implements Image {
  status: ImageStatus = IMAGE_STATUS.none;
  /** Bytes that came; the next block begins there. */
  received = 0;
  bytes = 0;
  crc = 0;
  selfTest = 0;

  constructor(
    /** The bytes of the page that comes. */
    protected readonly page: Uint8Array,
  ) {}

  /** Expects an image, from its first byte. It takes numbers, and no `Image`: a node that installs a model allocates nothing. */
  protected expect(bytes: number, crc: number, selfTest: number): void {
    this.bytes = bytes;
    this.crc = crc;
    this.selfTest = selfTest;
    this.received = 0;
  }

  /**
   * Takes the image's bytes from `offset` on: the first `length` of `bytes`. Ignores bytes that it has. Returns false if they don't begin at
   * `received`, no image has begun, or `received` went back because the flash failed.
   */
  write(offset: number, bytes: Uint8Array, length: number): boolean {
    if (this.status !== IMAGE_STATUS.coming || offset > this.received) return false;
    if (offset < this.received) return true;
    const count = Math.min(length, this.bytes - offset);
    for (let i = 0; i < count && this.status === IMAGE_STATUS.coming; i++) {
      this.page[this.received % this.page.length] = bytes[i];
      this.received++;
      const isLast = this.received === this.bytes;
      if ((isLast || this.received % this.page.length === 0) && !this.keepPage()) return false;
      if (isLast) this.verify();
    }
    return true;
  }

  /** Bytes of the longest image. */
  abstract get room(): number;

  /** Keeps the page that is full, or the image's last. */
  protected abstract keepPage(): boolean;

  /** All of it came: finds out whether it is whole. */
  protected abstract verify(): void;
}
