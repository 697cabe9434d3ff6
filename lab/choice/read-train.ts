import { type DataSet, readTable } from "../../host/streams/index.ts";
import { type DataFlags, fileReading } from "../evaluation/data-options.ts";
import { scaleRows } from "../evaluation/scaling.ts";

/** A file's samples as its node reads them, each with so many readings of each sensor. */
export interface RawTrain {
  readonly train: DataSet;
  readonly each: number;
}

/** The train file, read and scaled as the flags say; by `--scale node` each pass standardises it in its order. */
export async function readTrain(flags: DataFlags): Promise<RawTrain> {
  const { train, scale } = flags;
  const data = await readTable(train, fileReading(flags));
  if (scale !== "node") scaleRows(data, scale);
  return { train: data, each: data.readings ?? 1 };
}
