import type { Hello } from "../../tools/session/hello.ts";
import { Quota } from "../access/quota.ts";
import type { LabelRequest } from "../api/label-request.ts";

/** Refusals logged in a minute; further ones are counted. */
const SAID_MAX = 10;
const SAID_MS = 60_000;
/** How long a label may wait for its sample, unless the previous label waited in vain. */
const EARLY_MS = 10_000;
/** A label further ahead of its node than this isn't early, but wrong. */
const EARLY_SAMPLES = 65_536;
const LOOK_MS = 50;

/** A node's last known position. */
export interface Reach {
  readonly sid: number;
  readonly seq: number;
}

/** True if the node's sample may still come: it is one of its next. */
export function isEarly({ sid, seq }: Reach, reach: Reach | undefined): boolean {
  return reach?.sid === sid && seq > reach.seq && seq - reach.seq <= EARLY_SAMPLES;
}

/** The gateway's interface for one node's source of labels. */
export interface LabelIntakePorts {
  readonly hello: () => Hello | undefined;
  readonly reach: () => Reach | undefined;
  /** True if so many labels wait for the node that it takes no more now. */
  readonly full: () => boolean;
  /** Takes a label, or returns a text: why not. It is on disk once `awaitCommit` resolves. */
  readonly offer: (label: LabelRequest) => string | undefined;
  /** Resolves when the labels taken are on disk, or with a text: why none is. */
  readonly awaitCommit: () => Promise<string | undefined>;
  /** The last place kept, from which the source resumes. */
  readonly place: () => string | undefined;
  readonly keep: (place: string) => void;
  /** The last sample of a session that the gateway heard of; 0: none. */
  readonly lastSeq: (sid: number) => number;
  /** True if another gateway may have heard that session: the node alone knows its samples. */
  readonly elsewhere: (sid: number) => boolean;
  readonly say: (text: string) => void;
}

/** The desk at which one source hands in one node's labels. */
export class LabelIntake {
  closed = false;
  private readonly wakers = new Set<() => void>();
  private readonly refusals = new Quota(SAID_MAX, SAID_MS, () => performance.now());
  private patient = true;

  /** @param by who gave a label that names nobody. */
  constructor(
    readonly ports: LabelIntakePorts,
    private readonly by: string,
  ) {}

  /** Takes a label, and logs a refused one. `awaitCommit` reports a failed disk. */
  hand(label: LabelRequest, what: string): void {
    const why = this.ports.offer(label.by === "" ? { ...label, by: this.by } : label);
    if (why !== undefined) this.refuse(`${what}: ${why}`);
    else this.patient = true;
  }

  /** Logs a refusal, at a limited rate. */
  refuse(text: string): void {
    const unsaid = this.refusals.pass();
    if (unsaid === undefined) return;
    this.ports.say(unsaid > 0 ? `${text} (and ${unsaid} before that weren't logged)` : text);
  }

  /** Resolves once the node was met, or the desk is closed. */
  async awaitMet(): Promise<void> {
    while (!this.closed && !this.ports.hello()) await this.pause(LOOK_MS);
  }

  /** Resolves once the node takes labels, or the desk is closed. */
  async room(): Promise<void> {
    while (!this.closed && this.ports.full()) await this.pause(LOOK_MS);
  }

  /** Waits a while for the label's sample, if it is one of the node's next, or of a session that the gateway hasn't heard of. */
  async awaitReached({ sid, seq }: LabelRequest): Promise<void> {
    const { ports } = this;
    const early = () => {
      const reach = ports.reach();
      const its = sid ?? reach?.sid;
      if (its === undefined) return false;
      // The node started again, and its hello comes after the label.
      if (its !== reach?.sid) return ports.lastSeq(its) === 0 && !ports.elsewhere(its);
      return isEarly({ sid: its, seq }, reach);
    };
    const until = performance.now() + EARLY_MS;
    while (!this.closed && this.patient && early()) {
      if (performance.now() >= until) this.patient = false;
      else await this.pause(LOOK_MS);
    }
  }

  /** Resolves after so long, or when the desk is closed. */
  pause(ms: number): Promise<void> {
    if (this.closed) return Promise.resolve();
    return new Promise((done) => {
      const wake = () => {
        clearTimeout(timer);
        this.wakers.delete(wake);
        done();
      };
      const timer = setTimeout(wake, ms);
      this.wakers.add(wake);
    });
  }

  close(): void {
    this.closed = true;
    for (const wake of this.wakers) wake();
  }
}
