import { printJsonLine, printLine, printText } from "../../host/terminal/print.ts";
import { nameValueLines } from "../../host/terminal/table.ts";
import { readText } from "../../src/wire/receiver.ts";
import { type Hello, readReset, resetText } from "../session/hello.ts";
import { STATUS_NAMES } from "../session/label-status.ts";
import { type Bits, bitsText, comparedText } from "../session/same-bits.ts";
import type { Received } from "../session/session-options.ts";
import type { MirrorVerdict } from "./mirror.ts";
import type { DueInstall } from "./supply.ts";

const LABELS_SCHEMA = "motelearn.labels/1";

/** The outcome for the labels and samples of one port. */
export interface PortSummary {
  readonly node: string;
  /** Why it ended before all was done, if it did. */
  readonly fault?: string;
  readonly labels: {
    readonly sent: number;
    readonly resent: number;
    /** The last number processed, and the last in a checkpoint. */
    readonly labelled: number;
    readonly durable: number;
    /** Labels that the source no longer had. */
    readonly lost: number;
    /** The node's counters; undefined if it didn't answer. */
    readonly counted?: { readonly [status: string]: number };
  };
  readonly samples: { readonly fed: number; readonly refed: number; readonly lost: number };
  readonly link: {
    readonly losses: number;
    readonly sourceLosses: number;
    readonly bytesLost: number;
    readonly bytesThrown: number;
  };
  readonly starts: number;
  readonly bits?: Bits;
  readonly state?: { readonly seq: number; readonly stateHash: string; readonly nodeHash: string };
  /** The state of this machine's own node that took the same samples and labels. */
  readonly compared?: MirrorVerdict;
  /** The simulator's hashes, and whether the learner's is equal. */
  readonly simulated?: { readonly stateHash: string; readonly nodeHash: string; readonly same: boolean };
}

/** Reports events of one port as they happen: lines for people, or NDJSON of schema motelearn.labels/1. */
export class Reporter {
  constructor(
    private readonly port: string,
    private readonly json: boolean,
  ) {}

  private emit(event: string, what: { readonly [name: string]: unknown }, text?: string): void {
    if (this.json) {
      printJsonLine({ schema: LABELS_SCHEMA, event, port: this.port, time: Date.now(), ...what });
    } else if (text !== undefined) printLine(`${this.port}: ${text}`);
  }

  started(hello: Hello): void {
    const { learner, firmware, restore, reset, crash, seq, labelled } = hello;
    const why = reset === "unknown" ? "" : `, started by ${resetText({ name: reset, crash })}`;
    const text = `${learner} on ${firmware}${why}, ${restore}: resumes after sample ${seq}, label ${labelled}`;
    this.emit("started", { hello }, text);
  }

  bits(bits: Bits): void {
    // "same bits" is said of the states, in the end.
    const text =
      bits.verdict === "same bits" ? `its self-test agrees: ${comparedText(bits)}` : bitsText(bits);
    this.emit("self-test", { ...bits }, text);
  }

  /** The classes by which a recording's labels are read. */
  mapping(text: string): void {
    this.emit("classes", { classes: text }, `labels: ${text}`);
  }

  /** The first label that the node answered with that status, though it didn't learn it. */
  unlearned(number: number, seq: number, status: string): void {
    const text = `label ${number}, of sample ${seq}, wasn't learned: ${status}, the first of these`;
    this.emit("unlearned", { number, seq, status }, text);
  }

  /** A model was trained for the node. */
  trained({ number, model: { length: bytes } }: DueInstall): void {
    this.emit("model", { number, bytes }, `model of ${bytes} bytes, as number ${number}`);
  }

  /** The node keeps no checkpoint before that. */
  waits(waitMs: number): void {
    const text = `the node answered all labels; waiting ${Math.ceil(waitMs / 1000)} s for its next checkpoint`;
    this.emit("waiting", { waitMs }, text);
  }

  differences(messages: readonly string[]): void {
    const text = `messages that differ from this program's: ${messages.join("; ")}`;
    this.emit("differences", { messages }, text);
  }

  lost(link: "port" | "source", error: Error): void {
    this.emit("lost", { link, why: error.message }, `link lost: ${error.message}`);
  }

  reopened(link: "port" | "source"): void {
    this.emit("reopened", { link }, `link to the ${link === "port" ? "node" : "source"} open again`);
  }

  obstructed(why: string | undefined): void {
    this.emit("obstructed", { why: why ?? null }, why ?? "the node can be taught again");
  }

  message(...[name, message]: Received): void {
    if (name === "acknowledgement") {
      const { number, status, labelled, durable } = message;
      this.emit("label", { number, status: STATUS_NAMES[status] ?? status, labelled, durable });
    } else if (name === "log") {
      const text = readText(message.text, message.length);
      this.emit("log", { level: message.level, text }, text);
    } else if (name === "reset") {
      const text = readText(message.text, message.length);
      const reset = readReset(message.reason);
      const why = `${resetText(reset)} ${text}`.trim();
      this.emit("reset", { reason: reset.name, crash: reset.crash, text }, `restarts: ${why}`);
    }
  }

  summary(summary: PortSummary): void {
    this.emit("summary", { ...summary }, summary.node || "the node");
    if (!this.json) printText(nameValueLines(rows(summary)));
  }
}

const NOT_APPLIED = ["expired", "session", "unknown", "refused", "range", "forged"];

function rows(summary: PortSummary): [string, string][] {
  const { labels, samples, link, starts, state, compared, simulated } = summary;
  const { counted } = labels;
  const refused = NOT_APPLIED.map((name) => `${counted?.[name]} ${name}`);
  const hashes = state && `${state.stateHash} (learner), ${state.nodeHash} (node), at sample ${state.seq}`;
  return [
    ["labels sent", `${labels.sent}, and ${labels.resent} again`],
    ["applied", counted ? `${counted.applied}` : "unknown: the node was silent"],
    ["not applied", counted ? refused.join(", ") : "unknown"],
    ["answered", `up to label ${labels.labelled}; up to ${labels.durable} in a checkpoint`],
    ["lost at source", `${labels.lost}`],
    ["samples fed", `${samples.fed}, and ${samples.refed} again; ${samples.lost} lost`],
    ["starts of the node", `${starts}`],
    ["link losses", `${link.losses} to the node, ${link.sourceLosses} to the source`],
    ["bytes", `${link.bytesLost} lost on the way to the node, ${link.bytesThrown} from it thrown away`],
    ["state", hashes ?? "unknown"],
    ...(compared ? [comparedRow(compared)] : []),
    ...(simulated ? [simulatedRow(simulated)] : []),
  ];
}

function comparedRow(compared: MirrorVerdict): [string, string] {
  if (compared.same === undefined) return ["this machine", `not compared: ${compared.why}`];
  const { same, stateHash } = compared;
  return ["this machine", same ? `same bits: ${stateHash}` : `${stateHash}: not the same`];
}

function simulatedRow({ same, stateHash }: NonNullable<PortSummary["simulated"]>): [string, string] {
  return ["simulated", same ? "the same learner's state" : `${stateHash}: not the same`];
}
