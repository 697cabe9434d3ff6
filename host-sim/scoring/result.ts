import type { BadRowsReport } from "../../host/streams/bad-rows.ts";
import type { NamedColumns } from "../../host/streams/columns.ts";
import type { MissingTally } from "../../host/streams/missing.ts";
import type { Standing } from "../../host/training/group-trainer.ts";
import type { Counter, Task } from "../../src/learn/learner.ts";
import type { NodeCounter } from "../../src/node/node-counters.ts";
import type { LateRemedy } from "../labels/late-labels.ts";
import type { PendingChoice } from "../scenario/pending.ts";
import type { ClassRecall } from "./confusion.ts";
import type { ClassRun, Readings } from "./stream-view.ts";

/** A figure, or the reason why the stream doesn't define it, which is printed as n/a. */
export type Figure =
  | number
  | {
      /** Why there is no figure, in words. */
      readonly why: string;
    };

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
  /** Runs of samples whose truth is +1. */
  readonly events: number;
  /** Events that held at least one positive prediction. */
  readonly eventsFound: number;
  /** Positive predictions on samples whose truth is -1. */
  readonly falseAlarms: number;
  /** False alarms as a share of the samples whose truth is -1, 0..1. */
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
  /** refused by the learner, outside the range of labels, or of a sample that the node refused */
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
  /** samples between a prediction and its label's use, mean */
  readonly lagMean: Figure;
  /** the most samples between a prediction and its label's use */
  readonly lagMax: number;
  /** what would hold the samples of the late labels, if any was late */
  readonly remedy?: LateRemedy;
}

/** How the node's prediction sets, or a regression's intervals, compare with the truth. */
export interface CoverageResult {
  /** The share of samples whose truth they promised to hold, 0..1. */
  readonly promised: number;
  /** The share of samples whose truth they held, 0..1. */
  readonly reached: Figure;
  /** Mean number of classes in a set, or mean width of an interval. */
  readonly size: Figure;
  /** Sets of both classes. */
  readonly abstentions: number;
  /** Sets without a class. */
  readonly empty: number;
}

/** Numbers of the samples at which a node raised a drift alarm: by labels, and by margins. */
export interface DriftTally {
  /** Samples at whose prediction the errors at labels raised one. */
  readonly labels: readonly number[];
  /** Samples at which the margins of predictions raised one. */
  readonly margins: readonly number[];
}

/** A node in its group, at the end. */
export interface TogetherResult extends Standing {
  /** Models that it was sent. */
  readonly models: number;
  /** True if the model judges, and not the node's own learner. */
  readonly judges: boolean;
  /** The share of the node's samples that a model judged. */
  readonly judged: number;
}

/** The traffic of a line in one direction. */
export interface WayTally {
  /** Frames that were sent. */
  readonly frames: number;
  /** Bytes that were sent, framing included. */
  readonly bytes: number;
  /** Frames lost on the line. */
  readonly lost: number;
  /** Frames that arrived twice. */
  readonly doubled: number;
  /** Frames damaged on the line. */
  readonly damaged: number;
  /** Times that the line stalled. */
  readonly stalls: number;
}

/** The traffic of one node's line. */
export interface LinkTally {
  /** From the node. */
  readonly up: WayTally;
  /** From its peer. */
  readonly down: WayTally;
  /** Labels that the peer sent again. */
  readonly labelsResent: number;
  /** Recorded samples that the peer sent again. */
  readonly samplesRefed: number;
  /** Bytes lost because the node's FIFO was full. */
  readonly overruns: number;
}

/** A node's power failures and starts. */
export interface PowerTally {
  /** How often the power failed. */
  readonly cuts: number;
  /** How often it failed during a save of a checkpoint. */
  readonly duringSave: number;
  /** Starts from the newest checkpoint. */
  readonly restored: number;
  /** Starts from the checkpoint before the newest, which wasn't whole. */
  readonly fallback: number;
  /** Starts without a checkpoint, the first included. */
  readonly fresh: number;
}

/** A curve: points (sample number, value). */
export interface Curve {
  /** Sample number of each point, ascending. */
  readonly at: number[];
  /** Value of each point. */
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
  /** The learner's name in the scenario, with its options where its task has several of that name. */
  readonly name: string;
  /** Name of the scenario's task. */
  readonly task: string;
  /** Kind of the task. */
  readonly kind: Task;
  /** Readings in a sample. */
  readonly channels: number;
  /** Classes of the truth; 0: it is a number. */
  readonly classes: number;
  /** Samples that the node received. */
  readonly samples: number;
  /** Samples that never reached the node: dropouts, outages, and rows that lack readings and are skipped. */
  readonly missed: number;
  /** The readings missing in the node's recorded stream, where `stream.missing` takes such rows. */
  readonly missing?: MissingTally;
  /** What the columns of the node's recorded stream are, where it is CSV. */
  readonly columns?: NamedColumns;
  /** The rows of its file that were skipped, where the file's description has bad ones skipped. */
  readonly badRows?: BadRowsReport;
  /** Names of the truth's classes in the order of its labels, where they come from the scenario or a file. */
  readonly classNames?: readonly string[];
  /** Of each of these classes its samples, and the share of them that was predicted so. */
  readonly recalls?: readonly ClassRecall[];
  /** Samples of the node's recorded stream without a label, where there are any: predicted, not scored. */
  readonly unlabelled?: number;
  /** What became of it in its group, where nodes learn together. */
  readonly together?: TogetherResult;
  /** The fates of the node's labels. */
  readonly labels: LabelTally;
  /** The traffic of the node's line. */
  readonly link: LinkTally;
  /** The node's power failures and starts. */
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
  /** Bytes of the learner's range. */
  readonly bytes: number;
  /** Bytes of a range with a budget of exactly the vectors stored at the end. */
  readonly bytesUsed: number;
  /** Samples that may wait for a label: as the scenario says, by the labels' delay, or the default. */
  readonly pending: PendingChoice;
  /** Bytes of the whole node: learner, features, pending ring, cursors, counters. */
  readonly nodeBytes: number;
  /** Vectors stored at the end. */
  readonly size: number;
  /** The most vectors that there is room for. */
  readonly budget: number;
  /** The learner's counters. */
  readonly counters: { readonly [name in Counter]: number };
  /** The node's counters. */
  readonly nodeCounters: { readonly [name in NodeCounter]: number };
  /** Hash of the learner's state, hexadecimal; empty where the node stopped. */
  readonly stateHash: string;
  /** Hash of the whole node's state, hexadecimal; empty where the node stopped. */
  readonly nodeHash: string;
  /** Figures over the stream. */
  readonly curves: {
    /** prequential error over the last samples, with these labels */
    readonly error: Curve;
    /** the same with ideal labels */
    readonly idealError: Curve;
    /** vectors stored */
    readonly size: Curve;
    /** samples between a prediction and its label's use, mean since the last point */
    readonly lag: Curve;
  };
  /** The readings as the node received them: of the task's first learner, in networks that are shown node by node. */
  readonly readings?: Readings;
  /** The events, or of more classes the runs of each, where a plot has room for all. */
  readonly runs?: readonly ClassRun[];
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
  /** Share of labels other than the truth of the node that gets them. Nodes of one scene have one truth, unless faults are injected. */
  readonly error: number;
  /** the same of each rule on the same votes */
  readonly rules: { readonly [rule: string]: number };
  /** share of each node's votes other than its truth */
  readonly votes: { readonly [node: string]: number };
  /** each node's error rate at the end, as `ChairVarshney` estimates it from the votes alone */
  readonly estimated: { readonly [node: string]: number };
  /** nodes that began to err more often, by the votes alone: at which decision, and the rate until then */
  readonly alarms: readonly { readonly node: string; readonly decision: number; readonly rate: number }[];
}

/** The time and memory of a run. */
export interface Timing {
  /** Wall-clock time, seconds. */
  readonly seconds: number;
  /** Number of threads. */
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
