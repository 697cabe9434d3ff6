import type { Family, GivenOptions } from "../../src/learn/family.ts";
import { nodeLayout, SensorNode } from "../../src/node/node.ts";
import { LABEL_STATUS, type LabelStatus, type Link, type Storage } from "../../src/node/ports.ts";
import { arithmetic } from "../arithmetic.ts";
import { Random } from "../random.ts";
import type { LabelTally } from "../result.ts";
import type { Scenario } from "../scenario.ts";
import { CurveRecorder } from "./curve.ts";
import { LossyLink } from "./link.ts";
import { type LabelFrame, LabelSender } from "./sender.ts";
import type { NodeStream } from "./sources.ts";

interface Answer {
  readonly number: number;
  readonly status: LabelStatus;
}

/** A disk that keeps the last checkpoint. */
class Disk implements Storage {
  private kept: Uint8Array | undefined;

  save(checkpoint: Uint8Array): boolean {
    this.kept = checkpoint.slice();
    return true;
  }

  load(checkpoint: Uint8Array): boolean {
    if (this.kept?.length !== checkpoint.length) return false;
    checkpoint.set(this.kept);
    return true;
  }
}

/** A node in the network: the real `SensorNode`, on a simulated clock, disk and link, and the labels it is owed. */
export class Mote {
  readonly node: SensorNode;
  /** Samples between a prediction and its label's use. */
  readonly lag: CurveRecorder;
  /** Whether the node is off: it hears nothing. */
  off = false;
  private now = 0;
  private readonly sender: LabelSender;
  private readonly down: LossyLink<LabelFrame>;
  private readonly up: LossyLink<Answer>;
  /** By number, from 1: when its sample was taken, and whether it is right. */
  private readonly issued: { readonly taken: number; readonly right: boolean }[] = [];
  private lost = 0;
  private wrong = 0;
  private lagSum = 0;
  private lagMax = 0;

  constructor(
    readonly stream: NodeStream,
    index: number,
    scenario: Scenario,
    place: string,
    learner: { family: Family; options: GivenOptions },
    stride: number,
  ) {
    const { node, link, seed } = scenario;
    const clock = { now: () => this.now };
    this.down = new LossyLink(new Random(seed, `${place}/down`), link);
    this.up = new LossyLink(new Random(seed, `${place}/up`), link);
    const wire: Link = {
      predicted: () => {},
      acknowledge: (number, status) => this.acknowledge(number, status),
    };
    const settings = {
      sid: index + 1,
      channels: stream.channels,
      pending: node.pending,
      window: link.window,
      checkpointEvery: node.checkpointEvery,
      features: { window: node.window, standardise: node.standardise },
      learner: learner.family,
      options: learner.options,
    };
    const memory = arithmetic().allocate(nodeLayout(settings));
    this.node = new SensorNode(settings, clock, wire, new Disk(), memory);
    this.sender = new LabelSender(index + 1, link, (now, frame) => this.down.send(now, frame));
    this.lag = new CurveRecorder(stride);
  }

  /** Samples at time `now`. Returns the prediction; NaN if there is none. */
  sample(now: number, readings: Float32Array): number {
    this.now = now;
    return this.node.sample(readings);
  }

  /** The fusion centre hands over the label of sample seq, taken at time `taken`. */
  issue(seq: number, label: number, taken: number, right: boolean): void {
    this.issued.push({ taken, right });
    this.sender.add(seq, label);
  }

  /** Counts a label that will never be issued. */
  lose(): void {
    this.lost++;
  }

  /** One round over the link: labels down, answers up. */
  exchange(now: number): void {
    this.now = now;
    this.sender.tick(now);
    for (const { number, sid, seq, y } of this.down.receive(now))
      if (!this.off) this.node.label(number, sid, seq, y);
    for (const { number, status } of this.up.receive(now)) this.sender.answer(number, status);
  }

  /** The node answers a label: here it counts what the label was worth. */
  private acknowledge(number: number, status: LabelStatus): void {
    this.up.send(this.now, { number, status });
    if (status !== LABEL_STATUS.applied && status !== LABEL_STATUS.expired) return;
    const { taken, right } = this.issued[number - 1];
    if (!right) this.wrong++;
    if (status !== LABEL_STATUS.applied) return;
    const lag = this.now - taken;
    this.lag.add(lag);
    this.lagSum += lag;
    if (lag > this.lagMax) this.lagMax = lag;
  }

  /** Whether no label is under way. */
  get idle(): boolean {
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
