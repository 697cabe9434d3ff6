import { average } from "../../../host/statistics.ts";
import { GroupTrainer } from "../../../host/training/group-trainer.ts";
import type { Family } from "../../../src/learn/family.ts";
import type { NodeOptions } from "../../../src/node/node-options.ts";
import type { Fleet, Machine } from "./machines.ts";
import { Node, ObservedMachine } from "./observed-machine.ts";

/** Own labels of a node after which its error is measured. */
const MEASURED = [0, 1, 3, 10, 30, 100, 1000];

/** How a fleet learns. */
export interface LifeOptions {
  readonly learner: Family;
  /** Vectors of its models; 0: planes. */
  readonly vectors: number;
  /** Labels of each node at the end. */
  readonly labels: number;
  readonly seed: number;
  /** Labels that each other node has when the newcomer joins. Default: all begin at once. */
  readonly ahead?: number;
  /** The newcomer's place. Default 0. */
  readonly newcomer?: number;
  /** True if the newcomer's first labels are asked for, see `ObservedMachine`. Default false. */
  readonly asks?: boolean;
}

/** Errors of nodes alone and of nodes that learn together, and of newcomers: shares of the test samples. */
export interface Errors {
  readonly alone: number;
  readonly together: number;
  /** Of a newcomer that begins from the group's labels. */
  readonly started?: number;
  /** Of a newcomer that learns together, and whose first labels are asked for. */
  readonly asked?: number;
}

/** What holds after so many own labels. */
export interface Moment {
  readonly labels: number;
  /** Of the machines that aren't odd, their mean; of a newcomer its own. */
  readonly errors: Errors;
  readonly odd?: Errors;
  /** The share of odd machines that are left out, and of others. */
  readonly leftOut: { readonly odd: number; readonly others: number };
}

const share = (list: readonly boolean[]) => list.filter(Boolean).length / Math.max(1, list.length);

/** A fleet that learns together, and beside each of its nodes one that learns alone. */
export class Life {
  private readonly trainer: GroupTrainer;
  private readonly observed: readonly ObservedMachine[];
  /** Takes over the memory of a node that is measured. */
  private readonly probes: readonly Node[];

  constructor(
    fleet: Fleet,
    private readonly options: LifeOptions,
  ) {
    const { dimension, machines, delay } = fleet;
    const { learner, vectors, seed, ahead = 0, newcomer = 0, asks = false } = options;
    this.trainer = new GroupTrainer(machines.length, { dimension, vectors, seed });
    const features = { standardise: true };
    const base = { sid: 1, channels: dimension, pending: 2 * delay + 8, features, learner };
    const width =
      learner.name === "olk-c" ? { kernel: { type: "gaussian", gamma: 1 / (dimension - 0.6) } } : {};
    const alone: NodeOptions = { ...base, options: width };
    const together = { ...alone, fleetBudget: vectors };
    this.probes = [alone, together].map((each) => new Node(each));
    const kinds = [alone, together, ...(ahead > 0 ? [alone] : [])];
    this.observed = machines.map(
      (machine, i) =>
        new ObservedMachine(
          machine,
          fleet,
          kinds,
          (lesson) => this.trainer.take(i, lesson),
          asks && i === newcomer,
        ),
    );
  }

  /** Runs it, and measures it when its nodes have `MEASURED` labels. */
  run(): Moment[] {
    const { labels, ahead = 0, newcomer: place = 0 } = this.options;
    const newcomer = this.observed[place];
    const fellows = this.observed.filter((each) => each !== newcomer);
    const learners = ahead > 0 ? [newcomer] : this.observed;
    for (let n = 0; n < ahead; n++) for (const fellow of fellows) fellow.learn();
    if (ahead > 0) this.begin(newcomer);
    const moments = [this.moment(0, learners)];
    for (let n = 1; n <= labels; n++) {
      this.learn(learners);
      if (MEASURED.includes(n)) moments.push(this.moment(n, learners));
    }
    return moments;
  }

  /** A label for each, and the models that are due then. */
  private learn(observed: readonly ObservedMachine[]): void {
    for (const one of observed) one.learn();
    this.install();
  }

  private install(): void {
    for (const { node, bytes } of this.trainer.models()) this.observed[node].nodes[1].install(bytes);
  }

  /** The newcomer's third node begins with what the group knows. */
  private begin({ nodes }: ObservedMachine): void {
    this.install();
    this.trainer.teach(nodes[2].node.learner);
  }

  private moment(labels: number, observed: readonly ObservedMachine[]): Moment {
    const { trainer } = this;
    const isNewcomer = observed.length < this.observed.length;
    const odd = isNewcomer ? [] : observed.filter(({ machine }) => machine.isOdd);
    const others = isNewcomer ? observed : observed.filter(({ machine }) => !machine.isOdd);
    const isLeftOut = this.observed.map((_, i) => !trainer.standing(i).isTrusted);
    const leftOut = (isOdd: boolean) =>
      share(isLeftOut.filter((_, i) => this.observed[i].machine.isOdd === isOdd));
    return {
      labels,
      errors: this.measureErrors(others),
      ...(odd.length > 0 && { odd: this.measureErrors(odd) }),
      leftOut: { odd: leftOut(true), others: leftOut(false) },
    };
  }

  private measureErrors(observed: readonly ObservedMachine[]): Errors {
    const [alone, together, started] = observed[0].nodes.map((_, kind) =>
      average(
        observed.map(({ nodes, machine }) => this.measureError(nodes[kind], kind === 1 ? 1 : 0, machine)),
      ),
    );
    return { alone, together, ...(started !== undefined && { started }) };
  }

  /** The share of the machine's test samples on which the node errs, as it is now. */
  private measureError(node: Node, kind: number, { test }: Machine): number {
    const probe = this.probes[kind];
    probe.copy(node);
    return share(test.map(({ x, y }) => probe.sample(x) > 0 !== y > 0));
  }
}
