import { SampleRing } from "../dictionary/sample-ring.ts";
import { frozen } from "../memory/frozen.ts";
import { Layout, type MemoryRange } from "../memory/layout.ts";

/** The nearest samples that are found, and how many of them vote alike. */
const FOUND = 15;
const NEAR = 5;
/** Labels after which a sample counts a quarter. */
const QUARTER_AGE = 32;
/** Of standardised inputs. */
const RANGES = frozen([frozen([-5, 5] as const)]);

/** Memory of so many samples. */
export function neighboursLayout(dimension: number, samples: number): Layout {
  return new Layout(SampleRing.regions(samples, dimension, FOUND));
}

/**
 * Nearest neighbours among the last labelled samples, which vote twice by one search: the 5 nearest alike, but that the very nearest decides
 * a tie; and the 15 nearest by their age, so that many stored samples don't hide a boundary that moves,
 *
 *     near = sum y_i over the 5 nearest;   recent = sum y_i / (32 + a_i)^2 over the 15 nearest,   a_i: labels learned since i
 */
export class RecentNeighbours extends SampleRing {
  constructor(dimension: number, samples: number, memory: MemoryRange) {
    super(neighboursLayout(dimension, samples), memory, samples, dimension, FOUND, RANGES);
  }

  /** Writes near and recent, for the vector at word x, to the two words at `to`. Both are 0 before the first label. */
  vote(x: number, to: number): void {
    const found = this.search(x);
    const { nearest, newest, capacity, labels } = this;
    const { bits, words } = this.f32;
    let near = 0;
    let recent = 0;
    for (let place = 0; place < found; place++) {
      const i = bits[nearest + place];
      // As `label`: XS takes many instructions for a call.
      const y = (bits[labels + (i >> 2)] >>> (8 * (i & 3))) & 1 ? 1 : -1;
      if (place < NEAR) near += place > 0 ? y : 1.5 * y;
      const age = QUARTER_AGE + (i > newest ? newest + capacity - i : newest - i);
      recent += y / (age * age);
    }
    words[to] = near;
    words[to + 1] = recent;
  }
}
