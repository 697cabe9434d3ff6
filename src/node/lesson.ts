import type { Primitives } from "../math/primitives.ts";
import { ANY, type Layout, type MemoryRange, type Region } from "../memory/layout.ts";

/**
 * The last label that the learner learned, and the features of its sample, from which the fleet's models are trained. It is state: a checkpoint
 * holds it with the label, so the peer can ask for it until it has it, also after a restart.
 */
export class Lesson {
  /** The features, as the learner took them. */
  readonly features: Float32Array;
  private readonly f32: Primitives;
  private readonly at: number;
  private readonly place: number;

  static regions(dimension: number): Region[] {
    return [
      { name: "lesson.label", kind: "state", words: 3, holds: [ANY] },
      { name: "lesson.features", kind: "state", words: dimension },
    ];
  }

  constructor(layout: Layout, range: MemoryRange, dimension: number) {
    this.f32 = range.f32;
    this.at = layout.at("lesson.label", range);
    this.place = layout.at("lesson.features", range);
    this.features = range.f32.words.subarray(this.place, this.place + dimension);
  }

  /** Number of the label; 0: none was learned. */
  get number(): number {
    return this.f32.bits[this.at];
  }

  /** Session of its sample. */
  get sid(): number {
    return this.f32.bits[this.at + 1];
  }

  /** Number of its sample. */
  get seq(): number {
    return this.f32.bits[this.at + 2];
  }

  /** The learner learned that label of a sample whose features lie at word `vector`. On XS, `set` of one array from another in its buffer allocates. */
  keep(number: number, sid: number, seq: number, vector: number): void {
    const { at, f32, features, place } = this;
    const { bits } = f32;
    bits[at] = number;
    bits[at + 1] = sid;
    bits[at + 2] = seq;
    f32.copy(place, vector, features.length);
  }
}
