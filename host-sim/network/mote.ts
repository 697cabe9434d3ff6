import type { NodeOptions } from "../../src/node/node.ts";
import { LABEL_STATUS, type Label, type LabelStatus } from "../../src/node/ports.ts";
import { Random } from "../random.ts";
import type { LabelTally } from "../result.ts";
import type { Scenario } from "../scenario.ts";
import { CurveRecorder } from "../scoring/curve.ts";
import type { DrivenNode, MakeNode } from "./driven-node.ts";
import { Journal } from "./journal.ts";
import { LossyLink } from "./link.ts";
import { LabelSender } from "./sender.ts";
import type { NodeStream } from "./sources.ts";

interface Answer {
  readonly number: number;
  readonly status: LabelStatus;
}

/** A node in the network: the real `SensorNode`, on a simulated link, and the labels it is owed. */
export class Mote {
  readonly node: DrivenNode;
  /** Samples between a prediction and its label's use. */
  readonly lag: CurveRecorder;
  /** What it was given, if that is kept. */
  readonly journal: Journal | undefined;
  /** Whether the node is off: it hears nothing. */
  off = false;
  private now = 0;
  private readonly sender: LabelSender;
  private readonly down: LossyLink<Label>;
  private readonly up: LossyLink<Answer>;
  /** By number, from 1: when its sample was taken, and whether it is right. */
  private readonly issued: { readonly taken: number; readonly right: boolean }[] = [];
  private lost = 0;
  private wrong = 0;
  private lagSum = 0;
  private lagMax = 0;

  constructor(
    readonly stream: NodeStream,
    options: NodeOptions,
    { link, seed }: Scenario,
    place: string,
    stride: number,
    makeNode: MakeNode,
    keepJournal = false,
  ) {
    this.down = new LossyLink(new Random(seed, `${place}/down`), link);
    this.up = new LossyLink(new Random(seed, `${place}/up`), link);
    this.journal = keepJournal ? new Journal(stream.node, options) : undefined;
    this.sender = new LabelSender(options.sid, link, (now, frame) => this.down.send(now, frame));
    this.lag = new CurveRecorder(stride);
    this.node = makeNode(options, (number, status) => this.acknowledge(number, status));
  }

  /** Samples at time `now`. Returns the prediction; NaN if there is none. */
  sample(now: number, readings: Float32Array): number {
    this.now = now;
    this.journal?.sampled(readings);
    return this.node.sample(readings);
  }

  /** The fusion centre hands over the label of sample seq, taken at time `taken`. */
  issue(seq: number, label: number, taken: number, right: boolean): void {
    this.issued.push({ taken, right });
    this.journal?.issued(seq, label, this.node.seq);
    this.sender.add(seq, label);
  }

  /** Counts a label that will never be issued. */
  lose(): void {
    this.lost++;
  }

  /** One round over the link: labels down, answers up. */
  exchange(now: number): void {
    if (this.node.stop) return;
    this.now = now;
    this.sender.tick(now);
    for (const label of this.down.receive(now)) if (!this.off) this.node.label(label);
    for (const { number, status } of this.up.receive(now)) this.sender.answer(number, status);
  }

  /** The node answers a label: here it counts what the label was worth. */
  private acknowledge(number: number, status: LabelStatus): void {
    this.up.send(this.now, { number, status });
    this.journal?.answered(number, status, this.node.seq);
    if (status !== LABEL_STATUS.applied && status !== LABEL_STATUS.expired) return;
    const { taken, right } = this.issued[number - 1];
    if (!right) this.wrong++;
    if (status !== LABEL_STATUS.applied) return;
    const lag = this.now - taken;
    this.lag.add(lag);
    this.lagSum += lag;
    if (lag > this.lagMax) this.lagMax = lag;
  }

  /** Whether no label is under way that anyone waits for. */
  get idle(): boolean {
    if (this.node.stop) return true;
    return this.sender.idle && this.down.pending === 0 && this.up.pending === 0;
  }

  /** What became of the labels. */
  tally(): LabelTally {
    const { node, down, sender } = this;
    const applied = node.count("applied");
    return {
      issued: this.issued.length,
      applied,
      late: node.count("expired"),
      lost: this.lost,
      wrong: this.wrong,
      duplicates: node.count("duplicate"),
      held: node.count("held"),
      sent: down.sent,
      dropped: down.dropped,
      resent: sender.resent,
      lagMean: applied > 0 ? this.lagSum / applied : { why: "no label was applied" },
      lagMax: this.lagMax,
    };
  }
}
