import { type DataSet, readTable } from "../../host/streams/index.ts";
import { type DataFlags, readingOf } from "../evaluation/data-options.ts";
import { scaleLike } from "../evaluation/scaling.ts";

/** The train file, read and scaled as the flags say. */
export async function readTrain(flags: DataFlags): Promise<DataSet> {
  const { train, scale } = flags;
  const data = await readTable(train, readingOf(flags));
  scaleLike(data, scale, []);
  return data;
}
