import { type DataSet, readTable } from "../../host/streams/index.ts";
import { type DataFlags, readingOf } from "../evaluation/data-options.ts";
import { scaleRows } from "../evaluation/scaling.ts";

/** The train file, read and scaled as the flags say; by `--scale node` each pass standardises it in its order. */
export async function readTrain(flags: DataFlags): Promise<DataSet> {
  const { train, scale } = flags;
  const data = await readTable(train, readingOf(flags));
  if (scale !== "node") scaleRows(data, scale);
  return data;
}
