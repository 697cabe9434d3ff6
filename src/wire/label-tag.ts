import { KEY_BYTES, keyWords, PURPOSE } from "./keyed.ts";
import { SipHash } from "./siphash.ts";

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
export const LABEL_TAG_BYTES = KEY_BYTES + INPUT_BYTES;

/**
 * Tags labels from end to end: by who gives them, for the node that learns from them. Whoever hands them over can drop one,
 * and can't forge one.
 */
export class LabelTag {
  private readonly sip = new SipHash();
  private readonly key: Int32Array;
  private readonly input = new Uint8Array(INPUT_BYTES);
  private readonly view = new DataView(this.input.buffer);

  /** @param key the node's label key, 16 bytes. */
  constructor(key: Uint8Array) {
    this.key = keyWords(key);
  }

  /** Computes a label's tag: `low` and `high`. */
  compute({ sid, seq, y, source, confidence }: TaggedLabel): void {
    const { sip, view, input } = this;
    view.setUint32(0, sid, true);
    view.setUint32(4, seq, true);
    view.setFloat32(8, y, true);
    input[12] = source;
    input[13] = confidence;
    sip.start(this.key);
    sip.block(0, PURPOSE.label);
    sip.finish(input, 0, INPUT_BYTES);
  }

  /** The tag that was computed last: its first and last 32 bits, unsigned. */
  get low(): number {
    return this.sip.low >>> 0;
  }

  get high(): number {
    return this.sip.high >>> 0;
  }

  /** Whether those words are the label's tag. */
  isOf(label: TaggedLabel, words: Uint32Array, count: number): boolean {
    if (count !== 2) return false;
    this.compute(label);
    return ((this.sip.low ^ words[0]) | (this.sip.high ^ words[1])) === 0;
  }
}

/**
 * The label key of a node, from its centre's key and the node's name there, in UTF-8: so a tag names its node. It allocates.
 */
export function labelKey(centreKey: Uint8Array, name: Uint8Array): Uint8Array {
  const sip = new SipHash();
  const words = new Int32Array(4);
  const root = keyWords(centreKey);
  for (let half = 0; half < 2; half++) {
    sip.start(root);
    sip.block(0, half === 0 ? PURPOSE.labelFirstHalf : PURPOSE.labelSecondHalf);
    sip.finish(name, 0, name.length);
    words[2 * half] = sip.low;
    words[2 * half + 1] = sip.high;
  }
  return Uint8Array.from({ length: KEY_BYTES }, (_, i) => words[i >> 2] >>> (8 * (i & 3)));
}
