import { type DataSet, readTable } from "../../host/streams/index.ts";
import { type DataFlags, fileReading } from "../evaluation/data-options.ts";
import { scaleRows } from "../evaluation/scaling.ts";
import { findSecondLabels, type SecondLabels } from "../evaluation/second-labels.ts";

/** A file's samples as its node reads them, each with so many readings of each sensor. */
export interface RawTrain {
  readonly train: DataSet;
  readonly each: number;
  /** The columns that were taken, where not all that the flags have. */
  readonly columns?: string[];
  readonly secondLabels?: SecondLabels;
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
  const data = await readTable(flags.train, fileReading(flags));
  const secondLabels = findSecondLabels(data, flags);
  if (!secondLabels) return { data };
  const columns = secondLabels.others;
  return { data: await readTable(flags.train, fileReading({ ...flags, columns })), columns, secondLabels };
}
