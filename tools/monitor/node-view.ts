import type { ClassNames } from "../../host/streams/class-names.ts";
import { familyNamed } from "../../src/learn/registry.ts";
import { LABEL_STATUS, REMARK } from "../../src/node/ports.ts";
import type { Message, UpName } from "../../src/wire/messages.ts";
import { readText } from "../../src/wire/receiver.ts";
import { type Hello, readReset } from "../session/hello.ts";
import { STATUS_NAMES, UNLEARNED } from "../session/label-status.ts";
import { type Bits, compareBits, SelfTestParts } from "../session/same-bits.ts";
import { IssuedSets } from "./issued-sets.ts";
import { Prequential } from "./prequential.ts";
import type { Counts, LinkStatus, NodeEvent, Status } from "./status.ts";

const LEVELS = ["error", "warning", "note"];

/** Collects a node's messages into its known status. */
export class NodeView {
  prequential = new Prequential("accuracy");
  /** The last sample at each marked event. */
  readonly marks: number[] = [];
  private hello: Hello | undefined;
  private starts = 0;
  private readonly at = { seq: 0, labelled: 0, durable: 0, dropped: 0 };
  private prediction: number | undefined;
  private classes: ClassNames | undefined;
  /** Answers to labels that it didn't learn, as far as they were told in this start. */
  private readonly unlearned = new Set<number>();
  private readonly issued = new IssuedSets();
  private counts: { statistics?: Counts; learning?: Counts; losses?: Counts } = {};
  private bits: Bits | undefined;
  private readonly parts = new SelfTestParts();

  /** @param happened called for each event. */
  constructor(private readonly happened: (happening: NodeEvent) => void) {}

  /** The requests for what it doesn't know yet of a node that it met. */
  get lacks(): readonly ("statistics" | "selfTest")[] {
    const { hello } = this;
    if (!hello) return [];
    return [
      ...(this.counts.losses ? [] : (["statistics"] as const)),
      ...(this.bits || hello.selfTest === null ? [] : (["selfTest"] as const)),
    ];
  }

  /** True if the node has dealt with labels, or its learner says that it took some before. */
  get hasLearned(): boolean {
    return this.at.labelled > 0 || (this.counts.learning?.learned ?? 0) > 0;
  }

  /** The node was met, or started again. */
  start(node: Hello): void {
    const kind = familyNamed(node.learner)?.task === "regression" ? "error" : "accuracy";
    if (this.prequential.kind !== kind) this.prequential = new Prequential(kind);
    this.prequential.restart();
    const { seq, labelled, durable } = node;
    Object.assign(this.at, { seq, labelled, durable, dropped: 0 });
    this.hello = node;
    this.counts = {};
    this.bits = undefined;
    this.classes = undefined;
    this.unlearned.clear();
    this.happened({ type: "start", node, starts: ++this.starts });
    if (node.selfTest === 0) this.tellBits({ verdict: "no self-test" });
  }

  /** The node told its classes. */
  describe(classes: ClassNames | undefined): void {
    this.classes = classes;
  }

  /** Takes a message; its record is only valid during the call. */
  take<N extends UpName>(name: N, message: Message<N>): void {
    if ("dr" in message) this.at.dropped = message.dr as number;
    const taker = this.takers[name] as ((message: Message<N>) => void) | undefined;
    taker?.(message);
  }

  /** Marks an event at the last sample. */
  mark(): void {
    this.marks.push(this.at.seq);
    this.happened({ type: "mark", number: this.marks.length, seq: this.at.seq });
  }

  status(link: LinkStatus): Status {
    const { hello, starts, prediction, prequential, bits, classes, marks } = this;
    const { kind, all, recent } = prequential;
    return {
      ...(hello && { node: hello }),
      starts,
      ...this.at,
      link,
      ...(prediction !== undefined && { prediction: Number.isNaN(prediction) ? null : prediction }),
      ...(classes && !classes.isNumbered && { classes: classes.names }),
      ...(this.issued.all && { issued: this.issued.all }),
      prequential: { kind, ...(all && { all }), ...(recent && { recent }) },
      ...this.counts,
      ...(bits && { bits }),
      marks: marks.length,
    };
  }

  private readonly takers: { readonly [N in UpName]?: (message: Message<N>) => void } = {
    prediction: (message) => {
      const { seq, decision, remarks, length } = message;
      this.at.seq = Math.max(this.at.seq, seq);
      this.prediction = decision;
      this.issued.take(message);
      const said = length > 0 ? remarks[0] : 0;
      if (said & REMARK.drift) this.happened({ type: "drift", by: "labels", seq });
      if (said & REMARK.shift) this.happened({ type: "drift", by: "margins", seq });
    },
    credit: ({ boot, seq, labelled, durable }) => {
      if (boot === this.hello?.boot) this.advance(seq, labelled, durable);
    },
    acknowledgement: ({ boot, number, status, labelled, durable }) => {
      if (boot !== this.hello?.boot) return;
      this.advance(this.at.seq, labelled, durable);
      const isLost = UNLEARNED.includes(status) || status === LABEL_STATUS.forged;
      if (!isLost || this.unlearned.has(status)) return;
      this.unlearned.add(status);
      this.happened({ type: "unlearned", number, status: STATUS_NAMES[status] });
    },
    statistics: (message) => this.takeStatistics(message),
    learning: (message) => {
      this.counts.learning = readCounts(message);
    },
    losses: (message) => {
      this.counts.losses = readCounts(message);
    },
    "self-test": (message) => {
      const hashes = this.parts.take(message);
      if (hashes && !this.bits) this.tellBits(compareBits(hashes, this.hello?.learner ?? ""));
    },
    log: ({ level, text, length }) =>
      this.happened({ type: "log", level: LEVELS[level] ?? `level ${level}`, text: readText(text, length) }),
    reset: ({ reason, text, length }) => {
      const { name, crash } = readReset(reason);
      this.happened({ type: "reset", reason: name, crash, text: readText(text, length) });
    },
  };

  private advance(seq: number, labelled: number, durable: number): void {
    const { at } = this;
    at.seq = Math.max(at.seq, seq);
    at.labelled = Math.max(at.labelled, labelled);
    at.durable = Math.max(at.durable, durable);
  }

  private takeStatistics(message: Message<"statistics">): void {
    const before = this.counts.statistics;
    const { seq, applied, mistaken, error, saved, unsaved } = message;
    this.counts.statistics = readCounts(message);
    this.prequential.take(seq, applied, mistaken, error);
    if (!before || (saved === before.saved && unsaved === before.unsaved)) return;
    this.happened({ type: "checkpoint", kept: saved !== before.saved, durable: this.at.durable });
  }

  private tellBits(bits: Bits): void {
    this.bits = bits;
    this.happened({ type: "bits", bits });
  }
}

/** A message's own counters, without those that every report carries. */
function readCounts(message: { readonly [name: string]: unknown }): Counts {
  const { sid, seq, dr, length, ...counts } = message;
  return counts as Counts;
}
