import type { NodeState } from "../api/node-state.ts";

const DIGITS = 4;

/** A number for people: four digits, with the minus sign of labels. */
export function numberText(value: number | null | undefined): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e6 || size < 1e-4 ? size.toExponential(2) : String(Number(size.toPrecision(DIGITS)));
  return value < 0 ? `−${text}` : text;
}

/** A difference, with its sign. */
export function changeText(value: number): string {
  return value > 0 ? `+${numberText(value)}` : numberText(value);
}

/** "temperature (°C)" */
export function withUnit({ name, unit }: { readonly name: string; readonly unit?: string }): string {
  return unit ? `${name} (${unit})` : name;
}

export function percentText(part: number | undefined): string {
  return part === undefined ? "–" : `${(100 * part).toFixed(part < 0.995 ? 1 : 0)} %`;
}

const two = (value: number) => String(Math.floor(value)).padStart(2, "0");

/** 13:04:05, with milliseconds where two times differ by less than a second. @param step milliseconds between two times beside each other. */
export function clockText(time: number, step = 1000): string {
  const at = new Date(Math.round(time));
  if (step >= 86_400_000) return `${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const minutes = `${two(at.getHours())}:${two(at.getMinutes())}`;
  if (step >= 60_000) return minutes;
  const seconds = `${minutes}:${two(at.getSeconds())}`;
  return step >= 1000 ? seconds : `${seconds}.${String(at.getMilliseconds()).padStart(3, "0")}`;
}

/** 2026-11-22 13:04:05. */
export function dateText(time: number): string {
  const at = new Date(time);
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${clockText(time)}`;
}

const DAY_MS = 86_400_000;

/** A time of the last day as 13:04, an older one with its date. */
export function sinceText(time: number, now: number): string {
  return now - time < DAY_MS ? clockText(time, 60_000) : dateText(time).slice(0, -3);
}

/** What a node's decisions and labels mean. */
export interface Decisions {
  /** Their kind. */
  readonly task?: string;
  /** The names of the classes, in the order of their targets. */
  readonly classes?: readonly string[];
}

/** A class's name; for a class that has only a number, that. */
export function className(target: number, { task, classes }: Decisions): string {
  const place = task === "multiclass" ? target : target > 0 ? 1 : 0;
  const name = classes?.[place];
  if (name !== undefined && !/^-?\d+$/.test(name)) return name;
  if (task === "multiclass") return `class ${name ?? target}`;
  if (task === "novelty") return target > 0 ? "usual" : "unusual";
  return target > 0 ? "+1" : "−1";
}

export function labelText(y: number, decisions: Decisions = {}): string {
  return decisions.task === "regression" ? numberText(y) : className(y, decisions);
}

/** A decision's meaning for its learner. */
export function decisionText(decision: number | null | undefined, decisions: Decisions = {}): string {
  if (decision === null || decision === undefined || Number.isNaN(decision)) return "unreadable";
  if (decisions.task === "regression") return numberText(decision);
  if (decisions.task === "multiclass") return className(decision, decisions);
  return `${className(decision >= 0 ? 1 : -1, decisions)} (${numberText(decision)})`;
}

/** How many answers the node has dealt with, used or not. Of those that wait for a checkpoint, it has dealt with some. */
export function dealtText({
  labelled = 0,
  durable = 0,
  waiting,
}: Pick<NodeState, "labelled" | "durable" | "waiting">): string {
  const more = Math.max(0, waiting - (labelled - durable));
  return `${labelled} (${durable} saved); ${more} more on their way`;
}

/** Kinds of events in words; others are words themselves. */
const EVENT_NAMES: { readonly [kind: string]: string } = {
  "label-refused": "answer not used",
  "state-lost": "learning lost",
  "alarm-off": "alarm off",
  checkpoint: "saved",
  configure: "configured",
  copy: "copied",
  drift: "readings changed",
  forged: "wrong key",
  forgery: "wrong key",
  lost: "connection lost",
  obstructed: "held up",
  reopened: "connected again",
  reset: "restarted",
  restore: "restored",
  rollback: "rolled back",
  start: "started",
};

export function eventName(kind: string): string {
  return Object.hasOwn(EVENT_NAMES, kind) ? EVENT_NAMES[kind] : kind;
}
