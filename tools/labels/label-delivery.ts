import { briefly } from "../../host/briefly.ts";
import { DeviceError, DifferentStateError, UnlearnedError, UserError } from "../../host/errors.ts";
import type { Interrupt } from "../../host/terminal/interrupt.ts";
import { Lateness } from "../../host-sim/labels/late-labels.ts";
import { optionDifference } from "../../host-sim/state/option-difference.ts";
import type { NodeOptions } from "../../src/node/node-options.ts";
import { LABEL_STATUS } from "../../src/node/ports.ts";
import type { DueLabel } from "../../src/peer/labels.ts";
import type { FedSample } from "../../src/peer/samples.ts";
import { LabelTag } from "../../src/wire/label-tag.ts";
import type { Message } from "../../src/wire/messages.ts";
import { describedOptions, type NodeDescription } from "../session/description.ts";
import type { Hello } from "../session/hello.ts";
import { STATUS_NAMES, UNLEARNED } from "../session/label-status.ts";
import type { Bits } from "../session/same-bits.ts";
import { Session } from "../session/session.ts";
import type { Received, SessionOptions } from "../session/session-options.ts";
import { stateFields } from "../session/state-fields.ts";
import { Interrupted } from "../session/waits.ts";
import { aheadFault, deadlock, otherChannels, refusedTags } from "./delivery-faults.ts";
import { countedSince, transferCounts } from "./delivery-summary.ts";
import { Feed } from "./feed.ts";
import { type StoredSamples, storedSample } from "./memory-supply.ts";
import { Mirror, type MirrorVerdict } from "./mirror.ts";
import type { PortSummary, Reporter } from "./report.ts";
import { RetrainedSupply } from "./retrained-supply.ts";
import type { Source } from "./source.ts";
import type { Deliverables, DueItem, Supply } from "./supply.ts";
import { makeTaughtNode } from "./taught-node.ts";
import { unlearnedText } from "./unlearned.ts";

/** Of a session with the node, and of what goes to it. */
interface LabelDeliveryOptions
  extends Pick<SessionOptions, "port" | "serial" | "giveUp" | "key" | "ca" | "window" | "clock"> {
  /** The node's label key, with which the labels are tagged; default: no tags. */
  readonly labelKey?: Uint8Array;
  readonly source: Source;
  /** The node's name at the source, or its place there, from 1. */
  readonly wanted: string | number;
  /** Names of the classes of a node that names none itself. */
  readonly classes?: readonly string[];
  /** Samples to be fed instead of the source's. */
  readonly samples?: StoredSamples;
  /** The file of lessons from which this machine trains models for the node; default: it trains none. */
  readonly retrain?: string;
  /** True if the node's own sensors play the source's samples, again and again. */
  readonly played?: boolean;
  readonly follow: boolean;
  readonly stop: Interrupt;
  readonly reporter: Reporter;
}

/** Milliseconds for the last requests after the user's interrupt. */
const LAST_QUESTIONS_MS = 1000;

/** Answers to labels that the node is done with. */
const FINAL: readonly number[] = [LABEL_STATUS.applied, ...UNLEARNED];

/** Hands the labels of a source, and its samples, to the node behind one port. */
export class LabelDelivery {
  private session!: Session;
  private supply: Supply | undefined;
  /** The supply's labels with models among them, where this machine trains models. */
  private retrained: RetrainedSupply | undefined;
  private before: Message<"statistics"> | undefined;
  private after: Message<"statistics"> | undefined;
  private state: Message<"state"> | undefined;
  private bits: Bits | undefined;
  private sourceLosses = 0;
  private readonly feed: Feed<DueItem>;
  private description: NodeDescription | undefined;
  private mirror: Mirror | undefined;
  private compared: MirrorVerdict | undefined;
  /** Answers of labels that weren't learned: which were met, and how late the late ones came. */
  private readonly met = new Set<number>();
  private readonly late = new Set<number>();
  private readonly lateness = new Lateness();
  /** True if the node refused a label's tag. */
  private forged = false;

  constructor(private readonly options: LabelDeliveryOptions) {
    const { labelKey } = options;
    this.feed = new Feed(() => this.place, labelKey && new LabelTag(labelKey));
  }

  /** The node's position. One that plays the source's samples takes them by their numbers in any session, as a fed one does. */
  private get place() {
    const { sid, seq, labelled, fed } = this.session.peer.node;
    return { sid, seq, labelled, fed: fed || this.options.played === true };
  }

  /**
   * Runs to the end or until `stop`, and returns the result. Rejects with the reason if it can't continue.
   */
  async run(): Promise<void> {
    const { stop, reporter } = this.options;
    this.session = await Session.open({
      ...this.options,
      labels: this.feed,
      samples: { at: (seq) => this.sampleAt(seq) },
      events: {
        started: (hello) => {
          reporter.started(hello);
          if (hello.restore === "fresh") this.before = undefined;
        },
        lost: (error) => reporter.lost("port", error),
        reopened: () => reporter.reopened("port"),
        obstructed: (why) => reporter.obstructed(why),
        differences: (messages) => reporter.differences(messages),
        message: (...received) => {
          reporter.message(...received);
          this.take(...received);
        },
      },
    });
    let fault: Error | undefined;
    try {
      stop.onStop(() => this.session.interrupt());
      await this.handOver();
    } catch (error) {
      if (error instanceof Interrupted) await this.lastQuestions();
      else fault = error as Error;
    }
    const summary = this.summary(fault);
    reporter.summary(summary);
    await Promise.all([this.session.close(), this.supply?.close()]);
    if (fault) throw fault;
    if (stop.asked) return;
    this.checkSame(summary);
    this.checkLearned(summary);
  }

  private take(...[name, message]: Received): void {
    if (name === "prediction") this.mirror?.sampled(message.seq);
    if (name === "features") this.retrained?.features(message);
    if (name === "credit") this.follow(message);
    if (name === "acknowledgement") this.answered(message);
    if (name === "state") this.compare(message);
  }

  /** Throws a DifferentStateError if the node's arithmetic or state differs from this machine's. */
  private checkSame({ bits, compared, simulated, state }: PortSummary): void {
    const { port } = this.options;
    const refuse = (what: string) => {
      throw new DifferentStateError(`${port}: ${what}`);
    };
    if (bits?.verdict === "different bits")
      refuse(
        this.difference() ?? `the node computes other bits than this machine: ${bits.first} differs first`,
      );
    if (compared?.same === false)
      refuse(`the node ended in state ${state?.stateHash}, this machine's in ${compared.stateHash}`);
    if (simulated && !simulated.same)
      refuse(
        this.difference() ??
          `the node ended in state ${state?.stateHash}, the simulated one in ${simulated.stateHash}`,
      );
  }

  /** The first option in which the node differs from the one that the source has its labels for. */
  private difference(): string | undefined {
    const expected = this.ownOptions();
    const found = expected && this.nodeOptions && optionDifference(expected, this.nodeOptions);
    return found && `the node's option ${found}, which the source's node has`;
  }

  /** Throws an UnlearnedError if the node didn't learn all labels, unless a simulated node didn't, either. */
  private checkLearned({ labels, simulated }: PortSummary): void {
    const { lateness, session, nodeOptions: node } = this;
    const { counted = {}, lost } = labels;
    const classes = session.classes?.text;
    const text = unlearnedText({ counted, lost, lateness, node, classes });
    if (text && !simulated?.same) throw new UnlearnedError(`${this.options.port}: ${text}`);
  }

  private async handOver(): Promise<void> {
    const { session, options } = this;
    const { source, wanted, reporter, stop } = options;
    if (stop.asked) throw new Interrupted(); // while the port was opened
    const hello = await session.awaitHello();
    if (hello.labelled > 0 || hello.seq > 0) this.before = await session.ask("statistics");
    this.description = await session.awaitDescription();
    const supply = await source.supply(wanted, makeTaughtNode(hello, this.description, options.classes), {
      lost: (error) => {
        this.sourceLosses++;
        reporter.lost("source", error);
      },
      reopened: () => reporter.reopened("source"),
    });
    this.supply = supply;
    this.retrained = this.retrainedBy(supply, hello);
    if (supply.mapping !== undefined) reporter.mapping(supply.mapping);
    if (stop.asked) throw new Interrupted(); // while the source was opened
    this.checkChannels();
    const why = this.notMirrored(hello);
    if (why === undefined) this.mirror = this.makeMirror(hello);
    else this.compared = { why };
    this.feed.use(this.items as Deliverables<DueItem>);
    await session.until(() => this.ready());
    this.checkChannels();
    this.bits = await session.bits(this.nodeOptions ?? this.ownOptions());
    reporter.bits(this.bits);
    await session.until(() => this.isFinished());
    await this.conclude();
  }

  /** The supply with models among its labels, if they are wanted. */
  private retrainedBy(supply: Supply, { dimension, labelled }: Hello): RetrainedSupply | undefined {
    const { retrain, port, reporter } = this.options;
    if (retrain === undefined) return undefined;
    const vectors = this.nodeOptions?.fleetBudget ?? -1;
    if (vectors < 0)
      throw new UserError(
        `--retrain: ${port}: the node's firmware says of no room for models; give it fleetBudget, 64 or 0 for a plane, or leave --retrain out`,
      );
    return new RetrainedSupply(supply, retrain, { dimension, vectors, labelled }, (model) =>
      reporter.trained(model),
    );
  }

  /** The node's own options, where it told them. */
  private get nodeOptions(): NodeOptions | undefined {
    return describedOptions(this.description);
  }

  /** What is handed over. */
  private get items(): Deliverables<DueItem> | undefined {
    return this.retrained ?? this.supply;
  }

  /** Why this machine can't do what the node does; undefined if it can. */
  private notMirrored({ fed, learner }: Hello): string | undefined {
    const { description } = this;
    if (!fed && !this.options.played)
      return "the node takes samples from its own sensors, which aren't known here";
    if (!description) return "the node's firmware doesn't tell its options";
    if (typeof description.node === "string")
      return `this machine can't make learner ${learner}: ${description.node}`;
    return undefined;
  }

  private makeMirror({ sid, seq, labelled, fed }: Hello): Mirror {
    const node = { ...(this.nodeOptions as NodeOptions), sid };
    const source = {
      label: (number: number) => this.items?.label(number),
      sample: (number: number) => (fed ? this.sampleAt(number) : this.playedAt(number)),
    };
    const learnedBefore = (fed && seq > 0) || labelled > 0;
    return new Mirror(node, source, learnedBefore ? 0 : this.session.peer.node.seq, learnedBefore);
  }

  /** A sample that the node plays; it waits for no label. */
  private playedAt(seq: number): FedSample | undefined {
    const count = this.sampleCount ?? 0;
    const sample = count > 0 ? this.sampleAt(((seq - 1) % count) + 1) : undefined;
    return sample && { x: sample.x };
  }

  /** The node reports its position, which repairs what its other messages left out. */
  private follow({ boot, seq, labelled }: Message<"credit">): void {
    if (boot !== this.session.peer.node.boot) return;
    this.mirror?.reached(seq, labelled);
  }

  private answered({ number, status, labelled }: Message<"acknowledgement">): void {
    this.forged ||= status === LABEL_STATUS.forged;
    const label = UNLEARNED.includes(status) ? this.items?.label(number) : undefined;
    if (label && !("model" in label)) this.reportUnlearned(label, status);
    if (FINAL.includes(status)) this.mirror?.labelled(Math.min(number, labelled));
  }

  /** The node tells its state, before it takes further samples, which may change it. */
  private compare(state: Message<"state">): void {
    if (this.mirror) this.compared = this.mirror.compare(stateFields(state));
  }

  private reportUnlearned({ number, seq }: DueLabel, status: number): void {
    if (status === LABEL_STATUS.expired && !this.late.has(number)) {
      this.late.add(number); // its answer may come again
      this.lateness.add(this.feed.reached - seq);
    }
    if (this.met.has(status)) return;
    this.met.add(status);
    this.options.reporter.unlearned(number, seq, STATUS_NAMES[status]);
  }

  /** True if the source answered; this query also throws the source's error. */
  private ready(): boolean {
    this.items?.label(this.session.peer.node.labelled + 1);
    return this.supply?.ready === true;
  }

  /** The options that the node ought to have, if they are for the learner that it has. */
  private ownOptions(): Supply["options"] {
    const options = this.supply?.options;
    return options?.learner.name.slice(0, 16) === this.session.hello?.learner ? options : undefined;
  }

  private checkChannels(): void {
    const { hello } = this.session;
    const channels = this.options.samples?.channels ?? this.supply?.channels;
    if (!hello?.fed || channels === undefined || channels === hello.channels) return;
    throw new UserError(
      `${this.options.port}: ${otherChannels(hello.channels, channels, this.supply?.node)}`,
    );
  }

  private sampleAt(seq: number): FedSample | undefined {
    const { samples } = this.options;
    return samples ? storedSample(samples, seq) : this.items?.sample(seq);
  }

  private get sampleCount(): number | undefined {
    const { samples } = this.options;
    return samples ? samples.readings.length / samples.channels : this.items?.end?.samples;
  }

  private isFinished(): boolean {
    const { node } = this.session.peer;
    const { port, labelKey } = this.options;
    if (this.forged) throw new UserError(`${port}: ${refusedTags(node.labelled, labelKey, this.supply)}`);
    this.ready();
    const end = this.items?.end;
    this.refuseStrangers();
    if (!end || this.options.follow || node.labelled < end.labels) return false;
    return !node.fed || node.seq >= (this.sampleCount as number);
  }

  /** Throws a UserError where the node is ahead of the source, or no order of handing over works. */
  private refuseStrangers(): void {
    const { items, options, sampleCount } = this;
    const { labelled, seq, fed } = this.session.peer.node;
    if (!items?.end) return;
    const samples = fed ? sampleCount : undefined;
    const why =
      aheadFault(items, this.supply?.node ?? "", labelled) ??
      deadlock(items, { labelled, seq }, samples, () => this.sampleAt(seq + 1)?.after ?? 0);
    if (why !== undefined) throw new UserError(`${options.port}: ${why}`);
  }

  /** Requests the final state's hash, then a checkpoint, in the simulator's order. */
  private async conclude(): Promise<void> {
    const { session, options } = this;
    this.state = await session.ask("state");
    this.after = await session.ask("statistics");
    const { labelled } = session.peer.node;
    if (await session.checkpoint(labelled, (waitMs) => options.reporter.waits(waitMs))) return;
    const kept = session.peer.node.durable;
    throw new DeviceError(
      `${options.port}: the node answered labels up to ${labelled}, and has a checkpoint up to ${kept}; it writes no checkpoints`,
    );
  }

  /** The node's answer, if it comes at once. */
  private async lastQuestions(): Promise<void> {
    const { session } = this;
    if (!session.hello) return;
    const ask = async () => {
      this.state = await session.ask("state");
      this.after = await session.ask("statistics");
    };
    await briefly(LAST_QUESTIONS_MS, ask());
  }

  private summary(fault: Error | undefined): PortSummary {
    const { session, supply, bits, compared, before, after } = this;
    const state = this.state && stateFields(this.state);
    return {
      node: supply?.node ?? "",
      ...(fault && { fault: fault.message }),
      ...transferCounts(session, supply?.lost ?? 0, this.sourceLosses, after && countedSince(before, after)),
      ...(bits && { bits }),
      ...(state && { state }),
      ...(state && compared && { compared }),
      ...(!fault && this.compareSimulated(state)), // a source that failed would fail again
    };
  }

  /** The simulator's state, where the node received everything that the simulated one did. */
  private compareSimulated(state: PortSummary["state"]): Pick<PortSummary, "simulated"> {
    const { stateHash, nodeHash } = this.items?.end ?? {};
    const comparable =
      this.ownOptions() && this.session.hello?.fed && !this.options.samples && this.isFinished();
    if (!state || !stateHash || !nodeHash || !comparable) return {};
    return { simulated: { stateHash, nodeHash, same: state.stateHash === stateHash } };
  }
}
