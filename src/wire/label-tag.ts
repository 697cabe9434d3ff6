import { type FrameBytes, framesOf } from "./frame-bytes.ts";
import { KEY_BYTES, keyWords, PURPOSE, TAG_BYTES } from "./keyed.ts";
import { putWord, wordAt } from "./words.ts";

/** What a label's tag vouches for. */
export interface TaggedLabel {
  /** Session and sequence number of its sample, as the node has them. */
  readonly sid: number;
  readonly seq: number;
  readonly y: number;
  readonly source: number;
  readonly confidence: number;
}

const INPUT_BYTES = 14;
/** Bytes of the buffers of a `LabelTag`. */
export const LABEL_TAG_BYTES = KEY_BYTES + INPUT_BYTES + TAG_BYTES;

/**
 * Tags labels from end to end: by who gives them, for the node that learns from them. Whoever hands them over can drop one,
 * and can't forge one.
 */
export class LabelTag {
  private readonly key: Int32Array;
  /** What is hashed, and the tag after it. */
  private readonly input = new Uint8Array(INPUT_BYTES + TAG_BYTES);
  private readonly view = new DataView(this.input.buffer);

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
    putWord(input, 0, sid);
    putWord(input, 4, seq);
    this.view.setFloat32(8, y, true);
    input[12] = source;
    input[13] = confidence;
    this.frames.sign(input, 0, INPUT_BYTES, this.key, 0, PURPOSE.label);
  }

  /** The tag that was computed last: its first and last 32 bits, unsigned. */
  get low(): number {
    return wordAt(this.input, INPUT_BYTES) >>> 0;
  }

  get high(): number {
    return wordAt(this.input, INPUT_BYTES + 4) >>> 0;
  }

  /** Whether those words are the label's tag. */
  isOf(label: TaggedLabel, words: Uint32Array, count: number): boolean {
    if (count !== 2) return false;
    this.compute(label);
    return this.low === words[0] && this.high === words[1];
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
