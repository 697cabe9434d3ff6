import type { GivenCopy } from "../../host-sim/state/copy-file.ts";
import type { Message } from "../../src/wire/messages.ts";
import type { Hello } from "../../tools/session/hello.ts";
import type { Session } from "../../tools/session/session.ts";
import { Interrupted } from "../../tools/session/waits.ts";
import type { FleetStore } from "../store/fleet-store.ts";
import type { FirstState } from "../training/first-state.ts";
import { CopyTaker, restorable } from "./copy.ts";
import type { FleetNode } from "./fleet.ts";
import type { NodeEvents } from "./node-events.ts";
import type { NodeLabels } from "./node-labels.ts";

/** When copies of nodes' memories are made. */
export interface Copying {
  /** Milliseconds between two of one node; undefined: only those asked for. */
  readonly everyMs?: number;
  readonly kept: number;
  /** Automatic copies in progress, over all nodes. */
  running: number;
}

/** Most concurrent copies, so that the fleet's nodes continue. */
const COPIES_AT_ONCE = 4;
const COPY_LOOK_MS = 60_000;

/** Keeps copies of one node's memory, and has the node resume from them. */
export class NodeCopies {
  private readonly copier: CopyTaker;
  private lookedAt = Number.NEGATIVE_INFINITY;
  /** True if the node was given the state of its fleet file, or refused it. */
  private isStarted = false;

  constructor(
    private readonly node: FleetNode,
    private readonly store: FleetStore,
    private readonly copying: Copying,
    private readonly labels: NodeLabels,
    private readonly events: NodeEvents,
  ) {
    this.copier = new CopyTaker((labelled, restore) => labels.whileAhead(labelled, restore));
  }

  /** Takes a part of the node's memory. */
  take(message: Message<"memory">): void {
    this.copier.take(message);
  }

  /** Keeps a copy of the node's memory; resolves with the outcome in words. */
  async copy(session: Session): Promise<string> {
    const copied = await this.copier.copy(session, this.node.options);
    this.store.copy(this.node.name, copied, this.copying.kept);
    return `kept a copy after sample ${copied.seq}, label ${copied.labelled}`;
  }

  /** Has the node resume from that copy; resolves with the outcome in words. */
  async restore(session: Session, id: number): Promise<string> {
    const copied = this.store.readCopy(this.node.name, id);
    if (!copied) throw new Error("there is no such copy any more");
    const { labelKey } = this.node;
    const { seq, labelled, sid } = await this.copier.restore(session, restorable(copied), labelKey);
    const when = new Date(copied.time).toISOString();
    return `resumes from the copy of ${when}: after sample ${seq} and label ${labelled}, in session ${sid}`;
  }

  /** Has a node that has learned no label begin with the state of its fleet file, or with what its group knows. */
  startIfNew(session: Session): void {
    const { state } = this.node;
    const first = this.labels.group?.newcomer.first;
    if (this.copier.busy || session.peer.node.labelled > 0) return;
    if (state && !this.isStarted) this.startFrom(session, state);
    else if (first) void this.startFromGroup(session, first);
  }

  /** The state is on disk before the node has it: with it the node's labels give the node's memory, also if this gateway is killed meanwhile. */
  private async startFromGroup(session: Session, { copy, from, labels }: FirstState): Promise<void> {
    const { node, store, copying, copier, events } = this;
    const { sid, learner, firmware } = session.hello as Hello;
    try {
      store.copy(node.name, { ...copy, sid, learner, firmware, from, whole: true }, copying.kept);
      this.labels.group?.newcomer.giving();
      store.commit();
      await copier.restore(session, copy, node.labelKey);
      events.tell("info", "state", `begins with ${labels} labels of its group`);
    } catch (error) {
      if (error instanceof Interrupted) return;
      this.labels.group?.refused();
      events.tell("warn", "state", `doesn't begin with its group's labels: ${(error as Error).message}`);
    }
  }

  private startFrom(session: Session, state: GivenCopy): void {
    this.isStarted = true;
    this.copier.restore(session, state, this.node.labelKey).then(
      ({ seq, labelled }) =>
        this.events.tell("info", "state", `starts from its state: after sample ${seq} and label ${labelled}`),
      (error) => {
        if (error instanceof Interrupted) this.isStarted = false;
        else this.events.tell("warn", "state", `doesn't start from its state: ${(error as Error).message}`);
      },
    );
  }

  copyIfDue(session: Session, now: number): void {
    const { copying, copier, store, events } = this;
    const { everyMs } = copying;
    if (everyMs === undefined || copier.busy || now - this.lookedAt < Math.min(COPY_LOOK_MS, everyMs)) return;
    if (copying.running >= COPIES_AT_ONCE) return;
    this.lookedAt = now;
    if (store.sinceCopy(this.node.name) < everyMs) return;
    copying.running++;
    this.copy(session)
      .then(
        (text) => events.tell("debug", "copy", text),
        (error) =>
          error instanceof Interrupted || events.tell("warn", "copy", `no copy: ${(error as Error).message}`),
      )
      .finally(() => copying.running--);
  }
}
