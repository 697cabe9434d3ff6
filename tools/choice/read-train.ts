import { type DataSet, readTable } from "../../host-sim/streams/index.ts";
import type { DataFlags } from "../cli/data-options.ts";
import { scaleLike } from "../evaluation/scaling.ts";

/** The train file, read and scaled as the flags say. */
export async function readTrain({
  train,
  format,
  columns,
  label,
  header,
  scale,
}: DataFlags): Promise<DataSet> {
  const data = await readTable(train, { format, columns, label, header });
  scaleLike(data, scale, []);
  return data;
}
