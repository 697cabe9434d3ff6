import { type Fields, FORMATS, records } from "./format.ts";
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

const FORMAT = FORMATS.label;
/** Where the authenticated fields begin and end among a label's: session, sample, label, source, confidence. The tag follows them. */
const FROM = 8;
const TO = 22;
/** Bytes of the buffers of a `LabelTag`. */
export const LABEL_TAG_BYTES = KEY_BYTES + TO + TAG_BYTES;

/**
 * Authenticates labels from end to end: the labeller tags them, and the node that learns from them checks the tag. A relay can drop a
 * label, but can't forge one.
 */
export class LabelTag {
  private readonly key: Int32Array;
  /** A label's fields, and the tag after them. */
  private readonly input = new Uint8Array(TO + TAG_BYTES);
  /** The message of a label to be tagged. It is made at the first use, as a node only checks tags. */
  private label: Message<"label"> | undefined;

  /** @param key the node's label key, 16 bytes. */
  constructor(
    key: Uint8Array,
    private readonly frames: FrameBytes = framesOf(),
  ) {
    this.key = keyWords(key);
  }

  /** Computes a label's tag: `low` and `high`. */
  compute({ sid, seq, y, source, confidence }: TaggedLabel): void {
    const { input } = this;
    this.label ??= records([NAME.label]).label;
    const { label } = this;
    label.sid = sid;
    label.seq = seq;
    label.y = y;
    label.source = source;
    label.confidence = confidence;
    this.frames.pack(input, 0, FORMAT, label as unknown as Fields);
    this.frames.sign(input, FROM, TO, this.key, 0, PURPOSE.label);
  }

  /** First 32 bits of the tag that was computed last, unsigned. */
  get low(): number {
    return wordAt(this.input, TO) >>> 0;
  }

  /** Its last 32 bits. */
  get high(): number {
    return wordAt(this.input, TO + 4) >>> 0;
  }

  /** True if a received label carries the right tag. */
  isOf(label: Message<"label">): boolean {
    if (label.length !== 2) return false;
    const input = this.input;
    const frames = this.frames;
    frames.pack(input, 0, FORMAT, label as unknown as Fields);
    return frames.isSigned(input, FROM, TO, this.key, 0, PURPOSE.label);
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
