import type { Task } from "../../src/learn/learner.ts";
import type { CoverageResult, LearnerResult, Scores } from "../scoring/result.ts";
import { type Cell, measure, share } from "./figures.ts";
import type { TaskResults } from "./tasks.ts";

/** A column of the table of scores. */
export interface Column {
  /** Heading over neighbouring columns of one group; "" for none. */
  readonly group: string;
  readonly head: string;
  /** What the heading means, in a sentence. */
  readonly doc: string;
  readonly learner: (result: LearnerResult) => Cell;
  /** The same figure of a trivial predictor; blank unless given. */
  readonly trivial?: (scores: Scores) => Cell;
}

function eventsFound(scores: Scores): Cell {
  if (scores.events === 0) return { why: "no events in the stream of this node" };
  return `${scores.eventsFound}/${scores.events}`;
}

function scoreColumn(group: string, head: string, doc: string, of: (scores: Scores) => Cell): Column {
  return { group, head, doc, learner: ({ metrics }) => of(metrics), trivial: of };
}

const SAMPLES: Column = {
  group: "",
  head: "samples",
  doc: "samples that the node took",
  learner: ({ samples }) => String(samples),
};

const LABELS: readonly Column[] = [
  { head: "applied", doc: "labels learned from", of: "applied" as const },
  { head: "late", doc: "labels that came after their sample had left the pending ring", of: "late" as const },
  { head: "lost", doc: "labels never issued, or given up", of: "lost" as const },
  { head: "wrong", doc: "labels, applied or late, that weren't the truth", of: "wrong" as const },
].map(({ head, doc, of }) => ({
  group: "labels",
  head,
  doc,
  learner: ({ labels }) => String(labels[of]),
}));

const ERROR = scoreColumn("", "error", "share of predictions that were wrong", ({ error }) => share(error));
const RMSE = scoreColumn("", "RMSE", "root mean squared error, in the label's unit", ({ rmse }) =>
  measure(rmse),
);
const BALANCED = scoreColumn(
  "",
  "bal. acc.",
  "balanced accuracy: mean over classes of the share found",
  (scores) => share(scores.balancedAccuracy),
);
const AUC = scoreColumn("", "AUC", "area under the ROC curve", ({ auc }) => share(auc));
const EVENTS = scoreColumn("events", "found", "events with at least one positive prediction", eventsFound);
const ALARMS = scoreColumn("false", "alarms", "positive predictions on negative samples", ({ falseAlarms }) =>
  String(falseAlarms),
);

const BYTES: Column = {
  group: "bytes",
  head: "used/of",
  doc: "bytes that the stored vectors need, of the bytes budgeted",
  learner: ({ bytesUsed, bytes }) => `${bytesUsed}/${bytes}`,
};

const VECTORS: Column = {
  group: "vectors",
  head: "size/of",
  doc: "vectors stored at the end, of the budget",
  learner: ({ size, budget }) => `${size}/${budget}`,
};

const GONE: Column = {
  group: "dropped",
  head: "+evicted",
  doc: "vectors forgotten by a threshold, and vectors that left because the budget was full",
  learner: ({ counters }) => `${counters.dropped}+${counters.evicted}`,
};

const SCORES: Readonly<Record<Task, readonly Column[]>> = {
  classification: [ERROR, BALANCED, AUC, EVENTS, ALARMS],
  novelty: [ERROR, BALANCED, AUC, EVENTS, ALARMS],
  multiclass: [ERROR, BALANCED],
  regression: [RMSE],
};

/** A column about prediction sets or intervals; blank for nodes that issue none. */
function coverageColumn(head: string, doc: string, of: (sets: CoverageResult) => Cell): Column {
  return { group: "sets", head, doc, learner: ({ sets }) => (sets ? of(sets) : "") };
}

const COVERED: readonly Column[] = [
  coverageColumn("hold truth", "share of samples whose truth the set or interval held", ({ reached }) =>
    share(reached),
  ),
  coverageColumn("size", "mean number of classes in a set, or mean width of an interval", ({ size }) =>
    measure(size),
  ),
];
const ABSTAINED = coverageColumn("of both", "sets of both classes: abstentions", ({ abstentions }) =>
  String(abstentions),
);

export function makeColumns({ kind, nodes }: TaskResults): Column[] {
  const issued = nodes.some(({ learners }) => learners.some(({ sets }) => sets));
  const sets = kind === "regression" ? COVERED : [...COVERED, ABSTAINED];
  return [SAMPLES, ...LABELS, ...SCORES[kind], ...(issued ? sets : []), BYTES, VECTORS, GONE];
}
