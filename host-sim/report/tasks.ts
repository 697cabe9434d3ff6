import type { Task } from "../../src/learn/learner.ts";
import { majorityName } from "../scoring/baselines.ts";
import type { LearnerResult, Scores, SimulateResult } from "../scoring/result.ts";

export interface NodeResults {
  readonly node: string;
  readonly learners: readonly LearnerResult[];
}

/** One task over all its nodes. */
export interface TaskResults {
  readonly task: string;
  readonly kind: Task;
  readonly nodes: readonly NodeResults[];
}

/** The result regrouped by task, then node; tasks, nodes and learners in the order they are listed in. */
export function groupTasks(result: SimulateResult): TaskResults[] {
  const all = result.nodes.flatMap(({ learners }) => learners);
  const names = new Set(all.map(({ task }) => task));
  return [...names].map((task) => ({
    task,
    kind: all.find((learner) => learner.task === task)!.kind,
    nodes: result.nodes
      .map(({ node, learners }) => ({ node, learners: learners.filter((each) => each.task === task) }))
      .filter(({ learners }) => learners.length > 0),
  }));
}

/** Names of the learners, each once, in the order of first mention. */
export function learnerNames(nodes: readonly NodeResults[]): string[] {
  return [...new Set(nodes.flatMap(({ learners }) => learners.map(({ name }) => name)))];
}

/** Scores of a trivial predictor on one node's stream. */
export interface TrivialScores {
  readonly name: string;
  readonly scores: Scores;
}

/** The trivial predictors of a node: one pair, or one a learner where the learners saw different samples. */
export function trivialScores({ learners }: NodeResults): TrivialScores[] {
  const pairs = new Map(learners.map((each) => [JSON.stringify(each.trivial), each]));
  return [...pairs.values()].flatMap(({ trivial, name, kind }) => {
    const beside = pairs.size > 1 ? ` (${name})` : "";
    return [
      { name: `${majorityName(kind)} received${beside}`, scores: trivial.majority },
      { name: `last received${beside}`, scores: trivial.last },
    ];
  });
}

/** The error that a task is judged by. */
export function taskError(kind: Task, scores: Scores): Scores["error"] {
  return kind === "regression" ? scores.rmse : scores.error;
}

export function errorUnit(kind: Task): string {
  return kind === "regression" ? "RMSE" : "share wrong";
}
