import { printable } from "../../host-sim/printable.ts";
import type { Estimate } from "../../host-sim/sweep/statistics.ts";
import type { Decomposition, Effect, TaskSummary } from "../../host-sim/sweep/summary.ts";
import { table } from "../cli/table.ts";
import type { SweepResult } from "./result.ts";
import {
  behindText,
  estimateText,
  figure,
  measureText,
  rankingText,
  totalLines,
  valueText,
} from "./words.ts";

/** What a page holds: of more, the report has the rest. */
const LEARNERS_SHOWN = 12;
const LEARNERS_ACROSS = 6;
const AXES_SHOWN = 4;
const VALUES_SHOWN = 6;

function rest(count: number, shown: number, what: string): string {
  return count > shown ? `\n... and ${count - shown} more ${what}, in the report` : "";
}

function learners({ learners, trivial }: TaskSummary): string {
  const rows = learners
    .slice(0, LEARNERS_SHOWN)
    .map(({ learner, error, behind, bytes, instructions, pareto }) => [
      learner,
      estimateText(error),
      behindText(behind),
      Math.round(bytes),
      instructions === null ? "n/a" : Math.round(instructions),
      pareto ? "*" : "",
    ]);
  const plain = (name: string, estimate: Estimate | null) =>
    estimate ? [[`(${name})`, estimateText(estimate), "", "", "", ""]] : [];
  const last = [...plain("majority", trivial.majority), ...plain("last label", trivial.last)];
  const head = ["learner", "mean [95 %]", "more than the least, paired", "bytes", "instructions", "front"];
  const aligns = ["left", "left", "left", "right", "right", "left"] as const;
  return `${table([...rows, ...last], { head, aligns })}${rest(learners.length, LEARNERS_SHOWN, "learners")}`;
}

function effect({ key, values }: Effect, names: readonly string[]): string {
  const rows = values
    .slice(0, VALUES_SHOWN)
    .map(({ value, errors }) => [
      valueText(value),
      ...errors.slice(0, LEARNERS_ACROSS).map((error) => (error ? withHalf(error) : "")),
    ]);
  const head = [key, ...names.slice(0, LEARNERS_ACROSS)];
  return `${table(rows, { head })}${rest(values.length, VALUES_SHOWN, "values")}`;
}

/** A mean and half of its interval. */
function withHalf({ mean, high }: Estimate): string {
  return high === null ? figure(mean) : `${figure(mean)} +-${figure(high - mean)}`;
}

function costs(decomposition: readonly Decomposition[]): string {
  const causes = [
    ...new Set(decomposition.flatMap((each) => Object.keys(each.causes))),
  ] as (keyof Decomposition["causes"])[];
  const rows = decomposition
    .slice(0, LEARNERS_SHOWN)
    .map(({ learner, error, clean, causes: of }) => [
      learner,
      withHalf(error),
      withHalf(clean),
      ...causes.map((cause) => (of[cause] ? withHalf(of[cause]) : "")),
    ]);
  return `what labels cost: error = without any of it + shares (Shapley)\n${table(rows, { head: ["learner", "error", "without", ...causes] })}`;
}

function taskText(task: TaskSummary): string[] {
  const names = task.learners.map(({ learner }) => learner);
  const shown = task.effects.filter(({ values }) => values.length > 1);
  const effects = shown.slice(0, AXES_SHOWN).map((each) => effect(each, names));
  return [
    `${printable(task.task)} (${task.kind}): mean ${measureText(task)}\n${learners(task)}`,
    ...effects,
    ...(shown.length > AXES_SHOWN ? [rest(shown.length, AXES_SHOWN, "keys").trim()] : []),
    ...(task.decomposition.length > 0 ? [costs(task.decomposition)] : []),
  ];
}

/** The result for people, on a page: totals, then each task. */
export function sweepText(result: SweepResult): string {
  const { ranking } = result;
  return [
    [printable(result.title), ...totalLines(result).map(printable)].join("\n"),
    ...(ranking ? [printable(rankingText(ranking))] : []),
    ...result.tasks.flatMap(taskText),
  ].join("\n\n");
}
