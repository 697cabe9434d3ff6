import { columnList } from "../../host/streams/columns.ts";
import { describedOptions } from "../../host/streams/description.ts";
import { type DataSet, readTable } from "../../host/streams/index.ts";
import { secondLabels } from "../../host/streams/second-labels.ts";
import { type DataFlags, fileReading } from "../evaluation/data-options.ts";
import { scaleRows } from "../evaluation/scaling.ts";

/** Features that were left out, as they go with the label like a second one, and how they are taken in. */
export interface SecondLabelsOut {
  readonly names: readonly string[];
  /** All features and these, as --columns takes them. */
  readonly columns: readonly string[];
}

/** A file's samples as its node reads them, each with so many readings of each sensor. */
export interface RawTrain {
  readonly train: DataSet;
  readonly each: number;
  /** The columns that were taken, where not all that the flags have. */
  readonly columns?: string[];
  readonly secondLabels?: SecondLabelsOut;
}

/**
 * The train file, read and scaled as the flags say; by `--scale node` each pass standardises it in its order. Second labels are left out unless the
 * flags or the file's description choose the features.
 */
export async function readTrain(flags: DataFlags): Promise<RawTrain> {
  const { scale } = flags;
  const { data, ...left } = await readBeside(flags);
  if (scale !== "node") scaleRows(data, scale);
  return { train: data, each: data.readings ?? 1, ...left };
}

async function readBeside(flags: DataFlags): Promise<{ readonly data: DataSet } & Partial<RawTrain>> {
  const { train, columns: chosen } = flags;
  const data = await readTable(train, fileReading(flags));
  const { roles, rows, labels } = data;
  const width = data.dimension;
  const { second } = secondLabels(data, (visit) => {
    for (let k = 0; k < data.count; k++) visit(rows.subarray(k * width, (k + 1) * width), labels[k]);
  });
  const isChosen = chosen !== undefined || describedOptions(train).columns !== undefined;
  if (isChosen || !roles || second.length === 0) return { data };
  const out = second.map((s) => roles.features[s]);
  const kept = roles.features.filter((at) => !out.includes(at));
  const columns = columnList(kept, roles);
  const all = [...columns, ...columnList(out, roles)];
  return {
    data: await readTable(train, fileReading({ ...flags, columns })),
    columns,
    secondLabels: { names: out.map((at) => roles.names[at]), columns: all },
  };
}
