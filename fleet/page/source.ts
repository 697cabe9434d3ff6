import type {
  Around,
  ExplainedDecision,
  KeptCopy,
  Labeller,
  LearningGroup,
  LiveAnswer,
  LiveEvent,
  LiveLabel,
  LiveRow,
  Neighbour,
  NodeHistory,
  Question,
} from "../api/api.ts";
import type { Command } from "../api/command-request.ts";
import type { NodeAlarm, NodeState } from "../api/node-state.ts";

export interface SourceEvents {
  states?(): void;
  rows?(node: string, rows: readonly LiveRow[]): void;
  event?(event: LiveEvent): void;
  label?(label: LiveLabel): void;
  answer?(answer: LiveAnswer): void;
}

export class Listeners {
  private readonly all = new Set<SourceEvents>();

  /** Adds one; returns a function that removes it. */
  add(listener: SourceEvents): () => void {
    this.all.add(listener);
    return () => this.all.delete(listener);
  }

  /** Calls each listener that has that event. One that is added or removed meanwhile changes nothing. */
  emit<E extends keyof SourceEvents>(name: E, ...parameters: Parameters<NonNullable<SourceEvents[E]>>): void {
    for (const listener of [...this.all]) {
      const call = listener[name] as ((...parameters: unknown[]) => void) | undefined;
      call?.apply(listener, parameters);
    }
  }
}

/** A label from this page. */
export interface Answer {
  readonly sid: number;
  readonly seq: number;
  readonly label: number;
  readonly by: string;
}

/** A page's source of nodes: a gateway, or a board at this computer. */
export interface Source {
  /** The nodes' last states; undefined before the first. */
  readonly states: readonly NodeState[] | undefined;
  /** Why nothing comes; undefined: data come. */
  readonly lost: string | undefined;
  /** Who labels: whoever logged in; somebody who must give a name; or anybody. */
  readonly labellerName: "login" | "asked" | "free";
  /** True if whoever looks may send commands. */
  readonly mayOperate: boolean;
  /** True if rows of the watched nodes come live; the history has earlier ones. */
  readonly streaming: boolean;
  /** Milliseconds since 1970-01-01 UTC by the source's clock. */
  now(): number;
  /** Adds a listener; returns a function that removes it. */
  on(listener: SourceEvents): () => void;
  /** Watches the rows of exactly these nodes. */
  watch(nodes: readonly string[]): void;
  history(node: string, from: number, to: number, points: number): Promise<NodeHistory>;
  /** Samples that a node asks labels for, and samples that it is unsure about. */
  questions(node: string): Promise<readonly Question[]>;
  /** The samples around one, and the usual range of each reading. */
  around(node: string, sid: number, seq: number): Promise<Around>;
  /** The labelled samples that are most like that one. */
  near(node: string, sid: number, seq: number): Promise<readonly Neighbour[]>;
  /** All alarms, and what switched last. Undefined: this source has none. */
  alarms?(): Promise<{ readonly alarms: readonly NodeAlarm[]; readonly changes: readonly LiveEvent[] }>;
  /** The groups of nodes that learn together. Undefined: this source has none. */
  groups?(): Promise<readonly LearningGroup[]>;
  /** Turns a group on or off, by its place. */
  turnGroup?(group: number, on: boolean, by: string): Promise<readonly LearningGroup[]>;
  labellers(): Promise<readonly Labeller[]>;
  /** Explains a decision; rejects with the reason if it can't. Undefined: this source never can. */
  explain?(node: string, sid: number, seq: number): Promise<ExplainedDecision>;
  /** Sends a node a command; resolves with the outcome in words. Rejects if nothing happened. */
  command(node: string, command: Command): Promise<string>;
  /** The copies of a node's memory that are kept, the newest first, and where one can be had. Undefined: this source keeps none. */
  copies?(node: string): Promise<readonly KeptCopy[]>;
  copyAddress?(node: string, id: number): string;
  /** The options that may change while a node runs. */
  configuration(node: string): Promise<{ readonly checkpointEvery: number; readonly statisticsMs: number }>;
  /** Sends a label; a text says why it isn't taken. */
  label(node: string, answer: Answer): Promise<string | undefined>;
}
