import { LABEL_STATUS, type LabelStatus } from "../../src/node/ports.ts";
import type { DueLabel, LabelSource } from "../../src/peer/labels.ts";
import type { LabelTally } from "../result.ts";

/** The status of a label that the node hasn't dealt with. */
const OPEN = -1;
const { held, duplicate, ahead } = LABEL_STATUS;
/** A label so answered is dealt with later, or was before. */
const NOT_YET: readonly LabelStatus[] = [held, duplicate, ahead];

/** A label of the fusion centre, and what became of it. */
export class IssuedLabel implements DueLabel {
  /** Given as it is issued, as is `due`. */
  number = 0;
  due = 0;
  status: LabelStatus | typeof OPEN = OPEN;
  /** How often the node dealt with it: again where a power cut undid it. */
  received = 0;
  /** The node's last sample when it dealt with the label. */
  dealtAt = 0;
  /** Samples between its sample and its use. */
  lag = 0;

  constructor(
    readonly sid: number,
    readonly seq: number,
    readonly y: number,
    /** When its sample was taken, in samples of the stream, and whether it is right. */
    readonly taken: number,
    readonly right: boolean,
  ) {}
}

/**
 * The labels of one node, as its peer takes them and as the node deals with them. A power cut undoes what no checkpoint
 * holds: each label has one fate in the end, the last.
 */
export class LabelBook implements LabelSource {
  readonly entries: IssuedLabel[] = [];

  /** @param mayGo whether the node has got to that sample, so that what was due then may go out. */
  constructor(private readonly mayGo: (due: number) => boolean) {}

  /** @param due the node's sample after which it may go out. */
  issue(label: IssuedLabel, due: number): void {
    this.entries.push(label);
    label.number = this.entries.length;
    label.due = due;
  }

  at(number: number): DueLabel | undefined {
    const label = this.entries[number - 1];
    return label && this.mayGo(label.due) ? label : undefined;
  }

  /** The node answers a label, after its sample `seq`; returns it if that is its fate. */
  answered(number: number, status: LabelStatus, seq: number, sample: number): IssuedLabel | undefined {
    if (NOT_YET.includes(status)) return undefined;
    const entry = this.entries[number - 1];
    entry.status = status;
    entry.received++;
    entry.dealtAt = seq;
    entry.lag = sample - entry.taken;
    return entry;
  }

  /** The node starts from a checkpoint, and knows of the labels up to that one: the others are to be dealt with again. */
  goBackTo(labelled: number): void {
    for (let i = labelled; i < this.entries.length; i++) this.entries[i].status = OPEN;
  }

  /** How many labels ended so. */
  count(status: LabelStatus | typeof OPEN): number {
    return this.entries.reduce((sum, entry) => sum + (entry.status === status ? 1 : 0), 0);
  }

  /** How late the labels came that were used, and how many of those used or too late were wrong. */
  get quality(): Pick<LabelTally, "wrong" | "lagMean" | "lagMax"> {
    const { applied, expired } = LABEL_STATUS;
    let [wrong, used, lagSum, lagMax] = [0, 0, 0, 0];
    for (const { status, right, lag } of this.entries) {
      if ((status === applied || status === expired) && !right) wrong++;
      if (status !== applied) continue;
      used++;
      lagSum += lag;
      if (lag > lagMax) lagMax = lag;
    }
    return { wrong, lagMean: used > 0 ? lagSum / used : { why: "no label was applied" }, lagMax };
  }
}
