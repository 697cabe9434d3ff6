import { modelCrc } from "../../src/learn/model-bytes.ts";
import type { Label } from "../../src/node/ports.ts";
import type { Message } from "../../src/wire/messages.ts";
import { PASSING, STATUS_NAMES } from "../session/label-status.ts";

/** The node's report on its labels: an acknowledgement, or a credit, which names no label. */
export interface Answer {
  /** The node's start; undefined: its present one. */
  readonly boot?: number;
  /** Number of the last label processed. */
  readonly labelled: number;
  readonly number?: number;
  readonly status?: number;
}

/** A model that is sent in a label's place. */
interface SentModel {
  readonly number: number;
  /** Its length, and its CRC-32. */
  readonly bytes: number;
  readonly crc: number;
  /** The model; undefined: not all of its bytes were sent since this program listens. */
  readonly model: Uint8Array | undefined;
}

/** A label that the node processed, or a model in a label's place. */
export type AnsweredLabel = (Label | SentModel) & {
  /**
   * Its status; undefined if its acknowledgement was lost, and a later message shows that it was processed.
   */
  readonly status?: string;
};

/** The bytes of a model, which come in blocks. */
class ModelBytes {
  private come: number[] = [];

  constructor(
    readonly bytes: number,
    readonly crc: number,
  ) {}

  take({ offset, data, length }: Message<"block">): void {
    const { bytes, come } = this;
    if (offset > come.length) return;
    const end = Math.min(offset + length, bytes);
    for (let at = come.length; at < end; at++) come.push(data[at - offset]);
  }

  /** Undefined: not all bytes came, or they are others. */
  get model(): Uint8Array | undefined {
    const model = Uint8Array.from(this.come);
    return model.length === this.bytes && modelCrc(model) >>> 0 === this.crc ? model : undefined;
  }
}

/** What was sent in a number's place. */
type SentItem = Label | { readonly number: number; readonly of: ModelBytes };

/** Matches the labels and models sent to a node with its answers: an answer names them by number alone. */
export class SentLabels {
  private readonly sent = new Map<number, SentItem>();
  private readonly statuses = new Map<number, string>();
  /** The model whose blocks come. */
  private coming: ModelBytes | undefined;
  private labelled = 0;
  private boot = 0;

  /** The node started: it has processed the labels up to this one, and takes later ones again. */
  restart(boot: number, labelled: number): void {
    this.boot = boot;
    this.sent.clear();
    this.statuses.clear();
    this.coming = undefined;
    this.labelled = labelled;
  }

  /** Notes a label sent to the node. */
  add({ number, sid, seq, y, source, confidence }: Message<"label">): void {
    if (number > this.labelled) this.sent.set(number, { number, sid, seq, y, source, confidence });
  }

  /** Notes the order to install a model. The model's blocks follow. */
  addInstall({ number, bytes, crc }: Message<"install">): void {
    if (number <= this.labelled) return;
    const isSame = this.coming?.bytes === bytes && this.coming.crc === crc;
    const of = isSame && this.coming ? this.coming : new ModelBytes(bytes, crc);
    this.coming = of;
    this.sent.set(number, { number, of });
  }

  /** Notes bytes of the model. */
  addBlock(block: Message<"block">): void {
    this.coming?.take(block);
  }

  /** What the node has answered since the last call, in the order of the numbers. An answer of an earlier start comes late: it says nothing. */
  answer({ boot = this.boot, number, status, labelled }: Answer): AnsweredLabel[] {
    if (boot !== this.boot) return [];
    if (number !== undefined && status !== undefined && !PASSING.includes(status))
      this.statuses.set(number, STATUS_NAMES[status]);
    this.labelled = Math.max(this.labelled, labelled);
    const numbers = [...this.sent.keys()].filter((next) => next <= labelled).sort((a, b) => a - b);
    return numbers.map((next) => this.take(next));
  }

  private take(number: number): AnsweredLabel {
    const sent = this.sent.get(number) as SentItem;
    const status = this.statuses.get(number);
    this.sent.delete(number);
    this.statuses.delete(number);
    if (!("of" in sent)) return { ...sent, status };
    const { bytes, crc, model } = sent.of;
    return { number, bytes, crc, model, status };
  }
}
