/** Least milliseconds for which a labeller waits, so that others join its transaction; as long as the last commit, if that took longer. */
const JOIN_MS = 20;
/** The gateway spends a fifth of its time on the disk: a group waits for others four times as long as the last commit took. It waits less where all are there. */
const DISK_SHARE = 5;

interface CommitGroupPorts {
  /** Commits, and calls `committed`. */
  readonly commit: () => void;
  /** Milliseconds for which the last commit waited for the disk. */
  readonly diskMs: () => number;
  readonly after: (ms: number, act: () => void) => void;
}

/**
 * Decides when labels that wait for the disk are committed together. Labellers send their next labels once
 * they have an answer. So if as many wait as in the last group, waiting longer brings no more of them: with a
 * fixed wait a busy gateway took fewer labels than came, and a queue grew at the labellers.
 */
export class CommitGroup {
  private waiting = 0;
  private lastSize = 1;
  /** Its time to join is over, and it waits for as many as in the last group. */
  private open = false;
  /** Tells a group's timers from those of an earlier one. */
  private group = 0;

  constructor(private readonly ports: CommitGroupPorts) {}

  /** A labeller waits for the next commit. */
  join(): void {
    this.waiting++;
    if (this.waiting === 1) this.after(this.joinMs, () => this.openIfIdle());
    else if (this.open) this.commitIfFull();
  }

  /** A commit is over, whoever asked for it. */
  committed(): void {
    if (this.waiting > 0) this.lastSize = this.waiting;
    this.waiting = 0;
    this.open = false;
    this.group++;
  }

  private get joinMs(): number {
    return Math.max(JOIN_MS, this.ports.diskMs());
  }

  private openIfIdle(): void {
    const { ports } = this;
    this.open = true;
    if (this.commitIfFull()) return;
    this.after(Math.max(0, (DISK_SHARE - 1) * ports.diskMs() - this.joinMs), ports.commit);
  }

  /** Those whose requests arrived in the same moment still join. */
  private commitIfFull(): boolean {
    if (this.waiting < this.lastSize) return false;
    this.open = false;
    this.after(0, this.ports.commit);
    return true;
  }

  private after(ms: number, act: () => void): void {
    const { group } = this;
    this.ports.after(ms, () => group === this.group && act());
  }
}
