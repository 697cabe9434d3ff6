import type { NodeState } from "../gateway/node-keeper.ts";
import type {
  CommandRequest,
  ExplainedDecision,
  KeptCopy,
  Labeller,
  LiveAnswer,
  LiveEvent,
  LiveLabel,
  LiveRow,
  Neighbour,
  NodeHistory,
  Question,
} from "./api.ts";

/** What a source tells as it comes. */
export interface SourceEvents {
  states?(): void;
  rows?(node: string, rows: readonly LiveRow[]): void;
  event?(event: LiveEvent): void;
  label?(label: LiveLabel): void;
  answer?(answer: LiveAnswer): void;
}

/** A label that somebody gives here. */
export interface Answer {
  readonly sid: number;
  readonly seq: number;
  readonly label: number;
  readonly by: string;
}

/** Where a page has its nodes from: a gateway, or a board at this computer. */
export interface Source {
  /** The nodes as they were told last; undefined until then. */
  readonly states: readonly NodeState[] | undefined;
  /** Why nothing comes; undefined: it does. */
  readonly lost: string | undefined;
  /** Whether rows of the nodes that are watched come by now: what was before lies in the history. */
  readonly streaming: boolean;
  /** Milliseconds since 1970-01-01 UTC by the source's clock. */
  now(): number;
  /** Calls a listener from now on; what is returned ends that. */
  on(listener: SourceEvents): () => void;
  /** Has rows of these nodes come, and of no others. */
  watch(nodes: readonly string[]): void;
  history(node: string, from: number, to: number, points: number): Promise<NodeHistory>;
  /** What a node asks for, and what it is unsure of. */
  questions(node: string): Promise<readonly Question[]>;
  /** The labelled samples that are most like that one. */
  near(node: string, sid: number, seq: number): Promise<readonly Neighbour[]>;
  labellers(): Promise<readonly Labeller[]>;
  /** Takes a decision apart; rejects with why it can't. Undefined: this source never can. */
  explain?(node: string, sid: number, seq: number): Promise<ExplainedDecision>;
  /** Has a node do something; what became of it, in words. Rejects where nothing did. */
  command(node: string, command: CommandRequest): Promise<string>;
  /** The copies of a node's memory that are kept, the newest first, and where one can be had. Undefined: this source keeps none. */
  copies?(node: string): Promise<readonly KeptCopy[]>;
  copyAddress?(node: string, id: number): string;
  /** The options that may change while a node runs. */
  configuration(node: string): Promise<{ readonly checkpointEvery: number; readonly statisticsMs: number }>;
  /** Gives a label; the text says why it isn't taken. */
  label(node: string, answer: Answer): Promise<string | undefined>;
}
