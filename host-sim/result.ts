import type { Counter, Task } from "../src/learn/learner.ts";
import type { NodeCounter } from "../src/node/node.ts";
import type { MissingTally } from "./streams/missing.ts";

/** A figure, or why the stream doesn't define it: printed as n/a. */
export type Figure = number | { readonly why: string };

/** Scores of one predictor on one node's stream, against the truth at the time of each prediction. */
export interface Scores {
  /** Share of wrong predictions, 0..1. */
  readonly error: Figure;
  /** Mean over the classes of the share predicted right, 0..1. */
  readonly balancedAccuracy: Figure;
  /** F1 score of the positive class, 0..1. */
  readonly f1: Figure;
  /** Area under the ROC curve of the decision values, 0..1. */
  readonly auc: Figure;
  /**
   * Events (runs of samples whose truth is +1) and how many of them held at least one positive prediction.
   */
  readonly events: number;
  readonly eventsFound: number;
  /** Positive predictions on samples whose truth is -1, and their share of those samples. */
  readonly falseAlarms: number;
  readonly falseAlarmRate: Figure;
  /** Root of the mean squared error, in the target's unit. */
  readonly rmse: Figure;
}

/**
 * Scores of predicting the majority of the labels received so far (for a regression their mean), and the last
 * one.
 */
export interface BaselineScores {
  /** Predicts the majority of the labels so far, or their mean. */
  readonly majority: Scores;
  /** Predicts the last label. */
  readonly last: Scores;
}

/** The fates of one node's labels. */
export interface LabelTally {
  /** samples whose label the fusion centre was to send */
  readonly issued: number;
  /**
   * issued = applied + late + died + refused + open; a power cut undoes what no checkpoint holds, so the last
   * fate counts
   */
  readonly applied: number;
  /** arrived after their sample had left the pending ring */
  readonly late: number;
  /** arrived after a power failure, for a sample that no checkpoint held */
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
  /** labels that came again */
  readonly duplicates: number;
  /** arrived before an older label, and waited for it */
  readonly held: number;
  /** samples between a prediction and its label's use: mean and largest */
  readonly lagMean: Figure;
  readonly lagMax: number;
}

/** How the node's prediction sets, or a regression's intervals, compare with the truth. */
export interface CoverageResult {
  /** The share of samples whose truth they promised to hold, and the share they did hold. */
  readonly promised: number;
  readonly reached: Figure;
  /** Mean number of classes in a set, or mean width of an interval. */
  readonly size: Figure;
  /** Sets of both classes, and empty sets. */
  readonly abstentions: number;
  readonly empty: number;
}

/** Numbers of the samples at which a node raised a drift alarm: by labels, and by margins. */
export interface DriftTally {
  readonly labels: readonly number[];
  readonly margins: readonly number[];
}

/** The traffic of a line in one direction. */
export interface WayTally {
  /** Frames and bytes that were sent. */
  readonly frames: number;
  readonly bytes: number;
  /** Frames lost, doubled and damaged on the line; times that it stalled. */
  readonly lost: number;
  readonly doubled: number;
  readonly damaged: number;
  readonly stalls: number;
}

/** The traffic of one node's line. */
export interface LinkTally {
  /** From the node, and from its peer. */
  readonly up: WayTally;
  readonly down: WayTally;
  /** Labels and samples that the peer sent again. */
  readonly labelsResent: number;
  readonly samplesRefed: number;
  /** Bytes lost because the node's FIFO was full. */
  readonly overruns: number;
}

/** A node's power failures and starts. */
export interface PowerTally {
  /** How often the power failed, and how often during a save of a checkpoint. */
  readonly cuts: number;
  readonly duringSave: number;
  /** Starts by the source of the state, with the first, fresh start. */
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
  /** The last sample that the node received; 0: it never started. */
  readonly sample: number;
  /** The reason, in words. */
  readonly why: string;
  /** Bytes of the memory request that failed; 0 if that wasn't the cause. */
  readonly asked: number;
}

/** One learner on one node in one task. */
export interface LearnerResult {
  /** The learner's name in the scenario. */
  readonly name: string;
  /** Name of the scenario's task. */
  readonly task: string;
  /** Kind of the task. */
  readonly kind: Task;
  /** Readings in a sample, and classes of the truth; 0: it is a number. */
  readonly channels: number;
  readonly classes: number;
  /** Samples that the node received. */
  readonly samples: number;
  /** Samples that never reached the node: dropouts, outages, and rows that lack readings and are skipped. */
  readonly missed: number;
  /** The readings missing in the node's recorded stream, where `stream.missing` takes such rows. */
  readonly missing?: MissingTally;
  readonly labels: LabelTally;
  readonly link: LinkTally;
  readonly power: PowerTally;
  /** Scores of the learner on this node. */
  readonly metrics: Scores;
  /** Where the nodes promise a coverage. */
  readonly sets?: CoverageResult;
  /** Where the nodes watch for drift. */
  readonly drift?: DriftTally;
  /**
   * The same learner with every label issued, right and at once; the difference is the cost of noise, loss
   * and delay.
   */
  readonly ideal: Scores;
  /** The scores of a node without a learner. */
  readonly trivial: BaselineScores;
  /** Bytes of the learner's range, and of a range with a budget of exactly the vectors stored at the end. */
  readonly bytes: number;
  readonly bytesUsed: number;
  /** Bytes of the whole node: learner, features, pending ring, cursors, counters. */
  readonly nodeBytes: number;
  /** Vectors stored at the end, and the most that there is room for. */
  readonly size: number;
  readonly budget: number;
  /** The learner's counters, and the node's. */
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
  /** The node stopped here; scores, counters and curves end here. */
  readonly stop?: Stop;
}

/** How good a fusion rule's labels were, over all nodes of a task. */
export interface FusionResult {
  /** Name of the scenario's task. */
  readonly task: string;
  /** The fusion rule. */
  readonly rule: string;
  /** Scenes that it decided. */
  readonly decisions: number;
  /** share of decisions other than the truth */
  readonly error: number;
  /** the same for each rule on the same votes, and for each node's vote alone */
  readonly rules: { readonly [rule: string]: number };
  readonly votes: { readonly [node: string]: number };
  /** each node's error rate at the end, as `ChairVarshney` estimates it from the votes alone */
  readonly estimated: { readonly [node: string]: number };
  /** nodes that began to err more often, by the votes alone: at which decision, and the rate until then */
  readonly alarms: readonly { readonly node: string; readonly decision: number; readonly rate: number }[];
}

/** The time and memory of a run. */
export interface Timing {
  /** Wall-clock time, and the number of threads. */
  readonly seconds: number;
  readonly threads: number;
  /** CPU time of all threads, seconds. */
  readonly cpuSeconds: number;
  /** Samples of all nodes simulated in a second of CPU time. */
  readonly samplesPerCpuSecond: number;
  /** The most memory that the process had, MiB. */
  readonly peakMib: number;
}

/** The output of `motelearn simulate --json`. */
export interface SimulateResult {
  /** Format of this record: another number means other fields. */
  readonly schema: "motelearn.simulate/1";
  /** The scenario's name. */
  readonly scenario: string;
  /** The scenario's title, for people. */
  readonly title: string;
  /** The seed of this run, from which all its random streams follow. */
  readonly seed: number;
  /** The command that repeats this run exactly. */
  readonly repeat: string;
  /** The nodes' engine: `node`, or the device's engine with each node's memory. */
  readonly engine: string;
  /** Which implementation of the primitives ran. */
  readonly arithmetic: string;
  /** Each node's results, one for each learner of each task. */
  readonly nodes: readonly { readonly node: string; readonly learners: readonly LearnerResult[] }[];
  /** One for each task whose labels the nodes' votes make. */
  readonly fusion: readonly FusionResult[];
  /** Time and memory of the run: the only part that differs between two runs. */
  readonly timing?: Timing;
}
