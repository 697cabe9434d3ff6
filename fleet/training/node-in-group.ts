import type { Standing } from "../../host/training/group-trainer.ts";
import { LABEL_STATUS } from "../../src/node/ports.ts";
import { FeatureFlow, type LabelledFeatures } from "../../src/peer/features.ts";
import type { Peer } from "../../src/peer/peer.ts";
import type { Message } from "../../src/wire/messages.ts";
import type { NodeDescription } from "../../tools/session/description.ts";
import type { Hello } from "../../tools/session/hello.ts";
import { Newcomer, type NewcomerLine } from "./newcomer.ts";

/** Seconds in which it asks for the features of a label. */
const ASKS_MAX = 30;

/** What a node is in its group. */
interface NodeStanding extends Partial<Standing> {
  /** The group's place in the fleet file. */
  readonly group: number;
  /** Why it gets no models; undefined: it does. */
  readonly why?: string;
}

/** What a node of a group needs of those that train it. */
interface GroupLine {
  /** Vectors of a model; 0: a plane. */
  readonly vectors: number;
  /** Why that node isn't like the others of its group; undefined: it is, as far as it says. */
  unlike(dimension: number, classes: readonly string[] | undefined): string | undefined;
  /** Keeps the features of a label; resolves to true once they are on disk. */
  keep(features: LabelledFeatures): Promise<boolean>;
  /** The node takes a model now, or doesn't. */
  set(isThere: boolean): void;
  /** Has it get a model anew. */
  order(): void;
  standing(): NodeStanding;
  say(text: string): void;
  /** Undefined: newcomers begin with nothing. */
  readonly newcomer?: NewcomerLine;
}

/** A node of a group: whether it takes models, and the features of its labels, of which none is lost. */
export class NodeInGroup {
  /** Why it gets no models; undefined: it does, or hasn't been met. */
  why: string | undefined;
  private readonly flow = new FeatureFlow();
  /** True if it sends the features of its labels; undefined: it hasn't said what it is. */
  private sends: boolean | undefined;
  /** The number of the last model that waits until the node takes it; 0: none waits. */
  private waiting = 0;
  /** The last label that it had answered when it started. */
  private labelled = 0;
  private asks = 0;
  /** What it begins with, if it has learned nothing. */
  readonly newcomer: Newcomer;

  constructor(private readonly line: GroupLine) {
    this.newcomer = new Newcomer(line.newcomer);
  }

  /** The node started after label `labelled`, and hasn't said yet what it is. */
  started(labelled: number): void {
    this.labelled = labelled;
    this.flow.restart();
    this.sends = undefined;
    this.waiting = 0;
    this.asks = 0;
    this.newcomer.started();
    this.line.set(false);
  }

  /** The node said what it is, or that it doesn't say. @param hasState true if the fleet file has the state with which it begins */
  described(hello: Hello, description: NodeDescription | null | undefined, hasState: boolean): void {
    const { line } = this;
    const node = typeof description?.node === "object" ? description.node : undefined;
    const budget = node?.fleetBudget ?? -1;
    this.sends = budget >= 0;
    const before = this.why;
    if (!this.sends) this.why = "it takes no models; flash it with the option fleetBudget";
    else if (budget < line.vectors)
      this.why = `it takes models of at most ${budget} vectors, and together.vectors is ${line.vectors}`;
    else this.why = line.unlike(hello.dimension, description?.names);
    if (this.why !== undefined && this.why !== before) line.say(`gets no models: ${this.why}`);
    if (!hasState) void this.newcomer.described(hello, description, () => this.setThere());
    this.setThere();
  }

  /** The node doesn't take what its group knows. */
  refused(): void {
    this.newcomer.refused();
    this.setThere();
  }

  /** True if label `number` may go out: the features of the one before are kept. */
  allows(number: number, labelled: number): boolean {
    if (this.sends === undefined || this.newcomer.isAwaited) return false;
    return !this.sends || this.flow.allows(number, labelled);
  }

  /** A model waits until the node takes it, in the place of that label. */
  installing(number: number): void {
    if (number <= this.labelled) return;
    this.waiting = number;
    this.setThere();
  }

  /** The node answered a label, or a model in a label's place. */
  answered(number: number, status: number, isModel: boolean): void {
    this.flow.answered(number, status, isModel);
    if (!isModel || status === LABEL_STATUS.ahead || number < this.waiting) return;
    this.waiting = 0;
    if (status === LABEL_STATUS.forged) {
      this.why = "it refuses their tags: its label key isn't in the fleet file";
      this.line.say(`gets no models: ${this.why}`);
    }
    this.setThere();
  }

  /** Takes a part of the features of a label. */
  take(features: Message<"features">): void {
    this.asks = 0;
    if (this.sends !== false) this.flow.take(features, (whole) => this.line.keep(whole));
  }

  /** Asks for features that haven't come, once a second. */
  ask(peer: Peer): void {
    const { labelled } = peer.node;
    if (!this.sends || !this.flow.lacks(labelled) || peer.ungrantedSince !== undefined) return;
    if (this.asks++ < ASKS_MAX) {
      peer.request("features");
      return;
    }
    this.line.say(`doesn't send the features of label ${labelled}: its group doesn't learn that label`);
    this.flow.settle(labelled);
    this.asks = 0;
  }

  /** Has it get a model anew. Throws an Error with the reason if it gets none. */
  retrain(): void {
    const { why } = this.standing;
    if (why !== undefined) throw new Error(`it gets no models: ${why}`);
    if (this.sends === undefined) throw new Error("the node hasn't said what it is");
    this.line.order();
  }

  get standing(): NodeStanding {
    return this.line.standing();
  }

  /** The node lost the state in which its model was. */
  lostState(): void {
    this.line.order();
  }

  private setThere(): void {
    const { line, newcomer, sends, waiting, why } = this;
    line.set(sends === true && why === undefined && waiting === 0 && !newcomer.isAwaited);
  }
}
