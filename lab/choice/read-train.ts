import { type DataSet, readTable } from "../../host/streams/index.ts";
import { type DataFlags, readingOf, shuffleOf } from "../evaluation/data-options.ts";
import { orderOf } from "../evaluation/one-pass.ts";
import { scaleRows } from "../evaluation/scaling.ts";

/** The train file, read and scaled as the flags say; by `--scale node` in the order of the first pass. */
export async function readTrain(flags: DataFlags): Promise<DataSet> {
  const { train, scale } = flags;
  const data = await readTable(train, readingOf(flags));
  scaleRows(data, scale, orderOf(data.count, shuffleOf(flags)));
  return data;
}
