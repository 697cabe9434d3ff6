import { CERTAIN, SOURCE_UNTOLD } from "../../src/node/ports.ts";
import { LabelTag, labelKey } from "../../src/wire/label-tag.ts";
import type { LabelLine, LineTag } from "./lines.ts";
import { locateSample, type Span } from "./spans.ts";

const TAG_BYTES = 8;

/** The two words of a message's tag in hex. */
function hexTag(low: number, high: number): string {
  const bytes = Buffer.alloc(TAG_BYTES);
  bytes.writeUInt32LE(low, 0);
  bytes.writeUInt32LE(high, 4);
  return bytes.toString("hex");
}

/** The words of a tag in 16 hex digits. */
export function tagWords(hex: string): readonly [low: number, high: number] {
  const bytes = Buffer.from(hex, "hex");
  return [bytes.readUInt32LE(0), bytes.readUInt32LE(4)];
}

/**
 * Tags the lines of one node's labels with the label key derived from the centre's key and the node's name
 * there.
 */
export class CentreTags {
  private readonly labelTag: LabelTag;

  /** @param spans the node's sessions, from its subscription. */
  constructor(
    centreKey: Uint8Array,
    node: string,
    private readonly spans: readonly Span[],
  ) {
    this.labelTag = new LabelTag(labelKey(centreKey, new TextEncoder().encode(node)));
  }

  /** The tag of a line, for where its sample is at the node. */
  of({ seq, label: y, source = SOURCE_UNTOLD, confidence = CERTAIN }: LabelLine): LineTag {
    const { labelTag, spans } = this;
    const place = locateSample(spans, seq);
    labelTag.compute({ ...place, y, source, confidence });
    return { ...place, hash: hexTag(labelTag.low, labelTag.high) };
  }
}
