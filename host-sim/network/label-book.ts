import { LABEL_STATUS, type Label, type LabelStatus } from "../../src/node/ports.ts";
import type { Install } from "../../src/peer/install.ts";
import type { DueLabel, LabelSource } from "../../src/peer/labels.ts";
import { Lateness } from "../labels/late-labels.ts";
import type { LabelTally } from "../scoring/result.ts";

/** The status of a label that the node hasn't processed. */
const OPEN = -1;
type LabelOutcome = LabelStatus | typeof OPEN;
const { applied, expired, held, duplicate, ahead } = LABEL_STATUS;
/** Labels of a page, a power of two: 5 kB. */
const PAGE_BITS = 6;
const PAGE = 1 << PAGE_BITS;

/** A label of the fusion centre as it is issued. */
export interface NewLabel {
  readonly sid: number;
  readonly seq: number;
  readonly y: number;
  /** When its sample was taken, in samples of the stream, and whether it is right. */
  readonly taken: number;
  readonly right: boolean;
}

/** A label of the fusion centre, and its fate. */
export interface IssuedLabel extends DueLabel {
  readonly status: LabelOutcome;
  /** The node's last sample when it answered the label. */
  readonly dealtAt: number;
}

/** The columns of a label's row. */
const [SID, SEQ, Y, TAKEN, RIGHT, DUE, STATUS, RECEIVED, DEALT_AT, LAG] = Array(10).keys();
const COLUMNS = 10;

/**
 * The labels of one node: issued to its peer, then processed by the node. A power cut undoes what no
 * checkpoint holds, so a label's last fate counts. A page whose labels' fates can't change any more is summed
 * up and reused, so a longer run takes no more memory.
 */
export class LabelBook implements LabelSource {
  /** The number of the last label issued. */
  length: number;
  /** From label `summed` + 1 on. */
  private readonly pages: Float64Array[] = [];
  /** The last label of the pages that were summed up, and their totals. */
  private summed: number;
  private readonly sums = { wrong: 0, unread: 0, used: 0, lagSum: 0, lagMax: 0, lateness: new Lateness() };
  private readonly current = { number: 0, sid: 0, seq: 0, y: 0 };
  /** The models among the labels, by number. */
  private readonly models = new Map<number, Install>();

  /**
   * @param mayGo whether the node has reached that sample, so that labels due then may go out. @param settled
   * the last label up to which no fate can change. @param pending samples that the node keeps for their labels. @param before the last label
   * of the state from which the node starts.
   */
  constructor(
    private readonly mayGo: (due: number) => boolean,
    private readonly settled: () => number,
    private readonly pending: number,
    private readonly before = 0,
  ) {
    this.length = this.summed = before;
  }

  get issued(): number {
    return this.length - this.before - this.models.size;
  }

  /** Models issued. */
  get installs(): number {
    return this.models.size;
  }

  /** Issues a model, in a label's place. */
  install(model: Uint8Array): void {
    this.issue({ sid: 0, seq: 0, y: 0, taken: 0, right: true }, 0);
    this.models.set(this.length, { number: this.length, model });
  }

  /** True if that number is a model's. */
  isInstall(number: number): boolean {
    return this.models.has(number);
  }

  /** True if the book has that label's row still. */
  has(number: number): boolean {
    return number > this.summed && number <= this.length;
  }

  /** @param due the node's sample after which it may go out. */
  issue({ sid, seq, y, taken, right }: NewLabel, due: number): void {
    const number = ++this.length;
    if (this.row(number) === 0) this.pages.push(this.blankPage());
    const rows = this.page(number);
    const at = this.row(number);
    rows[at + SID] = sid;
    rows[at + SEQ] = seq;
    rows[at + Y] = y;
    rows[at + TAKEN] = taken;
    rows[at + RIGHT] = right ? 1 : 0;
    rows[at + DUE] = due;
    rows[at + STATUS] = OPEN;
    rows[at + RECEIVED] = 0;
  }

  /** A page to be filled: one whose labels are summed up, if there is any. */
  private blankPage(): Float64Array {
    const first = this.pages[0];
    if (!first || this.summed + PAGE > this.settled()) return new Float64Array(COLUMNS * PAGE);
    this.sumUp(this.sums, first, PAGE);
    this.pages.shift();
    this.summed += PAGE;
    return first;
  }

  private sumUp(sums: typeof this.sums, rows: Float64Array, labels: number): void {
    for (let at = 0; at < COLUMNS * labels; at += COLUMNS) {
      const status = rows[at + STATUS];
      const distance = rows[at + DEALT_AT] - rows[at + SEQ];
      const isLate = status === expired && distance >= this.pending;
      if (status === expired && !isLate) sums.unread++; // the node had refused the sample
      if ((status === applied || isLate) && rows[at + RIGHT] === 0) sums.wrong++;
      if (isLate) sums.lateness.add(distance);
      if (status !== applied) continue;
      sums.used++;
      sums.lagSum += rows[at + LAG];
      if (rows[at + LAG] > sums.lagMax) sums.lagMax = rows[at + LAG];
    }
  }

  /** The page of label `number`, and where in it that lies. */
  private page(number: number): Float64Array {
    return this.pages[(number - 1 - this.summed) >>> PAGE_BITS];
  }

  private row(number: number): number {
    return COLUMNS * ((number - 1 - this.before) & (PAGE - 1));
  }

  /** Each call returns the same record, but for models. */
  at(number: number): Label | Install | undefined {
    if (number <= this.before || number > this.length) return undefined;
    const model = this.models.get(number);
    if (model) return model;
    const { current } = this;
    const rows = this.page(number);
    const at = this.row(number);
    if (!this.mayGo(rows[at + DUE])) return undefined;
    current.number = number;
    current.sid = rows[at + SID];
    current.seq = rows[at + SEQ];
    current.y = rows[at + Y];
    return current;
  }

  /** The node answers a label, after its sample `seq`; whether that is its fate. */
  answered(number: number, status: LabelStatus, seq: number, sample: number): boolean {
    if (status === held || status === duplicate || status === ahead) return false; // answered later, or answered before
    if (this.isInstall(number)) return false;
    const rows = this.page(number);
    const at = this.row(number);
    rows[at + STATUS] = status;
    rows[at + RECEIVED]++;
    rows[at + DEALT_AT] = seq;
    rows[at + LAG] = sample - rows[at + TAKEN];
    return true;
  }

  /** True if the node hasn't answered that label; false for one that wasn't issued. */
  isOpen(number: number): boolean {
    if (number <= this.summed || number > this.length) return false;
    return this.page(number)[this.row(number) + STATUS] === OPEN;
  }

  /** Samples between that label's sample and its use. */
  lag(number: number): number {
    return this.page(number)[this.row(number) + LAG];
  }

  /** How often the node processed that label: more than once where a power cut undid it. */
  countReceived(number: number): number {
    return this.page(number)[this.row(number) + RECEIVED];
  }

  /** The value of that label. */
  y(number: number): number {
    return this.page(number)[this.row(number) + Y];
  }

  /**
   * The node starts from a checkpoint that holds the labels up to this one; it must process the others again.
   */
  goBackTo(labelled: number): void {
    for (let number = labelled + 1; number <= this.length; number++)
      this.page(number)[this.row(number) + STATUS] = OPEN;
  }

  /** All labels and their fates, as long as no page was summed up. */
  get entries(): IssuedLabel[] {
    return Array.from({ length: this.issued }, (_, i) => {
      const number = this.before + i + 1;
      const rows = this.page(number);
      const at = this.row(number);
      const label = { number, sid: rows[at + SID], seq: rows[at + SEQ], y: rows[at + Y] };
      return {
        ...label,
        due: rows[at + DUE],
        status: rows[at + STATUS] as LabelOutcome,
        dealtAt: rows[at + DEALT_AT],
      };
    });
  }

  /**
   * How late the labels came that were used, and those that were too late; how many of both were wrong; how many were of samples that the
   * node had refused.
   */
  get quality(): Pick<LabelTally, "wrong" | "lagMean" | "lagMax"> & {
    readonly lateness: Lateness;
    readonly unread: number;
  } {
    const sums = { ...this.sums, lateness: new Lateness() };
    sums.lateness.addAll(this.sums.lateness);
    this.pages.forEach((rows, page) => {
      this.sumUp(sums, rows, Math.min(PAGE, this.length - this.summed - page * PAGE));
    });
    const { wrong, unread, used, lagSum, lagMax, lateness } = sums;
    const lagMean = used > 0 ? lagSum / used : { why: "no label was applied" };
    return { wrong, unread, lagMean, lagMax, lateness };
  }
}
