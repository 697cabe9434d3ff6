import type { LabelTag } from "../wire/label-tag.ts";
import type { PeerPort } from "./framing.ts";
import type { NodePosition } from "./position.ts";
import { type Ask, UpdateSender } from "./update.ts";

/**
 * Sends a node with a label key a checkpoint, and orders with the key's tag that the node resumes from it. Each order names the node's position,
 * so labels wait meanwhile. Two images of the same checkpoint differ in their `generation`.
 */
export class OrderedStateSender extends UpdateSender {
  /** @param node where the node is, see `Peer.node` */
  constructor(
    image: Uint8Array,
    private readonly labelTag: LabelTag,
    private readonly node: NodePosition,
  ) {
    super(image, 0, "restore");
  }

  override get holdsLabels(): boolean {
    return !this.isDone;
  }

  protected override ask(port: PeerPort): Ask {
    const { crc, image, labelTag, node } = this;
    const { boot, labelled } = node;
    const message = port.outgoing("restore");
    labelTag.computeRestore({ boot, labelled, image, crc });
    Object.assign(message, { boot, labelled, bytes: image.length, crc, length: message.tag.length });
    message.tag.set(labelTag.words);
    return "restore";
  }
}
