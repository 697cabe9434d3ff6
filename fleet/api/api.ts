// The types of messages between gateway and page.
import type { KeptCopy } from "../store/kept-copy.ts";

export type { OpenedSession } from "../access/access.ts";
export type { KeptCopy } from "../store/kept-copy.ts";

/** A sample as it goes to a page: time, session, number, decision, remarks (-1: not predicted yet), readings, half width of its interval. */
export type LiveRow = [
  time: number,
  sid: number,
  seq: number,
  decision: number | null,
  remarks: number,
  x: number[] | null,
  half?: number,
];

export interface LiveEvent {
  readonly node: string;
  readonly time: number;
  /** The event, in a word: "start", "drift", "checkpoint", "lost", ... */
  readonly kind: string;
  readonly text: string;
}

export interface LiveLabel {
  readonly node: string;
  /** When it was sent. */
  readonly time: number;
  readonly sid: number;
  readonly seq: number;
  readonly y: number;
  readonly by: string;
}

/** What a node answered to a label. */
export interface LiveAnswer {
  readonly node: string;
  readonly sid: number;
  readonly seq: number;
  readonly status: number;
}

/** A stored label, with its sample's time and the node's decision. */
export interface KeptLabel extends LiveLabel {
  readonly sampled: number;
  readonly decision: number | null;
  /** The node's answer: 0 applied, as in message acknowledgement; -1 it never came; null: not yet. */
  readonly status: number | null;
}

/** A node's samples, decisions and labels between two times. */
export interface NodeHistory {
  readonly schema: "motelearn.history/1";
  readonly node: string;
  readonly from: number;
  /** Not later than when it was answered. */
  readonly to: number;
  /** Every n-th sample was read; 1 unless there are very many. */
  readonly every: number;
  /** Samples in the order of time; where there were more than `points`, the least and the largest of each stretch. */
  readonly rows: readonly LiveRow[];
  readonly labels: readonly KeptLabel[];
  readonly events: readonly LiveEvent[];
}

/** Nodes that learn together. */
export interface LearningGroup {
  readonly nodes: readonly string[];
  /** False: they get no models, and keep those that they have. */
  readonly on: boolean;
  /** The labels that their models learn from. */
  readonly labels: number;
}

/** A sample whose label would help. */
export interface Question {
  readonly row: LiveRow;
  /** True if the node asked for it. */
  readonly asked: boolean;
  /** True if the model of the node's group is sure of it, and the node has fewer than two labels: the answer shows whether the node is like its group. */
  readonly sure: boolean;
  /** True if it is further from all labelled samples than most others. */
  readonly unlike: boolean;
}

/** A sample among those before and after it. */
export interface Around {
  /** Samples of its session, in their order. */
  readonly rows: readonly LiveRow[];
  /** Between which values each reading lay in nine of ten samples of the last day. */
  readonly usual: readonly (readonly [low: number, high: number])[];
}

export interface Neighbour {
  readonly seq: number;
  readonly sid: number;
  readonly y: number;
  readonly by: string;
  readonly x: readonly number[];
  /** In units of each channel's standard deviation among those compared. */
  readonly distance: number;
}

/** How often a labeller's answers agreed with the node's earlier decisions. */
export interface Labeller {
  readonly by: string;
  readonly labels: number;
  readonly agreed: number;
}

/** The contribution of a stored vector or weight to a decision; see `motelearn explain`. */
export interface ExplainedPart {
  /** "vector 3", "weight 2", "offset", "member kernel". */
  readonly of: string;
  /** Of a weight, the input that it is for. */
  readonly input?: string;
  /** Coefficient times kernel, weight times component, or a member's weight times its vote. */
  readonly part: number;
  readonly weight: number;
  readonly by: number;
  /** The labelled sample that added or last changed it; undefined: none. */
  readonly from?: {
    /** The node whose sample it is, of a model that learned from several; undefined: this node. */
    readonly node?: string;
    readonly sid: number;
    readonly seq: number;
    /** When the sample came. */
    readonly time: number;
    /** Its labeller and label. */
    readonly by: string;
    readonly y: number;
    /** The name of the label's class, where the node's classes have names. */
    readonly class?: string;
    readonly source: number;
  };
}

/** What counts against one of the two that could decide. */
interface ExplainedJudge {
  /** Its errors on the node's own labels, the older the less. */
  readonly errors: number;
  /** The errors, and for the node's own learner the lead that a node grants the model, for the model its cost. */
  readonly against: number;
}

/** How a node's own learner and the model that its group trained stood when it decided: the one with less against it judged. */
export interface ExplainedVote {
  /** Whose decision it is: "own", "fleet". */
  readonly judge: "own" | "fleet";
  /** Own labels that both were judged by, the older the less. */
  readonly labels: number;
  readonly own: ExplainedJudge;
  readonly fleet: ExplainedJudge;
  /** The model, also where it didn't judge. */
  readonly model: {
    /** Its number among the node's labels, and how it was trained, as in the node's state. */
    readonly number?: number;
    readonly candidate?: string;
    /** CRC-32 of its bytes, 8 hexadecimal digits. */
    readonly crc: string;
    /** 0: a plane. */
    readonly vectors: number;
  };
}

/** A node's decision, explained. */
export interface ExplainedDecision {
  readonly sid: number;
  readonly seq: number;
  readonly time: number;
  readonly learner: string;
  /** The number of the last label that was learned before. */
  readonly labels: number;
  /** The last label in the copy of the node from which its learner was followed; undefined: from its first label. */
  readonly copy?: number;
  /** Of a node that had taken a model of its group: whose decision it is, and why. The parts are those of the one that judged. */
  readonly vote?: ExplainedVote;
  /** What the learner saw of the sample. */
  readonly inputs: readonly { readonly name: string; readonly value: number }[];
  readonly decision: number;
  /** The name of its class, where the node's classes have names. */
  readonly class?: string;
  readonly parts: readonly ExplainedPart[];
  /** The sum of the parts, and the steps after it. */
  readonly sum: number;
  readonly after: readonly string[];
  /** The bits of both, a binary64; the node sends it as float32. */
  readonly bits: string;
}

/** A copy of a node's memory as a file. */
export interface CopyFile extends Omit<KeptCopy, "id"> {
  /** The words of its state, then of its counters, little-endian, in base64. */
  readonly words: string;
}

/** An action or an attempt, and its user. */
export interface AuditEntry {
  /** Milliseconds since 1970-01-01 UTC. */
  readonly time: number;
  readonly who: string;
  /** The address of the other end; "" for this process. */
  readonly from: string;
  /** "login", "logout", "refused", "label", or a command: "checkpoint", "rollback", "configure". */
  readonly what: string;
  /** The node; "" if there is none. */
  readonly node: string;
  readonly text: string;
}
