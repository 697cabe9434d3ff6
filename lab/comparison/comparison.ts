import { UserError } from "../../host/errors.ts";
import { groupBy } from "../../host/group-by.ts";
import { average } from "../../host/statistics.ts";
import { type Difference, estimateDifference, NOT_NEGATIVE, SHARE } from "../sweep/statistics/statistics.ts";
import { FIGURES, type FigureName, type ResultRow, type Results } from "./results.ts";

/** A learner's figure in both files. */
export interface ComparedFigure {
  readonly figure: FigureName;
  readonly a: number;
  readonly b: number;
  /** B - A, pair by pair; `count`: the pairs. */
  readonly difference: Difference;
  /** All pairs have the same two values. */
  readonly equal: boolean;
}

/** One learner of one task in both files. */
export interface ComparedLearner {
  readonly task: string;
  readonly learner: string;
  /** The unit of the pairs: seeds if both files share at least two that differ, else nodes. */
  readonly paired: "seeds" | "nodes";
  /** Figures that both files define somewhere. */
  readonly figures: readonly ComparedFigure[];
  /** Rows with hashes in both files for one seed, point and node, and how many of these are equal. */
  readonly states: { readonly count: number; readonly equal: number; readonly nodesEqual: number };
}

export interface ComparedFile {
  readonly file: string;
  readonly form: Results["form"];
  readonly seeds: readonly number[];
  readonly rows: number;
  /** Rows without a partner in the other file. */
  readonly left: number;
  /** Learners that the other file lacks. */
  readonly only: readonly { readonly task: string; readonly learner: string }[];
}

/** The form that `motelearn compare --json` prints. */
export interface Comparison {
  readonly schema: "motelearn.compare/1";
  readonly a: ComparedFile;
  readonly b: ComparedFile;
  readonly learners: readonly ComparedLearner[];
}

type Rows = readonly ResultRow[];

const learnerKey = ({ task, learner }: ResultRow) => JSON.stringify([task, learner]);
const placeKey = ({ point, node }: ResultRow) => JSON.stringify([point, node]);
const rowKey = ({ seed, point, node }: ResultRow) => JSON.stringify([seed, point, node]);

/** Matching rows of A and B: one each, or all seeds' where no seed is in common. */
interface Partners {
  readonly a: Rows;
  readonly b: Rows;
}

function matchRows(a: Rows, b: Rows, key: (row: ResultRow) => string): Partners[] {
  const others = groupBy(b, key);
  return [...groupBy(a, key)].flatMap(([name, rows]) => {
    const partners = others.get(name);
    return partners ? [{ a: rows, b: partners }] : [];
  });
}

/** How the rows of a learner are paired. */
interface Pairing {
  readonly paired: ComparedLearner["paired"];
  readonly partners: readonly Partners[];
  /** The key of a row's pair. */
  readonly unit: (row: ResultRow) => string;
}

/** True if seeds differ: not on recorded streams with perfect labels and lines, where each repeats the first. */
function areDrawn(rows: Rows): boolean {
  const end = ({ nodeHash, figures }: ResultRow) => JSON.stringify([nodeHash, figures]);
  const differ = (of: Rows) => of.some((row) => row.nodeHash === "" || end(row) !== end(of[0]));
  return [...groupBy(rows, placeKey).values()].some(differ);
}

/** By seeds, which are independent, if there are two and they differ; else by nodes, of the one seed or of all seeds. */
function pairRows(a: Rows, b: Rows): Pairing {
  const others = new Set(b.map(({ seed }) => seed));
  const common = new Set(a.map(({ seed }) => seed).filter((seed) => others.has(seed)));
  const partners = matchRows(a, b, common.size > 0 ? rowKey : placeKey);
  const seeds = new Set(partners.map(({ a: [{ seed }] }) => seed));
  return common.size > 0 && seeds.size > 1 && (areDrawn(a) || areDrawn(b))
    ? { paired: "seeds", partners, unit: ({ seed }) => String(seed) }
    : { paired: "nodes", partners, unit: ({ node }) => node };
}

/** The mean of a figure; null where a row lacks it. */
function meanFigure(rows: Rows, figure: FigureName): number | null {
  const values = rows.map(({ figures }) => figures[figure]);
  return values.includes(null) ? null : average(values as number[]);
}

/** The figure, pair by pair: the mean over the matching rows that have it in both files. */
function compareFigure({ partners, unit }: Pairing, figure: FigureName): ComparedFigure[] {
  const compared = partners.flatMap(({ a, b }) => {
    const values = [meanFigure(a, figure), meanFigure(b, figure)];
    return values.includes(null) ? [] : [{ unit: unit(a[0]), values: values as number[] }];
  });
  if (compared.length === 0) return [];
  const pairs = [...groupBy(compared, (each) => each.unit).values()];
  const [a, b] = [0, 1].map((side) => pairs.map((of) => average(of.map(({ values }) => values[side]))));
  const equal = a.every((value, i) => value === b[i]);
  const range = figure === "rmse" ? NOT_NEGATIVE : SHARE;
  return [{ figure, a: average(a), b: average(b), difference: estimateDifference(b, a, range), equal }];
}

function compareStates(a: Rows, b: Rows): ComparedLearner["states"] {
  const hashed = matchRows(a, b, rowKey).filter(
    ({ a: [{ stateHash: one }], b: [{ stateHash: other }] }) => one !== "" && other !== "",
  );
  const equal = (name: "stateHash" | "nodeHash") =>
    hashed.filter(({ a: [one], b: [other] }) => one[name] === other[name]).length;
  return { count: hashed.length, equal: equal("stateHash"), nodesEqual: equal("nodeHash") };
}

function comparedFile(
  { file, form, rows }: Results,
  matched: number,
  others: ReadonlySet<string>,
): ComparedFile {
  const own = [...groupBy(rows, learnerKey)].filter(([key]) => !others.has(key));
  return {
    ...{ file, form, seeds: [...new Set(rows.map(({ seed }) => seed))], rows: rows.length },
    left: rows.length - matched,
    only: own.map(([, [{ task, learner }]]) => ({ task, learner })),
  };
}

function names(rows: Rows): string {
  return [...new Set(rows.map(({ task, learner }) => `${task} ${learner}`))].slice(0, 4).join(", ");
}

/**
 * Compares two files of results, learner by learner in each task. Throws a UserError where they have no row
 * in common.
 */
export function compare(a: Results, b: Results): Comparison {
  const [ofA, ofB] = [groupBy(a.rows, learnerKey), groupBy(b.rows, learnerKey)];
  const matched = { a: 0, b: 0 };
  const learners = [...ofA].flatMap(([key, rows]): ComparedLearner[] => {
    const others = ofB.get(key);
    const pairing = others && pairRows(rows, others);
    if (!pairing || pairing.partners.length === 0) return [];
    for (const side of ["a", "b"] as const)
      matched[side] += pairing.partners.reduce((sum, each) => sum + each[side].length, 0);
    const figures = FIGURES.flatMap((figure) => compareFigure(pairing, figure));
    const { paired } = pairing;
    const [{ task, learner }] = rows;
    return [{ task, learner, paired, figures, states: compareStates(rows, others) }];
  });
  if (learners.length === 0) throw new UserError(nothingCommon(a, b));
  return {
    schema: "motelearn.compare/1",
    a: comparedFile(a, matched.a, new Set(ofB.keys())),
    b: comparedFile(b, matched.b, new Set(ofA.keys())),
    learners,
  };
}

function nothingCommon({ file, rows }: Results, { file: other, rows: others }: Results): string {
  const known = new Set(rows.map(learnerKey));
  const common = others.some((row) => known.has(learnerKey(row)));
  return common
    ? `${file} and ${other} have learners in common, but no node at one point with both; they are of different networks or swept keys`
    : `${file} and ${other} have no learner of a task in common; ${file} has ${names(rows)}; ${other} has ${names(others)}`;
}
