import { printable } from "../../host/printable.ts";
import { table } from "../../host/terminal/table.ts";
import { wrapTable } from "../../host-sim/report/text-table.ts";
import type { ComparedFigure, ComparedFile, ComparedLearner, Comparison } from "./comparison.ts";
import type { FigureName } from "./results.ts";

const HEADS: Record<FigureName, string> = {
  error: "error",
  balancedAccuracy: "bal. acc.",
  auc: "AUC",
  rmse: "RMSE",
};
const LESS_IS_BETTER: readonly FigureName[] = ["error", "rmse"];
const NAMES_SHOWN = 8;

function number(figure: FigureName, value: number): string {
  return figure === "rmse" ? value.toPrecision(4) : value.toFixed(4);
}

function signedNumber(figure: FigureName, value: number): string {
  return `${value < 0 ? "" : "+"}${number(figure, value)}`;
}

function differenceText({ figure, difference: { mean, low, high }, equal }: ComparedFigure): string {
  if (equal) return "0";
  const text = signedNumber(figure, mean);
  return low === null || high === null
    ? text
    : `${text} [${signedNumber(figure, low)}, ${signedNumber(figure, high)}]`;
}

/** The result of the pairs, in words. */
function shownText({ figure, difference: { mean, shown, low }, equal }: ComparedFigure): string {
  if (equal) return "equal";
  if (low === null) return "one pair: no interval";
  if (!shown) return "no difference shown";
  return mean < 0 === LESS_IS_BETTER.includes(figure) ? "B is better" : "B is worse";
}

function statesText({ states: { count, equal, nodesEqual } }: ComparedLearner): string {
  if (count === 0) return "not comparable";
  const nodes = nodesEqual === equal ? "" : `; of whole nodes ${nodesEqual}`;
  return `${equal} of ${count}${nodes}`;
}

const ALIGNS = ["right", "right", "left", "left"] as const;

/** A figure's cells: A, B, their difference, and the conclusion. */
function figureCells(each: ComparedFigure): string[] {
  const { figure, a, b } = each;
  return [number(figure, a), number(figure, b), differenceText(each), shownText(each)];
}

function pairsText({ paired }: ComparedLearner, { difference: { count } }: ComparedFigure): string {
  return `${count} ${count === 1 ? paired.slice(0, -1) : paired}`;
}

/** A row a figure. */
function wideTable(learners: readonly ComparedLearner[]): string {
  const rows = learners.flatMap((compared) => {
    const { learner, figures } = compared;
    const states = statesText(compared);
    if (figures.length === 0) return [[learner, "none in both", "", "", "", "", "", states]];
    return figures.map((each, i) => [
      ...[i === 0 ? learner : "", HEADS[each.figure], ...figureCells(each), pairsText(compared, each)],
      i === 0 ? states : "",
    ]);
  });
  const head = ["learner", "figure", "A", "B", "B - A [95 %]", "", "paired over", "states equal"];
  return table(rows, { head, aligns: ["left", "left", ...ALIGNS, "left", "left"] });
}

/** The same in 80 columns: a learner's figures under its name, pairs and states in lines below. */
function narrowTable(learners: readonly ComparedLearner[], columns: number): string {
  const rows = learners.flatMap(({ learner, figures }) => [
    [learner, "", "", "", figures.length === 0 ? "no figure in both" : ""],
    ...figures.map((each) => [`  ${HEADS[each.figure]}`, ...figureCells(each)]),
  ]);
  const below = learners.map((compared) => {
    const [first] = compared.figures;
    const pairs = first ? `paired over ${pairsText(compared, first)}; ` : "";
    return [printable(`${compared.learner}: ${pairs}states equal: ${statesText(compared)}`)];
  });
  const head = ["learner", "A", "B", "B - A [95 %]", ""];
  return `${table(rows, { head, aligns: ["left", ...ALIGNS] })}\n${wrapTable(below, columns)}`;
}

function fileLine(name: string, { file, form, seeds, rows }: ComparedFile): string[] {
  const shown = seeds.slice(0, NAMES_SHOWN).join(", ");
  const more = seeds.length > NAMES_SHOWN ? `, ... (${seeds.length})` : "";
  const noun = seeds.length === 1 ? "seed" : "seeds";
  return [name, file, form === "simulate" ? "a run" : "a table", `${noun} ${shown}${more}`, `${rows} rows`];
}

function leftLines(name: string, { left, only }: ComparedFile): string[] {
  if (left === 0) return [];
  const shown = only.slice(0, NAMES_SHOWN).map(({ task, learner }) => `${task} ${learner}`);
  const more = only.length > NAMES_SHOWN ? ", ..." : "";
  const learners = only.length > 0 ? `; learners only there: ${shown.join(", ")}${more}` : "";
  return [`${left} rows of ${name} have no partner in the other, and are left out${learners}`];
}

/** Columns that the wide table takes, about. */
const WIDE = 115;

/** The comparison for people: a table a task, no wider than a terminal of 80 columns or more. */
export function comparisonText({ a, b, learners }: Comparison, columns = WIDE): string {
  const tasks = [...new Set(learners.map(({ task }) => task))];
  const tables = tasks.map((task) => {
    const own = learners.filter((each) => each.task === task);
    const drawn = columns < WIDE ? narrowTable(own, columns) : wideTable(own);
    return `${table([[`Task ${task}`]])}\n${drawn}`;
  });
  const byNodes = learners.some(({ paired }) => paired === "nodes");
  const notes = [
    ...leftLines("A", a),
    ...leftLines("B", b),
    "A 95 % interval leaves 0 out once in 20 times where there is no difference.",
    ...(byNodes ? ["Nodes of one run share its streams and seed: their interval describes that run."] : []),
  ];
  const files = table([fileLine("A", a), fileLine("B", b)]);
  const lines = notes.map((note) => [printable(note)]);
  return [files, ...tables, columns < WIDE ? wrapTable(lines, columns) : table(lines)].join("\n\n");
}
