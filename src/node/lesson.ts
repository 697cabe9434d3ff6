import { ANY, type Layout, type MemoryRange, type Region } from "../memory/layout.ts";

/**
 * The last label that the learner learned, and the features of its sample, from which the fleet's models are trained. It is state: a checkpoint
 * holds it with the label, so the peer can ask for it until it has it, also after a restart.
 */
export class Lesson {
  /** The features, as the learner took them. */
  readonly features: Float32Array;
  private readonly bits: Uint32Array;
  private readonly at: number;

  static regions(dimension: number): Region[] {
    return [
      { name: "lesson.label", kind: "state", words: 3, holds: [ANY] },
      { name: "lesson.features", kind: "state", words: dimension },
    ];
  }

  constructor(layout: Layout, range: MemoryRange, dimension: number) {
    const features = layout.at("lesson.features", range);
    this.bits = range.f32.bits;
    this.at = layout.at("lesson.label", range);
    this.features = range.f32.words.subarray(features, features + dimension);
  }

  /** Number of the label; 0: none was learned. */
  get number(): number {
    return this.bits[this.at];
  }

  /** Session of its sample. */
  get sid(): number {
    return this.bits[this.at + 1];
  }

  /** Number of its sample. */
  get seq(): number {
    return this.bits[this.at + 2];
  }

  /** The learner learned that label of a sample with these features. */
  keep(number: number, sid: number, seq: number, features: Float32Array): void {
    const { at, bits } = this;
    bits[at] = number;
    bits[at + 1] = sid;
    bits[at + 2] = seq;
    this.features.set(features);
  }
}
