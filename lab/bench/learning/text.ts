import { printable } from "../../../host/printable.ts";
import { average } from "../../../host/statistics.ts";
import { table } from "../../../host/terminal/table.ts";
import { type BenchResult, meanError } from "./result.ts";
import {
  type Column,
  errorText,
  figureText,
  makeColumns,
  metText,
  OVER_ALL,
  rankLearners,
  setupLines,
} from "./wording.ts";

/** Every entrant, least error first, in these columns. */
function learners(result: BenchResult, budget: number, columns: readonly Column[]): string {
  const rows = rankLearners(result, budget).map((summary) => [
    summary.entrant,
    ...columns.map(({ cell }) => cell(summary).replace("±", "+-")),
  ]);
  const heads = columns.map(({ group, head }) =>
    group === "flips" || group === "delay" ? `${group} ${head}` : head,
  );
  return table(rows, { head: ["learner", ...heads], aligns: ["left", "right"] });
}

function budgetTables(result: BenchResult, budget: number): string[] {
  const [overall, byCondition] = [true, false].map((isOverall) =>
    makeColumns(result).filter(({ group }) => (group === OVER_ALL) === isOverall),
  );
  return [
    `budget ${budget}\n${learners(result, budget, overall)}`,
    `mean error, %, budget ${budget}\n${learners(result, budget, byCondition)}`,
    `error, %, budget ${budget}\n${setTables(result, budget)}`,
  ];
}

/**
 * Set by set: the trivial predictors, the entrant with the least error over its cells, and the error of each
 * cell's best in hindsight.
 */
function setTables(result: BenchResult, budget: number): string {
  const summary = rankLearners(result, budget);
  const rows = result.sets.flatMap(({ name }) => {
    const cells = result.cells.filter((cell) => cell.set === name && cell.budget === budget);
    if (cells.length === 0) return [];
    const error = (entrant: string) => average(cells.map((cell) => meanError(cell, entrant)));
    const best = summary.reduce((a, b) => (error(b.entrant) < error(a.entrant) ? b : a)).entrant;
    const hindsight = average(cells.map((cell) => meanError(cell, cell.best)));
    const figures = [error("majority"), error("last"), hindsight, error(best)].map(errorText);
    return [[name, cells.length, ...figures, best]];
  });
  const head = ["set", "cells", "majority", "last", "best of each cell", "best learner", ""];
  const aligns = ["left", "right", "right", "right", "right", "right", "left"] as const;
  return table(rows, { head, aligns });
}

function goals({ goals }: BenchResult): string {
  const lines = goals.map((goal) => `${metText(goal)}: ${goal.of}: ${goal.goal}: ${figureText(goal)}`);
  return ["goals", ...lines].map(printable).join("\n");
}

/** The result for people: learners, best first, sets, goals. */
export function benchText(result: BenchResult): string {
  const setup = setupLines(result).map(printable).join("\n");
  const measured = result.budgets.filter((budget) => rankLearners(result, budget).length > 0);
  return [setup, ...measured.flatMap((budget) => budgetTables(result, budget)), goals(result)].join("\n\n");
}
