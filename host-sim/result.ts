import type { Counter, Task } from "../src/learn/learner.ts";
import type { NodeCounter } from "../src/node/node.ts";
import type { MissingTally } from "./streams/missing.ts";

/** A figure, or why the stream doesn't define it: printed as n/a. */
export type Figure = number | { readonly why: string };

/** Scores of one predictor on one node's stream, against the truth at the time of each prediction. */
export interface Scores {
  readonly error: Figure;
  readonly balancedAccuracy: Figure;
  readonly f1: Figure;
  readonly auc: Figure;
  /** Events (runs of samples whose truth is +1) and how many of them held at least one positive prediction. */
  readonly events: number;
  readonly eventsFound: number;
  /** Positive predictions on samples whose truth is -1, and their share of those samples. */
  readonly falseAlarms: number;
  readonly falseAlarmRate: Figure;
  readonly rmse: Figure;
}

/** Scores of predicting the majority of the labels received so far (for a regression their mean), and the last one. */
export interface BaselineScores {
  readonly majority: Scores;
  readonly last: Scores;
}

/** What became of the labels of one node. */
export interface LabelTally {
  /** samples whose label the fusion centre set out to send */
  readonly issued: number;
  /** issued = applied + late + died + refused + open: a power cut undoes what no checkpoint holds, and the last fate counts */
  readonly applied: number;
  /** arrived after their sample had left the pending ring */
  readonly late: number;
  /** arrived when the power had failed since their sample, and no checkpoint held it */
  readonly died: number;
  /** refused by the learner, or outside the range of labels */
  readonly refused: number;
  /** never processed: the node had stopped */
  readonly open: number;
  /** never issued by the centre */
  readonly lost: number;
  /** applied or late with a value other than the truth */
  readonly wrong: number;
  /** samples whose label the node asked for, where labels have a budget */
  readonly asked?: number;
  readonly duplicates: number;
  /** came before their turn and were held until an older one had come */
  readonly held: number;
  /** samples between a prediction and its label's use: mean and largest */
  readonly lagMean: Figure;
  readonly lagMax: number;
}

/** What the node's prediction sets, or a regression's intervals, came to, against the truth. */
export interface CoverageResult {
  /** Shares of samples whose truth they were to hold, and did hold. */
  readonly promised: number;
  readonly reached: Figure;
  /** Mean number of classes in a set, or mean width of an interval. */
  readonly size: Figure;
  /** Sets of both classes, and of none. */
  readonly abstentions: number;
  readonly empty: number;
}

/** Numbers of the samples at whose predictions a node raised a drift alarm: by labels, and by margins. */
export interface DriftTally {
  readonly labels: readonly number[];
  readonly margins: readonly number[];
}

/** What one way of a line carried. */
export interface WayTally {
  /** Frames and bytes that were sent. */
  readonly frames: number;
  readonly bytes: number;
  /** Frames that were lost on the line, came twice, came damaged; times that it stalled. */
  readonly lost: number;
  readonly doubled: number;
  readonly damaged: number;
  readonly stalls: number;
}

/** What the line to one node carried. */
export interface LinkTally {
  /** From the node, and from its peer. */
  readonly up: WayTally;
  readonly down: WayTally;
  /** Labels and samples that the peer sent again. */
  readonly labelsResent: number;
  readonly samplesRefed: number;
  /** Bytes that found the node's FIFO full. */
  readonly overruns: number;
}

/** What became of a node when its power failed. */
export interface PowerTally {
  /** Times that it failed, and how many of them within a save of a checkpoint. */
  readonly cuts: number;
  readonly duringSave: number;
  /** Starts by where the state came from; the first, fresh, included. */
  readonly restored: number;
  readonly fallback: number;
  readonly fresh: number;
}

/** A curve: points (sample number, value). */
export interface Curve {
  readonly at: number[];
  readonly value: number[];
}

/** Why a node stopped before its stream ended. */
export interface Stop {
  /** The last sample that the node was given; 0: it never started. */
  readonly sample: number;
  readonly why: string;
  /** Bytes of the request that found no room; 0 if that wasn't the cause. */
  readonly asked: number;
}

/** One learner on one node in one task. */
export interface LearnerResult {
  readonly name: string;
  /** Name of the scenario's task. */
  readonly task: string;
  readonly kind: Task;
  /** Readings in a sample, and classes of the truth; 0: it is a number. */
  readonly channels: number;
  readonly classes: number;
  readonly samples: number;
  /** Samples that never reached the node: dropouts, outages, and rows that lack readings and are skipped. */
  readonly missed: number;
  /** What the node's recorded stream lacks, where `stream.missing` takes such rows. */
  readonly missing?: MissingTally;
  readonly labels: LabelTally;
  readonly link: LinkTally;
  readonly power: PowerTally;
  readonly metrics: Scores;
  /** Where the nodes promise a coverage. */
  readonly sets?: CoverageResult;
  /** Where the nodes watch for drift. */
  readonly drift?: DriftTally;
  /** The same learner with every label issued, right and at once: what noise, loss and delay cost. */
  readonly ideal: Scores;
  /** What a node could do without a learner. */
  readonly trivial: BaselineScores;
  /** Bytes of the learner's range, and what a budget of exactly the vectors stored at the end would take. */
  readonly bytes: number;
  readonly bytesUsed: number;
  /** Bytes of the whole node: learner, features, pending ring, cursors, counters. */
  readonly nodeBytes: number;
  readonly size: number;
  readonly budget: number;
  readonly counters: { readonly [name in Counter]: number };
  readonly nodeCounters: { readonly [name in NodeCounter]: number };
  /** Hash of the learner's state, and of the whole node's; empty where the node stopped. */
  readonly stateHash: string;
  readonly nodeHash: string;
  readonly curves: {
    /** prequential error over the last samples, with these labels and with ideal ones */
    readonly error: Curve;
    readonly idealError: Curve;
    /** vectors stored */
    readonly size: Curve;
    /** samples between a prediction and its label's use, mean since the last point */
    readonly lag: Curve;
  };
  /** The node stopped here: scores, counters and curves are those until then. */
  readonly stop?: Stop;
}

/** How good the labels were that a fusion rule made, over all nodes of a task. */
export interface FusionResult {
  readonly task: string;
  readonly rule: string;
  readonly decisions: number;
  /** share of decisions other than the truth */
  readonly error: number;
  /** the same for each rule on the same votes, and for each node's vote alone */
  readonly rules: { readonly [rule: string]: number };
  readonly votes: { readonly [node: string]: number };
  /** how often each node's vote is wrong, as `ChairVarshney` estimates it from the votes alone in the end */
  readonly estimated: { readonly [node: string]: number };
  /** nodes that began to err more often, by the votes alone: at which decision, and the rate until then */
  readonly alarms: readonly { readonly node: string; readonly decision: number; readonly rate: number }[];
}

/** What a run took. */
export interface Timing {
  readonly seconds: number;
  readonly threads: number;
  /** CPU time of all threads, and how many samples of nodes were simulated in each second of it. */
  readonly cpuSeconds: number;
  readonly samplesPerCpuSecond: number;
  /** The most memory that the process had, MiB. */
  readonly peakMib: number;
}

/** What `motelearn simulate --json` prints. */
export interface SimulateResult {
  readonly schema: "motelearn.simulate/1";
  readonly scenario: string;
  readonly title: string;
  readonly seed: number;
  /** The command that repeats this run exactly. */
  readonly repeat: string;
  /** What the nodes ran on: `node`, or the device's engine and the memory that each had there. */
  readonly engine: string;
  /** Which implementation of the primitives ran. */
  readonly arithmetic: string;
  readonly nodes: readonly { readonly node: string; readonly learners: readonly LearnerResult[] }[];
  readonly fusion: readonly FusionResult[];
  /** What the run took: the only part that differs between two runs. */
  readonly timing?: Timing;
}
