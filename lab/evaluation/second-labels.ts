import { columnList } from "../../host/streams/columns.ts";
import { describedOptions } from "../../host/streams/description.ts";
import type { DataSet, SampleTable } from "../../host/streams/index.ts";
import { secondLabels } from "../../host/streams/second-labels.ts";
import type { DataFlags } from "./data-options.ts";
import { inMemory } from "./scaling.ts";

/** Features that go with the label like a second one: a node in the field doesn't have them. */
export interface SecondLabels {
  readonly names: readonly string[];
  /** The other features, as --columns takes them. */
  readonly others: string[];
  /** All features. */
  readonly all: readonly string[];
}

/** A file's second labels; undefined without any, or if the flags or the file's description choose the features. */
export function findSecondLabels(
  data: DataSet | SampleTable,
  { train, columns }: Pick<DataFlags, "train" | "columns">,
): SecondLabels | undefined {
  const { roles } = data;
  if (!roles || columns !== undefined || describedOptions(train).columns !== undefined) return undefined;
  const rows = "each" in data ? data : inMemory(data);
  const { second } = secondLabels(data, (visit) => rows.each(null, visit));
  if (second.length === 0) return undefined;
  const out = second.map((s) => roles.features[s]);
  const others = columnList(
    roles.features.filter((at) => !out.includes(at)),
    roles,
  );
  return { names: out.map((at) => roles.names[at]), others, all: [...others, ...columnList(out, roles)] };
}
