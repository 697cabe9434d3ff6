/** Of more it forgets the first: how many samples wait at a node is its own word. */
const ASKED_MAX = 4096;

/** The samples for which a node asked labels, while it can still learn from them. */
export class PendingRequests {
  private readonly seqs = new Set<number>();
  private sid = 0;

  /** @param pending samples that the node lets wait for a label. */
  add(sid: number, seq: number, pending: number): void {
    if (sid !== this.sid) this.seqs.clear();
    this.sid = sid;
    this.seqs.add(seq);
    if (this.seqs.size > ASKED_MAX) this.seqs.delete(this.seqs.values().next().value as number);
    this.prune(seq, pending);
  }

  labelled(sid: number, seq: number): void {
    if (sid === this.sid) this.seqs.delete(seq);
  }

  /** The node is at sample `seq`, and has forgotten samples that are `pending` older. */
  prune(seq: number, pending: number): void {
    for (const old of this.seqs) {
      if (old > seq - pending) return;
      this.seqs.delete(old);
    }
  }

  get count(): number {
    return this.seqs.size;
  }
}
