import { frozen } from "../memory/frozen.ts";
import { type Fields, FORMATS, type Format, records } from "./format.ts";
import { type FrameBytes, framesOf } from "./frame-bytes.ts";
import { KEY_BYTES, keyWords, PURPOSE, TAG_BYTES } from "./keyed.ts";
import { type Message, NAME } from "./messages.ts";
import { wordAt } from "./words.ts";

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
  /** Length of the model. */
  readonly bytes: number;
  /** CRC-32 of the model. */
  readonly crc: number;
}

/** A message with a tag: where the authenticated fields begin and end among its fields, the tag behind them, and the tag's purpose. */
interface Tagged {
  readonly format: Format;
  readonly from: number;
  readonly to: number;
  readonly purpose: number;
}
/** Session, sample, label, source, confidence. */
const LABEL: Tagged = frozen({ format: FORMATS.label, from: 8, to: 22, purpose: PURPOSE.label });
/** Session, number, length, CRC-32. */
const INSTALL: Tagged = frozen({ format: FORMATS.install, from: 4, to: 20, purpose: PURPOSE.install });
/** Bytes of the buffers of a `LabelTag`. */
export const LABEL_TAG_BYTES = KEY_BYTES + LABEL.to + TAG_BYTES;

/**
 * Authenticates labels from end to end: the labeller tags them, and the node that learns from them checks the tag. A relay can drop a
 * label, but can't forge one. The same for the installs of models.
 */
export class LabelTag {
  private readonly key: Int32Array;
  /** The fields of the message, and the tag after them. */
  private readonly input = new Uint8Array(LABEL.to + TAG_BYTES);
  /** Where the tag that was computed last lies. */
  private at = 0;
  /** The messages to be tagged. They are made at the first use, as a node only checks tags. */
  private made: { readonly label: Message<"label">; readonly install: Message<"install"> } | undefined;

  /** @param key the node's label key, 16 bytes. */
  constructor(
    key: Uint8Array,
    private readonly frames: FrameBytes = framesOf(),
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

  /** Computes the tag of the install of a model: `low` and `high`. */
  computeInstall({ sid, number, bytes, crc }: TaggedInstall): void {
    const { install } = this.messages;
    install.sid = sid;
    install.number = number;
    install.bytes = bytes;
    install.crc = crc;
    this.sign(INSTALL, install);
  }

  private get messages() {
    this.made ??= records([NAME.label, NAME.install]);
    return this.made;
  }

  private sign({ format, from, to, purpose }: Tagged, message: object): void {
    this.frames.pack(this.input, 0, format, message as Fields);
    this.frames.sign(this.input, from, to, this.key, 0, purpose);
    this.at = to;
  }

  /** First 32 bits of the tag that was computed last, unsigned. */
  get low(): number {
    return wordAt(this.input, this.at) >>> 0;
  }

  /** Its last 32 bits. */
  get high(): number {
    return wordAt(this.input, this.at + 4) >>> 0;
  }

  /** True if a received label carries the right tag. */
  isOf(label: Message<"label">): boolean {
    return this.isSigned(LABEL, label);
  }

  /** True if a received install carries the right tag. */
  isOfInstall(install: Message<"install">): boolean {
    return this.isSigned(INSTALL, install);
  }

  private isSigned(tagged: Tagged, message: { readonly length: number }): boolean {
    if (message.length !== 2) return false;
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
  const frames = framesOf();
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
