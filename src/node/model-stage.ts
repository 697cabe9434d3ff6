import type { InstalledModel } from "../learn/installed-model.ts";
import type { Checksum } from "../math/crc32.ts";
import { IMAGE_STATUS, PagedImage } from "../store/paged-image.ts";
import type { LabelTag } from "../wire/label-tag.ts";
import type { Message } from "../wire/messages.ts";

/** A model on its way: its bytes come in blocks to the scratch in which `InstalledModel` expects them. No state, so a power cut loses it. */
export class ModelStage extends PagedImage {
  constructor(
    model: InstalledModel,
    private readonly checksum: Checksum,
  ) {
    super(model.stageView);
  }

  get room(): number {
    return this.page.length;
  }

  /** Expects that model, unless its bytes have come or are coming. */
  begin(bytes: number, crc: number): void {
    const { coming, none, tooLong, whole } = IMAGE_STATUS;
    const isKnown = this.status === coming || this.status === whole;
    if (isKnown && bytes === this.bytes && crc === this.crc) return;
    this.expect(bytes, crc, 0);
    this.status = bytes === 0 ? none : bytes > this.room ? tooLong : coming;
  }

  /** True if the bytes that came in whole for this install, whose tag is right, aren't the labeller's: then they begin again. */
  refuses(install: Message<"install">, labelTag: LabelTag): boolean {
    const { bytes, crc, page, status } = this;
    if (status !== IMAGE_STATUS.whole || install.bytes !== bytes || install.crc !== crc) return false;
    if (labelTag.signsModel(install, page)) return false;
    this.status = IMAGE_STATUS.forged;
    return true;
  }

  protected keepPage(): boolean {
    return true;
  }

  protected verify(): void {
    const sum = this.checksum.crc32(this.page, 0, this.bytes, 0);
    this.status = sum === this.crc ? IMAGE_STATUS.whole : IMAGE_STATUS.damaged;
  }
}
