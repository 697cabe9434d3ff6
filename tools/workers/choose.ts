// A thread of `choose`.
import { workerData } from "node:worker_threads";
import type { DataSet } from "../../host-sim/streams/table.ts";
import { answer } from "../../host-sim/sweep/threads.ts";
import { type Passes, type Trial, Tryer } from "../choice/try.ts";
import { isUsersFault } from "../cli/exit.ts";
import { blamePlugin, catalogueWith } from "../cli/plugins.ts";

const { train, order, plugins } = workerData as {
  readonly train: DataSet;
  readonly order: Passes;
  readonly plugins: readonly string[];
};
const tryer = new Tryer(await catalogueWith(plugins), train, order);

answer(async (trial: Trial) => {
  try {
    return tryer.try(trial);
  } catch (error) {
    throw blamePlugin(error);
  }
}, isUsersFault);
