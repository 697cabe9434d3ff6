import type { NodeOptions } from "../../src/node/node-options.ts";
import { LABEL_STATUS } from "../../src/node/ports.ts";
import type { DueLabel } from "../../src/peer/labels.ts";
import type { LabelBook } from "./label-book.ts";

/** Samples from `first` on are a session's, up to the next session's first. */
export interface Span {
  readonly sid: number;
  readonly first: number;
}

/**
 * The samples and labels that one node of a simulated network received: fed the same, a real node ends in the
 * same state, whatever its link does. For a node whose power failed, it holds what the node still knew in the
 * end.
 *
 * Nodes apply labels in the order of their numbers, so timing matters in one way only: whether a label finds
 * its sample still in the pending ring. So a late label is due when it came, and one in time is processed
 * before the sample that takes its slot (`after`).
 */
export interface NodeReplay {
  readonly node: string;
  readonly options: NodeOptions;
  /** Samples that reached the node, its channels each. */
  readonly samples: Float32Array;
  /** The sessions of those samples. */
  readonly sessions: readonly Span[];
  /** By sample, from 1 at place 0: the number of the label that the node must process first. */
  readonly after: Uint32Array;
  readonly labels: readonly DueLabel[];
  /** The numbers of those that were applied. */
  readonly applied: readonly number[];
  /** Hashes of the simulated node's learner and of the node, at the end. */
  readonly stateHash: string;
  readonly nodeHash: string;
}

const { applied, refused, range } = LABEL_STATUS;
/** A label so answered reached its sample. */
const IN_TIME: readonly number[] = [applied, refused, range];

/** Records the samples that a node receives, as it receives them. */
export class Journal {
  private readings: number[] = [];
  private sessions: Span[] = [];

  constructor(
    private readonly node: string,
    private readonly options: NodeOptions,
    private readonly book: LabelBook,
  ) {}

  /** The node began a session after its sample `seq`, and knows of no later one. */
  began(sid: number, seq: number): void {
    this.readings.length = seq * this.options.channels;
    this.sessions = this.sessions.filter(({ first }) => first <= seq);
    this.sessions.push({ sid, first: seq + 1 });
  }

  sampled(readings: ArrayLike<number>): void {
    for (let j = 0; j < readings.length; j++) this.readings.push(readings[j]);
  }

  finish(stateHash: string, nodeHash: string): NodeReplay {
    const { node, options, sessions } = this;
    const { entries } = this.book;
    const labels = entries.map(({ number, sid, seq, y, due, status, dealtAt }) => {
      const inTime = IN_TIME.includes(status);
      return { number, sid, seq, y, due: inTime ? Math.min(due, dealtAt) : dealtAt };
    });
    const used = entries.filter(({ status }) => status === applied).map(({ number }) => number);
    const samples = Float32Array.from(this.readings);
    const after = this.deadlines();
    return { node, options, samples, sessions, after, labels, applied: used, stateHash, nodeHash };
  }

  private deadlines(): Uint32Array {
    const after = new Uint32Array(this.readings.length / this.options.channels);
    const { pending } = this.options as { readonly pending: number };
    for (const { number, seq, status, dealtAt } of this.book.entries) {
      const taker = seq + pending;
      const inTime = IN_TIME.includes(status);
      if (inTime && dealtAt < taker && taker <= after.length) after[taker - 1] = number;
    }
    return after;
  }
}
