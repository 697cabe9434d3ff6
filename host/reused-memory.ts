import { Layout, type MemoryRange } from "../src/memory/layout.ts";
import { arithmetic } from "./arithmetic.ts";

/**
 * Memory for one layout after another, each in the place of the one before. Code that makes hundreds of
 * learners uses this, since an engine reserves gigabytes of addresses for each memory.
 */
export class ReusedMemory {
  private range: MemoryRange | undefined;
  private words = 0;

  /** Room for the layout, not zeroed. Memory taken before must no longer be used. */
  take(layout: Layout): MemoryRange {
    const words = layout.bytes / 4;
    if (!this.range || words > this.words) {
      this.words = Math.max(words, 2 * this.words);
      this.range = arithmetic().allocate(new Layout([{ name: "room", kind: "scratch", words: this.words }]));
    }
    return layout.range(this.range.f32, 4 * this.range.scratch);
  }
}
