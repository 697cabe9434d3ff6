import { Crc32 } from "../../../src/math/crc32.ts";
import type { SensorNode } from "../../../src/node/node.ts";
import { nodeSchema } from "../../../src/node/schema.ts";
import { checkpointImage } from "../../../src/store/checkpoint-image.ts";
import type { Encoder } from "../../../src/wire/encoder.ts";
import { LabelTag } from "../../../src/wire/label-tag.ts";
import { NAME } from "../../../src/wire/messages.ts";

/** The samples after which the node's memory is copied, and after which it is given back. */
const COPIED = 100;
const GIVEN = 150;
/** Bytes of a block. */
const BLOCK = 64;

/** Sends what the encoder was given to send. */
type Send = (name: "restore" | "block") => void;

/**
 * A copy of a node's memory that its labeller orders it to resume from: with another key, with a byte changed on its way, and as it is. Throws an
 * Error if the node doesn't refuse the first two, or doesn't take the last.
 */
export class OrderedStates {
  private image: Uint8Array | undefined;

  constructor(
    private readonly node: SensorNode,
    private readonly encoder: Encoder<"restore" | "block">,
    private readonly send: Send,
    private readonly key: Uint8Array,
  ) {}

  /** Copies the node's memory, or gives it back, after that sample. Returns whether the node resumed from it. */
  sampled(seq: number, boot: number, start: number): boolean {
    const { image, key, node } = this;
    if (seq === COPIED && !image) this.image = checkpointImage(nodeSchema(node.options), node.checkpointView);
    if (seq !== GIVEN || !image) return false;
    const before = this.place;
    this.give(
      image,
      key.map((byte) => byte ^ 1),
      boot,
      start,
    );
    this.give(image, key, boot, start, image.length - 3);
    if (this.place !== before) throw new Error("the node took a state without its labeller's tag");
    this.give(image, key, boot, start);
    if (node.labelled !== COPIED) throw new Error("the node didn't take the state");
    this.image = undefined;
    return true;
  }

  /** Where the node is, with its learner's hash. */
  private get place(): string {
    const { learner, labelled, sid } = this.node;
    return `${sid} ${labelled} ${learner.stateHash()}`;
  }

  /** @param changed the byte that is changed on its way */
  private give(image: Uint8Array, key: Uint8Array, boot: number, start: number, changed = -1): void {
    const { encoder, node, send } = this;
    const tag = new LabelTag(key);
    const order = encoder.message(NAME.restore);
    order.boot = boot;
    order.labelled = node.labelled;
    order.bytes = image.length;
    order.crc = new Crc32().crc32(image, 0, image.length, 0) >>> 0;
    tag.computeRestore({ boot, labelled: node.labelled, image, crc: order.crc });
    order.length = order.tag.length;
    order.tag.set(tag.words);
    send(NAME.restore);
    for (let at = 0; at < image.length; at += BLOCK) this.block(image, at, start, changed);
  }

  private block(image: Uint8Array, at: number, start: number, changed: number): void {
    const block = this.encoder.message(NAME.block);
    block.start = start;
    block.offset = at;
    block.length = Math.min(BLOCK, image.length - at);
    for (let i = 0; i < block.length; i++) block.data[i] = image[at + i] ^ (at + i === changed ? 1 : 0);
    this.send(NAME.block);
  }
}
