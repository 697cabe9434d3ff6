import { groupBy } from "../../host/group-by.ts";
import { parseNumber } from "../../host/streams/numbers.ts";
import type { Giver } from "../access/access.ts";
import { Refusal } from "../access/refusal.ts";
import type { LabelRequest } from "../api/label-request.ts";
import { parseTarget } from "../api/node-classes.ts";
import { isEarly } from "../intake/label-intake.ts";
import type { FleetStore } from "../store/fleet-store.ts";
import { CommitGroup } from "./commit-group.ts";
import type { Log } from "./log.ts";
import type { NodeKeeper } from "./node-keeper.ts";

/** Most milliseconds until received messages are on disk. */
const COMMIT_MS = 200;

/** Most labels over HTTP that wait for the disk: one connection may send many before it has an answer. */
const WAITERS_MAX = 1024;

/** A caller that waits until its label is on disk. */
interface Waiter {
  readonly keeper: NodeKeeper;
  /** `why` not; `moved`: another gateway has the node now. */
  readonly done: (why?: string, moved?: boolean) => void;
}

interface LabellingPorts {
  /** True if another gateway of the cluster may have heard that session of the node, and alone has its predictions. */
  elsewhere(keeper: NodeKeeper, sid: number): boolean;
  /** Records who gave a node which label. */
  record(node: string, by: string, from: string, text: string): void;
}

/**
 * Takes labels from callers, and commits received data to disk: what one labeller waits for together with others', the rest after a
 * while. Then it sends the labels to their nodes and answers the callers.
 */
export class Labelling {
  /** Why nothing can be written; undefined: all is well. */
  fault: string | undefined;
  private waiters: Waiter[] = [];
  private readonly group = new CommitGroup({
    commit: () => this.commit(),
    diskMs: () => this.store.diskMs,
    after: (ms, act) => void setTimeout(act, ms),
  });
  /** Commits what no labeller waits for, so long after the last commit. */
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly store: FleetStore,
    private readonly log: Log,
    private readonly ports: LabellingPorts,
  ) {}

  start(): void {
    this.timer = setInterval(() => this.commit(), COMMIT_MS);
  }

  /** Commits what it has, and ends. */
  close(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.commit();
  }

  /**
   * Takes a label for a sample of the node; repeating it changes nothing. Resolves when it is on disk, or with a text: why the disk refused it.
   * Rejects with a Refusal of a label that the node can't learn, or that should come again.
   */
  async take(keeper: NodeKeeper, label: LabelRequest, caller: Giver): Promise<string | undefined> {
    if (!(await keeper.knowsClasses()))
      throw new Refusal(503, "the node hasn't said its classes yet; send the label again");
    const later = this.later(keeper, label);
    if (later !== undefined) throw new Refusal(503, later);
    this.accept(keeper, label, caller);
    return this.awaitCommit(keeper);
  }

  /** Why a label should come again later: nothing of it is kept. Undefined: it may be taken. */
  private later(keeper: NodeKeeper, { sid = keeper.sid, seq, label }: LabelRequest): string | undefined {
    if (!keeper.isDescribed && Number.isNaN(parseNumber(String(label))))
      return `${keeper.name} wasn't met since the gateway started: it isn't known whether ${label} is a class of it; send the label again`;
    if (keeper.labels.full !== undefined) return keeper.labels.full;
    if (this.waiters.length >= WAITERS_MAX) return "too many labels wait for the disk; send it again";
    return sid !== undefined && isEarly({ sid, seq }, keeper.reach)
      ? `sample ${seq} of session ${sid} hasn't come yet; send the label again`
      : undefined;
  }

  /** Takes a label, which is on disk after the next commit; or returns a text: why not. */
  offer(keeper: NodeKeeper, label: LabelRequest, caller: Giver): string | undefined {
    try {
      this.accept(keeper, label, caller);
      return undefined;
    } catch (error) {
      if (error instanceof Refusal) return error.message;
      throw error;
    }
  }

  /** Takes a label, which is on disk after the next commit. Throws a Refusal. */
  private accept(
    keeper: NodeKeeper,
    { label, sid: given, seq, source, confidence, by, tag }: LabelRequest,
    caller: Giver,
  ): void {
    const { name } = keeper;
    const sid = given ?? keeper.sid;
    if (sid === undefined) throw new Refusal(409, "the node wasn't met yet: give the sample's session, sid");
    const y = parseTarget(label, keeper.classes);
    const { reach } = keeper;
    const taken = reach && reach.sid === sid && seq <= reach.seq; // while no gateway ran, perhaps
    // The node refuses the label of a sample that it doesn't have.
    if (!taken && !this.ports.elsewhere(keeper, sid) && !this.store.knows(name, sid, seq))
      throw new Refusal(409, `no prediction of sample ${seq} in session ${sid}`);
    const before = this.store.labels.of(name, sid, seq);
    const isCorrectable = before !== undefined && keeper.labels.isCorrectable(before);
    if (before && before.y === y && !isCorrectable) return;
    if (before && !isCorrectable) {
      const said = keeper.classes?.targetName(before.y) ?? before.y;
      throw new Refusal(409, `sample ${seq} was labelled ${said}${before.by && ` by ${before.by}`}`);
    }
    const gone = keeper.explainDiscarded({ sid, seq });
    if (gone !== undefined) throw new Refusal(410, gone);
    keeper.labels.give({ sid, seq, y, source, confidence, by, tag });
    this.ports.record(name, caller.name || by, caller.from, `session ${sid}, sample ${seq}: ${label}`);
  }

  /** Resolves when received labels are on disk, and in a cluster's log; or with a text: why not. */
  awaitCommit(keeper: NodeKeeper): Promise<string | undefined> {
    this.group.join();
    return new Promise((resolve, reject) => {
      const done = (why?: string, moved?: boolean) => {
        if (moved) reject(new Refusal(503, "the node went to another gateway; try again"));
        else resolve(why);
      };
      this.waiters.push({ keeper, done });
    });
  }

  /** Commits received data to disk, and answers the waiting callers. */
  private commit(): void {
    const { waiters } = this;
    this.waiters = [];
    this.group.committed();
    this.write();
    this.timer?.refresh();
    // Another commit may have failed in between: then these callers' data are lost, too.
    const loss = this.store.takeLoss();
    if (loss !== undefined && this.fault === undefined) this.log.write("error", "", "store", loss);
    if (loss === undefined && this.fault !== undefined)
      this.log.write("info", "", "store", "the database takes data again");
    this.fault = loss;
    if (loss === undefined) teachAll(waiters);
    else for (const { done } of waiters) done(loss);
  }

  /** Commits; `fault` says at the next commit whether that failed. */
  write(): void {
    try {
      this.store.commit();
    } catch {} // `takeLoss` says it
  }
}

/** Sends the nodes the labels on disk, and answers the labellers. */
function teachAll(waiters: readonly Waiter[]): void {
  for (const [keeper, all] of groupBy(waiters, ({ keeper }) => keeper)) {
    const shared = keeper.labels.sendCommitted();
    const done = (moved?: boolean) => {
      for (const waiter of all) waiter.done(undefined, moved);
    };
    if (!shared) done();
    else
      shared.then(
        () => done(),
        () => done(true),
      );
  }
}
