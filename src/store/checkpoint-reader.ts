import type { CheckpointStore } from "./checkpoint-store.ts";
import { CONTENT, HEADER_BYTES, PAGE_BYTES, type Page, type Slot } from "./slot.ts";

const PAGE_WORDS = PAGE_BYTES / 4;

/**
 * Reads the newest checkpoint as it lies in flash, word by word. Samples and labels don't change it, so it is whole however long the reading
 * takes. It uses the store's page, and no memory for the rest.
 */
export class CheckpointReader {
  /** The number of the save that it reads. */
  generation = 0;
  /** True if words were read, and not the last. */
  private isReading = false;
  private slot: Slot | undefined;

  constructor(
    private readonly store: CheckpointStore,
    private readonly page: Page,
  ) {}

  /** Words of a checkpoint with its header. */
  get words(): number {
    return (HEADER_BYTES + this.store.schema.length) / 4;
  }

  /** Takes the newest checkpoint, unless the one that it reads still lies there. `isNew`: the newest in any case. Returns whether there is one. */
  begin(isNew: boolean): boolean {
    const { intake, clock, busyMs } = this.store;
    if (intake.isOpen && clock.now() - intake.begunAt < busyMs) return false; // it has the page
    intake.cancel();
    if (!isNew && this.isThere()) return true;
    const slot = this.store.newestWhole();
    this.slot = slot;
    if (slot?.inspect() !== CONTENT.whole) return false;
    this.generation = slot.generation;
    return true;
  }

  /** True if a part of the checkpoint was read, not yet the last, and no save took its place. */
  get isOpen(): boolean {
    return this.isReading && this.isThere();
  }

  private isThere(): boolean {
    const { slot } = this;
    return slot?.content === CONTENT.whole && slot.generation === this.generation;
  }

  /** Copies words from `first` on to `into`, at most `most` and up to the end of a page. Returns how many; 0: the flash can't be read, or a save took the place. */
  read(first: number, into: Uint32Array, most: number): number {
    const { page, slot, store, words } = this;
    const from = first % PAGE_WORDS;
    if (!slot || store.intake.isOpen || !this.isThere() || !slot.readPage(4 * (first - from))) return 0;
    const count = Math.min(most, into.length, PAGE_WORDS - from);
    for (let i = 0; i < count; i++) into[i] = page.words[from + i];
    this.isReading = first + count < words;
    return count;
  }
}
