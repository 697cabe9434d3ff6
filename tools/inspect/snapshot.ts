import { DeviceError } from "../../host/errors.ts";
import type { Message } from "../../src/wire/messages.ts";

/** Most words of a node. */
const WORDS_MAX = 1 << 22;

/**
 * A node's memory, collected in parts. The node samples meanwhile: a word counts only until the node
 * processes another label, and words that samples change count only for the sample after which they were
 * read.
 */
export class Snapshot {
  words = new Uint32Array(0);
  /** Label and sample after which the newest part was read. */
  labelled = 0;
  seq = 0;
  parts = 0;
  /** Which words have arrived, and after which sample each was read. */
  private there = new Uint8Array(0);
  private readAt = new Uint32Array(0);
  private start = 0;

  /** @param base number of the first word: that of memory, or of the newest checkpoint. */
  constructor(readonly base = 0) {}

  /** Takes a part. A part of another start of the node, or after another label, restarts the snapshot. */
  take({ start, seq, labelled, first: number, total, words, length }: Message<"memory">): void {
    if (total > WORDS_MAX)
      throw new DeviceError(`the node reports ${total} words of memory; takes at most ${WORDS_MAX}`);
    const first = number - this.base;
    if (first < 0 || first + length > total) return;
    this.parts++;
    if (total !== this.words.length || labelled !== this.labelled || start !== this.start) {
      this.words = new Uint32Array(total);
      this.there = new Uint8Array(total);
      this.readAt = new Uint32Array(total);
      this.start = start;
      this.labelled = labelled;
    }
    this.words.set(words.subarray(0, length), first);
    this.there.fill(1, first, first + length);
    this.readAt.fill(seq, first, first + length);
    this.seq = seq;
  }

  /** Forgets the words outside from..to-1 that weren't read after sample `seq`. */
  refresh(from: number, to: number, seq: number): void {
    for (let i = 0; i < this.there.length; i++)
      if ((i < from || i >= to) && this.readAt[i] !== seq) this.there[i] = 0;
  }

  forget(): void {
    this.there.fill(0);
  }

  /** The first run of missing words; undefined if none is. */
  get missing(): { readonly first: number; readonly count: number } | undefined {
    if (this.there.length === 0) return { first: 0, count: 0xffffffff };
    const first = this.there.indexOf(0);
    if (first < 0) return undefined;
    const next = this.there.indexOf(1, first);
    return { first, count: (next < 0 ? this.there.length : next) - first };
  }
}
