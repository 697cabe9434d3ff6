import type { Status } from "../../tools/monitor/status.ts";

/** A reading's name and unit. */
export interface Channel {
  readonly name: string;
  readonly unit?: string;
}

/** When something last happened to a node; milliseconds since 1970-01-01 UTC. */
export interface NodeTimes {
  heard?: number;
  started?: number;
  drifted?: number;
  lost?: number;
}

/** A node's known status. */
export interface NodeState extends Partial<Status> {
  readonly name: string;
  readonly port: string;
  readonly connected: boolean;
  /** Labels that aren't in a checkpoint yet. */
  readonly waiting: number;
  /** Samples for which it asks labels, and which it still keeps. */
  readonly asking: number;
  /** The kind of its decisions; undefined until it was met. */
  readonly task?: string;
  /** The names of its classes, in the order of their targets; undefined until it was met, and for a regression. */
  readonly classes?: readonly string[];
  /** The names of its readings in the fleet file. */
  readonly channelNames?: readonly Channel[];
  /**
   * When it last was heard, started, raised a drift alarm, or couldn't use a label; milliseconds since
   * 1970-01-01 UTC.
   */
  readonly when: NodeTimes;
  /** Why there is no connection, or nothing can be taught; undefined: no problem. */
  readonly trouble?: string;
}
