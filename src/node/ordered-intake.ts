import type { CheckpointIntake } from "../store/checkpoint-intake.ts";
import { IMAGE_STATUS, type ImageStatus } from "../store/paged-image.ts";
import type { LabelTag } from "../wire/label-tag.ts";
import type { Message } from "../wire/messages.ts";

/**
 * The intake of a node with a label key: it begins a checkpoint only by an order with the key's tag, for this start of the node and its last
 * label. The order has the digest of the image. Its last bytes go to flash only if all have that digest, so no other state is ever whole there.
 * Once the node learned another label, or checks the bytes of a model, the order ends.
 */
export class OrderedIntake {
  /** The digest of the image that comes. */
  private low = 0;
  private high = 0;
  /** The node's last label when it began, and the number of its digest. */
  private labelled = 0;
  private begun = 0;

  /** @param node whose state comes */
  constructor(
    private readonly intake: CheckpointIntake,
    private readonly tag: LabelTag,
    private readonly node: { readonly labelled: number },
  ) {}

  get status(): ImageStatus {
    return this.intake.status;
  }

  set status(status: ImageStatus) {
    this.intake.status = status;
  }

  get received(): number {
    return this.intake.received;
  }

  get room(): number {
    return this.intake.room;
  }

  /** Takes an order at start `boot`. Returns whether it began the checkpoint: then the present state is kept first. */
  order(order: Message<"restore">, boot: number): boolean {
    const { intake, node, tag } = this;
    const { bytes, crc } = order;
    const digestLow = order.tag[0];
    const { coming, forged, none } = IMAGE_STATUS;
    const isForged = !tag.isOfRestore(order);
    if (!isForged && intake.isKnown(bytes, crc, digestLow)) return false;
    const isOld = order.boot !== boot || order.labelled !== node.labelled;
    if (isForged || isOld) {
      if (intake.status !== coming) intake.status = isForged ? forged : none;
      return false;
    }
    this.low = digestLow;
    this.high = order.tag[1];
    this.labelled = order.labelled;
    tag.beginDigest();
    this.begun = tag.begun;
    return intake.begin(bytes, crc, digestLow);
  }

  /** Takes the image's bytes, see `PagedImage.write`. */
  write(offset: number, bytes: Uint8Array, length: number): boolean {
    const { intake, node, tag } = this;
    if (intake.status !== IMAGE_STATUS.coming || offset !== intake.received)
      return intake.write(offset, bytes, length);
    if (node.labelled !== this.labelled || tag.begun !== this.begun) {
      intake.status = IMAGE_STATUS.none;
      return false;
    }
    const count = Math.min(length, intake.bytes - offset);
    tag.digest(bytes, count);
    if (offset + count < intake.bytes || tag.endsIn(this.low, this.high))
      return intake.write(offset, bytes, length);
    intake.status = IMAGE_STATUS.forged;
    return false;
  }
}
