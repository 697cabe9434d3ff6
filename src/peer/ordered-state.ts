import type { LabelTag } from "../wire/label-tag.ts";
import type { PeerPort } from "./framing.ts";
import type { NodePosition } from "./position.ts";
import { type Ask, UpdateSender } from "./update.ts";

/**
 * Sends a node with a label key a checkpoint, and orders with the key's tag that the node resumes from it. Each order names the node's position,
 * so labels wait meanwhile. Two images of the same checkpoint differ in their `generation`.
 */
export class OrderedStateSender extends UpdateSender {
  private readonly digestLow: number;
  private readonly digestHigh: number;

  /** @param node where the node is, see `Peer.node` */
  constructor(
    image: Uint8Array,
    private readonly labelTag: LabelTag,
    private readonly node: NodePosition,
  ) {
    super(image, 0, "restore");
    labelTag.computeDigest(image);
    this.digestLow = labelTag.low;
    this.digestHigh = labelTag.high;
  }

  override get holdsLabels(): boolean {
    return !this.isDone;
  }

  protected override ask(port: PeerPort): Ask {
    const { crc, digestHigh, digestLow, image, labelTag, node } = this;
    const { boot, labelled } = node;
    const order = { boot, labelled, bytes: image.length, crc, digestLow, digestHigh };
    labelTag.computeRestore(order);
    const message = Object.assign(port.outgoing("restore"), order);
    message.length = message.tag.length;
    message.tag.set([labelTag.low, labelTag.high]);
    return "restore";
  }
}
