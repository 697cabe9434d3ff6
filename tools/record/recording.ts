import { rmSync } from "node:fs";
import { UserError } from "../../host/errors.ts";
import type { ClassNames } from "../../host/streams/class-names.ts";
import { REMARK } from "../../src/node/ports.ts";
import { halfWidth } from "../../src/node/prediction-intervals.ts";
import type { DownName, Message } from "../../src/wire/messages.ts";
import type { Hello } from "../session/hello.ts";
import type { NamedMessage } from "../session/session-options.ts";
import { LineFile } from "./line-file.ts";
import { RecordingSessions } from "./recording-sessions.ts";
import { SampleParts } from "./sample-parts.ts";
import { type Answer, type AnsweredLabel, SentLabels } from "./sent-labels.ts";

/** A prediction's set of classes (both: the node abstains) or interval, if there was one. */
function issuedWith({ decision, remarks, length }: Message<"prediction">) {
  const [said, level] = remarks;
  if (length === 0 || (said & REMARK.set) === 0) return {};
  if (length > 1) return { interval: [decision - halfWidth(level), decision + halfWidth(level)] };
  return { set: [...(said & REMARK.minus ? [-1] : []), ...(said & REMARK.plus ? [1] : [])] };
}

/** The names of the messages that teach a node. */
const TAUGHT = ["label", "install", "block"] as const;
/** A message that teaches a node. */
export type Taught = NamedMessage<(typeof TAUGHT)[number]>;

export function isTaught(message: NamedMessage<DownName>): message is Taught {
  return TAUGHT.some((name) => name === message[0]);
}

/** The line of a label that the node processed, or of a model. */
function answerLine(answered: AnsweredLabel): object {
  const { number, status } = answered;
  if ("y" in answered) {
    const { sid, seq, y, source, confidence } = answered;
    return { type: "label", sid, seq, label: y, source, confidence, number, status };
  }
  const { bytes, crc, model } = answered;
  const text = model && { model: Buffer.from(model).toString("base64") };
  return { type: "install", bytes, crc, ...text, number, status };
}

export const RECORD_SCHEMA = "motelearn.record/1";

/** One stay at a port. Times are milliseconds since 1970-01-01 UTC. */
export interface RecordingSession {
  readonly port: string;
  readonly node: string;
  label?: string | number;
  readonly began: number;
  ended?: number;
  /** Each start of the node. */
  readonly hellos: Hello[];
  /** Events that were marked, each at the last sample before it. */
  readonly marks: { readonly number: number; readonly seq: number; readonly time: number }[];
  /**
   * Samples written; missing numbers; and samples that no stream can hold: without readings, with one that
   * isn't finite, or with another number of readings than the first.
   */
  samples: number;
  missing: number;
  unreadable: number;
  /** A log's records besides samples: predictions, and labels that the node processed. */
  predictions: number;
  labels: number;
  linkLosses: number;
  bytesThrown: number;
}

/**
 * A growing stream file. Each sample, and in a log the node's other messages, is written in one call when it
 * comes, so nothing received is lost however the program ends. A torn line from an earlier end is cut off
 * first.
 */
export class Recording {
  readonly stay: RecordingSession;
  private readonly lines: LineFile;
  private readonly stays: RecordingSessions;
  private readonly parts = new SampleParts();
  private readonly sentLabels = new SentLabels();
  private last = { sid: 0, seq: 0 };
  /** Readings of each sample, the same number in every row. */
  private readings = 0;

  /** Throws a UserError if the file exists (without --append), or can't be written. */
  constructor(
    private readonly file: string,
    append: boolean,
    about: { readonly port: string; readonly node: string; readonly label?: string | number },
  ) {
    this.stay = {
      ...{ ...about, began: Date.now(), hellos: [], marks: [] },
      ...{ samples: 0, missing: 0, unreadable: 0, predictions: 0, labels: 0 },
      ...{ linkLosses: 0, bytesThrown: 0 },
    };
    this.lines = new LineFile(file, append ? "a+" : "ax+");
    this.stays = new RecordingSessions(file, append, this.stay);
  }

  started(hello: Hello): void {
    this.stay.hellos.push(hello);
    this.answered({ labelled: hello.labelled });
    this.sentLabels.restart(hello.boot, hello.labelled);
    this.stays.started(hello);
  }

  /** The node told its classes: the samples' label becomes the name of one. Throws a UserError if it is none of them. */
  described(classes: ClassNames | undefined): void {
    const { label } = this.stay;
    if (label === undefined || !classes || classes.isNumbered) return;
    const name = classes.targetName(classes.labelTarget(label));
    if (name === undefined) throw new UserError(`--label ${label}: the node's classes are ${classes.text}`);
    this.stay.label = name;
  }

  mark({ number, seq }: { readonly number: number; readonly seq: number }): void {
    const mark = { number, seq, time: Date.now() };
    this.stay.marks.push(mark);
    this.stays.marked(mark);
  }

  /** Takes a message `sample`, a part or the whole of one. */
  take(message: Message<"sample">): void {
    const { sid, seq, ts } = message;
    const x = this.parts.take(message);
    if (!x) return;
    const { stay, last } = this;
    if (sid === last.sid && seq > last.seq) stay.missing += seq - last.seq - 1;
    this.last = { sid, seq };
    this.readings ||= x.length;
    if (x.length === 0 || x.length !== this.readings || !x.every(Number.isFinite)) {
      stay.unreadable++;
      return;
    }
    this.write({ ticks: ts, sid, seq, x: Array.from(x), label: stay.label });
    stay.samples++;
  }

  /** The learner's decision on a sample, for a log: null where it isn't a number. */
  predicted(message: Message<"prediction">): void {
    const { ts, sid, seq, decision, remarks, length } = message;
    const said = length > 0 ? remarks[0] : 0;
    const asked = (said & REMARK.asked) !== 0;
    const fleet = (said & REMARK.fleet) !== 0;
    const told = { ...(asked && { asked }), ...(fleet && { fleet }), ...issuedWith(message) };
    this.write({ type: "prediction", ticks: ts, sid, seq, decision, ...told });
    this.stay.predictions++;
  }

  /** Another program sends the node a label, or a model in a label's place. */
  sent(...[name, message]: Taught): void {
    const { sentLabels } = this;
    if (name === "label") sentLabels.add(message);
    else if (name === "install") sentLabels.addInstall(message);
    else sentLabels.addBlock(message);
  }

  /** Takes the node's answers to labels. Labels and models that it processed go into the log. */
  answered(answer: Answer): void {
    for (const answered of this.sentLabels.answer(answer)) {
      this.write(answerLine(answered));
      if ("y" in answered) this.stay.labels++;
    }
  }

  private write(line: object): void {
    this.lines.write({ time: Date.now(), node: this.stay.node, ...line });
  }

  /** Closes it. If no node was met, no file remains. */
  close(): void {
    this.stay.ended = Date.now();
    try {
      this.stays.close();
    } finally {
      if (this.lines.close() === 0 && this.stay.hellos.length === 0) rmSync(this.file, { force: true });
    }
  }
}
