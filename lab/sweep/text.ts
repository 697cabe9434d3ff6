import { printable } from "../../host/printable.ts";
import { table } from "../../host/terminal/table.ts";
import { wrapTable } from "../../host-sim/report/text-table.ts";
import { majorityName } from "../../host-sim/scoring/baselines.ts";
import { COUNTED_ON } from "./instructions.ts";
import type { SweepResult } from "./result.ts";
import type { Decomposition } from "./statistics/decomposition.ts";
import type { Effect } from "./statistics/effects.ts";
import type { Estimate } from "./statistics/statistics.ts";
import type { TaskSummary } from "./statistics/summary.ts";
import { Unit } from "./unit.ts";
import { judgeTask } from "./verdict.ts";
import { rankingText, totalLines, valueText } from "./wording.ts";

/** Lines on a page; the report has the rest. */
const LEARNERS_SHOWN = 12;
const LEARNERS_ACROSS = 6;
const AXES_SHOWN = 4;
const VALUES_SHOWN = 6;
const NODES_SHOWN = 4;

/** The errors of the learners that there is room for. */
const acrossCells = (errors: readonly (Estimate | null)[], unit: Unit) =>
  errors.slice(0, LEARNERS_ACROSS).map((error) => (error ? unit.withHalf(error) : ""));

function rest(count: number, shown: number, what: string): string {
  return count > shown ? `\n... and ${count - shown} more ${what}, in the report` : "";
}

function learners({ kind, learners, trivial }: TaskSummary, unit: Unit): string {
  const rows = learners
    .slice(0, LEARNERS_SHOWN)
    .map(({ learner, error, behind, bytes, instructions, pareto }) => [
      pareto ? `${learner} *` : learner,
      unit.estimate(error),
      unit.behind(behind),
      Math.round(bytes),
      instructions === null ? "n/a" : Math.round(instructions),
    ]);
  const plain = (name: string, estimate: Estimate | null) =>
    estimate ? [[`(${name})`, unit.estimate(estimate), "", "", ""]] : [];
  const last = [...plain(majorityName(kind), trivial.majority), ...plain("last label", trivial.last)];
  const head = ["learner", `${unit.heading} [95 %]`, "more than the least, paired", "bytes", "instr."];
  const aligns = ["left", "left", "left", "right", "right"] as const;
  return `${table([...rows, ...last], { head, aligns })}${rest(learners.length, LEARNERS_SHOWN, "learners")}`;
}

/** What the table of learners leaves unsaid. */
const NOTE = `* No other has less error, bytes or instructions and no more of the rest. Instructions: a prediction and its label on ${COUNTED_ON}.`;

function effect({ key, values }: Effect, names: readonly string[], unit: Unit): string {
  const shown = values.slice(0, VALUES_SHOWN);
  const rows = shown.map(({ value, errors }) => [valueText(value), ...acrossCells(errors, unit)]);
  const head = [key, ...names.slice(0, LEARNERS_ACROSS)];
  return `${table(rows, { head })}${rest(values.length, VALUES_SHOWN, "values")}`;
}

function costs(decomposition: readonly Decomposition[], unit: Unit): string {
  const causes = [
    ...new Set(decomposition.flatMap((each) => Object.keys(each.causes))),
  ] as (keyof Decomposition["causes"])[];
  const rows = decomposition
    .slice(0, LEARNERS_SHOWN)
    .map(({ learner, error, clean, causes: of }) => [
      learner,
      unit.withHalf(error),
      unit.withHalf(clean),
      ...causes.map((cause) => (of[cause] ? unit.withHalf(of[cause]) : "")),
    ]);
  return `what labels cost: error = without any of it + shares (Shapley)\n${table(rows, { head: ["learner", "error", "without", ...causes] })}`;
}

/** The nodes at which the best learner errs most, of those there are several. */
function worst({ nodes: { count, worst }, learners }: TaskSummary, unit: Unit): string[] {
  if (count <= NODES_SHOWN) return [];
  const shown = worst.slice(0, NODES_SHOWN);
  const rows = shown.map(({ node, errors }) => [printable(node), ...acrossCells(errors, unit)]);
  const head = ["node", ...learners.slice(0, LEARNERS_ACROSS).map(({ learner }) => learner)];
  return [`worst of ${count} nodes by ${learners[0].learner}\n${table(rows, { head })}`];
}

/** Sentences, each on lines of its own, no wider than `columns`. */
function sentenceLines(sentences: readonly string[], columns: number): string {
  const lines = sentences.map((each) => [printable(each)]);
  return columns === Number.POSITIVE_INFINITY || lines.length === 0
    ? lines.join("\n")
    : wrapTable(lines, columns);
}

function taskText(task: TaskSummary, columns: number): string[] {
  const unit = new Unit(task);
  const names = task.learners.map(({ learner }) => learner);
  const { headline, sentences } = judgeTask(task);
  const shown = task.effects.filter(({ values }) => values.length > 1);
  const effects = shown.slice(0, AXES_SHOWN).map((each) => effect(each, names, unit));
  return [
    sentenceLines([`${task.task} (${task.kind}): ${headline}`, ...sentences], columns),
    `${learners(task, unit)}\n${sentenceLines([NOTE], columns)}`,
    ...worst(task, unit),
    ...effects,
    ...(shown.length > AXES_SHOWN ? [rest(shown.length, AXES_SHOWN, "keys").trim()] : []),
    ...(task.decomposition.length > 0 ? [costs(task.decomposition, unit)] : []),
  ];
}

/** The result for people, on a page as wide as its terminal: totals, then each task, then ranks. */
export function sweepText(result: SweepResult, columns = Number.POSITIVE_INFINITY): string {
  const { ranking } = result;
  return [
    sentenceLines([result.title, ...totalLines(result)], columns),
    ...result.tasks.flatMap((task) => taskText(task, columns)),
    ...(ranking ? [sentenceLines([rankingText(ranking)], columns)] : []),
  ].join("\n\n");
}
