import type { NodeOptions } from "../../src/node/node.ts";
import { LABEL_STATUS, type LabelStatus } from "../../src/node/ports.ts";
import type { DueLabel } from "../../src/peer/labels.ts";

/**
 * What one node of a simulated network was given: enough to give a real node the same, so that it ends in the same state,
 * whatever the link to it does.
 *
 * Labels are applied in the order of their numbers, so that their timing matters in one way only: whether a label finds
 * its sample still in the pending ring. So one that came too late is due when it came; and one that came in time is
 * dealt with before the sample is given that takes its slot (`after`).
 */
export interface NodeReplay {
  readonly node: string;
  readonly options: NodeOptions;
  /** Samples that reached the node, its channels each. */
  readonly samples: Float32Array;
  /** By sample, from 1 at place 0: the number of the label that must be dealt with before it is given. */
  readonly after: Uint32Array;
  readonly labels: readonly DueLabel[];
  /** The simulated node's end: hashes of its learner's state and of its own. */
  readonly stateHash: string;
  readonly nodeHash: string;
}

interface Entry {
  readonly seq: number;
  readonly y: number;
  readonly issuedAt: number;
  dealtAt: number;
  inTime: boolean;
}

/** Keeps what a node is given, as it happens. Times are numbers of samples. */
export class Journal {
  private readonly readings: number[] = [];
  private readonly entries: Entry[] = [];

  constructor(
    private readonly node: string,
    private readonly options: NodeOptions,
  ) {}

  sampled(readings: ArrayLike<number>): void {
    for (let j = 0; j < readings.length; j++) this.readings.push(readings[j]);
  }

  issued(seq: number, y: number, now: number): void {
    this.entries.push({ seq, y, issuedAt: now, dealtAt: now, inTime: false });
  }

  answered(number: number, status: LabelStatus, now: number): void {
    const { applied, refused, expired } = LABEL_STATUS;
    if (status !== applied && status !== refused && status !== expired) return;
    const entry = this.entries[number - 1];
    entry.dealtAt = now;
    entry.inTime = status !== expired;
  }

  finish(stateHash: string, nodeHash: string): NodeReplay {
    const { node, options, entries } = this;
    const { sid } = options;
    const labels = entries.map(({ seq, y, issuedAt, dealtAt, inTime }, i) => ({
      number: i + 1,
      sid,
      seq,
      y,
      due: inTime ? issuedAt : dealtAt,
    }));
    const samples = Float32Array.from(this.readings);
    return { node, options, samples, after: this.deadlines(), labels, stateHash, nodeHash };
  }

  private deadlines(): Uint32Array {
    const after = new Uint32Array(this.readings.length / this.options.channels);
    const { pending } = this.options as { readonly pending: number };
    this.entries.forEach(({ seq, dealtAt, inTime }, i) => {
      const taker = seq + pending;
      if (inTime && dealtAt < taker && taker <= after.length) after[taker - 1] = i + 1;
    });
    return after;
  }
}
