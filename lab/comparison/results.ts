import { StreamError } from "../../host/streams/index.ts";

/** The figures that are compared, by their names in results and tables. */
export const FIGURES = ["error", "balancedAccuracy", "auc", "rmse"] as const;
export type FigureName = (typeof FIGURES)[number];

/** One learner's result on one node, with one seed, at one point of a sweep. */
export interface ResultRow {
  readonly task: string;
  readonly learner: string;
  readonly seed: number;
  /** The values of the swept keys; "" without any. */
  readonly point: string;
  readonly node: string;
  /** Undefined figures are null. */
  readonly figures: { readonly [name in FigureName]: number | null };
  /** Hashes of the learner's state and of the node's; "" for a node that stopped. */
  readonly stateHash: string;
  readonly nodeHash: string;
}

/** A file of results, as `simulate --json`, `simulate --csv` and `sweep` write them. */
export interface Results {
  readonly file: string;
  readonly form: "simulate" | "table";
  readonly rows: readonly ResultRow[];
}

/** Collects rows. A second learner of one name is called "NAME (2)", and so on. */
export class RowCollector {
  readonly rows: ResultRow[] = [];
  private readonly counts = new Map<string, number>();

  add({ learner, ...row }: ResultRow): void {
    const key = JSON.stringify([row.task, learner, row.seed, row.point, row.node]);
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    this.rows.push({ ...row, learner: count > 1 ? `${learner} (${count})` : learner });
  }
}

/** Throws an error of one line about a missing part of a file of results. */
export function refuse(file: string, line: number | undefined, what: string): never {
  const right = "give what simulate --json printed, or a table (CSV, NDJSON) of sweep or simulate --csv";
  throw new StreamError(file, line, what, right);
}
