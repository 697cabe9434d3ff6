import type { NodeOptions } from "../../src/node/node.ts";
import { chooseFamily } from "../cli/learner-choice.ts";

/** What fusion centre and `labels` say to each other, a JSON object a line: SPEC.md, "Between fusion centre and labels". */
export const FUSION_SCHEMA = "motelearn.fusion/1";

/** From `labels`: what it wants from now on. */
export interface Subscription {
  readonly schema: typeof FUSION_SCHEMA;
  /** Comes back in the greeting, so that lines that were on their way before it can be told. */
  readonly ask: number;
  /** The node's name, or its place among the centre's nodes, from 1. */
  readonly node: string | number;
  /** Number of the first label wanted; of the first sample wanted, null for none. */
  readonly label: number;
  readonly sample: number | null;
}

/** From `labels`: every label up to this one lies in a checkpoint, and won't be asked for again. */
export interface DurableLine {
  readonly durable: number;
}

/** A node's options, the learner by its name. */
export type NamedOptions = Omit<NodeOptions, "learner"> & { readonly learner: string };

/** From the centre: answers a subscription. */
export interface Greeting {
  readonly schema: typeof FUSION_SCHEMA;
  readonly ask: number;
  readonly node: string;
  /** Number of the first label that follows: a larger one than asked for if the centre no longer has those before. */
  readonly label: number;
  /** The options that the node ought to have, where the centre knows. */
  readonly options?: NamedOptions;
}

export interface LabelLine {
  readonly node: string;
  readonly number: number;
  readonly seq: number;
  readonly label: number;
  readonly due?: number;
}

export interface SampleLine {
  readonly node: string;
  readonly seq: number;
  readonly x: readonly number[];
  readonly after?: number;
}

/** From the centre: nothing more comes. */
export interface EndLine {
  readonly node: string;
  readonly end: true;
  readonly labels: number;
  readonly samples: number;
  readonly stateHash?: string;
  readonly nodeHash?: string;
}

/** From the centre, which then closes: why it can't give what was asked for. */
export interface ErrorLine {
  readonly error: string;
}

export type CentreLine = Greeting | LabelLine | SampleLine | EndLine | ErrorLine;

/** The object as a line of bytes. */
export function lineOf(value: Subscription | DurableLine | CentreLine): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value)}\n`);
}

const isCount = (value: unknown) =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 32;
const isCountOrNone = (value: unknown) => value === undefined || isCount(value);

function whatIsWrong(line: { readonly [name: string]: unknown }): string | undefined {
  if ("error" in line || line.schema !== undefined) return undefined;
  if (line.end !== undefined)
    return isCount(line.labels) && isCount(line.samples) ? undefined : "labels or samples";
  if (!isCount(line.seq)) return "seq";
  if (line.x !== undefined) {
    const numbers = Array.isArray(line.x) && line.x.every((value) => Number.isFinite(value));
    return numbers && isCountOrNone(line.after) ? undefined : "x or after";
  }
  if (!isCount(line.number)) return "number";
  return Number.isFinite(line.label) && isCountOrNone(line.due) ? undefined : "label or due";
}

/** Reads a line of the centre's; a text says what is wrong with it. */
export function readCentreLine(text: string): CentreLine | string {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    return "not JSON";
  }
  if (typeof line !== "object" || line === null || Array.isArray(line)) return "not an object";
  const wrong = whatIsWrong(line as { readonly [name: string]: unknown });
  return wrong === undefined ? (line as CentreLine) : `no valid ${wrong}`;
}

export function nameLearner({ learner, ...options }: NodeOptions): NamedOptions {
  return { ...options, learner: learner.name };
}

/** Throws a UserError for a learner that isn't there. */
export function withLearner({ learner, ...options }: NamedOptions): NodeOptions {
  return { ...options, learner: chooseFamily(learner) };
}

const LINE_MAX = 1 << 20;

/** Cuts bytes into lines. A line that is too long comes out cut, and so is no JSON. */
export class LineSplitter {
  private readonly decoder = new TextDecoder();
  private rest = "";

  take(bytes: Uint8Array): string[] {
    const lines = (this.rest + this.decoder.decode(bytes, { stream: true })).split("\n");
    this.rest = lines.pop() as string;
    if (this.rest.length > LINE_MAX) lines.push(this.rest.slice(0, LINE_MAX));
    if (this.rest.length > LINE_MAX) this.rest = "";
    return lines.filter((line) => line.trim() !== "");
  }
}
