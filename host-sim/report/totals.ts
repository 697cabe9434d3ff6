import { average } from "../../host/statistics.ts";
import { majorityName } from "../scoring/baselines.ts";
import type { Figure, LearnerResult, Scores } from "../scoring/result.ts";
import { type Cell, measure, share } from "./figures.ts";
import type { NodeResults, TaskResults } from "./tasks.ts";
import type { TextColumn } from "./text-table.ts";

/** Nodes up to which a network is shown node by node; a larger one shows totals and the worst nodes first. */
export const NODES_SHOWN = 12;

/** Nodes that a report lists at most: the worst. */
export const NODES_LISTED = 500;

/** The nodes that a report lists, in the scenario's order. */
export function listWorst(task: TaskResults): TaskResults {
  if (task.nodes.length <= NODES_LISTED) return task;
  const order = [...new Set([...worstFirst(task), ...task.nodes])];
  const wanted = new Set(order.slice(0, NODES_LISTED));
  return { ...task, nodes: task.nodes.filter((node) => wanted.has(node)) };
}

/** A column of a learner's totals over all nodes of a task. */
export interface TotalColumn extends TextColumn {
  readonly learner: (results: readonly LearnerResult[]) => Cell;
  /** The same of a trivial predictor; blank unless given. */
  readonly trivial?: (scores: readonly Scores[]) => Cell;
}

type Form = (figure: Figure) => Cell;

function knownFigures(figures: readonly Figure[]): number[] {
  return figures.filter((figure) => typeof figure === "number" && Number.isFinite(figure)) as number[];
}

/** The mean of the figures that are defined; where none is, why the first isn't. */
export function meanFigure(figures: readonly Figure[]): Figure {
  const values = knownFigures(figures);
  if (values.length === 0)
    return typeof figures[0] === "object" ? figures[0] : { why: "no figure is finite" };
  return average(values);
}

function rangeCell(figures: readonly Figure[], form: Form): Cell {
  const values = knownFigures(figures);
  if (values.length === 0) return "";
  const [least, most] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  return `${form(least)}..${form(most)}`;
}

/** A score's mean and range; where there is no room for all, the range of a score that judges no task is omitted. */
function spreadColumns(
  group: string,
  of: (scores: Scores) => Figure,
  form: Form,
  judges = false,
): TotalColumn[] {
  const column = (head: string, cell: (figures: readonly Figure[]) => Cell, spare = false): TotalColumn => ({
    ...{ group, head, spare },
    learner: (results) => cell(results.map(({ metrics }) => of(metrics))),
    trivial: (scores) => cell(scores.map(of)),
  });
  return [
    column("mean", (figures) => form(meanFigure(figures))),
    column("range", (figures) => rangeCell(figures, form), !judges),
  ];
}

function sum<T>(all: readonly T[], of: (each: T) => number): number {
  return all.reduce((total, each) => total + of(each), 0);
}

function eventsFound(all: readonly Scores[]): Cell {
  const events = sum(all, (scores) => scores.events);
  if (events === 0) return { why: "no events in the stream of any node" };
  return `${sum(all, (scores) => scores.eventsFound)}/${events}`;
}

const ALARMS: readonly TotalColumn[] = [
  {
    ...{ group: "events", head: "found" },
    learner: (results) => eventsFound(results.map(({ metrics }) => metrics)),
    trivial: eventsFound,
  },
  {
    ...{ group: "false", head: "alarms" },
    learner: (results) => String(sum(results, ({ metrics }) => metrics.falseAlarms)),
    trivial: (all) => String(sum(all, ({ falseAlarms }) => falseAlarms)),
  },
];

const LABELS: readonly TotalColumn[] = (["applied", "late", "lost", "wrong"] as const).map((fate) => ({
  ...{ group: "labels", head: fate, spare: true },
  learner: (results) => String(sum(results, ({ labels }) => labels[fate])),
}));

const HELD: readonly TotalColumn[] = [
  {
    ...{ group: "sets", head: "hold truth" },
    learner: (results) => share(meanFigure(results.flatMap(({ sets }) => (sets ? [sets.reached] : [])))),
  },
];

/** The score that judges a task: its name, whether more of it is worse, and how it is printed. */
export interface JudgingScore {
  readonly head: string;
  readonly of: (scores: Scores) => Figure;
  readonly moreIsWorse: boolean;
  readonly form: Form;
}

const RMSE: JudgingScore = { head: "RMSE", of: ({ rmse }) => rmse, moreIsWorse: true, form: measure };
const BALANCED: JudgingScore = {
  head: "bal. acc.",
  of: ({ balancedAccuracy }) => balancedAccuracy,
  moreIsWorse: false,
  form: share,
};

export function judgedBy({ kind }: TaskResults): JudgingScore {
  return kind === "regression" ? RMSE : BALANCED;
}

export function totalColumns(task: TaskResults): TotalColumn[] {
  const { head, of, form } = judgedBy(task);
  const issued = task.nodes.some(({ learners }) => learners.some(({ sets }) => sets));
  const sets = issued ? HELD : [];
  const judged = spreadColumns(head, of, form, true);
  if (task.kind === "regression") return [...judged, ...sets, ...LABELS];
  const error = spreadColumns("error", (scores) => scores.error, share);
  if (task.kind === "multiclass") return [...judged, ...error, ...sets, ...LABELS];
  return [
    ...judged,
    ...spreadColumns("AUC", ({ auc }) => auc, share),
    ...error,
    ...ALARMS,
    ...sets,
    ...LABELS,
  ];
}

/** The results of each learner, in the order of the nodes: two learners may have one name. */
export function byLearner({ nodes }: TaskResults): LearnerResult[][] {
  return nodes[0].learners.map((_, place) => nodes.map(({ learners }) => learners[place]));
}

/** A node's trivial predictors, on the samples of the learner that saw most of them. */
export function longestTrivial({ learners }: NodeResults): LearnerResult["trivial"] {
  return learners.reduce((most, each) => (each.samples > most.samples ? each : most)).trivial;
}

/** Each learner's totals over all nodes of a task, then those of the trivial predictors. */
export function totalRows(task: TaskResults, columns: readonly TotalColumn[]) {
  const trivial = task.nodes.map(longestTrivial);
  const learners = byLearner(task).map((results) => {
    const cells = columns.map(({ learner }) => learner(results));
    return { name: results[0].name, isTrivial: false, cells };
  });
  const plain = (["majority", "last"] as const).map((name) => {
    const scores = trivial.map((each) => each[name]);
    return {
      name: `${name === "last" ? name : majorityName(task.kind)} received`,
      isTrivial: true,
      cells: columns.map((each) => each.trivial?.(scores) ?? ""),
    };
  });
  return [...learners, ...plain];
}

/** The nodes whose mean figure over their learners is defined, the worst first. */
export function worstFirst(task: TaskResults): NodeResults[] {
  const { of, moreIsWorse } = judgedBy(task);
  const ranked = task.nodes.flatMap((node) => {
    const figure = meanFigure(node.learners.map(({ metrics }) => of(metrics)));
    return typeof figure === "number" ? [{ node, figure }] : [];
  });
  const sign = moreIsWorse ? -1 : 1;
  return ranked.sort((a, b) => sign * (a.figure - b.figure)).map(({ node }) => node);
}
