import type { NodeOptions } from "../../src/node/node-options.ts";
import type { Span } from "./spans.ts";

/** The protocol between fusion centre and `labels`, a JSON object a line: docs/spec/fusion.md. */
export const FUSION_SCHEMA = "motelearn.fusion/1";

/** From `labels`: a subscription. */
export interface Subscription {
  readonly schema: typeof FUSION_SCHEMA;
  /** The greeting returns it, so that earlier lines still under way can be recognised. */
  readonly ask: number;
  /** The node's name, or its place among the centre's nodes, from 1. */
  readonly node: string | number;
  /** Number of the first label wanted; of the first sample wanted, null for none. */
  readonly label: number;
  readonly sample: number | null;
  /** The node's sessions in order of their start; a centre that tags its labels needs them. */
  readonly spans?: readonly Span[];
}

/** From `labels`: a checkpoint holds every label up to this one, and none will be requested again. */
export interface DurableLine {
  readonly durable: number;
}

export type NamedOptions = Omit<NodeOptions, "learner"> & { readonly learner: string };

/** From the centre: answers a subscription. */
export interface Greeting {
  readonly schema: typeof FUSION_SCHEMA;
  readonly ask: number;
  readonly node: string;
  /**
   * Number of the first label that follows: larger than requested if the centre no longer has the earlier
   * ones.
   */
  readonly label: number;
  /** The options that the node ought to have, where the centre knows. */
  readonly options?: NamedOptions;
}

/** A label in its node's terms, tagged with the node's label key. */
export interface LineTag {
  /** Session and number of its sample. */
  readonly sid: number;
  readonly seq: number;
  /** The 8 bytes of the message's tag, in hex. */
  readonly hash: string;
}

export interface LabelLine {
  readonly node: string;
  readonly number: number;
  readonly seq: number;
  readonly label: number;
  readonly due?: number;
  readonly source?: number;
  readonly confidence?: number;
  readonly tag?: LineTag;
}

interface SampleLine {
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

/** From the centre, which then closes: why it can't serve the subscription. */
interface ErrorLine {
  readonly error: string;
}

export type CentreLine = Greeting | LabelLine | SampleLine | EndLine | ErrorLine;

/** The object as a line of bytes. */
export function encodeLine(value: Subscription | DurableLine | CentreLine): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value)}\n`);
}

export function nameLearner({ learner, ...options }: NodeOptions): NamedOptions {
  return { ...options, learner: learner.name };
}
