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

/** The class of a node's machine. */
export interface CurrentClass {
  /** Its target: -1 or +1, or from 0. */
  readonly class: number;
  /** Its name, or its number as the node's classes have it; undefined: the node never said its classes. */
  readonly name?: string;
  /** When it began; milliseconds since 1970-01-01 UTC. */
  readonly since: number;
}

/** An alarm of a node. */
export interface AlarmState {
  /** The alarm's name in the fleet file. */
  readonly name: string;
  readonly on: boolean;
  /** When what switched it began; milliseconds since 1970-01-01 UTC. Undefined: it was never on. */
  readonly since?: number;
}

/** An alarm, its node, and the present class of that node's machine. */
export interface NodeAlarm extends AlarmState {
  readonly node: string;
  /** The machine's current class, by its name or number. */
  readonly class?: string;
}

/** Models that a node gets of its group, in places of labels. */
export interface ModelCounts {
  readonly answered: number;
  /** In a checkpoint. */
  readonly durable: number;
  /** Not in a checkpoint yet. */
  readonly waiting: number;
}

/** What a node is in its group of nodes that learn together. */
export interface GroupState {
  /** The group's place in the fleet file, from 0. */
  readonly group: number;
  /** Why it gets no models; undefined: it does. */
  readonly why?: string;
  /** Its labels that its group learns from; undefined: nothing was trained yet. */
  readonly labels?: number;
  /** What counts most in the model that it was sent last: `group`, the group's model; `light`, `medium`, `strong`, the same after its own labels; `mirrored`, the group's with the classes swapped; `own`, its own labels alone. */
  readonly candidate?: string;
  /** False: its labels contradicted the others' model, so these count most in the model that it got. */
  readonly isAlike?: boolean;
  /** False: its labels train none of the others' models, as it errs on the share `error` of them by the others' model, above `limit`. */
  readonly isTrusted?: boolean;
  readonly error?: number;
  readonly limit?: number;
  /** True if its model made its last decision, and not its own learner. */
  readonly judges?: boolean;
  /** Models among the numbers of its labels. */
  readonly models?: ModelCounts;
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
  /** The class that its last decisions agree on; undefined: none yet, or a regression. */
  readonly current?: CurrentClass;
  /** The alarms of the fleet file that watch it, on or off. */
  readonly alarms?: readonly AlarmState[];
  /** What it is in its group; undefined: it learns alone. */
  readonly together?: GroupState;
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
