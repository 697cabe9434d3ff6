// What gateway and page say to each other: types alone.

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
  /** What happened, in a word: "start", "drift", "checkpoint", "lost", ... */
  readonly kind: string;
  readonly text: string;
}

export interface LiveLabel {
  readonly node: string;
  /** When it was given. */
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

/** A label that was kept, with its sample's time, and what the node had said of it. */
export interface KeptLabel extends LiveLabel {
  readonly sampled: number;
  readonly decision: number | null;
  /** What the node answered: 0 applied, as in message acknowledgement; -1 it never came; null: not yet. */
  readonly status: number | null;
}

/** What a node sampled, said and was taught between two times. */
export interface NodeHistory {
  readonly schema: "motelearn.history/1";
  readonly node: string;
  readonly from: number;
  /** Not later than when it was answered. */
  readonly to: number;
  /** Of so many samples one was read: 1 unless there are very many. */
  readonly every: number;
  /** Samples in the order of time; where there were more than `points`, the least and the largest of each stretch. */
  readonly rows: readonly LiveRow[];
  readonly labels: readonly KeptLabel[];
  readonly events: readonly LiveEvent[];
}

/** A sample whose label would help, and the labelled ones that are most like it. */
export interface Question {
  readonly row: LiveRow;
  /** Whether the node asked for it; else it is one of which the node is unsure. */
  readonly asked: boolean;
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

/** How often a labeller's answers were what the node had said before it learned them. */
export interface Labeller {
  readonly by: string;
  readonly labels: number;
  readonly agreed: number;
}

/** What a node can be asked to do; `undefined`: leave it as it is. */
export interface CommandRequest {
  readonly do: "checkpoint" | "rollback" | "configure" | "copy";
  readonly by: string;
  readonly checkpointEvery?: number;
  readonly statisticsMs?: number;
}

/** What one stored vector or weight gave to a decision; see `motelearn explain`. */
export interface ExplainedPart {
  /** "vector 3", "weight 2", "offset". */
  readonly of: string;
  /** Coefficient times kernel, or weight times component. */
  readonly part: number;
  readonly weight: number;
  readonly by: number;
  /** The labelled sample with which it came, or by which it was last changed; undefined: none. */
  readonly from?: {
    readonly sid: number;
    readonly seq: number;
    /** When the sample came. */
    readonly time: number;
    /** Who labelled it, and how. */
    readonly by: string;
    readonly y: number;
    readonly source: number;
  };
}

/** A decision of a node, taken apart. */
export interface ExplainedDecision {
  readonly sid: number;
  readonly seq: number;
  readonly time: number;
  readonly learner: string;
  /** The number of the last label that was learned before. */
  readonly labels: number;
  /** The last label in the copy of the node from which its learner was followed; undefined: from its first label. */
  readonly copy?: number;
  readonly decision: number;
  readonly parts: readonly ExplainedPart[];
  /** What the parts come to, and what is done to that afterwards. */
  readonly sum: number;
  readonly after: readonly string[];
  /** The bits of both, a binary64; the node sends it as float32. */
  readonly bits: string;
}

/** A copy of a node's memory that the gateway keeps. */
export interface KeptCopy {
  readonly id: number;
  readonly time: number;
  readonly sid: number;
  readonly seq: number;
  readonly labelled: number;
  readonly learner: string;
  /** The learner's hash, which the node confirmed; and whether it confirmed that of the whole state. */
  readonly hash: string;
  readonly whole: boolean;
}
