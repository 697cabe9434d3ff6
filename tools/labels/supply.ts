import type { NodeOptions } from "../../src/node/node-options.ts";
import type { Install } from "../../src/peer/install.ts";
import type { DueLabel } from "../../src/peer/labels.ts";
import type { FedSample } from "../../src/peer/samples.ts";
import type { EndLine } from "../fusion/lines.ts";
import type { Span } from "../fusion/spans.ts";

/** The session of a source's own samples; the node's replaces it. */
export const SESSION = 1;

/** The number of labels and samples, and, where a simulator knows it, the final state. */
export type SupplyEnd = Omit<EndLine, "node" | "end">;

/** A model in a label's place; it may go out at once. */
export interface DueInstall extends Install {
  readonly due: number;
}

/** What has a number among a node's labels. */
export type DueItem = DueLabel | DueInstall;

/**
 * What is handed over to one node: its labels, and its samples where they are recorded. Any that isn't durable
 * may be requested again.
 */
export interface Deliverables<Item extends DueItem = DueLabel> {
  /** Known at the end of the source. */
  readonly end: SupplyEnd | undefined;
  /**
   * Label `number`; undefined if it doesn't exist, or not yet. Throws a UserError or DeviceError if the
   * source fails.
   */
  label(number: number): Item | undefined;
  /** Sample `seq`; undefined if it doesn't exist, or not yet. */
  sample(seq: number): FedSample | undefined;
  /**
   * The node processed the labels up to `label` and took the samples up to `seq`. Only `goOn` may request
   * them again.
   */
  passed(label: number, seq: number): void;
  /**
   * The node takes label `label` next, and sample `sample`; null: none. `spans`: its sessions, as `Feed`
   * knows them.
   */
  goOn(label: number, sample: number | null, spans: readonly Span[]): void;
  /** Every label up to this one lies in a checkpoint of the node. */
  durable(number: number): void;
}

/** One node's labels and samples at a source, and what the source says of them. */
export interface Supply extends Deliverables {
  /** True if the source answered; the fields below are known then. */
  readonly ready: boolean;
  /** The node's name at the source. */
  readonly node: string;
  /** The options that the node ought to have, where the source knows. */
  readonly options?: NodeOptions;
  /** The classes by which the source's labels became targets, in words. */
  readonly mapping?: string;
  /** Readings in a sample, where the source has samples. */
  readonly channels?: number;
  /** Labels that the source no longer had when they were requested. */
  readonly lost: number;
  close(): Promise<void>;
}
