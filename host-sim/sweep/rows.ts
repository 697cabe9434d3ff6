import type { NetworkOutcome } from "../network/network.ts";
import type { BaselineScores, Curve, Figure, LearnerResult } from "../result.ts";

/** A cell of a table; null: not defined. */
export type Value = number | string | null;

/** One node of one network: columns by name. */
export type NodeRow = { readonly [column: string]: Value };

/** What is kept of a network: a row a node, and how its error went, in the mean of the nodes. */
export interface NetworkRows {
  readonly nodes: readonly NodeRow[];
  readonly error: Curve;
}

function cellOf(figure: Figure | string): Value {
  if (typeof figure === "string") return figure;
  return typeof figure === "number" && Number.isFinite(figure) ? figure : null;
}

/** The numbers and texts of a record, whatever it holds else, by dotted names. */
function flat(record: object, place: string): [string, Value][] {
  return Object.entries(record).flatMap(([name, value]): [string, Value][] => {
    if (Array.isArray(value)) return [[`${place}${name}`, value.length]];
    if (typeof value !== "object" || value === null || "why" in value)
      return [[`${place}${name}`, cellOf(value as Figure)]];
    return flat(value, `${place}${name}.`);
  });
}

/** Of trivial predictors and the ideal what compares with the learner's own figures. */
function compared({ ideal, trivial }: LearnerResult): [string, Value][] {
  const { majority, last }: BaselineScores = trivial;
  return Object.entries({ ideal, majority, last }).flatMap(([name, scores]): [string, Value][] => [
    [`${name}.error`, cellOf(scores.error)],
    [`${name}.balancedAccuracy`, cellOf(scores.balancedAccuracy)],
    [`${name}.rmse`, cellOf(scores.rmse)],
  ]);
}

/** A node's result as a row: scores first, then labels, bytes, the line, power, counters and hashes. */
export function nodeRow(node: string, result: LearnerResult): NodeRow {
  const { metrics, labels, link, power, counters, nodeCounters, sets, drift, missing, stop } = result;
  const { channels, classes, samples, missed, bytes, bytesUsed, nodeBytes, size, budget } = result;
  return Object.fromEntries([
    ["node", node],
    ...flat(metrics, ""),
    ...compared(result),
    ...flat({ channels, classes, samples, missed, labels, bytes, bytesUsed, nodeBytes, size, budget }, ""),
    ...flat({ ...(missing && { missing }) }, ""),
    ...flat({ ...(sets && { sets }), ...(drift && { drift }), link, power, counters, nodeCounters }, ""),
    ["stateHash", result.stateHash],
    ["nodeHash", result.nodeHash],
    ...(stop ? [["stop", stop.sample] as const, ["stop.why", stop.why] as const] : []),
  ]);
}

/** The mean of curves at the points that all of them have. */
export function meanCurve(curves: readonly Curve[]): Curve {
  const places = curves.map(({ at, value }) => new Map(at.map((x, i) => [x, value[i]])));
  const at = curves[0].at.filter((x) => places.every((each) => each.has(x)));
  const value = at.map((x) => places.reduce((sum, each) => sum + (each.get(x) as number), 0) / places.length);
  return { at, value };
}

/** What is kept of a network's outcome. */
export function networkRows({ nodes, fusion }: NetworkOutcome): NetworkRows {
  const of: NodeRow = fusion ? { "fusion.error": cellOf(fusion.error) } : {};
  return {
    nodes: nodes.map(({ node, result }) => ({ ...nodeRow(node, result), ...of })),
    error: meanCurve(nodes.map(({ result }) => result.curves.error)),
  };
}
