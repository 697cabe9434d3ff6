import { frozen } from "../memory/frozen.ts";
import { type Fields, FORMATS, type Format, type Records, records } from "./format.ts";
import { chooseFrames, type FrameBytes } from "./frame-bytes.ts";
import { KEY_BYTES, keyWords, PURPOSE, TAG_BYTES } from "./keyed.ts";
import { type Message, NAME } from "./messages.ts";
import { putWord, wordAt } from "./words.ts";

/** The fields that a label's tag authenticates. */
export interface TaggedLabel {
  /** Session of its sample, as the node has it. */
  readonly sid: number;
  /** Sequence number of its sample, as the node has it. */
  readonly seq: number;
  /** -1 or +1, a class from 0, or a value. */
  readonly y: number;
  /** Its labeller, 0..255; 0: unknown. */
  readonly source: number;
  /** The labeller's confidence, 0..255; 255: certain. */
  readonly confidence: number;
}

/** The fields of an install that its tag authenticates. */
export interface TaggedInstall {
  /** The node's session: a tag of an earlier one is refused. */
  readonly sid: number;
  /** Its number among the node's labels. */
  readonly number: number;
  /** The model's bytes: the tag authenticates their number and their digest. */
  readonly model: Uint8Array;
  /** Their CRC-32. */
  readonly crc: number;
}

/** The fields of an order to resume from a checkpoint that its tag authenticates. */
export interface TaggedRestore {
  /** The number of the node's start: a tag of another one is refused. */
  readonly boot: number;
  /** The last label that the node answered: after another one the tag is refused. */
  readonly labelled: number;
  /** The image's bytes: the tag authenticates their number and their digest. */
  readonly image: Uint8Array;
  /** Their CRC-32. */
  readonly crc: number;
}

/**
 * A message with a tag: where the authenticated fields begin and end among its fields, the tag behind them, the tag's purpose, and how many
 * words its field `tag` has. That of an order begins with the digest of its image, which is authenticated, too.
 */
interface TaggedMessage {
  readonly format: Format;
  readonly from: number;
  readonly to: number;
  readonly purpose: number;
  readonly words: number;
}
/** A message that orders an image. */
type Order = Message<"install"> | Message<"restore">;
/** Session, sample, label, source, confidence. */
const LABEL: TaggedMessage = frozen({
  format: FORMATS.label,
  from: 8,
  to: 22,
  purpose: PURPOSE.label,
  words: 2,
});
/** Session, number, length, CRC-32, digest. */
const INSTALL: TaggedMessage = frozen({
  format: FORMATS.install,
  from: 4,
  to: 28,
  purpose: PURPOSE.install,
  words: 4,
});
/** Start, label, length, CRC-32, digest. */
const RESTORE: TaggedMessage = frozen({
  format: FORMATS.restore,
  from: 0,
  to: 24,
  purpose: PURPOSE.restore,
  words: 4,
});
/** Bytes of an image that are hashed at once. */
const PIECE_BYTES = 64;
/** Where the digest so far lies among the buffer's bytes, and the piece after it. */
const DIGEST_AT = INSTALL.to + TAG_BYTES;
const PIECE_AT = DIGEST_AT + TAG_BYTES;
const INPUT_BYTES = PIECE_AT + PIECE_BYTES + TAG_BYTES;
/** Bytes of the buffers of a `LabelTag`. */
export const LABEL_TAG_BYTES = KEY_BYTES + INPUT_BYTES;

/**
 * Authenticates labels from end to end: the labeller tags them, and the node that learns from them checks the tag. A relay can drop a
 * label, but can't forge one. The same for the installs of models, and for orders to resume from a checkpoint.
 */
export class LabelTag {
  private readonly key: Int32Array;
  /** The fields of the message, and the tag after them; then the digest so far, and the piece of the image that comes. */
  private readonly input = new Uint8Array(INPUT_BYTES);
  /** Digests that began: one whose bytes come in parts ends where another begins. */
  begun = 0;
  /** Bytes of the piece that came. */
  private come = 0;
  /** Where the tag that was computed last lies. */
  private at = 0;
  /** The messages to be tagged. They are made at the first use, as a node only checks tags. */
  private made: Records<"label" | "install" | "restore"> | undefined;

  /** @param key the node's label key, 16 bytes. */
  constructor(
    key: Uint8Array,
    private readonly frames: FrameBytes = chooseFrames(),
  ) {
    this.key = keyWords(key);
  }

  /** Computes a label's tag: `low` and `high`. */
  compute({ sid, seq, y, source, confidence }: TaggedLabel): void {
    const { label } = this.messages;
    label.sid = sid;
    label.seq = seq;
    label.y = y;
    label.source = source;
    label.confidence = confidence;
    this.sign(LABEL, label);
  }

  /** Computes the tag of the install of a model: `words`. */
  computeInstall({ sid, number, model, crc }: TaggedInstall): void {
    const { install } = this.messages;
    install.sid = sid;
    install.number = number;
    this.signOrder(INSTALL, install, model, crc);
  }

  /** Computes the tag of an order to resume from a checkpoint: `words`. */
  computeRestore({ boot, labelled, image, crc }: TaggedRestore): void {
    const { restore } = this.messages;
    restore.boot = boot;
    restore.labelled = labelled;
    this.signOrder(RESTORE, restore, image, crc);
  }

  /** Computes the digest of an image: `low` and `high`. */
  computeDigest(image: Uint8Array): void {
    this.beginDigest();
    this.digest(image, image.length);
    this.endDigest();
  }

  /** Begins the digest of an image whose bytes come in parts. */
  beginDigest(): void {
    this.begun++;
    this.come = 0;
    this.input.fill(0, DIGEST_AT, PIECE_AT);
  }

  /** Takes the image's next bytes, the first `count` of `bytes`. */
  digest(bytes: Uint8Array, count: number): void {
    const { input } = this;
    for (let i = 0; i < count; i++) {
      if (this.come === PIECE_BYTES) this.hashPiece();
      input[PIECE_AT + this.come++] = bytes[i];
    }
  }

  /** All of the image came: its digest is `low` and `high`. */
  endDigest(): void {
    if (this.come > 0) this.hashPiece();
    this.at = DIGEST_AT;
  }

  /** The same; true if it is the digest of these two words. */
  endsIn(low: number, high: number): boolean {
    this.endDigest();
    return this.low === low && this.high === high;
  }

  private hashPiece(): void {
    const { input } = this;
    const end = PIECE_AT + this.come;
    this.frames.sign(input, DIGEST_AT, end, this.key, 0, PURPOSE.digest);
    putWord(input, DIGEST_AT, wordAt(input, end));
    putWord(input, DIGEST_AT + 4, wordAt(input, end + 4));
    this.come = 0;
  }

  private get messages() {
    this.made ??= records([NAME.label, NAME.install, NAME.restore]);
    return this.made;
  }

  private signOrder(tagged: TaggedMessage, order: Order, image: Uint8Array, crc: number): void {
    this.computeDigest(image);
    order.bytes = image.length;
    order.crc = crc;
    order.length = 2;
    order.tag[0] = this.low;
    order.tag[1] = this.high;
    this.sign(tagged, order);
  }

  private sign({ format, from, to, purpose }: TaggedMessage, message: object): void {
    this.frames.pack(this.input, 0, format, message as Fields);
    this.frames.sign(this.input, from, to, this.key, 0, purpose);
    this.at = to;
  }

  /** First 32 bits of the tag or digest that was computed last, unsigned. */
  get low(): number {
    return wordAt(this.input, this.at) >>> 0;
  }

  /** Its last 32 bits. */
  get high(): number {
    return wordAt(this.input, this.at + 4) >>> 0;
  }

  /** The words of an order's field `tag`, the one that was tagged last: the digest of its image, and the tag. It allocates. */
  get words(): [number, number, number, number] {
    const { at, high, input, low } = this;
    return [wordAt(input, at - TAG_BYTES) >>> 0, wordAt(input, at - TAG_BYTES + 4) >>> 0, low, high];
  }

  /** True if a received label carries the right tag. */
  signsLabel(label: Message<"label">): boolean {
    return this.isSigned(LABEL, label);
  }

  /** True if a received install carries the right tag. */
  isOfInstall(install: Message<"install">): boolean {
    return this.isSigned(INSTALL, install);
  }

  /** True if the first bytes of `model` are those of a received install with the right tag. */
  signsModel(install: Message<"install">, model: Uint8Array): boolean {
    const { bytes, tag } = install;
    this.beginDigest();
    this.digest(model, bytes);
    return this.endsIn(tag[0], tag[1]);
  }

  /** True if a received order to resume from a checkpoint carries the right tag. */
  isOfRestore(restore: Message<"restore">): boolean {
    return this.isSigned(RESTORE, restore);
  }

  private isSigned(tagged: TaggedMessage, message: { readonly length: number }): boolean {
    if (message.length !== tagged.words) return false;
    const input = this.input;
    const frames = this.frames;
    frames.pack(input, 0, tagged.format, message as unknown as Fields);
    return frames.isSigned(input, tagged.from, tagged.to, this.key, 0, tagged.purpose);
  }
}

/**
 * The label key of a node, from its centre's key and the node's name there, in UTF-8: so a tag names its node. It allocates.
 */
export function labelKey(centreKey: Uint8Array, name: Uint8Array): Uint8Array {
  const frames = chooseFrames();
  const input = new Uint8Array(name.length + TAG_BYTES);
  input.set(name);
  const key = new Uint8Array(KEY_BYTES);
  for (let half = 0; half < 2; half++) {
    const purpose = half === 0 ? PURPOSE.labelFirstHalf : PURPOSE.labelSecondHalf;
    frames.sign(input, 0, name.length, keyWords(centreKey), 0, purpose);
    key.set(input.subarray(name.length), TAG_BYTES * half);
  }
  return key;
}
