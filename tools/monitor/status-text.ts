import { printable } from "../../host/printable.ts";
import { ClassNames } from "../../host/streams/class-names.ts";
import { nameValueLines } from "../../host/terminal/table.ts";
import { decidedClass } from "../../src/learn/learner.ts";
import { bitsParts } from "../session/bits-text.ts";
import { resetText } from "../session/hello.ts";
import { bitsText } from "../session/same-bits.ts";
import type { Figure } from "./prequential.ts";
import type { Counts, NodeEvent, Status } from "./status.ts";

/** A topic's known facts, the most important first. */
export interface StatusRow {
  readonly name: string;
  readonly parts: readonly string[];
  /** True if something is wrong with it. */
  readonly bad?: boolean;
}

function valueText({ value }: Figure, kind: "accuracy" | "error"): string {
  return kind === "accuracy" ? value.toFixed(3) : String(Number(value.toPrecision(4)));
}

function prequentialRow({ prequential: { kind, all, recent } }: Status): StatusRow {
  const parts = all ? [`${valueText(all, kind)} of ${all.labels} labels`] : ["no label yet"];
  if (recent) parts.push(`${valueText(recent, kind)} of the last ${recent.labels}`);
  return { name: kind, parts };
}

/** Those counters that aren't 0, as `name 12`. */
function nonZero(counts: Counts | undefined, names: readonly string[]): string[] {
  return names.filter((name) => (counts?.[name] ?? 0) > 0).map((name) => `${name} ${counts?.[name]}`);
}

/** A bar of so many characters, filled to `part`. */
export function gauge(part: number, width: number, full = "█", empty = "░"): string {
  const filled = Math.round(Math.min(1, part) * width);
  return full.repeat(filled) + empty.repeat(width - filled);
}

function dictionaryRow({ statistics, learning }: Status): StatusRow {
  const { size = 0, capacity = 0 } = statistics ?? {};
  const parts = capacity > 0 ? [`${size} of ${capacity}`] : ["stores no vectors"];
  parts.push(...nonZero(learning, ["inserted", "evicted", "dropped", "declined", "quantized", "forced"]));
  return { name: "dictionary", parts };
}

const LABELS_GONE = ["expired", "session", "unknown", "refused", "ahead", "range"];

function labelsRow({ statistics, labelled }: Status): StatusRow {
  const { applied = 0, lag = 0 } = statistics ?? {};
  const gone = nonZero(statistics, LABELS_GONE);
  const parts = [`applied ${applied} of ${labelled}`, `lag ${lag}`, ...gone];
  return { name: "labels", parts: [...parts, ...nonZero(statistics, ["duplicate", "held"])] };
}

/** The class that a decision means, where the node names its classes: by its sign, or its place. */
function classSaid(decision: number, names: readonly string[]): string {
  const target = names.length === 2 ? decidedClass("classification", decision) : decision;
  return new ClassNames(names).targetName(target) ?? "no class";
}

function saidText(prediction: number, classes: readonly string[] | undefined): string {
  const figure = `${Number(prediction.toPrecision(4))}`;
  return classes ? `${classSaid(prediction, classes)} (${figure})` : figure;
}

function samplesRow({ seq, statistics, prediction, classes }: Status): StatusRow {
  const parts = [`${seq}`, `waiting ${statistics?.waiting ?? 0}`];
  if (prediction !== undefined)
    parts.push(prediction === null ? "last unreadable" : `last said ${saidText(prediction, classes)}`);
  parts.push(...nonZero(statistics, ["unreadable", "unlabelled"]));
  return { name: "samples", parts };
}

/** Empty for a node that issues neither sets nor intervals. */
function issuedRows({ issued }: Status): StatusRow[] {
  if (!issued) return [];
  const { predictions, both, none, half, meanHalf } = issued;
  const short = (value: number) => Number(value.toPrecision(3));
  if (half !== undefined && meanHalf !== undefined)
    return [
      { name: "interval", parts: [`last ±${short(half)}`, `mean ±${short(meanHalf)} of ${predictions}`] },
    ];
  return [{ name: "sets", parts: [`both classes in ${both} of ${predictions}`, `none in ${none}`] }];
}

/** Empty for a node without alarms. */
function driftRows({ learning }: Status): StatusRow[] {
  const { drifts = 0, shifts = 0 } = learning ?? {};
  if (drifts + shifts === 0) return [];
  return [{ name: "drift", parts: [`alarms by labels ${drifts}`, `by margins ${shifts}`], bad: true }];
}

function checkpointRow({ durable, statistics }: Status): StatusRow {
  const { saved = 0, unsaved = 0 } = statistics ?? {};
  const parts = [`holds label ${durable}`, `kept ${saved}`, ...(unsaved > 0 ? [`not kept ${unsaved}`] : [])];
  return { name: "checkpoint", parts, bad: unsaved > 0 };
}

const NODE_LOSSES = ["wrongLength", "cobs", "crc", "unknown", "part", "stale"];

function lossesRow({ link, losses, dropped }: Status): StatusRow {
  const parts = [`link lost ${link.losses}`, `damaged ${link.damaged}`, `dropped ${dropped}`];
  const forged = (losses?.forged ?? 0) + link.forged;
  const thrown = NODE_LOSSES.reduce((sum, name) => sum + (losses?.[name] ?? 0), 0);
  return {
    name: "losses",
    parts: [...parts, `thrown by the node ${thrown}`, ...(forged > 0 ? [`forged ${forged}`] : [])],
    bad: link.losses + link.damaged + dropped + thrown + forged > 0,
  };
}

function memoryRow({ node, losses }: Status): StatusRow {
  const { slots = 0, chunks = 0, turn } = losses ?? {};
  const parts = node ? [`plan ${node.plan} B`] : [];
  if (slots + chunks > 0) parts.push(`slots ${slots} B`, `chunks ${chunks} B`);
  else parts.push("engine not measured");
  if (turn !== undefined) parts.push(`longest turn ${turn} ms`);
  return { name: "memory", parts };
}

/** Who the node is and how it started, as one line's parts. */
export function nodeParts({ node, starts, bits }: Status): string[] {
  if (!node) return ["no node was heard of yet"];
  const started = `${node.restore}${node.reset === "unknown" ? "" : ` after ${resetText({ name: node.reset, crash: node.crash })}`}`;
  const count = starts > 1 ? [`${starts} starts`] : [];
  const same = bits ? bitsParts(bits) : [];
  return [node.learner, started, ...same, ...count, node.firmware, `session ${node.sid}`];
}

/** All other facts, the most important first. */
export function statusRows(status: Status): StatusRow[] {
  return [
    prequentialRow(status),
    ...driftRows(status),
    ...issuedRows(status),
    dictionaryRow(status),
    labelsRow(status),
    samplesRow(status),
    lossesRow(status),
    checkpointRow(status),
    memoryRow(status),
  ];
}

/** The full status at the end of a watch; empty if no node was met. */
export function summaryText(port: string, status: Status): string {
  if (!status.node) return "";
  const rows = statusRows(status).map(({ name, parts }): [string, string] => [name, parts.join(", ")]);
  return `${printable(`${port}: ${nodeParts(status).join(", ")}`)}\n${nameValueLines(rows)}\n`;
}

export function happeningText(happening: NodeEvent): string {
  switch (happening.type) {
    case "start": {
      const { learner, restore, reset, crash, seq, labelled } = happening.node;
      const since = seq > 0 ? `, resumes after sample ${seq} and label ${labelled}` : "";
      return `the node started: ${learner}, ${restore}, reset ${resetText({ name: reset, crash })}${since}`;
    }
    case "checkpoint":
      return happening.kept ? `checkpoint kept: holds label ${happening.durable}` : "checkpoint not kept";
    case "bits":
      return bitsText(happening.bits);
    case "log":
      return `the node's ${happening.level}: ${happening.text}`;
    case "reset": {
      const { reason: name, crash, text } = happening;
      return `reset ${resetText({ name, crash })}${text ? `: ${text}` : ""}`;
    }
    case "mark":
      return `mark ${happening.number} at sample ${happening.seq}`;
    case "drift":
      return `drift, by ${happening.by}, at sample ${happening.seq}: what was learned holds no longer`;
    case "unlearned":
      return `label ${happening.number} wasn't learned: ${happening.status}, the first of these`;
    case "lost":
      return `link lost: ${happening.reason}`;
    case "reopened":
      return "link open again";
    case "obstructed":
      return happening.why ?? "the node can be taught again";
    case "differences":
      return `messages differ: ${happening.messages.join("; ")}`;
  }
}
