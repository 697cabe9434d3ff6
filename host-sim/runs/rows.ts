import { concatenate, type NetworkOutcome, type PartOutcome } from "../network/network.ts";
import type {
  BaselineScores,
  Curve,
  Figure,
  FusionResult,
  LearnerResult,
  TogetherResult,
} from "../scoring/result.ts";

/** A cell of a table; null: not defined. */
export type Value = number | string | null;

/** One node of one network: columns by name. */
export type NodeRow = { readonly [column: string]: Value };

/** The stored outcome of a network: a row for each node, and the curve of the error, its mean over the nodes. */
export interface NetworkRows {
  readonly nodes: readonly NodeRow[];
  readonly error: Curve;
}

function cellValue(figure: Figure | string): Value {
  if (typeof figure === "string") return figure;
  return typeof figure === "number" && Number.isFinite(figure) ? figure : null;
}

/** The numbers and texts of a record, by dotted names; other values are left out. */
function flat(record: object, place: string): [string, Value][] {
  return Object.entries(record).flatMap(([name, value]): [string, Value][] => {
    if (Array.isArray(value)) return [[`${place}${name}`, value.length]];
    if (typeof value !== "object" || value === null || "why" in value)
      return [[`${place}${name}`, cellValue(value as Figure)]];
    return flat(value, `${place}${name}.`);
  });
}

/** The figures of trivial predictors and of ideal labels that compare with the learner's own. */
function comparedFields({ ideal, trivial }: LearnerResult): [string, Value][] {
  const { majority, last }: BaselineScores = trivial;
  return Object.entries({ ideal, majority, last }).flatMap(([name, scores]): [string, Value][] => [
    [`${name}.error`, cellValue(scores.error)],
    [`${name}.balancedAccuracy`, cellValue(scores.balancedAccuracy)],
    [`${name}.rmse`, cellValue(scores.rmse)],
  ]);
}

/** The share of each named class's samples that was found. */
function recallCells({ classNames = [], recalls = [] }: LearnerResult): [string, Value][] {
  return recalls.map(({ recall }, i) => [`recall.${classNames[i]}`, recall]);
}

/** Truths as 1 and 0. */
function togetherRow({ isTrusted, isAlike, judges, ...others }: TogetherResult) {
  const [trusted, alike, judging] = [isTrusted, isAlike, judges].map(Number);
  return { ...others, isTrusted: trusted, isAlike: alike, judges: judging };
}

/** The scores; of a regression and of several classes nothing is an event, which is no count of 0. */
function scoreCells({ kind, metrics }: LearnerResult): [string, Value][] {
  const cells = flat(metrics, "");
  if (kind === "classification" || kind === "novelty") return cells;
  const counts = ["events", "eventsFound", "falseAlarms"];
  return cells.map(([name, value]) => [name, counts.includes(name) ? null : value]);
}

/** A node's result as a row: scores first, then labels, bytes, the line, power, counters and hashes. */
export function nodeRow(node: string, result: LearnerResult): NodeRow {
  const { labels, link, power, counters, nodeCounters } = result;
  const { sets, drift, together, missing, unlabelled, stop } = result;
  const { channels, classes, samples, missed, bytes, bytesUsed, nodeBytes, size, budget } = result;
  return Object.fromEntries([
    ["node", node],
    ...scoreCells(result),
    ...comparedFields(result),
    ...flat({ channels, classes, samples, missed, labels, bytes, bytesUsed, nodeBytes, size, budget }, ""),
    ...flat({ ...(missing && { missing }), ...(unlabelled && { unlabelled }) }, ""),
    ...recallCells(result),
    ...flat(
      {
        ...(sets && { sets }),
        ...(drift && { drift }),
        ...(together && { together: togetherRow(together) }),
        link,
        power,
        counters,
        nodeCounters,
      },
      "",
    ),
    ["stateHash", result.stateHash],
    ["nodeHash", result.nodeHash],
    ...(stop ? [["stop", stop.sample] as const, ["stop.why", stop.why] as const] : []),
  ]);
}

/** The mean of curves at the points that all of them have: one curve, however many are added. */
export class CurveMean {
  private at: readonly number[] = [];
  private sums: number[] = [];
  private count = 0;

  add({ at, value }: Curve): void {
    if (this.count++ === 0) {
      this.at = at;
      this.sums = value.map((each) => 0 + each);
    } else if (at.length === this.at.length && at.every((x, i) => x === this.at[i])) {
      for (let i = 0; i < at.length; i++) this.sums[i] += value[i];
    } else this.addOther(new Map(at.map((x, i) => [x, value[i]])));
  }

  /** A curve with other points. */
  private addOther(places: ReadonlyMap<number, number>): void {
    const shared = [...this.at.keys()].filter((i) => places.has(this.at[i]));
    this.sums = shared.map((i) => this.sums[i] + (places.get(this.at[i]) as number));
    this.at = shared.map((i) => this.at[i]);
  }

  /** Of at least one curve. */
  get mean(): Curve {
    return { at: [...this.at], value: this.sums.map((sum) => sum / this.count) };
  }
}

export function meanCurve(curves: readonly Curve[]): Curve {
  const mean = new CurveMean();
  for (const curve of curves) mean.add(curve);
  return mean.mean;
}

/** The stored outcome of some nodes of a network: a row and the curve of the error for each. */
export interface PartRows {
  readonly nodes: readonly NodeRow[];
  readonly curves: readonly Curve[];
}

export function partRows({ nodes }: PartOutcome): PartRows {
  return {
    nodes: nodes.map(({ node, result }) => nodeRow(node, result)),
    curves: nodes.map(({ result }) => result.curves.error),
  };
}

/** The error of the fused labels, as a cell. */
export function fusionCell({ error }: FusionResult): Value {
  return cellValue(error);
}

/** A network's rows from those of its parts, and from its fusion's cell. */
export function joinedRows(parts: readonly PartRows[], fusion?: Value): NetworkRows {
  const more: NodeRow = fusion === undefined ? {} : { "fusion.error": fusion };
  return {
    nodes: concatenate(parts.map(({ nodes }) => nodes)).map((row) => ({ ...row, ...more })),
    error: meanCurve(concatenate(parts.map(({ curves }) => curves))),
  };
}

/** The stored part of a network's outcome. */
export function networkRows({ nodes, fusion }: NetworkOutcome): NetworkRows {
  return joinedRows([partRows({ nodes })], fusion && fusionCell(fusion));
}
