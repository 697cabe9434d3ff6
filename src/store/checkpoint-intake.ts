import type { Checksum } from "../math/crc32.ts";
import type { CheckpointStore } from "./checkpoint-store.ts";
import { IMAGE_STATUS, PagedImage } from "./paged-image.ts";
import { CONTENT, HEADER_BYTES, PAGE_BYTES, type Page, type Slot } from "./slot.ts";

/**
 * Takes a checkpoint that comes in blocks, header first, into the slot that a save would use. The slot's seal comes last, so a
 * power cut leaves the store with the checkpoint before, or with this one. It uses the store's page, and no memory for the rest.
 */
export class CheckpointIntake extends PagedImage {
  private slot: Slot | undefined;
  /** When it began. */
  begunAt = 0;
  /** Check sums of the checkpoint that comes: as it was sent, and as it lies in the slot. */
  private sum = 0;
  private sealing = 0;

  constructor(
    private readonly store: CheckpointStore,
    page: Page,
    private readonly checksum: Checksum,
  ) {
    super(page.bytes);
  }

  /** Bytes of the slot that it takes. */
  get room(): number {
    return HEADER_BYTES + this.store.schema.length;
  }

  /** True if bytes of one have come, and more are to come. */
  get isOpen(): boolean {
    return this.status === IMAGE_STATUS.coming && this.received > 0;
  }

  /** True if that image comes, or came last, and need not come again. */
  isKnown(bytes: number, crc: number, selfTest: number): boolean {
    if (bytes !== this.bytes || crc !== this.crc || selfTest !== this.selfTest) return false;
    const { coming, activated, unsound } = IMAGE_STATUS;
    return this.status === coming || this.status === activated || this.status === unsound;
  }

  /**
   * Begins a checkpoint, unless it is known. Returns false if it is, doesn't fit this node, or comes too early.
   * @param selfTest another number for each restoration.
   */
  begin(bytes: number, crc: number, selfTest: number): boolean {
    const { room, store } = this;
    if (this.isKnown(bytes, crc, selfTest)) return false;
    this.expect(bytes, crc, selfTest);
    this.begunAt = store.clock.now();
    if (this.bytes !== room) this.status = IMAGE_STATUS.other;
    else this.status = store.takesTurn() ? IMAGE_STATUS.coming : IMAGE_STATUS.early;
    return this.status === IMAGE_STATUS.coming;
  }

  /** The store needs its page, or the slot. */
  cancel(): void {
    if (this.isOpen) this.status = IMAGE_STATUS.none;
  }

  override write(offset: number, bytes: Uint8Array, length: number): boolean {
    // The store looks for the slot by its page, so before the page has bytes of this checkpoint.
    if (this.status === IMAGE_STATUS.coming && this.received === 0 && offset === 0)
      this.slot = this.store.target();
    return super.write(offset, bytes, length);
  }

  protected keepPage(): boolean {
    const { checksum, page } = this;
    const slot = this.slot as Slot;
    const at = PAGE_BYTES * Math.floor((this.received - 1) / PAGE_BYTES);
    const end = this.received - at;
    page.fill(0xff, end);
    this.sum = checksum.crc32(page, 0, end, at === 0 ? 0 : this.sum);
    if (at === 0) {
      const content = slot.described();
      if (content !== CONTENT.whole) {
        this.status = content === CONTENT.broken ? IMAGE_STATUS.damaged : IMAGE_STATUS.other;
        return false;
      }
      this.sealing = slot.begin(this.store.nextGeneration());
    }
    this.sealing = checksum.crc32(page, at === 0 ? HEADER_BYTES : 0, end, this.sealing);
    if (slot.keep(at)) return true;
    this.status = IMAGE_STATUS.failed;
    return false;
  }

  protected verify(): void {
    const slot = this.slot as Slot;
    if (this.sum !== this.crc) this.status = IMAGE_STATUS.damaged;
    else if (!slot.seal(this.sealing)) this.status = IMAGE_STATUS.failed;
    else {
      this.status = IMAGE_STATUS.whole;
      this.store.kept = slot;
    }
  }
}
